(import (scheme base) (scheme write) (srfi 27))

(define (all ok? f n) (or (= n 0) (and (ok? (f)) (all ok? f (- n 1)))))
(all (lambda (x) (and (exact-integer? x) (<= 0 x 5))) (lambda () (random-integer 6)) 100) => #t
(all (lambda (x) (< 0 x 1)) random-real 100) => #t
(<= 0 (random-integer (expt 10 50)) (expt 10 50)) => #t
(list (random-source? default-random-source) (random-source? (make-random-source)) (random-source? 5)) => (#t #t #f)
(define (three s) (let ((next (random-source-make-integers s))) (let* ((a (next 1000)) (b (next 1000)) (c (next 1000))) (list a b c))))
(equal? (three (make-random-source)) (three (make-random-source))) => #t
(define s (make-random-source))
(let* ((state (random-source-state-ref s)) (first (three s)) (second (three s))) (random-source-state-set! s state) (list (equal? first (three s)) (equal? first second))) => (#t #f)
(let ((a (begin (random-source-pseudo-randomize! s 1 2) (three s))) (b (begin (random-source-pseudo-randomize! s 2 1) (three s))) (c (begin (random-source-pseudo-randomize! s 1 2) (three s))))
  (list (equal? a c) (equal? a b))) => (#t #f)
(let ((before (begin (random-source-pseudo-randomize! s 0 0) (three s)))) (random-source-randomize! s) (equal? before (three s))) => #f
(let ((a (begin (random-source-pseudo-randomize! default-random-source 3 4) (random-integer 1000000)))) (random-source-pseudo-randomize! default-random-source 3 4) (= a (random-integer 1000000))) => #t
(all (lambda (x) (< 0 x 1)) (random-source-make-reals s) 100) => #t
(all (lambda (x) (and (exact? x) (< 0 x 1))) (random-source-make-reals s 1/10) 100) => #t
(all (lambda (x) (and (inexact? x) (< 0 x 1))) (random-source-make-reals s 0.25) 100) => #t
((random-source-make-integers (begin (random-source-pseudo-randomize! s 1 1) s)) 1) => 0

(random-integer 0) =raises> "random-integer: argument 1 must be an exact integer above 0: 0"
(random-real 1) =raises> "argument"
(make-random-source 1) =raises> "argument"
(random-source-state-ref 5) =raises> "random-source"
(random-source-state-set! s 5) =raises> "random-source-state-set!: argument 2 must be a state"
(random-source-randomize! 5) =raises> "random-source"
(random-source-pseudo-randomize! 5 0 0) =raises> "random-source"
(random-source-make-integers 5) =raises> "random-source"
(random-source-make-reals s 2) =raises> "random-source-make-reals: argument 2 must be a number between 0 and 1: 2"
