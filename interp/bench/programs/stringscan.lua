local text = string.rep("It was the best of times, it was the worst of times. ", 50)
local function vowels(s)
  local n = 0
  for i = 1, #s do
    local c = string.byte(s, i)
    if c == 97 or c == 101 or c == 105 or c == 111 then n = n + 1 end
  end
  return n
end
local function hash(s)
  local h = 7
  for i = 1, #s do h = (h * 31 + string.byte(s, i)) % 1000003 end
  return h
end
local function matches(s, w)
  local n, k = #w, 0
  for i = 1, #s - n + 1 do if string.sub(s, i, i + n - 1) == w then k = k + 1 end end
  return k
end
function once() return vowels(text) + hash(text) + matches(text, "times") end
answer, rounds = 390183, 60
