local function entry(i, j) return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1) end
local function times(n, v, to)
  for i = 0, n - 1 do
    local s = 0.0
    for j = 0, n - 1 do s = s + entry(i, j) * v[j + 1] end
    to[i + 1] = s
  end
end
local function transposed(n, v, to)
  for i = 0, n - 1 do
    local s = 0.0
    for j = 0, n - 1 do s = s + entry(j, i) * v[j + 1] end
    to[i + 1] = s
  end
end
function once()
  local n, u, v, w = 60, {}, {}, {}
  for i = 1, n do u[i] = 1.0 end
  for i = 1, 10 do
    times(n, u, w) transposed(n, w, v)
    times(n, v, w) transposed(n, w, u)
  end
  local uv, vv = 0.0, 0.0
  for i = 1, n do
    uv = uv + u[i] * v[i]
    vv = vv + v[i] * v[i]
  end
  return math.floor(1e9 * math.sqrt(uv / vv) + 0.5)
end
answer, rounds = 1274206094, 4
