(define (build n) (let go ((i 0) (l '())) (if (= i n) l (go (+ i 1) (cons i l)))))
(define kept (build 1000000))
(define (churn k) (let go ((i 0) (s 0)) (if (= i k) s (go (+ i 1) (+ s (car (build 100)))))))
(churn 100000)
