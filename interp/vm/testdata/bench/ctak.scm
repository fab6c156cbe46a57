(define (ctak x y z) (call/cc (lambda (k) (inner k x y z))))
(define (inner k x y z)
  (if (< y x)
      (call/cc
        (lambda (k)
          (inner k
            (call/cc (lambda (k) (inner k (- x 1) y z)))
            (call/cc (lambda (k) (inner k (- y 1) z x)))
            (call/cc (lambda (k) (inner k (- z 1) x y))))))
      (k z)))
(let again ((i 0) (r 0)) (if (< i 5) (again (+ i 1) (ctak 18 12 6)) r))
