local table = {}
for i = 0, 255 do
  local c = i
  for _ = 1, 8 do local h = math.floor(c / 2) if c % 2 == 1 then c = (h + 60856) % 65536 else c = h end end
  table[i] = c
end
function once()
  local b = {}
  for i = 0, 49999 do b[i] = (i * i) % 256 end
  local c = 0
  for i = 0, 49999 do c = (c * 31 + table[(c + b[i]) % 256]) % 65536 end
  return c
end
answer = 35628
rounds = 8
