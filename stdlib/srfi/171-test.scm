(import (scheme base) (scheme write) (scheme read) (srfi 125) (srfi 171))

(define (compose . fs) (if (null? fs) values (lambda (x) ((car fs) ((apply compose (cdr fs)) x)))))
(define (run t . l) (list-transduce t rcons l))

(list-transduce (tfilter odd?) rcons '(1 2 3)) => (1 3)
(list-transduce (tmap -) + 10 '(1 2)) => 7
(list-transduce (tmap -) + 5) =raises> "list-reduce: argument 3 must be a list"
(list-transduce (tmap -) reverse-rcons '(1 2 3)) => (-3 -2 -1)
(list-transduce (tmap -) rcount '(1 2 3)) => 3
(list (list-transduce (tmap -) (rany (lambda (x) (and (< x -1) x))) '(1 2 3)) (list-transduce (tmap -) (rany even?) '(1))) => (-2 #f)
(list-transduce (tmap -) (rany car) '(1)) =raises> "car"
(list (list-transduce (tmap -) (revery (lambda (x) (and (< x 0) x))) '(1 2 3)) (list-transduce (tmap -) (revery even?) '(2 1)) (list-transduce (tmap -) (revery even?) '()))
=> (-3 #f #t)
(list-transduce (tmap -) (revery car) '(1)) =raises> "car"
(list (rcons) (rcons '(2 1)) (rcons '(1) 2)) => (() (1 2) (2 1))
(list (vector-transduce (tmap -) rcons #(1 2)) (vector-transduce (tmap -) rcons '(x) #(1 2))) => ((-1 -2) (x -1 -2))
(vector-transduce (tmap -) rcons 5) =raises> "vector-reduce: argument 3 must be a vector"
(string-transduce (tmap char->integer) + "ab") => 195
(string-transduce (tmap -) rcons 5) =raises> "string-reduce: argument 3 must be a string"
(bytevector-u8-transduce (tmap -) rcons #u8(1 2)) => (-1 -2)
(bytevector-u8-transduce (tmap -) rcons 5) =raises> "bytevector-u8-reduce: argument 3 must be a bytevector"
(port-transduce (tfilter odd?) rcons read (open-input-string "1 2 3")) => (1 3)
(port-transduce (tmap -) rcons read 5) =raises> "5"
(let ((n 0)) (generator-transduce (ttake 3) rcons (lambda () (set! n (+ n 1)) n))) => (1 2 3)
(generator-transduce (tmap -) rcons 5) =raises> "5"

(run (tmap -) 1 2) => (-1 -2)
(run (tmap car) 5) =raises> "car"
(run (tfilter odd?) 1 2 3) => (1 3)
(run (tfilter car) 5) =raises> "car"
(run (tremove odd?) 1 2 3) => (2)
(run (tremove car) 5) =raises> "car"
(run (tfilter-map (lambda (x) (and (odd? x) (- x)))) 1 2 3) => (-1 -3)
(run (tfilter-map car) 5) =raises> "car"
(list (run (treplace '((1 . one))) 1 2) (run (treplace (hash-table eqv? 1 'one)) 1 2) (run (treplace -) 1)) => ((one 2) (one 2) (-1))
(treplace 5) =raises> "treplace: argument 1 must be a procedure, an alist or a hash table"
(list (run (tdrop 2) 1 2 3) (run (tdrop 5) 1 2)) => ((3) ())
(tdrop 'a) =raises> "tdrop: argument 1 must be an exact integer"
(run (tdrop-while odd?) 1 3 4 5) => (4 5)
(run (tdrop-while car) 5) =raises> "car"
(list (run (ttake 2) 1 2 3) (run (ttake 5) 1 2) (run (ttake 0) 1 2)) => ((1 2) (1 2) ())
(ttake 'a) =raises> "ttake: argument 1 must be an exact integer"
(list (run (ttake-while odd?) 1 3 4 5) (run (ttake-while odd? (lambda (acc x) (cons (list 'end x) acc))) 1 4 5)) => ((1 3) (1 (end 4)))
(run (ttake-while car) 5) =raises> "car"
(run tconcatenate '(1 2) '() '(3)) => (1 2 3)
(run (compose tconcatenate (ttake 2)) '(1 2 3) '(4)) => (1 2)
(run tconcatenate 5) =raises> "list-reduce: argument 3 must be a list"
(run (tappend-map (lambda (x) (list x (- x)))) 1 2) => (1 -1 2 -2)
(run (tappend-map -) 5) =raises> "list-reduce: argument 3 must be a list"
(run tflatten 1 '(2 (3 () 4)) 5) => (1 2 3 4 5)
(run (compose tflatten (ttake 3)) '((1 2) (3 4)) 5) => (1 2 3)
(run tflatten '(1 . 2)) =raises> "list-reduce: argument 3 must be a list"
(list (run (tdelete-neighbor-duplicates) 1 1 2 1) (run (tdelete-neighbor-duplicates (lambda (a b) (= (abs a) (abs b)))) 1 -1 2)) => ((1 2 1) (1 2))
(run (tdelete-neighbor-duplicates car) 1 1) =raises> "car"
(list (run (tdelete-duplicates) 1 2 1 '(1) (list 1)) (run (tdelete-duplicates (lambda (a b) (= (abs a) (abs b)))) 1 -1 2)) => ((1 2 (1)) (1 2))
(run (tdelete-duplicates car) 1 1) =raises> "car"
(list (run (tsegment 2) 1 2 3) (run (compose (tsegment 2) (ttake 1)) 1 2 3)) => (((1 2) (3)) ((1 2)))
(tsegment 0) =raises> "tsegment: argument 1"
(list (run (tpartition even?) 1 3 2 4 5) (run (compose (tpartition even?) (ttake 1)) 1 3 2)) => (((1 3) (2 4) (5)) ((1 3)))
(run (tpartition car) 5) =raises> "car"
(list (run (tadd-between 'x) 1 2 3) (run (tadd-between 'x)) (run (compose (tadd-between 'x) (ttake 2)) 1 2)) => ((1 x 2 x 3) () (1 x))
(list (run (tenumerate) 'a 'b) (run (tenumerate 5) 'a)) => (((0 . a) (1 . b)) ((5 . a)))
(tenumerate 'a) =raises> "tenumerate: argument 1 must be a number"
(let ((l '())) (list (run (tlog (lambda (acc x) (set! l (cons x l)))) 1 2) l)) => ((1 2) (2 1))
(let ((p (open-output-string))) (parameterize ((current-output-port p)) (run (tlog) 1 2)) (get-output-string p)) => "1\n2\n"
(run (tlog car) 1) =raises> "car takes 1 argument"

(map reduced? (list (reduced 1) 1)) => (#t #f)
(unreduce (reduced 1)) => 1
(unreduce 1) =raises> "must be a <reduced>"
(list (unreduce (ensure-reduced 1)) (unreduce (ensure-reduced (reduced 1)))) => (1 1)
(let ((r ((preserving-reduced (lambda (acc x) (reduced x))) 0 1))) (unreduce (unreduce r))) => 1
((preserving-reduced +) 1 2) => 3
(define (until-4 acc x) (if (= x 4) (reduced acc) (+ acc x)))
(list (list-reduce until-4 0 '(1 2 4 8)) (vector-reduce until-4 0 #(1 2 4 8)) (bytevector-u8-reduce until-4 0 #u8(1 2 4 8))
      (port-reduce until-4 0 read (open-input-string "1 2 4 8")) (let ((l '(1 2 4))) (generator-reduce until-4 0 (lambda () (let ((x (car l))) (set! l (cdr l)) x))))
      (string-reduce (lambda (acc c) (if (char=? c #\b) (reduced acc) (cons c acc))) '() "abc"))
=> (3 3 3 3 3 (#\a))
(list-reduce + 0 5) =raises> "list-reduce: argument 3 must be a list"
(vector-reduce + 0 5) =raises> "vector-reduce: argument 3 must be a vector"
(string-reduce + 0 5) =raises> "string-reduce: argument 3 must be a string"
(bytevector-u8-reduce + 0 5) =raises> "bytevector-u8-reduce: argument 3 must be a bytevector"
(port-reduce + 0 read 5) =raises> "5"
(generator-reduce + 0 5) =raises> "5"
(list-transduce (tadd-between 'x) reverse-rcons 5) =raises> "list-reduce: argument 3 must be a list"
(list-transduce (tmap -) rcount 5) =raises> "list-reduce: argument 3 must be a list"
((preserving-reduced 5) 1 2) =raises> "5"
