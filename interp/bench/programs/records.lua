function once()
  local v = {}
  for i = 0, 999 do v[i] = {x = i, y = 2 * i} end
  for k = 1, 100 do
    for i = 0, 999 do local p = v[i] if p.x then p.x = (p.x + p.y) % 1001 end end
  end
  local s = 0
  for i = 0, 999 do s = s + v[i].x end
  return s
end
answer, rounds = 499700, 8
