(define (fib n) (let loop ((a 0) (b 1) (n n)) (if (= n 0) a (loop b (+ a b) (- n 1)))))
(define (once) (modulo (fib 5000) 1000000007))
(define answer 976496506)
(define rounds 100)
