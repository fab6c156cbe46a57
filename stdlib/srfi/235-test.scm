(import (scheme base) (scheme write) (srfi 235))

(define out '())
(define (say x) (lambda () (set! out (cons x out)) x))
(define (said thunk) (set! out '()) (let ((r (thunk))) (list r (reverse out))))

(map (constantly 3) '(1 2 3)) => (3 3 3)
(call-with-values (lambda () ((constantly 1 2) 'x)) list) => (1 2)
(map (complement (lambda (x) 3)) '(1 2)) => (#f #f)
((complement not)) =raises> "takes 1 argument"
((swap cons) 1 2) => (2 . 1)
((swap list) 1 2 3 4) => (2 1 3 4)
((swap list) 1) =raises> "takes at least 2 arguments"
((flip list) 1 2 3) => (3 2 1)
(flip) =raises> "flip takes 1 argument"
(map (on-left list) '(1 2 3) '(4 5 6)) => ((1) (2) (3))
((on-left list) 1) =raises> "takes 2 arguments"
(map (on-right list) '(1 2 3) '(4 5 6)) => ((4) (5) (6))
((on-right list) 1) =raises> "takes 2 arguments"
(map (conjoin even? exact?) '(1.0 1 2.0 2)) => (#f #f #f #t)
(list ((conjoin) 1) ((conjoin number? list) 1)) => (#t (1))
((conjoin even?) 'a) =raises> "even?"
(map (disjoin even? exact?) '(1.0 1 2.0 2)) => (#f #t #t #t)
((disjoin) 1) => #f
((disjoin even?) 'a) =raises> "even?"
(let ((l '())) ((each-of (lambda x (set! l (cons (apply + x) l))) (lambda x (set! l (cons (apply * x) l)))) 1 2 4) l) => (8 7)
((each-of car) 5) =raises> "car"
(list ((all-of even?) '(2 4 6)) ((all-of odd?) '(1 2 3)) ((all-of odd?) '())) => (#t #f #t)
((all-of even?) 5) =raises> "all-of: argument 1 must be a list"
(list ((any-of even?) '(2 4 5)) ((any-of odd?) '(2 4 6)) ((any-of odd?) '())) => (#t #f #f)
((any-of even?) 5) =raises> "any-of: argument 1 must be a list"
((on + -) 1 2 3) => -6
((on + -) 'a) =raises> "-: argument 1"
(map (left-section - 1) '(1 2 3)) => (0 -1 -2)
((left-section car) 5) =raises> "car"
(map (right-section - 1) '(1 2 3)) => (0 1 2)
((right-section list 1 2) 3) => (3 2 1)
((right-section car) 5) =raises> "car"
(map (apply-chain car cdr) '((1 2 3) (4 5 6))) => (2 5)
((apply-chain list values) 1 2) => (1 2)
((apply-chain car cdr) 5) =raises> "cdr"
(apply (arguments-drop + 2) '(1 2 3 4 5)) => 12
((arguments-drop + 2) 1) =raises> "drop"
(apply (arguments-drop-right + 2) '(1 2 3 4 5)) => 6
((arguments-drop-right + 2) 1) =raises> "drop-right"
(apply (arguments-take + 2) '(1 2 3 4 5)) => 3
((arguments-take + 2) 1) =raises> "take"
(apply (arguments-take-right + 2) '(1 2 3 4 5)) => 9
((arguments-take-right + 2) 1) =raises> "take-right"
((group-by car) '((1 2 3) (2 2 3) (1 4 5))) => (((1 2 3) (1 4 5)) ((2 2 3)))
((group-by abs =) '(1 -1.0 2)) => ((1 -1.0) (2))
((group-by car) '()) => ()
((group-by car) 5) =raises> "group-by: argument 1 must be a list"

(said (lambda () (begin-procedure (say 'a) (say 'b) (say 'c)))) => (c (a b c))
(begin-procedure car) =raises> "car"
(list (if-procedure #t (lambda () 1) (lambda () 2)) (if-procedure #f (lambda () 1) (lambda () 2))) => (1 2)
(if-procedure #t 5 5) =raises> "5"
(cdr (said (lambda () (when-procedure #t (say 'a) (say 'b)) (when-procedure #f (say 'c))))) => ((a b))
(when-procedure #t 5) =raises> "5"
(cdr (said (lambda () (unless-procedure #f (say 'a) (say 'b)) (unless-procedure #t (say 'c))))) => ((a b))
(unless-procedure #f 5) =raises> "5"
(list (value-procedure 2 (lambda (x) (+ x 1)) (lambda () 0)) (value-procedure #f (lambda (x) (+ x 1)) (lambda () 0))) => (3 0)
(value-procedure 2 5 5) =raises> "5"
(map (lambda (n) (case-procedure n (list (cons 1 (say 'a)) (cons 2 (say 'b))) (say 'z))) '(2 0)) => (b z)
(case-procedure 1 (list (cons 1 5))) =raises> "5"
(said (lambda () (and-procedure (say 1) (say #f) (say 2)))) => (#f (1 #f))
(list (and-procedure) (and-procedure (say 1) (say 2))) => (#t 2)
(and-procedure 5) =raises> "5"
(said (lambda () (eager-and-procedure (say 1) (say #f) (say 2)))) => (#f (1 #f 2))
(list (eager-and-procedure) (eager-and-procedure (say 1) (say 2))) => (#t 2)
(eager-and-procedure 5) =raises> "5"
(said (lambda () (or-procedure (say #f) (say 1) (say 2)))) => (1 (#f 1))
(or-procedure) => #f
(or-procedure 5) =raises> "5"
(said (lambda () (eager-or-procedure (say #f) (say 1) (say 2)))) => (1 (#f 1 2))
(eager-or-procedure) => #f
(eager-or-procedure 5) =raises> "5"
(call/cc (lambda (leave) (let ((i 0)) (loop-procedure (lambda () (set! i (+ i 1)) (if (= i 5) (leave i))))))) => 5
(loop-procedure car) =raises> "car"
(funcall-procedure (lambda () 7)) => 7
(funcall-procedure 5) =raises> "5"
(let ((i 0)) (while-procedure (lambda () (set! i (+ i 1)) (< i 10))) i) => 10
(while-procedure car) =raises> "car"
(let ((i 10)) (until-procedure (lambda () (set! i (- i 1)) (= i 0))) i) => 0
(until-procedure car) =raises> "car"
(list (always 1 2 3) (never 1 2 3) (boolean 3) (boolean #f)) => (#t #f #t #f)
(boolean) =raises> "boolean takes 1 argument"
