function numbers(n) { var l = [], x = 42; for (var i = n - 1; i >= 0; i--) { l[i] = x; x = (x * 25173 + 13849) % 65536 } return l }
function once() {
  var l = numbers(20000), s = 0
  l.sort(function (a, b) { return a - b })
  for (var i = 0; i < l.length; i++) s = (s + i * l[i]) % 1000007
  return s
}
var answer = 287780, rounds = 8
