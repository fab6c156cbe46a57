local function sum(...) local s = 0 for i = 1, select("#", ...) do s = s + (select(i, ...)) end return s end
local function step(f, n, ...) if n == 0 then return sum(...) end return f(f, n - 1, ...) end
function once()
  local s = 0
  for i = 0, 99 do s = s + step(step, 1000, i, 2, 3) end
  return s
end
answer, rounds = 5450, 6
