local function run(program)
  local pc, a, n = 1, 0, 2000
  while true do
    local op = program[pc]
    pc = pc + 1
    if op == "add" then a = a + 3
    elseif op == "sub" then a = a - 1
    elseif op == "dec" then n = n - 1
    elseif op == "nop" then
    elseif op == "jump" then if n > 0 then pc = 1 end
    else return a end
  end
end
function once() local s = 0 for i = 1, 10 do s = s + run({"add", "nop", "sub", "nop", "dec", "jump", "halt"}) end return s end
answer, rounds = 40000, 5
