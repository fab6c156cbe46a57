local function count_to(n) local l = nil for i = n - 1, 0, -1 do l = {i, l} end return l end
local function each(f, l) if l == nil then return nil end return {f(l[1]), each(f, l[2])} end
local function fold_up(f, a, l) if l == nil then return a end return fold_up(f, f(a, l[1]), l[2]) end
local function turn(l) local a = nil while l do a = {l[1], a} l = l[2] end return a end
function once()
  local r = 0
  for i = 1, 100 do
    r = fold_up(function(a, b) return a + b end, 0, turn(each(function(x) return x * 2 end, count_to(100))))
  end
  return r
end
answer, rounds = 9900, 200
