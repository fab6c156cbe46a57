function once()
  local g = coroutine.wrap(function() for i = 0, 49999 do coroutine.yield(i) end end)
  local s = 0
  for v in g do s = s + v end
  return s
end
answer, rounds = 1249975000, 6
