(import (scheme base) (scheme write) (srfi 2))

;; The document's own.
(and-let* () 1) => 1
(and-let* () 1 2) => 2
(and-let* ()) => #t
(let ((x #f)) (and-let* (x))) => #f
(let ((x 1)) (and-let* (x))) => 1
(and-let* ((x #f))) => #f
(and-let* ((x 1))) => 1
(and-let* ((#f) (x 1))) => #f
(and-let* ((2) (x 1))) => 1
(and-let* ((x 1) (2))) => 2
(let ((x #f)) (and-let* (x) x)) => #f
(let ((x "")) (and-let* (x) x)) => ""
(let ((x "")) (and-let* (x))) => ""
(let ((x 1)) (and-let* (x) (+ x 1))) => 2
(let ((x #f)) (and-let* (x) (+ x 1))) => #f
(let ((x 1)) (and-let* (((positive? x))) (+ x 1))) => 2
(let ((x 1)) (and-let* (((positive? x))))) => #t
(let ((x 0)) (and-let* (((positive? x))) (+ x 1))) => #f
(let ((x 1)) (and-let* (((positive? x)) (x (+ x 1))) (+ x 1))) => 3
(let ((x 1)) (and-let* (((positive? x)) (x (+ x 1)) (x (+ x 1))) (+ x 1))) => 4
(let ((x 1)) (and-let* (x ((positive? x))) (+ x 1))) => 2
(let ((x #f)) (and-let* (x (y (- x 1)) ((positive? y))) (/ x y))) => #f
(let ((x 3)) (and-let* (x (y (- x 1)) ((positive? y))) (/ x y))) => 3/2
(and-let* ((x (car 1))) x) =raises> "must be a pair"
