local function grow(n, step)
  local t, count = {}, 0
  for i = 0, n - 1 do
    local k = i * step
    if t[k] == nil then count = count + 1 end
    t[k] = i
  end
  return count
end
function once()
  local s = 0
  for i = 1, 300 do s = s + grow(20, 1) + grow(100, 1000003) end
  return s + grow(20000, 64) + grow(5000, 12345678)
end
answer, rounds = 61000, 8
