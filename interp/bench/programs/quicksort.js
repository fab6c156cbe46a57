function qsort(v, lo, hi) {
  if (lo >= hi) return;
  var pivot = v[(lo + hi) >> 1], i = lo, j = hi;
  while (i <= j) {
    while (v[i] < pivot) i++;
    while (pivot < v[j]) j--;
    if (i <= j) { var t = v[i]; v[i++] = v[j]; v[j--] = t; }
  }
  qsort(v, lo, j);
  qsort(v, i, hi);
}
function once() {
  var v = [], x = 42;
  for (var i = 0; i < 10000; i++) { v[i] = x; x = (x * 1103 + 12345) % 65536; }
  qsort(v, 0, 9999);
  for (i = 1; i < v.length; i++) if (v[i - 1] > v[i]) return -1;
  return v.length;
}
var answer = 10000, rounds = 10;
