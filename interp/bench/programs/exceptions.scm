(define (risky i) (if (= 0 (modulo i 3)) (raise (list 'bad i)) i))
(define (once)
  (let loop ((i 0) (s 0))
    (if (= i 30000) s
        (loop (+ i 1)
              (+ s (guard (e ((and (pair? e) (eq? (car e) 'bad)) (- (cadr e)))) (risky i)))))))
(define answer 150015000)
(define rounds 5)
