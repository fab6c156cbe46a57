local function counter() local n = 0 return function() n = n + 1 return n end end
local function compose(f, g) return function(x) return f(g(x)) end end
local function adder(k) return function(x) return x + k end end
function once()
  local r = 0
  for i = 0, 99999 do
    local c, h = counter(), compose(adder(i), compose(adder(1), adder(2)))
    c() c()
    r = c() + h(1)
  end
  return r
end
answer, rounds = 100006, 10
