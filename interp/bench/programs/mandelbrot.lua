local function escape(cr, ci)
  local x, y, n = 0.0, 0.0, 0
  while n ~= 100 do
    local x2, y2 = x * x, y * y
    if 4.0 < x2 + y2 then return n end
    y = 2.0 * (x * y) + ci
    x = x2 - y2 + cr
    n = n + 1
  end
  return n
end
function once()
  local s = 0
  for j = 0, 99 do for i = 0, 99 do s = s + escape(0.03 * i - 2.0, 0.02 * j - 1.0) end end
  return s
end
answer, rounds = 304548, 6
