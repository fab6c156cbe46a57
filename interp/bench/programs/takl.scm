(define (listn n) (if (= n 0) '() (cons n (listn (- n 1)))))
(define (shorter? x y) (and (not (null? y)) (or (null? x) (shorter? (cdr x) (cdr y)))))
(define (mas x y z)
  (if (not (shorter? y x))
      z
      (mas (mas (cdr x) y z) (mas (cdr y) z x) (mas (cdr z) x y))))
(define (once) (length (mas (listn 18) (listn 12) (listn 6))))
(define answer 7)
(define rounds 8)
