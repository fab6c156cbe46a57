var l = []
for (var i = 0; i < 1000; i++) l.push(i)
function once() {
  var r = 0
  for (var k = 0; k < 200; k++) {
    var sum = 0
    l.map(function (x) { return x + k }).forEach(function (x, i) { sum += x * l[i] })
    r += sum % 1000 + [1, 2, 3].map(function (x) { return x * 2 })[1] + l.concat(l.slice().reverse()).length
  }
  return r
}
var answer = 450800, rounds = 6
