function numeral(n) { return f => x => { for (var i = 0; i < n; i++) x = f(x); return x; }; }
function plus(a, b) { return f => x => a(f)(b(f)(x)); }
function times(a, b) { return f => a(b(f)); }
function once() {
  var three = numeral(3), ten = numeral(10);
  return times(times(ten, ten), plus(times(ten, plus(three, ten)), times(three, times(ten, ten))))(x => x + 1)(0);
}
var answer = 43000, rounds = 30;
