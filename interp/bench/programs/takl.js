function listn(n) { return n === 0 ? null : [n, listn(n - 1)]; }
function shorter(x, y) { return y !== null && (x === null || shorter(x[1], y[1])); }
function mas(x, y, z) { return !shorter(y, x) ? z : mas(mas(x[1], y, z), mas(y[1], z, x), mas(z[1], x, y)); }
function once() { var n = 0; for (var l = mas(listn(18), listn(12), listn(6)); l !== null; l = l[1]) n++; return n; }
var answer = 7, rounds = 8;
