local function qsort(v, lo, hi)
  if lo >= hi then return end
  local pivot, i, j = v[math.floor((lo + hi) / 2)], lo, hi
  while i <= j do
    while v[i] < pivot do i = i + 1 end
    while pivot < v[j] do j = j - 1 end
    if i <= j then v[i], v[j] = v[j], v[i] i = i + 1 j = j - 1 end
  end
  qsort(v, lo, j)
  qsort(v, i, hi)
end
function once()
  local v, x = {}, 42
  for i = 1, 10000 do v[i] = x x = (x * 1103 + 12345) % 65536 end
  qsort(v, 1, 10000)
  for i = 2, 10000 do if v[i - 1] > v[i] then return -1 end end
  return #v
end
answer = 10000
rounds = 10
