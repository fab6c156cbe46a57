(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(define (once) (fib 27))
(define answer 196418)
(define rounds 8)
