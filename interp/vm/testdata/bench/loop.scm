(let up ((i 0)) (if (< i 100000000) (up (+ i 1)) i))
