local function simpson(f, a, b, n)
  local h = (b - a) / n
  local s = f(a) + f(b)
  for i = 1, n - 1 do s = s + (i % 2 == 1 and 4.0 or 2.0) * f(a + i * h) end
  return h / 3.0 * s
end
function once()
  local v = simpson(function(x) return math.sin(x) / (1.0 + math.sqrt(x)) end, 0.0, 3.0, 50000)
  return math.floor(v * 1000000 + 0.5)
end
answer, rounds = 916615, 8
