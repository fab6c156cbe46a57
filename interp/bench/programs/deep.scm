(define (count n) (if (= n 0) 0 (+ 1 (count (- n 1)))))
(define (once) (count 1000000))
(define answer 1000000)
(define rounds 5)
