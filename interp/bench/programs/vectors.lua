local function fill(v, n) for i = 0, n - 1 do v[i + 1] = i * 3 end end
local function total(v, n) local s = 0 for i = 1, n do s = s + v[i] end return s end
function once()
  local v, r = {}, 0
  for i = 1, 10000 do v[i] = 0 end
  for k = 1, 100 do fill(v, 10000) r = total(v, 10000) end
  return r
end
answer, rounds = 149985000, 5
