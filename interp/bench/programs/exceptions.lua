local function risky(i) if i % 3 == 0 then error({bad = i}) end return i end
function once()
  local s = 0
  for i = 0, 29999 do
    local ok, v = pcall(risky, i)
    if ok then s = s + v else s = s - v.bad end
  end
  return s
end
answer, rounds = 150015000, 5
