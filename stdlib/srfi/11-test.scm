(import (scheme base) (scheme write) (srfi 11))

(let-values (((a b . rest) (values 1 2 3 4)) (all (values 5 6))) (list a b rest all)) => (1 2 (3 4) (5 6))
(let ((a 'a) (b 'b) (x 'x) (y 'y)) (let-values (((a b) (values x y)) ((x y) (values a b))) (list a b x y))) => (x y a b)
(let ((a 'a) (b 'b) (x 'x) (y 'y)) (let*-values (((a b) (values x y)) ((x y) (values a b))) (list a b x y))) => (x y x y)
(let*-values () 1) => 1
(let-values (((a b) (values 1))) a) =raises> "let-values: it takes 2 values"
(let*-values (((a b) (values 1))) a) =raises> "let*-values: it takes 2 values"
