(import (scheme base) (scheme write) (only (srfi 132) list-sort) (srfi 113) (srfi 128) (only (scheme char) string-ci=? string-ci<?))

(define numbers (make-comparator real? = < number-hash))
(define any-case (make-comparator string? string-ci=? string-ci<? string-ci-hash))
(define (sorted c) (list-sort < (if (set? c) (set->list c) (bag->list c))))
(define (both f) (call-with-values f (lambda cs (map sorted cs))))

(sorted (set numbers 3 1 2 1)) => (1 2 3)
(set 5 1) =raises> "set: argument 1 must be a comparator"
(set numbers 'a) =raises> "the comparator is not for this"
(sorted (set-unfold numbers (lambda (i) (= i 3)) (lambda (i) (* i i)) (lambda (i) (+ i 1)) 0)) => (0 1 4)
(set-unfold 5 5 5 5 5) =raises> "set-unfold: argument 1 must be a comparator"
(map set? (list (set numbers) (bag numbers) 5)) => (#t #f #f)
(list (set-contains? (set numbers 1 2) 2) (set-contains? (set numbers 1 2) 3)) => (#t #f)
(set-contains? 5 1) =raises> "set-contains?: argument 1 must be a set"
(list (set-empty? (set numbers)) (set-empty? (set numbers 1))) => (#t #f)
(set-empty? 5) =raises> "set-empty?: argument 1 must be a set"
(list (set-disjoint? (set numbers 1 2) (set numbers 3)) (set-disjoint? (set numbers 1 2) (set numbers 2))) => (#t #f)
(set-disjoint? 5 5) =raises> "set-disjoint?: argument 1 must be a set"
(list (set-member (set any-case "A" "b") "a" #f) (set-member (set any-case "A") "c" 'none)) => ("A" none)
(set-member 5 1 2) =raises> "set-member: argument 1 must be a set"
(eq? (set-element-comparator (set numbers)) numbers) => #t
(set-element-comparator 5) =raises> "argument 1"
(let ((c (set numbers 1))) (both (lambda () (values (set-adjoin c 1 2) c)))) => ((1 2) (1))
(set-adjoin 5 1) =raises> "set-adjoin: argument 1 must be a set"
(let ((c (set numbers 1))) (set-adjoin! c 2 3) (sorted c)) => (1 2 3)
(set-adjoin! 5 1) =raises> "set-adjoin!: argument 1 must be a set"
(let ((c (set any-case "A" "b"))) (list (set-member (set-replace c "a") "A" #f) (set-size (set-replace c "c")))) => ("a" 2)
(set-replace 5 1) =raises> "set-replace: argument 1 must be a set"
(let ((c (set any-case "A" "b"))) (set-replace! c "a") (set-member c "A" #f)) => "a"
(set-replace! 5 1) =raises> "set-replace!: argument 1 must be a set"
(let ((c (set numbers 1 1 2))) (both (lambda () (values (set-delete c 1 3) c)))) => ((2) (1 2))
(set-delete 5 1) =raises> "set-delete: argument 1 must be a set"
(let ((c (set numbers 1 2 3))) (set-delete! c 1 3) (sorted c)) => (2)
(set-delete! 5 1) =raises> "set-delete!: argument 1 must be a set"
(sorted (set-delete-all (set numbers 1 2 3) '(1 2))) => (3)
(set-delete-all 5 '()) =raises> "set-delete-all: argument 1 must be a set"
(let ((c (set numbers 1 2 3))) (set-delete-all! c '(1 2)) (sorted c)) => (3)
(set-delete-all! 5 '()) =raises> "set-delete-all!: argument 1 must be a set"
(let-values (((c x) (set-search! (set numbers 1) 2 (lambda (insert ignore) (insert 'in)) list))) (list (sorted c) x)) => ((1 2) in)
(let-values (((c x) (set-search! (set numbers 1) 2 (lambda (insert ignore) (ignore 'no)) list))) (list (sorted c) x)) => ((1) no)
(let-values (((c x) (set-search! (set numbers 1) 1 list (lambda (x update remove) (update 5 'up))))) (list (sorted c) x)) => ((5) up)
(let-values (((c x) (set-search! (set numbers 1) 1 list (lambda (x update remove) (remove 'gone))))) (list (sorted c) x)) => (() gone)
(set-search! 5 1 list list) =raises> "set-search!: argument 1 must be a set"
(set-size (set numbers 1 1 2)) => 2
(set-size 5) =raises> "set-size: argument 1 must be a set"
(list (set-find even? (set numbers 1 2 3) list) (set-find even? (set numbers 1 3) list)) => (2 ())
(set-find even? 5 list) =raises> "set-find: argument 2 must be a set"
(set-count odd? (set numbers 1 1 2)) => 1
(set-count odd? 5) =raises> "set-count: argument 2 must be a set"
(list (set-any? even? (set numbers 1 2)) (set-any? even? (set numbers 1))) => (#t #f)
(set-any? even? 5) =raises> "set-any?: argument 2 must be a set"
(list (set-every? even? (set numbers 1 2)) (set-every? even? (set numbers 2))) => (#f #t)
(set-every? even? 5) =raises> "set-every?: argument 2 must be a set"
(sorted (set-map numbers abs (set numbers -1 1 2))) => (1 2)
(set-map numbers abs 5) =raises> "set-map: argument 3 must be a set"
(let ((n 0)) (set-for-each (lambda (x) (set! n (+ n x))) (set numbers 1 1 2)) n) => 3
(set-for-each list 5) =raises> "set-for-each: argument 2 must be a set"
(set-fold + 0 (set numbers 1 1 2)) => 3
(set-fold + 0 5) =raises> "set-fold: argument 3 must be a set"
(let ((c (set numbers 1 2 3))) (both (lambda () (values (set-filter odd? c) c)))) => ((1 3) (1 2 3))
(set-filter odd? 5) =raises> "set-filter: argument 2 must be a set"
(sorted (set-remove odd? (set numbers 1 2 3))) => (2)
(set-remove odd? 5) =raises> "set-remove: argument 2 must be a set"
(both (lambda () (set-partition odd? (set numbers 1 2 3)))) => ((1 3) (2))
(set-partition odd? 5) =raises> "set-partition: argument 2 must be a set"
(let ((c (set numbers 1 2 3))) (set-filter! odd? c) (sorted c)) => (1 3)
(set-filter! odd? 5) =raises> "set-filter!: argument 2 must be a set"
(let ((c (set numbers 1 2 3))) (set-remove! odd? c) (sorted c)) => (2)
(set-remove! odd? 5) =raises> "set-remove!: argument 2 must be a set"
(let ((c (set numbers 1 2 3))) (let-values (((in out) (set-partition! odd? c))) (list (eq? in c) (sorted in) (sorted out)))) => (#t (1 3) (2))
(set-partition! odd? 5) =raises> "set-partition!: argument 2 must be a set"
(let* ((c (set numbers 1)) (d (set-copy c))) (set-adjoin! d 2) (both (lambda () (values c d)))) => ((1) (1 2))
(set-copy 5) =raises> "set-copy: argument 1 must be a set"
(list-sort < (set->list (set numbers 1 1 2))) => (1 2)
(set->list 5) =raises> "set->list: argument 1 must be a set"
(sorted (list->set numbers '(1 1 2))) => (1 2)
(list->set 5 '()) =raises> "set: argument 1 must be a comparator"
(sorted (list->set! (set numbers 1) '(2 3))) => (1 2 3)
(list->set! 5 '()) =raises> "list->set!: argument 1 must be a set"
(define a (set numbers 1 2))
(define b (set numbers 2 1))
(define c (set numbers 1 2 3))
(list (set=? a b) (set=? a c) (set=? a b a)) => (#t #f #t)
(set=? 5 a) =raises> "set=?: argument 1 must be a set"
(list (set<? a b) (set<? a c) (set<? a c b)) => (#f #t #f)
(set<? 5 a) =raises> "set<?: argument 1 must be a set"
(list (set>? a b) (set>? c a)) => (#f #t)
(set>? 5 a) =raises> "set>?: argument 1 must be a set"
(list (set<=? a b c) (set<=? c a)) => (#t #f)
(set<=? 5 a) =raises> "set<=?: argument 1 must be a set"
(list (set>=? c a b) (set>=? a c)) => (#t #f)
(set>=? 5 a) =raises> "set>=?: argument 1 must be a set"
(define d (set numbers 2 2 4))
(sorted (set-union c d)) => (1 2 3 4)
(set-union 5) =raises> "set-union: argument 1 must be a set"
(sorted (set-intersection d c)) => (2)
(set-intersection 5) =raises> "set-intersection: argument 1 must be a set"
(sorted (set-difference d a)) => (4)
(set-difference 5) =raises> "set-difference: argument 1 must be a set"
(sorted (set-xor c d)) => (1 3 4)
(set-xor 5 5) =raises> "set-xor: argument 1 must be a set"
(let ((c (set numbers 1))) (set-union! c a d) (sorted c)) => (1 2 4)
(set-union! 5) =raises> "set-union!: argument 1 must be a set"
(let ((c (set numbers 1 2))) (set-intersection! c d) (sorted c)) => (2)
(set-intersection! 5) =raises> "set-intersection!: argument 1 must be a set"
(let ((c (set numbers 1 2))) (set-difference! c d) (sorted c)) => (1)
(set-difference! 5) =raises> "set-difference!: argument 1 must be a set"
(let ((c (set numbers 1 2))) (set-xor! c a) (sorted c)) => ()
(set-xor! 5 5) =raises> "set-xor!: argument 1 must be a set"
(list (=? set-comparator a b) (=? set-comparator a c) (= (comparator-hash set-comparator a) (comparator-hash set-comparator b)))
=> (#t #f #t)
(=? (make-default-comparator) a b) => #t

(sorted (bag numbers 3 1 2 1)) => (1 1 2 3)
(bag 5 1) =raises> "bag: argument 1 must be a comparator"
(bag numbers 'a) =raises> "the comparator is not for this"
(sorted (bag-unfold numbers (lambda (i) (= i 3)) (lambda (i) (* i i)) (lambda (i) (+ i 1)) 0)) => (0 1 4)
(bag-unfold 5 5 5 5 5) =raises> "bag-unfold: argument 1 must be a comparator"
(map bag? (list (bag numbers) (set numbers) 5)) => (#t #f #f)
(list (bag-contains? (bag numbers 1 2) 2) (bag-contains? (bag numbers 1 2) 3)) => (#t #f)
(bag-contains? 5 1) =raises> "bag-contains?: argument 1 must be a bag"
(list (bag-empty? (bag numbers)) (bag-empty? (bag numbers 1))) => (#t #f)
(bag-empty? 5) =raises> "bag-empty?: argument 1 must be a bag"
(list (bag-disjoint? (bag numbers 1 2) (bag numbers 3)) (bag-disjoint? (bag numbers 1 2) (bag numbers 2))) => (#t #f)
(bag-disjoint? 5 5) =raises> "bag-disjoint?: argument 1 must be a bag"
(list (bag-member (bag any-case "A" "b") "a" #f) (bag-member (bag any-case "A") "c" 'none)) => ("A" none)
(bag-member 5 1 2) =raises> "bag-member: argument 1 must be a bag"
(eq? (bag-element-comparator (bag numbers)) numbers) => #t
(bag-element-comparator 5) =raises> "argument 1"
(let ((c (bag numbers 1))) (both (lambda () (values (bag-adjoin c 1 2) c)))) => ((1 1 2) (1))
(bag-adjoin 5 1) =raises> "bag-adjoin: argument 1 must be a bag"
(let ((c (bag numbers 1))) (bag-adjoin! c 2 3) (sorted c)) => (1 2 3)
(bag-adjoin! 5 1) =raises> "bag-adjoin!: argument 1 must be a bag"
(let ((c (bag any-case "A" "b"))) (list (bag-member (bag-replace c "a") "A" #f) (bag-size (bag-replace c "c")))) => ("a" 2)
(bag-replace 5 1) =raises> "bag-replace: argument 1 must be a bag"
(let ((c (bag any-case "A" "b"))) (bag-replace! c "a") (bag-member c "A" #f)) => "a"
(bag-replace! 5 1) =raises> "bag-replace!: argument 1 must be a bag"
(let ((c (bag numbers 1 1 2))) (both (lambda () (values (bag-delete c 1 3) c)))) => ((1 2) (1 1 2))
(bag-delete 5 1) =raises> "bag-delete: argument 1 must be a bag"
(let ((c (bag numbers 1 2 3))) (bag-delete! c 1 3) (sorted c)) => (2)
(bag-delete! 5 1) =raises> "bag-delete!: argument 1 must be a bag"
(sorted (bag-delete-all (bag numbers 1 2 3) '(1 2))) => (3)
(bag-delete-all 5 '()) =raises> "bag-delete-all: argument 1 must be a bag"
(let ((c (bag numbers 1 2 3))) (bag-delete-all! c '(1 2)) (sorted c)) => (3)
(bag-delete-all! 5 '()) =raises> "bag-delete-all!: argument 1 must be a bag"
(let-values (((c x) (bag-search! (bag numbers 1) 2 (lambda (insert ignore) (insert 'in)) list))) (list (sorted c) x)) => ((1 2) in)
(let-values (((c x) (bag-search! (bag numbers 1) 2 (lambda (insert ignore) (ignore 'no)) list))) (list (sorted c) x)) => ((1) no)
(let-values (((c x) (bag-search! (bag numbers 1) 1 list (lambda (x update remove) (update 5 'up))))) (list (sorted c) x)) => ((5) up)
(let-values (((c x) (bag-search! (bag numbers 1) 1 list (lambda (x update remove) (remove 'gone))))) (list (sorted c) x)) => (() gone)
(bag-search! 5 1 list list) =raises> "bag-search!: argument 1 must be a bag"
(bag-size (bag numbers 1 1 2)) => 3
(bag-size 5) =raises> "bag-size: argument 1 must be a bag"
(list (bag-find even? (bag numbers 1 2 3) list) (bag-find even? (bag numbers 1 3) list)) => (2 ())
(bag-find even? 5 list) =raises> "bag-find: argument 2 must be a bag"
(bag-count odd? (bag numbers 1 1 2)) => 2
(bag-count odd? 5) =raises> "bag-count: argument 2 must be a bag"
(list (bag-any? even? (bag numbers 1 2)) (bag-any? even? (bag numbers 1))) => (#t #f)
(bag-any? even? 5) =raises> "bag-any?: argument 2 must be a bag"
(list (bag-every? even? (bag numbers 1 2)) (bag-every? even? (bag numbers 2))) => (#f #t)
(bag-every? even? 5) =raises> "bag-every?: argument 2 must be a bag"
(sorted (bag-map numbers abs (bag numbers -1 1 2))) => (1 1 2)
(bag-map numbers abs 5) =raises> "bag-map: argument 3 must be a bag"
(let ((n 0)) (bag-for-each (lambda (x) (set! n (+ n x))) (bag numbers 1 1 2)) n) => 4
(bag-for-each list 5) =raises> "bag-for-each: argument 2 must be a bag"
(bag-fold + 0 (bag numbers 1 1 2)) => 4
(bag-fold + 0 5) =raises> "bag-fold: argument 3 must be a bag"
(let ((c (bag numbers 1 2 3))) (both (lambda () (values (bag-filter odd? c) c)))) => ((1 3) (1 2 3))
(bag-filter odd? 5) =raises> "bag-filter: argument 2 must be a bag"
(sorted (bag-remove odd? (bag numbers 1 2 3))) => (2)
(bag-remove odd? 5) =raises> "bag-remove: argument 2 must be a bag"
(both (lambda () (bag-partition odd? (bag numbers 1 2 3)))) => ((1 3) (2))
(bag-partition odd? 5) =raises> "bag-partition: argument 2 must be a bag"
(let ((c (bag numbers 1 2 3))) (bag-filter! odd? c) (sorted c)) => (1 3)
(bag-filter! odd? 5) =raises> "bag-filter!: argument 2 must be a bag"
(let ((c (bag numbers 1 2 3))) (bag-remove! odd? c) (sorted c)) => (2)
(bag-remove! odd? 5) =raises> "bag-remove!: argument 2 must be a bag"
(let ((c (bag numbers 1 2 3))) (let-values (((in out) (bag-partition! odd? c))) (list (eq? in c) (sorted in) (sorted out)))) => (#t (1 3) (2))
(bag-partition! odd? 5) =raises> "bag-partition!: argument 2 must be a bag"
(let* ((c (bag numbers 1)) (d (bag-copy c))) (bag-adjoin! d 2) (both (lambda () (values c d)))) => ((1) (1 2))
(bag-copy 5) =raises> "bag-copy: argument 1 must be a bag"
(list-sort < (bag->list (bag numbers 1 1 2))) => (1 1 2)
(bag->list 5) =raises> "bag->list: argument 1 must be a bag"
(sorted (list->bag numbers '(1 1 2))) => (1 1 2)
(list->bag 5 '()) =raises> "bag: argument 1 must be a comparator"
(sorted (list->bag! (bag numbers 1) '(2 3))) => (1 2 3)
(list->bag! 5 '()) =raises> "list->bag!: argument 1 must be a bag"
(define a (bag numbers 1 2))
(define b (bag numbers 2 1))
(define c (bag numbers 1 2 3))
(list (bag=? a b) (bag=? a c) (bag=? a b a)) => (#t #f #t)
(bag=? 5 a) =raises> "bag=?: argument 1 must be a bag"
(list (bag<? a b) (bag<? a c) (bag<? a c b)) => (#f #t #f)
(bag<? 5 a) =raises> "bag<?: argument 1 must be a bag"
(list (bag>? a b) (bag>? c a)) => (#f #t)
(bag>? 5 a) =raises> "bag>?: argument 1 must be a bag"
(list (bag<=? a b c) (bag<=? c a)) => (#t #f)
(bag<=? 5 a) =raises> "bag<=?: argument 1 must be a bag"
(list (bag>=? c a b) (bag>=? a c)) => (#t #f)
(bag>=? 5 a) =raises> "bag>=?: argument 1 must be a bag"
(define d (bag numbers 2 2 4))
(sorted (bag-union c d)) => (1 2 2 3 4)
(bag-union 5) =raises> "bag-union: argument 1 must be a bag"
(sorted (bag-intersection d c)) => (2)
(bag-intersection 5) =raises> "bag-intersection: argument 1 must be a bag"
(sorted (bag-difference d a)) => (2 4)
(bag-difference 5) =raises> "bag-difference: argument 1 must be a bag"
(sorted (bag-xor c d)) => (1 2 3 4)
(bag-xor 5 5) =raises> "bag-xor: argument 1 must be a bag"
(let ((c (bag numbers 1))) (bag-union! c a d) (sorted c)) => (1 2 2 4)
(bag-union! 5) =raises> "bag-union!: argument 1 must be a bag"
(let ((c (bag numbers 1 2))) (bag-intersection! c d) (sorted c)) => (2)
(bag-intersection! 5) =raises> "bag-intersection!: argument 1 must be a bag"
(let ((c (bag numbers 1 2))) (bag-difference! c d) (sorted c)) => (1)
(bag-difference! 5) =raises> "bag-difference!: argument 1 must be a bag"
(let ((c (bag numbers 1 2))) (bag-xor! c a) (sorted c)) => ()
(bag-xor! 5 5) =raises> "bag-xor!: argument 1 must be a bag"
(list (=? bag-comparator a b) (=? bag-comparator a c) (= (comparator-hash bag-comparator a) (comparator-hash bag-comparator b)))
=> (#t #f #t)
(=? (make-default-comparator) a b) => #t

(let ((c (bag numbers 1 2))) (both (lambda () (values (bag-sum c c) c)))) => ((1 1 2 2) (1 2))
(bag-sum 5) =raises> "bag-sum: argument 1 must be a bag"
(sorted (bag-sum! (bag numbers 1) (bag numbers 1 2))) => (1 1 2)
(bag-sum! 5) =raises> "bag-sum!: argument 1 must be a bag"
(sorted (bag-product 2 (bag numbers 1 2))) => (1 1 2 2)
(bag-product 2 5) =raises> "bag-product: argument 2 must be a bag"
(sorted (bag-product! 3 (bag numbers 1))) => (1 1 1)
(bag-product! 'a (bag numbers)) =raises> "bag-product: argument 1 must be an exact integer"
(bag-unique-size (bag numbers 1 1 2)) => 2
(bag-unique-size 5) =raises> "bag-unique-size: argument 1 must be a bag"
(map (lambda (x) (bag-element-count (bag numbers 1 1 2) x)) '(1 2 3)) => (2 1 0)
(bag-element-count 5 1) =raises> "bag-element-count: argument 1 must be a bag"
(let ((n 0)) (bag-for-each-unique (lambda (x k) (set! n (+ n (* x k)))) (bag numbers 1 1 2)) n) => 4
(bag-for-each-unique list 5) =raises> "bag-for-each-unique: argument 2 must be a bag"
(bag-fold-unique (lambda (x k n) (+ n (* x k))) 0 (bag numbers 1 1 2)) => 4
(bag-fold-unique list 0 5) =raises> "bag-fold-unique: argument 3 must be a bag"
(sorted (bag-increment! (bag numbers 1) 2 3)) => (1 2 2 2)
(bag-increment! 5 1 1) =raises> "bag-increment!: argument 1 must be a bag"
(sorted (bag-decrement! (bag numbers 1 1 2 2 2) 2 2)) => (1 1 2)
(bag-decrement! 5 1 1) =raises> "bag-decrement!: argument 1 must be a bag"
(sorted (bag->set (bag numbers 1 1 2))) => (1 2)
(bag->set 5) =raises> "bag->set: argument 1 must be a bag"
(sorted (set->bag (set numbers 1 2))) => (1 2)
(set->bag 5) =raises> "set->bag: argument 1 must be a set"
(sorted (set->bag! (bag numbers 1) (set numbers 1 2))) => (1 1 2)
(set->bag! 5 (set numbers)) =raises> "set->bag!: argument 1 must be a bag"
(bag->alist (bag numbers 1 1)) => ((1 . 2))
(bag->alist 5) =raises> "bag->alist: argument 1 must be a bag"
(sorted (alist->bag numbers '((1 . 2) (2 . 1) (1 . 9)))) => (1 1 2)
(alist->bag 5 '()) =raises> "alist->bag: argument 1 must be a comparator"
(<? set-comparator (set numbers) (set numbers)) =raises> "the comparator has no ordering predicate"
(<? bag-comparator (bag numbers) (bag numbers)) =raises> "the comparator has no ordering predicate"
