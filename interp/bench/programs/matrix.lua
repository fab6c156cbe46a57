local function make(n, f)
  local m = {}
  for i = 0, n - 1 do
    local row = {}
    for j = 0, n - 1 do row[j + 1] = f(i, j) end
    m[i + 1] = row
  end
  return m
end
local function transpose(n, m) return make(n, function(i, j) return m[j + 1][i + 1] end) end
local function dot(n, a, b)
  local s = 0.0
  for k = 1, n do s = s + a[k] * b[k] end
  return s
end
local function product(n, a, b)
  local t = transpose(n, b)
  return make(n, function(i, j) return dot(n, a[i + 1], t[j + 1]) end)
end
function once()
  local n = 60
  local a = make(n, function(i, j) return (i + 1.0) / (j + 2.0) end)
  local b = make(n, function(i, j) if i == j then return 0.75 end return 0.001 * (i - j) end)
  local c = product(n, product(n, a, b), b)
  local s = 0.0
  for i = 1, n do s = s + c[i][i] end
  return math.floor(1e6 * s + 0.5)
end
answer, rounds = -283798389, 4
