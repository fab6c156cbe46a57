local function insert(t, k)
  if t == nil then return {k, nil, nil} end
  if k < t[1] then return {t[1], insert(t[2], k), t[3]} end
  if k > t[1] then return {t[1], t[2], insert(t[3], k)} end
  return t
end
local function size(t) if t == nil then return 0 end return 1 + size(t[2]) + size(t[3]) end
function once()
  local x, t = 42, nil
  for i = 1, 3000 do t = insert(t, math.floor(x / 16)) x = (x * 1103515245 + 12345) % 65536 end
  return size(t)
end
answer, rounds = 2161, 8
