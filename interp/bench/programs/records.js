function Point(x, y) { this.x = x; this.y = y }
function once() {
  var v = []
  for (var i = 0; i < 1000; i++) v.push(new Point(i, 2 * i))
  for (var k = 0; k < 100; k++) for (var i = 0; i < 1000; i++) { var p = v[i]; if (p instanceof Point) p.x = (p.x + p.y) % 1001 }
  var s = 0
  for (var i = 0; i < 1000; i++) s += v[i].x
  return s
}
var answer = 499700, rounds = 8
