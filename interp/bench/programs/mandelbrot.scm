(define (escape cr ci)
  (let loop ((x 0.0) (y 0.0) (n 0))
    (if (= n 100) n
        (let ((x2 (* x x)) (y2 (* y y)))
          (if (< 4.0 (+ x2 y2)) n
              (loop (+ (- x2 y2) cr) (+ (* 2.0 (* x y)) ci) (+ n 1)))))))
(define (once)
  (let rows ((j 0) (s 0))
    (if (= j 100) s
        (let columns ((i 0) (s s))
          (if (= i 100) (rows (+ j 1) s)
              (columns (+ i 1) (+ s (escape (- (* 0.03 i) 2.0) (- (* 0.02 j) 1.0)))))))))
(define answer 304548)
(define rounds 6)
