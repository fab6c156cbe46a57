function run(program) {
  var pc = 0, a = 0, n = 2000
  for (;;) {
    switch (program[pc++]) {
      case "add": a += 3; break
      case "sub": a -= 1; break
      case "dec": n--; break
      case "nop": break
      case "jump": if (n > 0) pc = 0; break
      default: return a
    }
  }
}
function once() { var s = 0; for (var i = 0; i < 10; i++) s += run(["add", "nop", "sub", "nop", "dec", "jump", "halt"]); return s }
var answer = 40000, rounds = 5
