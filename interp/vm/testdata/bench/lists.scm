(define (upto n) (let down ((i (- n 1)) (l '())) (if (< i 0) l (down (- i 1) (cons i l)))))
(define (each f l) (if (null? l) '() (cons (f (car l)) (each f (cdr l)))))
(define (left f a l) (if (null? l) a (left f (f a (car l)) (cdr l))))
(define (turn l) (let go ((l l) (a '())) (if (null? l) a (go (cdr l) (cons (car l) a)))))
(let again ((i 0) (r 0))
  (if (= i 2000)
      r
      (again (+ i 1) (left (lambda (a b) (+ a b)) 0 (turn (each (lambda (x) (* x 2)) (upto 1000)))))))
