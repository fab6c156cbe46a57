function once() local i = 0 while i < 10000000 do i = i + 1 end return i end
answer, rounds = 10000000, 4
