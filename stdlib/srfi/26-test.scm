(import (scheme base) (scheme write) (srfi 26))

((cut cons (+ 1 1) <>) 3) => (2 . 3)
((cut list 1 <> 3 <> 5) 2 4) => (1 2 3 4 5)
((cut list)) => ()
((cut list 1 <> 3 <...>) 2 4 5) => (1 2 3 4 5)
((cut <> 1 2) +) => 3
(map (cut * 2 <>) '(1 2 3)) => (2 4 6)
(let ((n 0)) (define (next!) (set! n (+ n 1)) n) (define f (cut list (next!) <>)) (f 0) (f 0)) => (2 0)
(let ((n 0)) (define (next!) (set! n (+ n 1)) n) (define f (cute list (next!) <>)) (f 0) (f 0)) => (1 0)
((cute list 1 <> 3 <...>) 2 4 5) => (1 2 3 4 5)
((cute <> 1 <>) + 2) => 3
((cut cons 1 <>)) =raises> "argument"
((cute cons 1 <>) 2 3) =raises> "argument"
((cut car <...>) 1 2) =raises> "argument"
