var words = ["the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog"]
function sentence(n) {
  var s = ""
  for (var i = 0; i < n; i++) s = s + " " + words.map(function (w) { return w.toUpperCase() }).join("")
  return s
}
function once() {
  var n = 0
  for (var i = 0; i < 100; i++) {
    var s = sentence(20)
    n += s.length + (s.substring(1, 4) === "THE" ? 1 : 0)
  }
  return n
}
var answer = 72100, rounds = 10
