function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
function once() { return fib(27) }
var answer = 196418, rounds = 8
