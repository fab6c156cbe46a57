function once() {
  var t = new Map()
  for (var i = 0; i < 20000; i++) t.set(i * 7919 % 10007, i)
  var s = 0
  for (var i = 0; i < 10007; i++) s += t.get(i) || 0
  return s
}
var answer = 150064972, rounds = 50
