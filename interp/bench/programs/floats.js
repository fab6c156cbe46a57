function simpson(f, a, b, n) {
  var h = (b - a) / n, s = f(a) + f(b)
  for (var i = 1; i < n; i++) s += (i % 2 === 1 ? 4 : 2) * f(a + i * h)
  return h / 3 * s
}
function once() { return Math.round(simpson(function (x) { return Math.sin(x) / (1 + Math.sqrt(x)) }, 0, 3, 50000) * 1000000) }
var answer = 916615, rounds = 8
