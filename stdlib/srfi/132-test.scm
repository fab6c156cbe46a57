(import (scheme base) (scheme write) (srfi 132))

(list (list-sorted? < '(1 1 2)) (list-sorted? < '(1 2 1)) (list-sorted? < '())) => (#t #f #t)
(list-sorted? < 5) =raises> "list-sorted?: argument 2 must be a list"
(list (vector-sorted? < #(1 2 2)) (vector-sorted? < #(3 1 2)) (vector-sorted? < #(3 1 2) 1)) => (#t #f #t)
(vector-sorted? < 5) =raises> "vector-sorted?: argument 2 must be a vector"

(list-sort < '(3 1 2)) => (1 2 3)
(list-sort < 5) =raises> "list-sort: argument 2 must be a list"
(list-stable-sort (lambda (a b) (< (car a) (car b))) '((2 . a) (1 . b) (2 . c) (1 . d))) => ((1 . b) (1 . d) (2 . a) (2 . c))
(list-stable-sort < 5) =raises> "must be a list"
(list-sort! > (list 3 1 2)) => (3 2 1)
(list-sort! < 5) =raises> "must be a list"
(list-stable-sort! < (list 3 1 2)) => (1 2 3)
(list-stable-sort! < 5) =raises> "must be a list"
(let ((v (vector 3 1 2))) (list (vector-sort < v) v)) => (#(1 2 3) #(3 1 2))
(vector-sort < #(9 3 1 2 0) 1 4) => #(1 2 3)
(vector-sort < 5) =raises> "vector-sort: argument 2 must be a vector"
(vector-stable-sort < #(3 1 2)) => #(1 2 3)
(vector-stable-sort < 5) =raises> "must be a vector"
(let ((v (vector 9 3 1 2 0))) (vector-sort! < v 1 4) v) => #(9 1 2 3 0)
(vector-sort! < (vector 1) 2) =raises> "vector-sort!: argument 3 must be from 0 to 1"
(let ((v (vector 3 1 2))) (vector-stable-sort! < v) v) => #(1 2 3)
(vector-stable-sort! < 5) =raises> "must be a vector"

(list-merge (lambda (a b) (< (car a) (car b))) '((1 a) (3 a)) '((1 b) (2 b))) => ((1 a) (1 b) (2 b) (3 a))
(list-merge < 5 '()) =raises> "list-merge: argument 2 must be a list"
(list-merge! < (list 1 3) (list 2)) => (1 2 3)
(list-merge! < '() 5) =raises> "must be a list"
(vector-merge < #(1 4) #(2 3 5)) => #(1 2 3 4 5)
(vector-merge < #(9 1 4 9) #(2 3 5) 1 3 1) => #(1 3 4 5)
(vector-merge < #(9 1 4 9) #(2 3 5) 1 3 0 1) => #(1 2 4)
(vector-merge < #(1) 5) =raises> "vector-merge: argument 3 must be a vector"
(let ((v (make-vector 5 'x))) (vector-merge! < v #(1 3) #(2) 1) v) => #(x 1 2 3 x)
(vector-merge! < (vector 0) #(1) #(2)) =raises> "vector-merge!"

(list-delete-neighbor-dups = '(1 1 2 7 7 7 0 -2 -2)) => (1 2 7 0 -2)
(list-delete-neighbor-dups = 5) =raises> "list-delete-neighbor-dups: argument 2 must be a list"
(list-delete-neighbor-dups! = (list 1 1 2)) => (1 2)
(list-delete-neighbor-dups! = 5) =raises> "must be a list"
(vector-delete-neighbor-dups = #(1 1 2 7 7 7 0 -2 -2)) => #(1 2 7 0 -2)
(vector-delete-neighbor-dups = #(1 1 2 7 7 7 0 -2 -2) 3 7) => #(7 0)
(vector-delete-neighbor-dups = 5) =raises> "must be a vector"
(let* ((v (vector 0 0 0 1 1 2 2 3 3 4 4 5 5 6 6)) (end (vector-delete-neighbor-dups! = v 3))) (list end (vector-copy v 0 end)))
=> (9 #(0 0 0 1 2 3 4 5 6))
(vector-delete-neighbor-dups! = 5) =raises> "vector-delete-neighbor-dups!: argument 2"

(list (vector-find-median < #(3 1 2) 'none) (vector-find-median < #(4 1 2 3) 'none) (vector-find-median < #() 'none)
      (vector-find-median < #(4 1 2 3) 'none list))
=> (2 5/2 none (2 3))
(vector-find-median < 5 0) =raises> "must be a vector"
(let* ((v (vector 3 1 2)) (m (vector-find-median! < v 'none))) (list m v)) => (2 #(1 2 3))
(vector-find-median! < 5 0) =raises> "must be a vector"
(map (lambda (k) (vector-select! < (vector 5 3 9 1 7) k)) '(0 1 2 3 4)) => (1 3 5 7 9)
(vector-select! < (vector 0 5 3 9 1 7) 0 2) => 1
(vector-select! < (vector 1 2) 2) =raises> "vector-select!: argument 3 must be from 0 to 1"
;; Longer ones: many equal, ascending, descending, scattered.
(define (check f n k)
  (let* ((v (make-vector n)) (copy #f))
    (let loop ((i 0)) (if (< i n) (begin (vector-set! v i (f i)) (loop (+ i 1)))))
    (set! copy (vector-sort < v))
    (= (vector-select! < v k) (vector-ref copy k))))
(map (lambda (f) (check f 1000 333)) (list (lambda (i) 7) values - (lambda (i) (modulo (* i 617) 101)))) => (#t #t #t #t)
(define (separated? n k)
  (let ((v (make-vector n)))
    (let loop ((i 0)) (if (< i n) (begin (vector-set! v i (modulo (* i 617) n)) (loop (+ i 1)))))
    (vector-separate! < v k)
    (vector-sort < v 0 k)))
(separated? 100 5) => #(0 1 2 3 4)
(separated? 101 0) => #()
(vector-separate! < (vector 1) 2) =raises> "vector-separate!: argument 3 must be from 0 to 1"
