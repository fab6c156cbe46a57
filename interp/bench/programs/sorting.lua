local function numbers(n) local l, x = {}, 42 for i = n, 1, -1 do l[i] = x x = (x * 25173 + 13849) % 65536 end return l end
function once()
  local l = numbers(20000)
  table.sort(l, function(a, b) return a < b end)
  local s = 0
  for i = 1, #l do s = (s + (i - 1) * l[i]) % 1000007 end
  return s
end
answer, rounds = 287780, 8
