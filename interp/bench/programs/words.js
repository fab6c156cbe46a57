var text = "one fish two fish red fish blue fish black fish blue fish old fish new fish this one has a little star"
function tokens(s) {
  var l = [], start = 0
  for (var i = 0; i < s.length; i++) if (s.charCodeAt(i) === 32) { l.push(s.substring(start, i)); start = i + 1 }
  l.push(s.substring(start))
  return l
}
function once() {
  var t = new Map()
  for (var i = 0; i < 500; i++) tokens(text).forEach(function (w) { t.set(w, (t.get(w) || 0) + 1) })
  return t.get("fish")
}
var answer = 4000, rounds = 10
