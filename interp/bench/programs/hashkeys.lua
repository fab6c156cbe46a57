local names = {"north", "east", "south", "west", "up", "down", "left", "right", "near", "far", "a rather longer name than the others"}
local symbols, chars = {}, {}
for i, n in ipairs(names) do symbols[i] = n end
for c in string.gmatch("the quick brown fox jumps over the lazy dog", ".") do chars[#chars + 1] = c end
local function tally(keys)
  local t = {}
  for i = 1, 200 do
    for j = 1, #keys do t[keys[j]] = 1 + (t[keys[j]] or 0) end
  end
  local s = 0
  for j = 1, #keys do s = s + t[keys[j]] end
  return s
end
function once() return tally(names) + tally(symbols) + tally(chars) end
answer, rounds = 29400, 100
