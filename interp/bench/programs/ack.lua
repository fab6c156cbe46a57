local function ack(m, n)
  if m == 0 then return n + 1 end
  if n == 0 then return ack(m - 1, 1) end
  return ack(m - 1, ack(m, n - 1))
end
function once() ack(2, 9) return ack(3, 6) end
answer, rounds = 509, 15
