local function primes(n)
  local v = {}
  for i = 1, n do v[i] = true end
  v[1] = false
  local i = 2
  while i * i <= n do
    if v[i] then for j = i * i, n, i do v[j] = false end end
    i = i + 1
  end
  local k = 0
  for i = 1, n do if v[i] then k = k + 1 end end
  return k
end
function once()
  local v = {}
  for i = 1, 1000 do v[i] = 0 end
  for k = 0, 49 do for i = 1, 1000 do v[i] = k end end
  return primes(50000) + v[1000]
end
answer, rounds = 5182, 10
