local function rotate(c)
  if c >= 97 and c <= 122 then return 97 + (13 + c - 97) % 26 end
  if c >= 65 and c <= 90 then return 65 + (13 + c - 65) % 26 end
  return c
end
local function rot13(s)
  local l = {}
  for i = 1, #s do l[i] = string.char(rotate(string.byte(s, i))) end
  return table.concat(l)
end
local text = "The Quick Brown Fox Jumps Over The Lazy Dog, and then comes back again to sleep."
function once()
  local s = text
  for i = 1, 1000 do s = rot13(s) end
  return s == text and 1 or 0
end
answer, rounds = 1, 6
