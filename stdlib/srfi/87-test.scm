(import (except (scheme base) case) (scheme write) (srfi 87))

(case (* 2 3) ((2 3 5 7) 'prime) ((1 4 6 8 9) 'composite)) => composite
(case 7 ((2 3 5 7) => (lambda (x) (* x x))) (else 0)) => 49
(case 8 ((2 3 5 7) => list) (else => (lambda (x) (list 'other x)))) => (other 8)
(case 1 ((1) => 5) (else 0)) =raises> "5"
