local function pad(n) local s = tostring(n) if #s < 3 then return "0" .. s end return s end
function once()
  local n = 0
  for i = 0, 2999 do
    local key = "item-" .. pad(i % 1000) .. ":" .. string.lower("VALUE")
    local name = string.sub(key, 6, 8)
    local out = {}
    out[#out + 1] = name
    out[#out + 1] = "="
    out[#out + 1] = string.upper(key)
    n = n + #table.concat(out) + (name == "123" and 100 or 0)
  end
  return n
end
answer, rounds = 54270, 10
