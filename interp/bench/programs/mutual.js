function classify(n) {
  function zero(n) { return n === 0 ? 0 : one(n - 1); }
  function one(n) { return n === 0 ? 1 : two(n - 1); }
  function two(n) { return n === 0 ? 2 : zero(n - 1); }
  function weight(n) { return n < 3 ? 1 : weight(Math.floor(n / 2)) + weight(Math.floor(n / 3)); }
  return zero(n) + weight(n);
}
function once() { var s = 0; for (var i = 0; i < 300; i++) s += classify(1000 + i); return s; }
var answer = 46924, rounds = 20;
