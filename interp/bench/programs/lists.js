function countTo(n) { var l = null; for (var i = n - 1; i >= 0; i--) l = {car: i, cdr: l}; return l }
function each(f, l) { return l === null ? null : {car: f(l.car), cdr: each(f, l.cdr)} }
function foldUp(f, a, l) { for (; l !== null; l = l.cdr) a = f(a, l.car); return a }
function turn(l) { var a = null; for (; l !== null; l = l.cdr) a = {car: l.car, cdr: a}; return a }
function once() {
  var r = 0
  for (var i = 0; i < 100; i++)
    r = foldUp(function (a, b) { return a + b }, 0, turn(each(function (x) { return x * 2 }, countTo(100))))
  return r
}
var answer = 9900, rounds = 200
