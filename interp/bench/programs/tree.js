function insert(t, k) {
  if (t === null) return [k, null, null]
  if (k < t[0]) return [t[0], insert(t[1], k), t[2]]
  if (k > t[0]) return [t[0], t[1], insert(t[2], k)]
  return t
}
function size(t) { return t === null ? 0 : 1 + size(t[1]) + size(t[2]) }
function once() {
  var x = 42, t = null
  for (var i = 0; i < 3000; i++) { t = insert(t, Math.floor(x / 16)); x = (x * 1103515245 + 12345) % 65536 }
  return size(t)
}
var answer = 2161, rounds = 8
