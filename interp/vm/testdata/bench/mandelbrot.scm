(define (steps cr ci)
  (let next ((x 0.0) (y 0.0) (n 0))
    (if (= n 100)
        n
        (let ((x2 (* x x)) (y2 (* y y)))
          (if (< 4.0 (+ x2 y2))
              n
              (next (+ (- x2 y2) cr) (+ (* 2.0 (* x y)) ci) (+ n 1)))))))
(let row ((j 0) (s 0))
  (if (= j 200)
      s
      (let column ((i 0) (s s))
        (if (= i 200)
            (row (+ j 1) s)
            (column (+ i 1) (+ s (steps (- (* 0.015 i) 2.0) (- (* 0.01 j) 1.0))))))))
