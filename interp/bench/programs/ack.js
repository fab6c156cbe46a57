function ack(m, n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)) }
function once() { ack(2, 9); return ack(3, 6) }
var answer = 509, rounds = 15
