function once()
  local t = {}
  for i = 0, 19999 do t[i * 7919 % 10007] = i end
  local s = 0
  for i = 0, 10006 do s = s + (t[i] or 0) end
  return s
end
answer, rounds = 150064972, 50
