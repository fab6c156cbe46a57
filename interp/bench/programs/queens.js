function cons(a, b) { return {car: a, cdr: b} }
function oneTo(n) { var l = null; for (var i = n; i > 0; i--) l = cons(i, l); return l }
function join(a, b) { return a === null ? b : cons(a.car, join(a.cdr, b)) }
function safe(row, distance, placed) {
  return placed === null || placed.car !== row + distance && placed.car !== row - distance && safe(row, distance + 1, placed.cdr)
}
function attempt(left, tried, placed) {
  if (left === null) return tried === null ? 1 : 0
  return (safe(left.car, 1, placed) ? attempt(join(left.cdr, tried), null, cons(left.car, placed)) : 0) +
    attempt(left.cdr, cons(left.car, tried), placed)
}
function once() { return attempt(oneTo(8), null, null) }
var answer = 92, rounds = 20
