local function listn(n) if n == 0 then return nil end return {n, listn(n - 1)} end
local function shorter(x, y)
  if y == nil then return false end
  if x == nil then return true end
  return shorter(x[2], y[2])
end
local function mas(x, y, z)
  if not shorter(y, x) then return z end
  return mas(mas(x[2], y, z), mas(y[2], z, x), mas(z[2], x, y))
end
function once() local n, l = 0, mas(listn(18), listn(12), listn(6)) while l do n = n + 1 l = l[2] end return n end
answer = 7
rounds = 8
