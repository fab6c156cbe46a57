function rotate(c) {
  if (c >= 97 && c <= 122) return 97 + (13 + c - 97) % 26
  if (c >= 65 && c <= 90) return 65 + (13 + c - 65) % 26
  return c
}
function rot13(s) {
  var l = []
  for (var i = 0; i < s.length; i++) l.push(String.fromCharCode(rotate(s.charCodeAt(i))))
  return l.join("")
}
var text = "The Quick Brown Fox Jumps Over The Lazy Dog, and then comes back again to sleep."
function once() { var s = text; for (var i = 0; i < 1000; i++) s = rot13(s); return s === text ? 1 : 0 }
var answer = 1, rounds = 6
