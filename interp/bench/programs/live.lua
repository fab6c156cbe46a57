local function build(n) local l = nil for i = 0, n - 1 do l = {i, l} end return l end
local keep = build(500000)
function once()
  local s = 0
  for i = 1, 20000 do s = s + build(100)[1] end
  return s + keep[1]
end
answer, rounds = 2479999, 4
