(import (scheme base) (scheme write) (srfi 111))

(define b (box 10))
(map box? (list b 10 (vector 10))) => (#t #f #f)
(unbox b) => 10
(begin (set-box! b 20) (unbox b)) => 20
(unbox 5) =raises> "unbox: argument 1 must be a box"
(set-box! 5 1) =raises> "set-box!: argument 1 must be a box"
