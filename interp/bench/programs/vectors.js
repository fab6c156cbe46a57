function fill(v, n) { for (var i = 0; i < n; i++) v[i] = i * 3 }
function total(v, n) { var s = 0; for (var i = 0; i < n; i++) s += v[i]; return s }
function once() {
  var v = [], r = 0
  for (var i = 0; i < 10000; i++) v[i] = 0
  for (var k = 0; k < 100; k++) { fill(v, 10000); r = total(v, 10000) }
  return r
}
var answer = 149985000, rounds = 5
