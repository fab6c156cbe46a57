local function push(q, x)
  local n = {value = x}
  if q.tail then q.tail.next = n else q.head = n end
  q.tail = n
  q.size = q.size + 1
end
local function pop(q)
  local n = q.head
  q.head = n.next
  if not n.next then q.tail = nil end
  q.size = q.size - 1
  return n.value
end
function once()
  local q = {size = 0}
  for i = 0, 49 do push(q, i) end
  local s = 0
  for i = 1, 20000 do
    local x = pop(q)
    push(q, (x + 7) % 1009)
    s = s + x
  end
  return s + q.size
end
answer, rounds = 9566885, 10
