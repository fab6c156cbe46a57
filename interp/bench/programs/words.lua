local text = "one fish two fish red fish blue fish black fish blue fish old fish new fish this one has a little star"
local function tokens(s)
  local l, start = {}, 1
  for i = 1, #s do
    if string.byte(s, i) == 32 then l[#l + 1] = string.sub(s, start, i - 1) start = i + 1 end
  end
  l[#l + 1] = string.sub(s, start)
  return l
end
function once()
  local t = {}
  for i = 1, 500 do for _, w in ipairs(tokens(text)) do t[w] = (t[w] or 0) + 1 end end
  return t.fish
end
answer, rounds = 4000, 10
