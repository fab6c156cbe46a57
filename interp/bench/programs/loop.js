function once() { var i = 0; while (i < 10000000) i = i + 1; return i }
var answer = 10000000, rounds = 4
