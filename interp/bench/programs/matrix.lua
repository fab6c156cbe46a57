local function makematrix(n, f)
  local m = {}
  for i = 0, n - 1 do
    local row = {}
    m[i + 1] = row
    for j = 0, n - 1 do row[j + 1] = f(i, j) end
  end
  return m
end
local function multiply(a, b, n)
  return makematrix(n, function(i, j)
    local row, s = a[i + 1], 0
    for k = 1, n do s = s + row[k] * b[k][j + 1] end
    return s
  end)
end
local function bubble(v, n)
  for i = 0, n - 1 do
    for j = 1, n - i - 1 do
      local x, y = v[j], v[j + 1]
      if x > y then v[j], v[j + 1] = y, x end
    end
  end
end
function once()
  local a = makematrix(50, function(i, j) return i + j end)
  local c, v = multiply(a, a, 50), {}
  for i = 0, 199 do v[i + 1] = i * 77 % 211 end
  bubble(v, 200)
  return c[50][50] + v[101]
end
answer, rounds = 280630, 10
