function risky(i) { if (i % 3 === 0) throw {bad: i}; return i }
function once() {
  var s = 0
  for (var i = 0; i < 30000; i++) { try { s += risky(i) } catch (e) { s -= e.bad } }
  return s
}
var answer = 150015000, rounds = 5
