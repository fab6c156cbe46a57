(import (scheme base) (scheme write) (srfi 31))

((rec (fact n) (if (= n 0) 1 (* n (fact (- n 1))))) 5) => 120
((rec f (lambda (n) (if (= n 0) 'done (f (- n 1))))) 3) => done
((rec (f . all) (if (null? all) 0 (+ 1 (apply f (cdr all))))) 'a 'b) => 2
(let ((s (rec s (cons 1 (lambda () s))))) (eq? s ((cdr s)))) => #t
(rec x x) =raises> "before it was given its value"
