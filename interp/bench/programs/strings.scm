(define words '("the" "quick" "brown" "fox" "jumps" "over" "the" "lazy" "dog"))
(define (sentence n) (let loop ((i 0) (s "")) (if (= i n) s (loop (+ i 1) (apply string-append s " " (map string-upcase words))))))
(define (once)
  (let loop ((i 0) (n 0))
    (if (= i 100) n
        (let ((s (sentence 20)))
          (loop (+ i 1) (+ n (string-length s) (if (string=? (substring s 1 4) "THE") 1 0)))))))
(define answer 72100)
(define rounds 10)
