local function make(n) if n == 0 then return {false, false} end return {make(n - 1), make(n - 1)} end
local function count(t) if t[1] then return 1 + count(t[1]) + count(t[2]) end return 1 end
function once()
  local kept, s = make(12), 0
  for i = 1, 40 do s = s + count(make(9)) end
  return s + count(kept)
end
answer = 49111
rounds = 10
