local function sift(v, root, stop)
  local child = 2 * root + 1
  while child < stop do
    if child + 1 < stop and v[child] < v[child + 1] then child = child + 1 end
    if v[root] >= v[child] then return end
    v[root], v[child] = v[child], v[root]
    root = child
    child = 2 * root + 1
  end
end
function once()
  local v, x = {}, 42
  for i = 0, 4999 do v[i] = x x = (x * 1103 + 12345) % 65536 end
  for i = 2500, 0, -1 do sift(v, i, 5000) end
  for stop = 4999, 1, -1 do v[0], v[stop] = v[stop], v[0] sift(v, 0, stop) end
  for i = 1, 4999 do if v[i - 1] > v[i] then return -1 end end
  return 5000
end
answer = 5000
rounds = 10
