function lcs(a, b) {
  var row = [], n = b.length;
  for (var j = 0; j <= n; j++) row[j] = 0;
  for (var i = 0; i < a.length; i++) {
    var c = a.charCodeAt(i), diagonal = 0, left = 0;
    for (j = 1; j <= n; j++) {
      var up = row[j], x = c === b.charCodeAt(j - 1) ? diagonal + 1 : up > left ? up : left;
      row[j] = x; diagonal = up; left = x;
    }
  }
  return row[n];
}
var a = "the quick brown fox ".repeat(10), b = "jumps over a lazy dog ".repeat(10);
function once() { return lcs(a, b); }
var answer = 60, rounds = 25;
