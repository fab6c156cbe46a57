local function tak(x, y, z, k)
  if not (y < x) then return k(z) end
  return tak(x - 1, y, z, function(v1)
    return tak(y - 1, z, x, function(v2)
      return tak(z - 1, x, y, function(v3) return tak(v1, v2, v3, k) end)
    end)
  end)
end
function once() return tak(18, 12, 6, function(a) return a end) end
answer = 7
rounds = 20
