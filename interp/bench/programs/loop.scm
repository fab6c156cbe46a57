(define (once)
  (let loop ((i 0)) (if (< i 10000000) (loop (+ i 1)) i)))
(define answer 10000000)
(define rounds 4)
