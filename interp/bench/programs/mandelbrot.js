function escape_(cr, ci) {
  var x = 0, y = 0, n = 0
  while (n != 100) {
    var x2 = x * x, y2 = y * y
    if (4 < x2 + y2) return n
    y = 2 * (x * y) + ci
    x = x2 - y2 + cr
    n++
  }
  return n
}
function once() {
  var s = 0
  for (var j = 0; j < 100; j++) for (var i = 0; i < 100; i++) s += escape_(0.03 * i - 2, 0.02 * j - 1)
  return s
}
var answer = 304548, rounds = 6
