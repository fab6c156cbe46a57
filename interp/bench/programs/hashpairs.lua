function once()
  local t = {}
  for i = 0, 9999 do t[(i % 50) .. "." .. (i % 70)] = i end
  local s = 0
  for i = 0, 9999 do s = s + (t[(i % 60) .. "." .. (i % 70)] or 0) end
  return s
end
answer, rounds = 81929130, 8
