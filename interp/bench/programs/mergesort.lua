local function merge(a, b)
  if not a then return b end
  if not b then return a end
  if b[1] < a[1] then return {b[1], merge(a, b[2])} end
  return {a[1], merge(a[2], b)}
end
local function msort(l)
  if not l or not l[2] then return l end
  local a, b = nil, nil
  while l do a, b = b, {l[1], a} l = l[2] end
  return merge(msort(a), msort(b))
end
function once()
  local l, x = nil, 42
  for i = 1, 5000 do l = {x, l} x = (x * 1103 + 12345) % 65536 end
  l = msort(l)
  local n = 1
  while l[2] do if l[1] > l[2][1] then return -1 end n = n + 1 l = l[2] end
  return n
end
answer = 5000
rounds = 10
