(define (ctak x y z) (call/cc (lambda (k) (ctak-go k x y z))))
(define (ctak-go k x y z)
  (if (< y x)
      (call/cc
       (lambda (k)
         (ctak-go k
                  (call/cc (lambda (k) (ctak-go k (- x 1) y z)))
                  (call/cc (lambda (k) (ctak-go k (- y 1) z x)))
                  (call/cc (lambda (k) (ctak-go k (- z 1) x y))))))
      (k z)))
(define (once) (ctak 16 10 5))
(define answer 6)
(define rounds 4)
