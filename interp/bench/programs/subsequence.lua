local function lcs(a, b)
  local row, n = {}, #b
  for j = 0, n do row[j] = 0 end
  for i = 1, #a do
    local c, diagonal, left = a:byte(i), 0, 0
    for j = 1, n do
      local up, x = row[j]
      if c == b:byte(j) then x = diagonal + 1 elseif up > left then x = up else x = left end
      row[j] = x
      diagonal, left = up, x
    end
  end
  return row[n]
end
local a, b = string.rep("the quick brown fox ", 10), string.rep("jumps over a lazy dog ", 10)
function once() return lcs(a, b) end
answer = 60
rounds = 25
