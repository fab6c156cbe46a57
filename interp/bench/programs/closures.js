function counter() { var n = 0; return function () { n = n + 1; return n } }
function compose(f, g) { return function (x) { return f(g(x)) } }
function adder(k) { return function (x) { return x + k } }
function once() {
  var r = 0
  for (var i = 0; i < 100000; i++) {
    var c = counter(), h = compose(adder(i), compose(adder(1), adder(2)))
    c(); c()
    r = c() + h(1)
  }
  return r
}
var answer = 100006, rounds = 10
