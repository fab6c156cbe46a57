local words = {"the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog"}
local function sentence(n)
  local s = ""
  for i = 1, n do
    local up = {}
    for j = 1, #words do up[j] = string.upper(words[j]) end
    s = s .. " " .. table.concat(up)
  end
  return s
end
function once()
  local n = 0
  for i = 1, 100 do
    local s = sentence(20)
    n = n + #s + (string.sub(s, 2, 4) == "THE" and 1 or 0)
  end
  return n
end
answer, rounds = 72100, 10
