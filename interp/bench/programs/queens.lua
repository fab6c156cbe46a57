local function one_to(n) local l = nil for i = n, 1, -1 do l = {i, l} end return l end
local function join(a, b) if a == nil then return b end return {a[1], join(a[2], b)} end
local function safe(row, distance, placed)
  if placed == nil then return true end
  return placed[1] ~= row + distance and placed[1] ~= row - distance and safe(row, distance + 1, placed[2])
end
local function try(left, tried, placed)
  if left == nil then return tried == nil and 1 or 0 end
  return (safe(left[1], 1, placed) and try(join(left[2], tried), nil, {left[1], placed}) or 0)
    + try(left[2], {left[1], tried}, placed)
end
function once() return try(one_to(8), nil, nil) end
answer, rounds = 92, 20
