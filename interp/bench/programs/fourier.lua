local function reorder(n, re, im)
  local j = 0
  for i = 0, n - 1 do
    if i < j then
      re[i + 1], re[j + 1] = re[j + 1], re[i + 1]
      im[i + 1], im[j + 1] = im[j + 1], im[i + 1]
    end
    local m = n // 2
    while m >= 1 and j >= m do j, m = j - m, m // 2 end
    j = j + m
  end
end
local function transform(n, re, im)
  reorder(n, re, im)
  local half = 1
  while half < n do
    local angle = -3.141592653589793 / half
    for k = 0, half - 1 do
      local wr, wi = math.cos(angle * k), math.sin(angle * k)
      local i = k + 1
      while i <= n do
        local j = i + half
        local xr, xi = re[j], im[j]
        local tr, ti = wr * xr - wi * xi, wr * xi + wi * xr
        re[j] = re[i] - tr
        im[j] = im[i] - ti
        re[i] = re[i] + tr
        im[i] = im[i] + ti
        i = j + half
      end
    end
    half = half * 2
  end
end
function once()
  local n, re, im = 4096, {}, {}
  for i = 0, n - 1 do
    re[i + 1] = math.sin(0.01 * i) + 0.001 * (i * 37 % 101)
    im[i + 1] = 0.0
  end
  transform(n, re, im)
  local s = 0.0
  for i = 1, n do s = s + math.sqrt(re[i] * re[i] + im[i] * im[i]) end
  return math.floor(1000 * s + 0.5)
end
answer, rounds = 13875040, 8
