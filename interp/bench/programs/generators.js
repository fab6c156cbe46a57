function* generator(n) { for (var i = 0; i < n; i++) yield i }
function once() {
  var s = 0
  for (var v of generator(50000)) s += v
  return s
}
var answer = 1249975000, rounds = 6
