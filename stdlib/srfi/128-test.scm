(import (scheme base) (scheme write) (scheme char) (srfi 128))

(define default (make-default-comparator))
(define numbers (make-comparator real? = < number-hash))
(define plain (make-comparator #t eqv? #f #f))

(list (comparator? default) (comparator? 5)) => (#t #f)
(map comparator-ordered? (list default plain)) => (#t #f)
(map comparator-hashable? (list default plain)) => (#t #f)
(=? (make-comparator number? #t < #f) 1 1.0) => #t
(make-comparator number? #t #f #f) =raises> "make-comparator: argument 3"

(define pairs (make-pair-comparator numbers numbers))
(list (=? pairs '(1 . 2) '(1 . 2)) (<? pairs '(1 . 2) '(1 . 3)) (<? pairs '(2 . 0) '(1 . 3))) => (#t #t #f)
(comparator-test-type pairs '(1 . a)) => #f
(= (comparator-hash pairs '(1 . 2)) (comparator-hash pairs '(1.0 . 2))) => #t
(define lists (make-list-comparator numbers))
(list (<? lists '(1 2) '(1 2 3)) (<? lists '() '(1)) (<? lists '(2) '(1 2)) (=? lists '(1 2) '(1 2)) (=? lists '() '(1)))
=> (#t #t #f #t #f)
(comparator-test-type lists '(1 a)) => #f
(= (comparator-hash lists '(1 2)) (comparator-hash lists (list 1 2))) => #t
(define vectors (make-vector-comparator numbers))
(list (<? vectors #(9) #(1 2)) (<? vectors #(1 1) #(1 2)) (=? vectors #(1 2) #(1 2)) (=? vectors #(1) #(1 2)))
=> (#t #t #t #f)
(comparator-test-type vectors '(1)) => #f
(define strings-as-vectors
  (make-vector-comparator (make-comparator char? char=? char<? char-hash) string? string-length string-ref))
(<? strings-as-vectors "b" "aa") => #t
(=? (make-eq-comparator) 'a 'a) => #t
(<? (make-eq-comparator) 1 2) =raises> "the comparator has no ordering predicate"
(=? (make-eqv-comparator) 2.5 2.5) => #t
(map (lambda (c) (=? c '(1) (list 1))) (list (make-eqv-comparator) (make-equal-comparator))) => (#f #t)

(= (boolean-hash #t) (boolean-hash #f)) => #f
(boolean-hash 1) =raises> "boolean-hash: argument 1 must be a boolean"
(= (char-hash #\a) (char-hash #\A)) => #f
(char-hash 1) =raises> "char-hash: argument 1 must be a character"
(= (char-ci-hash #\a) (char-ci-hash #\A)) => #t
(char-ci-hash 1) =raises> "char-ci-hash: argument 1 must be a character"
(= (string-hash "ab") (string-hash (string #\a #\b))) => #t
(string-hash 1) =raises> "string-hash: argument 1 must be a string"
(= (string-ci-hash "ab") (string-ci-hash "AB")) => #t
(string-ci-hash 1) =raises> "string-ci-hash: argument 1 must be a string"
(= (symbol-hash 'a) (symbol-hash (string->symbol "a"))) => #t
(symbol-hash "a") =raises> "symbol-hash: argument 1 must be a symbol"
(= (number-hash 1) (number-hash 1.0)) => #t
(number-hash 'a) =raises> "number-hash: argument 1 must be a number"

;; The default comparator: empty list, pairs, booleans, characters, strings, symbols, numbers, vectors, bytevectors.
(let loop ((l '(() (1 3) (1 . 2) #f #t #\a #\b "a" "b" a b 1 2.5 #() #(1) #(2) #u8(1) #u8(2))))
  (or (null? (cdr l)) (and (<? default (car l) (cadr l)) (not (<? default (cadr l) (car l))) (loop (cdr l)))))
=> #t
(=? default '(1 #(2 "x")) (list 1.0 (vector 2 (string #\x)))) => #t
(= (default-hash '(1 #(2 "x"))) (default-hash (list 1.0 (vector 2 (string #\x))))) => #t
(<? default car cdr) =raises> "the default comparator has no order for these"
(define-record-type <point> (point x) point? (x point-x))
(comparator-register-default!
  (make-comparator point? (lambda (a b) (= (point-x a) (point-x b))) (lambda (a b) (< (point-x a) (point-x b))) point-x))
(list (=? default (point 1) (point 1)) (<? default (point 1) (point 2)) (<? default 5 (point 1)) (default-hash (point 7)))
=> (#t #t #t 7)
(comparator-register-default! 5) =raises> "comparator-register-default!: argument 1 must be a comparator"

((comparator-type-test-predicate numbers) 'a) => #f
(comparator-type-test-predicate 5) =raises> "must be a comparator"
((comparator-equality-predicate numbers) 1 1) => #t
(comparator-equality-predicate 5) =raises> "must be a comparator"
((comparator-ordering-predicate numbers) 1 2) => #t
(comparator-ordering-predicate 5) =raises> "must be a comparator"
(eq? (comparator-hash-function numbers) number-hash) => #t
((comparator-hash-function plain) 1) =raises> "the comparator has no hash function"
(comparator-test-type numbers 1) => #t
(comparator-check-type numbers 1) => #t
(comparator-check-type numbers 'a) =raises> "comparator-check-type: the comparator is not for this"
(= (comparator-hash numbers 1) (number-hash 1)) => #t
(list (exact-integer? (hash-bound)) (exact-integer? (hash-salt))) => (#t #t)

(list (=? default 1 1 1) (=? default 1 1 2)) => (#t #f)
(list (<? default 1 2 3) (<? default 1 3 2)) => (#t #f)
(list (>? default 3 2 1) (>? default 3 1 2)) => (#t #f)
(list (<=? default 1 1 3) (<=? default 1 3 2)) => (#t #f)
(list (>=? default 3 3 1) (>=? default 3 1 2)) => (#t #f)
(>=? plain 1 2) =raises> "the comparator has no ordering predicate"
(comparator-if<=> numbers 1 2 'less 'same 'greater) => less
(comparator-if<=> 2 2.0 'less 'same 'greater) => same
(comparator-if<=> "b" "a" 'less 'same 'greater) => greater
(comparator-ordered? 5) =raises> "must be a comparator"
(comparator-hashable? 5) =raises> "must be a comparator"
(make-pair-comparator 5 5) =raises> "must be a comparator"
(make-list-comparator 5) =raises> "must be a comparator"
(make-vector-comparator 5) =raises> "must be a comparator"
(<? (make-eqv-comparator) 1 2) =raises> "the comparator has no ordering predicate"
(<? (make-equal-comparator) 1 2) =raises> "the comparator has no ordering predicate"
(comparator-test-type 5 1) =raises> "must be a comparator"
(comparator-hash plain 1) =raises> "the comparator has no hash function"
(=? 5 1 1) =raises> "must be a comparator"
(>? plain 1 2) =raises> "the comparator has no ordering predicate"
(<=? plain 1 2) =raises> "the comparator has no ordering predicate"
(comparator-if<=> plain 1 2 'less 'same 'greater) =raises> "the comparator has no ordering predicate"
