function once()
  local t, u = {}, {}
  for i = 0, 9999 do
    t[i % 97] = (t[i % 97] or 0) + 1
    u[i % 89] = (u[i % 89] or 0) + i
  end
  local s = 0
  for i = 0, 9999 do s = s + (t[i % 200] or 1) + (u[i % 100] or 2) end
  return s
end
answer, rounds = 5000007350, 50
