(import (scheme base) (scheme write) (scheme char) (srfi 125) (srfi 128))

(define strings (make-comparator string? string=? string<? string-hash))
(define any-case (make-comparator string? string-ci=? #f string-ci-hash)) ; a record, not a table of the machine
(define (sorted t)
  (let sort ((l (hash-table->alist t)) (out '()))
    (define (insert e l)
      (if (or (null? l) (<? (make-default-comparator) (car e) (caar l))) (cons e l) (cons (car l) (insert e (cdr l)))))
    (if (null? l) out (sort (cdr l) (insert (car l) out)))))
(define (both f) (list (f (hash-table strings "a" 1 "b" 2)) (f (hash-table any-case "A" 1 "b" 2))))

(both sorted) => ((("a" . 1) ("b" . 2)) (("A" . 1) ("b" . 2)))
(both hash-table?) => (#t #t)
(hash-table? 5) => #f
(hash-table strings "a") =raises> "hash-table-set!"
(hash-table any-case "a") =raises> "hash-table-set!: a key without its value"
(let ((t (make-hash-table strings))) (hash-table-set! t "a" 1 "b" 2 "a" 3) (sorted t)) => (("a" . 3) ("b" . 2))
(let ((t (make-hash-table any-case))) (hash-table-set! t "a" 1 "b" 2 "A" 3) (sorted t)) => (("a" . 3) ("b" . 2))
(let ((t (make-hash-table string=? string-hash))) (hash-table-set! t "a" 1) (hash-table-ref/default t "a" 0)) => 1
(let ((t (make-hash-table =))) (hash-table-set! t 1 'one) (hash-table-ref/default t 1.0 0)) => one
(let ((t (make-hash-table (lambda (a b) (= (modulo a 3) (modulo b 3)))))) (hash-table-set! t 1 'one) (hash-table-ref t 4)) => one
(let ((t (make-hash-table (make-default-comparator)))) (hash-table-set! t '(1 2) 'x) (hash-table-ref t '(1.0 2))) => x
(make-hash-table 5) =raises> "make-hash-table: argument 1 must be a comparator"
(hash-table-set! 5 1 1) =raises> "hash-table-set!: argument 1 must be a hash table"
(sorted (hash-table-unfold (lambda (i) (= i 3)) (lambda (i) (values (number->string i) i)) (lambda (i) (+ i 1)) 0 strings))
=> (("0" . 0) ("1" . 1) ("2" . 2))
(hash-table-unfold 5 5 5 5 5) =raises> "argument 1"
(sorted (alist->hash-table '(("a" . 1) ("A" . 2) ("b" . 3)) any-case)) => (("a" . 1) ("b" . 3))
(alist->hash-table 5 strings) =raises> "alist->hash-table: argument 1 must be a list of pairs"

(both (lambda (t) (list (hash-table-contains? t "a") (hash-table-contains? t "B")))) => ((#t #f) (#t #t))
(hash-table-contains? 5 1) =raises> "hash-table-contains?: argument 1 must be a hash table"
(both (lambda (t) (hash-table-exists? t "c"))) => (#f #f)
(both hash-table-empty?) => (#f #f)
(map hash-table-empty? (list (make-hash-table strings) (make-hash-table any-case))) => (#t #t)
(hash-table-empty? 5) =raises> "hash-table-empty?: argument 1"
(both (lambda (t) (hash-table=? = t (hash-table any-case "b" 2 "a" 1)))) => (#t #t)
(both (lambda (t) (hash-table=? = t (hash-table any-case "b" 2 "a" 2)))) => (#f #f)
(both (lambda (t) (hash-table=? = t (make-hash-table strings)))) => (#f #f)
(hash-table=? = 5 5) =raises> "argument 1 must be a hash table"
(both hash-table-mutable?) => (#t #t)
(both (lambda (t) (hash-table-mutable? (hash-table-copy t)))) => (#f #f)
(hash-table-mutable? 5) =raises> "hash-table-mutable?: argument 1"

(both (lambda (t) (list (hash-table-ref t "b") (hash-table-ref t "c" (lambda () 'none)) (hash-table-ref t "b" #f list)
                        (hash-table-ref t "c" (lambda () 'none) list))))
=> ((2 none (2) none) (2 none (2) none))
(hash-table-ref (make-hash-table strings) "x") =raises> "hash-table-ref: there is no such key"
(hash-table-ref (make-hash-table any-case) "x") =raises> "hash-table-ref: there is no such key"
(hash-table-ref 5 1) =raises> "hash-table-ref: argument 1 must be a hash table"
(both (lambda (t) (list (hash-table-ref/default t "b" 0) (hash-table-ref/default t "c" 0)))) => ((2 0) (2 0))
(hash-table-ref/default 5 1 2) =raises> "hash-table-ref/default: argument 1"
(both (lambda (t) (let ((n (hash-table-delete! t "a" "c" "b"))) (list n (hash-table-size t))))) => ((2 0) (2 0))
(hash-table-delete! 5 1) =raises> "hash-table-delete!: argument 1"
(both (lambda (t) (list (hash-table-intern! t "a" (lambda () 9)) (hash-table-intern! t "c" (lambda () 9)) (hash-table-ref t "c"))))
=> ((1 9 9) (1 9 9))
(hash-table-intern! 5 1 list) =raises> "hash-table-intern!: argument 1"
(both (lambda (t)
        (hash-table-update! t "a" (lambda (x) (+ x 10)))
        (hash-table-update! t "c" (lambda (x) (+ x 10)) (lambda () 5))
        (hash-table-update! t "b" (lambda (x) (+ x 10)) #f -)
        (map cdr (sorted t))))
=> ((11 8 15) (11 8 15))
(hash-table-update! (make-hash-table strings) "a" list) =raises> "hash-table-update!: there is no such key"
(both (lambda (t) (hash-table-update!/default t "c" (lambda (x) (+ x 1)) 0) (hash-table-ref t "c"))) => (1 1)
(hash-table-update!/default 5 1 list 0) =raises> "hash-table-update!/default: argument 1"
(both (lambda (t) (let-values (((k v) (hash-table-pop! t))) (list v (hash-table-size t))))) => ((1 1) (1 1))
(hash-table-pop! (make-hash-table strings)) =raises> "hash-table-pop!: the hash table is empty"
(both (lambda (t) (hash-table-clear! t) (hash-table-size t))) => (0 0)
(hash-table-clear! (hash-table-copy (make-hash-table any-case))) =raises> "the hash table is immutable"
(hash-table-set! (hash-table-copy (make-hash-table any-case)) "a" 1) =raises> "hash-table-set!: the hash table is immutable"

(both hash-table-size) => (2 2)
(hash-table-size 5) =raises> "hash-table-size: argument 1"
(both hash-table-keys) => (("a" "b") ("A" "b"))
(hash-table-keys 5) =raises> "hash-table-keys: argument 1"
(both hash-table-values) => ((1 2) (1 2))
(hash-table-values 5) =raises> "hash-table-values: argument 1"
(both (lambda (t) (call-with-values (lambda () (hash-table-entries t)) list))) => ((("a" "b") (1 2)) (("A" "b") (1 2)))
(hash-table-entries 5) =raises> "argument 1 must be a hash table"
(both (lambda (t) (hash-table-find (lambda (k v) (and (= v 2) k)) t list))) => ("b" "b")
(both (lambda (t) (hash-table-find (lambda (k v) #f) t list))) => (() ())
(hash-table-find list 5 list) =raises> "hash-table-find: argument 2"
(both (lambda (t) (hash-table-count (lambda (k v) (odd? v)) t))) => (1 1)
(hash-table-count list 5) =raises> "hash-table-count: argument 2"
(both (lambda (t) (map cdr (sorted (hash-table-map - strings t))))) => ((-1 -2) (-1 -2))
(hash-table-map - strings 5) =raises> "hash-table-map: argument 3"
(both (lambda (t) (let ((n 0)) (hash-table-for-each (lambda (k v) (set! n (+ n v))) t) n))) => (3 3)
(hash-table-for-each list 5) =raises> "hash-table-for-each: argument 2"
(both (lambda (t) (let ((n 0)) (hash-table-walk t (lambda (k v) (set! n (+ n v)))) n))) => (3 3)
(hash-table-walk 5 list) =raises> "argument 2 must be a hash table"
(both (lambda (t) (hash-table-map! (lambda (k v) (* 10 v)) t) (map cdr (sorted t)))) => ((10 20) (10 20))
(hash-table-map! list 5) =raises> "hash-table-map!: argument 2"
(both (lambda (t) (hash-table-map->list (lambda (k v) v) t))) => ((1 2) (1 2))
(hash-table-map->list list 5) =raises> "hash-table-map->list: argument 2"
(both (lambda (t) (hash-table-fold (lambda (k v acc) (+ v acc)) 0 t))) => (3 3)
(both (lambda (t) (hash-table-fold t (lambda (k v acc) (+ v acc)) 0))) => (3 3)
(hash-table-fold list 0 5) =raises> "hash-table-fold: argument 3"
(both (lambda (t) (hash-table-prune! (lambda (k v) (odd? v)) t) (hash-table-keys t))) => (("b") ("b"))
(hash-table-prune! list 5) =raises> "hash-table-prune!: argument 2"

(both (lambda (t) (let ((c (hash-table-copy t #t))) (hash-table-set! c "c" 3) (list (hash-table-size c) (hash-table-size t)))))
=> ((3 2) (3 2))
(hash-table-copy 5) =raises> "hash-table-copy: argument 1"
(both (lambda (t) (let ((c (hash-table-empty-copy t))) (hash-table-set! c "c" 3) (hash-table->alist c)))) => ((("c" . 3)) (("c" . 3)))
(hash-table-empty-copy 5) =raises> "hash-table-empty-copy: argument 1"
(both (lambda (t) (length (hash-table->alist t)))) => (2 2)
(hash-table->alist 5) =raises> "hash-table->alist: argument 1"

(define other (hash-table any-case "b" 20 "c" 30))
(both (lambda (t) (map cdr (sorted (hash-table-union! t other))))) => ((1 2 30) (1 2 30))
(hash-table-union! 5 other) =raises> "must be a hash table"
(both (lambda (t) (map cdr (sorted (hash-table-merge! t other))))) => ((1 2 30) (1 2 30))
(hash-table-merge! 5 other) =raises> "must be a hash table"
(hash-table-size (make-hash-table)) => 0
(hash-table->alist (alist->hash-table '((a . 1)))) => ((a . 1))
(both (lambda (t) (map cdr (sorted (hash-table-intersection! t other))))) => ((2) (2))
(hash-table-intersection! 5 other) =raises> "hash-table-intersection!: argument 1"
(both (lambda (t) (map cdr (sorted (hash-table-difference! t other))))) => ((1) (1))
(hash-table-difference! 5 other) =raises> "hash-table-difference!: argument 1"
(both (lambda (t) (map cdr (sorted (hash-table-xor! t other))))) => ((1 30) (1 30))
(hash-table-xor! 5 other) =raises> "must be a hash table"

(= (hash '(1 2)) (hash (list 1 2))) => #t
(= (string-hash "ab") (string-hash (string #\a #\b))) => #t
(string-hash 5) =raises> "string-hash: argument 1"
(= (string-ci-hash "ab") (string-ci-hash "AB")) => #t
(string-ci-hash 5) =raises> "string-ci-hash: argument 1"
(let ((x (list 1))) (= (hash-by-identity x) (hash-by-identity x))) => #t
(both (lambda (t) ((hash-table-equivalence-function t) "a" "A"))) => (#f #t)
(hash-table-equivalence-function 5) =raises> "hash-table-equivalence-function: argument 1"
(both (lambda (t) (let ((h (hash-table-hash-function t))) (= (h "a") (h "A"))))) => (#f #t)
(hash-table-hash-function 5) =raises> "hash-table-hash-function: argument 1"
(hash-table-exists? 5 1) =raises> "argument 1 must be a hash table"
