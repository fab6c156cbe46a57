function make(n) { return n === 0 ? [null, null] : [make(n - 1), make(n - 1)]; }
function count(t) { return t[0] ? 1 + count(t[0]) + count(t[1]) : 1; }
function once() { var kept = make(12), s = 0; for (var i = 0; i < 40; i++) s += count(make(9)); return s + count(kept); }
var answer = 49111, rounds = 10;
