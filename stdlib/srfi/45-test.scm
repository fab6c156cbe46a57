(import (scheme base) (scheme write) (srfi 45))

(force (delay (+ 1 2))) => 3
(force (lazy (eager 5))) => 5
(force (force (eager (eager 6)))) => 6
(force (lazy (lazy (delay 'x)))) => x
(define n 0)
(define p (delay (begin (set! n (+ n 1)) n)))
(list (force p) (force p)) => (1 1)
(define (loop k) (lazy (if (= k 0) (eager 'end) (loop (- k 1)))))
(force (loop 100000)) => end
(define (stream-from k) (delay (cons k (stream-from (+ k 1)))))
(define (nth s k) (if (= k 0) (car (force s)) (nth (cdr (force s)) (- k 1))))
(nth (stream-from 0) 10000) => 10000
;; reentrancy: the first value stays
(define x 5)
(define q (delay (begin (set! x (- x 1)) (if (> x 0) (force q) 'first))))
(list (force q) (force q)) => (first first)
(force (delay (car 1))) =raises> "must be a pair"
(force (lazy (car 1))) =raises> "must be a pair"
(eager) =raises> "argument"
