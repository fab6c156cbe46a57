local function numeral(n) return function(f) return function(x) for i = 1, n do x = f(x) end return x end end end
local function plus(a, b) return function(f) return function(x) return a(f)(b(f)(x)) end end end
local function times(a, b) return function(f) return a(b(f)) end end
function once()
  local three, ten = numeral(3), numeral(10)
  local c = times(times(ten, ten), plus(times(ten, plus(three, ten)), times(three, times(ten, ten))))
  return c(function(x) return x + 1 end)(0)
end
answer = 43000
rounds = 30
