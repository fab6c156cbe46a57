(import (scheme base) (scheme write) (srfi 227))

(define f (opt-lambda (a b (c 1) (d 2) . r) (list a b c d r)))
(f 1 2) => (1 2 1 2 ())
(f 1 2 3) => (1 2 3 2 ())
(f 1 2 3 4) => (1 2 3 4 ())
(f 1 2 3 4 5) => (1 2 3 4 (5))
(f 1) =raises> "takes at least 2 arguments"
(define n 1)
(define g (opt-lambda (n (m (* n 2))) (list n m)))
(list (g 2) (g 2 3)) => ((2 2) (2 3))
(begin (set! n 2) (list (g 1) (g 1 2))) => ((1 4) (1 2))
(g 1 2 3) =raises> "a procedure with optional arguments has got too many"
(define g* (opt*-lambda (n (m (* n 2)) (k (+ n m))) (list n m k)))
(list (g* 2) (g* 2 3) (g* 2 3 4)) => ((2 4 6) (2 3 5) (2 3 4))
(g* 1 2 3 4) =raises> "has got too many"
((opt-lambda all all) 1 2) => (1 2)
((opt-lambda () 7)) => 7
(let-optionals '(1 2) (x . y) (list x y)) => (1 (2))
(let-optionals '(1) (x (y 2) (z 3)) (list x y z)) => (1 2 3)
(let-optionals '() (x) x) =raises> "takes at least 1 argument"
(let-optionals* '(1 3) (x (y 2) (z (+ x y))) (list x y z)) => (1 3 4)
(let-optionals* '(1 2) ((x 0)) x) =raises> "has got too many"
(define-optionals (f1 x (y 1)) (list x y))
(f1 0) => (0 1)
(f1) =raises> "takes at least 1 argument"
(define-optionals* (f2 x (y (* x x)) . z) (list x y z))
(list (f2 3) (f2 3 1 2)) => ((3 9 ()) (3 1 (2)))
(f2) =raises> "takes at least 1 argument"
((opt-lambda (x) x)) =raises> "takes at least 1 argument"
((opt*-lambda (x) x) 1 2) =raises> "has got too many"
(let () (define-optionals (h x (y 1)) y) (h)) =raises> "takes at least 1 argument"
(let () (define-optionals* (h (x 1)) x) (h 1 2)) =raises> "has got too many"
