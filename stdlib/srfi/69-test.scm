(import (scheme base) (scheme char) (scheme write) (srfi 69))

(define (sum t) (hash-table-fold t (lambda (k v acc) (+ v acc)) 0))

;; ---- tables that the engine has ----
(define t (make-hash-table))
(begin (hash-table-set! t 'a 1) (hash-table-set! t "b" 2) (hash-table-set! t '(c) 3) (hash-table-size t)) => 3
(list (hash-table? t) (hash-table? '()) (hash-table? (make-hash-table string-ci=?))) => (#t #f #t)
(list (hash-table-ref t 'a) (hash-table-ref t "b" (lambda () 'none)) (hash-table-ref t 'x (lambda () 'none))) => (1 2 none)
(list (hash-table-ref/default t '(c) 0) (hash-table-ref/default t 'x 0)) => (3 0)
(list (hash-table-exists? t 'a) (hash-table-exists? t 'x)) => (#t #f)
(begin (hash-table-update! t 'a (lambda (x) (+ x 10))) (hash-table-update! t 'n list (lambda () 0)) (hash-table-update!/default t 'm list 5)
  (list (hash-table-ref t 'a) (hash-table-ref t 'n) (hash-table-ref t 'm))) => (11 (0) (5))
(begin (hash-table-delete! t 'n) (hash-table-delete! t 'm) (hash-table-delete! t 'never) (hash-table-size t)) => 3
(hash-table-keys t) => (a "b" (c))
(hash-table-values t) => (11 2 3)
(hash-table->alist t) => ((a . 11) ("b" . 2) ((c) . 3))
(let ((l '())) (hash-table-walk t (lambda (k v) (set! l (cons v l)))) l) => (3 2 11)
(hash-table-fold t (lambda (k v acc) (cons k acc)) '()) => ((c) "b" a)
(let ((c (hash-table-copy t))) (hash-table-set! c 'a 0) (list (hash-table-ref c 'a) (hash-table-ref t 'a))) => (0 11)
(hash-table->alist (alist->hash-table '((a . 1) (b . 2) (a . 3)))) => ((a . 1) (b . 2))
(let ((m (hash-table-merge! (alist->hash-table '((a . 1) (b . 2)) eq?) (alist->hash-table '((b . 20) (c . 3)) eq?)))) (map (lambda (k) (hash-table-ref m k)) '(a b c))) => (1 20 3)
(map (lambda (f) (eq? f (hash-table-equivalence-function (make-hash-table f)))) (list eq? eqv? equal? string=?)) => (#t #t #t #t)
(let ((h (hash-table-hash-function t))) (= (h '(1 2)) (h (list 1 2)))) => #t
(let ((h (hash-table-hash-function (make-hash-table eq?)))) (= (h 'a) (h 'a))) => #t

;; ---- other equivalences ----
(define ci (make-hash-table string-ci=? string-ci-hash))
(begin (hash-table-set! ci "A" 1) (hash-table-set! ci "a" 2) (hash-table-set! ci "B" 3) (list (hash-table-size ci) (hash-table-ref ci "b") (hash-table-ref/default ci "c" #f))) => (2 3 #f)
(list (hash-table-keys ci) (hash-table-values ci) (hash-table->alist ci) (sum ci)) => (("A" "B") (2 3) (("A" . 2) ("B" . 3)) 5)
(let ((c (hash-table-copy ci))) (hash-table-delete! c "a") (list (hash-table-size c) (hash-table-exists? c "A") (hash-table-exists? ci "a"))) => (1 #f #t)
(begin (hash-table-update! ci "b" - (lambda () 0)) (hash-table-update!/default ci "x" list 0) (hash-table->alist ci)) => (("A" . 2) ("B" . -3) ("x" 0))
(eq? (hash-table-equivalence-function ci) string-ci=?) => #t
(= ((hash-table-hash-function ci) "ABC") ((hash-table-hash-function ci) "abc")) => #t
(hash-table-ref (alist->hash-table '((1 . one)) =) 1.0) => one
(hash-table-size (let ((t (make-hash-table (lambda (a b) (= (modulo a 3) (modulo b 3)))))) (for-each (lambda (k) (hash-table-set! t k #t)) '(1 2 3 4 5 6)) t)) => 3
(hash-table-ref (alist->hash-table '((1 . odd)) (lambda (a b) (eq? (odd? a) (odd? b))) (lambda (x bound) (modulo x 2))) 7) => odd
(let ((l '())) (hash-table-walk ci (lambda (k v) (hash-table-delete! ci k))) (hash-table-size ci)) => 0

;; ---- hashes ----
(list (= (hash '(1 "a")) (hash (list 1 "a"))) (< -1 (hash 'a 10) 10)) => (#t #t)
(list (= (string-hash "a") (string-hash (string #\a))) (< -1 (string-hash "abc" 7) 7)) => (#t #t)
(= (string-ci-hash "ABC") (string-ci-hash "abc")) => #t
(list (= (hash-by-identity 'a) (hash-by-identity 'a)) (< -1 (hash-by-identity 'a 7) 7)) => (#t #t)

(make-hash-table 5) =raises> "make-hash-table: argument 1 must be a procedure: 5"
(alist->hash-table '(5)) =raises> "pair"
(hash-table-equivalence-function 5) =raises> "hash-table-equivalence-function: argument 1 must be a hash table: 5"
(hash-table-hash-function 5) =raises> "hash-table-hash-function: argument 1 must be a hash table: 5"
(hash-table-ref t 'none) =raises> "hash-table-ref: there is no such key: none"
(hash-table-ref 5 1) =raises> "must be a hash table: 5"
(hash-table-ref/default 5 1 2) =raises> "hash-table-ref/default: argument 1 must be a hash table: 5"
(hash-table-set! 5 1 2) =raises> "hash-table-set!: argument 1 must be a hash table: 5"
(hash-table-delete! 5 1) =raises> "hash-table-delete!: argument 1 must be a hash table: 5"
(hash-table-exists? 5 1) =raises> "argument 1 must be a hash table: 5"
(hash-table-update! t 'none list) =raises> "there is no such key: none"
(hash-table-update!/default 5 1 list 0) =raises> "must be a hash table: 5"
(hash-table-size 5) =raises> "hash-table-size: argument 1 must be a hash table: 5"
(hash-table-keys 5) =raises> "hash-table-keys: argument 1 must be a hash table: 5"
(hash-table-values 5) =raises> "hash-table-values: argument 1 must be a hash table: 5"
(hash-table-walk 5 list) =raises> "hash-table-walk: argument 1 must be a hash table: 5"
(hash-table-fold 5 list 0) =raises> "hash-table-fold: argument 1 must be a hash table: 5"
(hash-table->alist 5) =raises> "hash-table->alist: argument 1 must be a hash table: 5"
(hash-table-copy 5) =raises> "hash-table-copy: argument 1 must be a hash table: 5"
(hash-table-merge! t 5) =raises> "hash-table-walk: argument 1 must be a hash table: 5"
(string-hash 5) =raises> "string-hash"
(string-ci-hash 5) =raises> "string-ci-hash"
(hash) =raises> "argument"
(hash-by-identity) =raises> "argument"
