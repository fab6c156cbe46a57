(define (depth n) (if (= n 0) 0 (+ 1 (depth (- n 1)))))
(let again ((i 0) (r 0)) (if (< i 5) (again (+ i 1) (depth 1000000)) r))
