local floor = math.floor
local function classify(n)
  local zero, one, two, weight
  function zero(n) if n == 0 then return 0 end return one(n - 1) end
  function one(n) if n == 0 then return 1 end return two(n - 1) end
  function two(n) if n == 0 then return 2 end return zero(n - 1) end
  function weight(n) if n < 3 then return 1 end return weight(floor(n / 2)) + weight(floor(n / 3)) end
  return zero(n) + weight(n)
end
function once() local s = 0 for i = 0, 299 do s = s + classify(1000 + i) end return s end
answer = 46924
rounds = 20
