function build(n) { var l = null; for (var i = 0; i < n; i++) l = {car: i, cdr: l}; return l }
var keep = build(500000)
function once() {
  var s = 0
  for (var i = 0; i < 20000; i++) s += build(100).car
  return s + keep.car
}
var answer = 2479999, rounds = 4
