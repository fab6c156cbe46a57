function tak(x, y, z) { return y < x ? tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)) : z }
function once() { return tak(18, 12, 6) }
var answer = 7, rounds = 50
