(define (factorial n) (if (= n 0) 1 (* n (factorial (- n 1)))))
(let again ((i 0)) (if (< i 100) (begin (factorial 1000) (again (+ i 1))) (quotient (factorial 30) 1000000)))
