(import (scheme base) (scheme write) (srfi 16))

(define plus
  (case-lambda
    (() 0) ((x) x) ((x y) (+ x y)) ((x y z) (+ (+ x y) z)) (args (apply + args))))
(list (plus) (plus 1) (plus 1 2 3)) => (0 1 6)
(plus 1 2 3 4) => 10
((case-lambda ((a) a) ((a b) (* a b))) 1 2 3) =raises> "argument"
