;; Sets and bags. A set is a bag that has each element once: both are tables from elements to pairs of the element that
;; came first and how often it is there, and nearly all is written for both.

(define-record-type <set> (make-set comparator table) set? (comparator set-element-comparator) (table set-table))
(define-record-type <bag> (make-bag comparator table) bag? (comparator bag-element-comparator) (table bag-table))

(define (table-of c) (if (set? c) (set-table c) (bag-table c)))
(define (order-of c) (if (set? c) (set-element-comparator c) (bag-element-comparator c)))
(define (empty-like c)
  (if (set? c)
      (make-set (order-of c) (make-hash-table (order-of c)))
      (make-bag (order-of c) (make-hash-table (order-of c)))))

;; ---- counting ----

(define (count-of c x)
  (let ((e (hash-table-ref/default (table-of c) x #f))) (if e (cdr e) 0)))

;; Makes it n times x.
(define (put! c x n)
  (let* ((t (table-of c)) (e (hash-table-ref/default t x #f)) (n (if (set? c) (min n 1) n)))
    (cond ((<= n 0) (if e (hash-table-delete! t x)))
          (e (set-cdr! e n))
          (else (hash-table-set! t x (cons x n))))))
(define (add! c x n)
  (if (> n 0) (comparator-check-type (order-of c) x))
  (put! c x (+ (count-of c x) n)))

;; The pairs of elements and counts, now.
(define (pairs c) (hash-table-fold (lambda (k e acc) (cons (cons (car e) (cdr e)) acc)) '() (table-of c)))
(define (each-pair f c) (for-each (lambda (p) (f (car p) (cdr p))) (pairs c)))
(define (copy c)
  (let ((new (empty-like c)))
    (each-pair (lambda (x n) (put! new x n)) c)
    new))
;; What c holds becomes what other holds.
(define (become! c other)
  (if (not (eq? c other))
      (begin
        (hash-table-clear! (table-of c))
        (each-pair (lambda (x n) (put! c x n)) other)))
  c)

;; ---- the two names of each procedure ----

;; (define-both (set-name bag-name) argument# checked (arg …) body …): the argument with that number is checked.
(define-syntax define-both
  (syntax-rules ()
    ((_ (set-name bag-name) n c args body ...)
     (begin
       (define (set-name . all) (apply (lambda args (need 'set-name n set? "a set" c) body ...) all))
       (define (bag-name . all) (apply (lambda args (need 'bag-name n bag? "a bag" c) body ...) all))))))
(define-syntax need
  (syntax-rules ()
    ((_ name n ok? want x) (if (not (ok? x)) (%wrong-type (symbol->string name) n want x)))))

(define (from-list c l) (for-each (lambda (x) (add! c x 1)) l) c)
(define (new make who comparator)
  (must who 1 comparator? "a comparator" comparator)
  (make comparator (make-hash-table comparator)))
(define (set comparator . xs) (from-list (new make-set "set" comparator) xs))
(define (bag comparator . xs) (from-list (new make-bag "bag" comparator) xs))
(define (unfold! c stop? mapper next seed)
  (let loop ((seed seed))
    (if (stop? seed) c (begin (add! c (mapper seed) 1) (loop (next seed))))))
(define (set-unfold comparator stop? mapper next seed)
  (unfold! (new make-set "set-unfold" comparator) stop? mapper next seed))
(define (bag-unfold comparator stop? mapper next seed)
  (unfold! (new make-bag "bag-unfold" comparator) stop? mapper next seed))

(define-both (set-contains? bag-contains?) 1 c (c x) (hash-table-contains? (table-of c) x))
(define-both (set-empty? bag-empty?) 1 c (c) (hash-table-empty? (table-of c)))
(define-both (set-disjoint? bag-disjoint?) 1 a (a b)
  (let loop ((ps (pairs a)))
    (or (null? ps) (and (= (count-of b (caar ps)) 0) (loop (cdr ps))))))
(define-both (set-member bag-member) 1 c (c x default)
  (let ((e (hash-table-ref/default (table-of c) x #f))) (if e (car e) default)))

(define-both (set-adjoin! bag-adjoin!) 1 c (c . xs) (from-list c xs))
(define-both (set-adjoin bag-adjoin) 1 c (c . xs) (from-list (copy c) xs))
(define (replace! c x)
  (let ((n (count-of c x)))
    (if (> n 0) (begin (put! c x 0) (put! c x n)))
    c))
(define-both (set-replace! bag-replace!) 1 c (c x) (replace! c x))
(define-both (set-replace bag-replace) 1 c (c x) (replace! (copy c) x))
(define (delete! c xs) (for-each (lambda (x) (add! c x -1)) xs) c)
(define-both (set-delete! bag-delete!) 1 c (c . xs) (delete! c xs))
(define-both (set-delete bag-delete) 1 c (c . xs) (delete! (copy c) xs))
(define-both (set-delete-all! bag-delete-all!) 1 c (c xs) (delete! c xs))
(define-both (set-delete-all bag-delete-all) 1 c (c xs) (delete! (copy c) xs))

;; failure takes (insert obj) and (ignore obj), success takes the element, (update new obj) and (remove obj).
(define-both (set-search! bag-search!) 1 c (c x failure success)
  (let ((e (hash-table-ref/default (table-of c) x #f)))
    (if e
        (success (car e)
                 (lambda (new obj)
                   (let ((n (cdr e))) (put! c x (- n 1)) (add! c new 1))
                   (values c obj))
                 (lambda (obj) (add! c x -1) (values c obj)))
        (failure (lambda (obj) (add! c x 1) (values c obj))
                 (lambda (obj) (values c obj))))))

;; ---- the whole ----

(define (total c) (hash-table-fold (lambda (k e n) (+ (cdr e) n)) 0 (table-of c)))
(define-both (set-size bag-size) 1 c (c) (total c))
(define (fold f seed c)
  (let loop ((ps (pairs c)) (acc seed))
    (if (null? ps) acc
        (let again ((n (cdar ps)) (acc acc))
          (if (= n 0) (loop (cdr ps) acc) (again (- n 1) (f (caar ps) acc)))))))
(define (search ok? c)
  (let loop ((ps (pairs c))) (cond ((null? ps) #f) ((ok? (caar ps)) (car ps)) (else (loop (cdr ps))))))
(define-both (set-find bag-find) 2 c (ok? c failure)
  (let ((p (search ok? c))) (if p (car p) (failure))))
(define-both (set-count bag-count) 2 c (ok? c) (fold (lambda (x n) (if (ok? x) (+ n 1) n)) 0 c))
(define-both (set-any? bag-any?) 2 c (ok? c) (if (search ok? c) #t #f))
(define-both (set-every? bag-every?) 2 c (ok? c) (not (search (lambda (x) (not (ok? x))) c)))

(define-both (set-fold bag-fold) 3 c (f seed c) (fold f seed c))
(define-both (set-for-each bag-for-each) 2 c (f c)
  (fold (lambda (x acc) (f x) acc) #f c)
  (if #f #f))
(define (set-map comparator f c)
  (must "set-map" 3 set? "a set" c)
  (from-list (new make-set "set-map" comparator) (map f (set->list c))))
(define (bag-map comparator f c)
  (must "bag-map" 3 bag? "a bag" c)
  (from-list (new make-bag "bag-map" comparator) (map f (bag->list c))))
(define (split ok? c)
  (let ((in (empty-like c)) (out (empty-like c)))
    (each-pair (lambda (x n) (put! (if (ok? x) in out) x n)) c)
    (values in out)))
(define (kept ok? c) (let-values (((in out) (split ok? c))) in))
(define (dropped ok? c) (let-values (((in out) (split ok? c))) out))
(define-both (set-filter bag-filter) 2 c (ok? c) (kept ok? c))
(define-both (set-remove bag-remove) 2 c (ok? c) (dropped ok? c))
(define-both (set-partition bag-partition) 2 c (ok? c) (split ok? c))
(define-both (set-filter! bag-filter!) 2 c (ok? c) (become! c (kept ok? c)))
(define-both (set-remove! bag-remove!) 2 c (ok? c) (become! c (dropped ok? c)))
(define-both (set-partition! bag-partition!) 2 c (ok? c)
  (let-values (((in out) (split ok? c))) (values (become! c in) out)))

(define-both (set-copy bag-copy) 1 c (c) (copy c))
(define-both (set->list bag->list) 1 c (c) (fold cons '() c))
(define (list->set comparator l) (apply set comparator l))
(define (list->bag comparator l) (apply bag comparator l))
(define-both (list->set! list->bag!) 1 c (c l) (from-list c l))

;; ---- subsets ----

(define (inside? a b)
  (let loop ((ps (pairs a)))
    (or (null? ps) (and (<= (cdar ps) (count-of b (caar ps))) (loop (cdr ps))))))
(define (ascend? before? c cs)
  (or (null? cs) (and (before? c (car cs)) (ascend? before? (car cs) (cdr cs)))))
(define-both (set=? bag=?) 1 c (c . cs) (ascend? (lambda (a b) (and (= (total a) (total b)) (inside? a b))) c cs))
(define-both (set<? bag<?) 1 c (c . cs) (ascend? (lambda (a b) (and (< (total a) (total b)) (inside? a b))) c cs))
(define-both (set>? bag>?) 1 c (c . cs) (ascend? (lambda (a b) (and (> (total a) (total b)) (inside? b a))) c cs))
(define-both (set<=? bag<=?) 1 c (c . cs) (ascend? inside? c cs))
(define-both (set>=? bag>=?) 1 c (c . cs) (ascend? (lambda (a b) (inside? b a)) c cs))

;; ---- set theory: the second changes the first ----

(define (union! a b) (each-pair (lambda (x n) (put! a x (max n (count-of a x)))) b))
(define (intersect! a b) (each-pair (lambda (x n) (put! a x (min n (count-of b x)))) a))
(define (subtract! a b) (each-pair (lambda (x n) (add! a x (- n))) b))
(define (xor! a b) (each-pair (lambda (x n) (put! a x (abs (- n (count-of a x))))) b))
(define (sum! a b) (each-pair (lambda (x n) (add! a x n)) b))
(define (with-all! change! c cs) (for-each (lambda (other) (change! c other)) cs) c)

(define-both (set-union! bag-union!) 1 c (c . cs) (with-all! union! c cs))
(define-both (set-union bag-union) 1 c (c . cs) (with-all! union! (copy c) cs))
(define-both (set-intersection! bag-intersection!) 1 c (c . cs) (with-all! intersect! c cs))
(define-both (set-intersection bag-intersection) 1 c (c . cs) (with-all! intersect! (copy c) cs))
(define-both (set-difference! bag-difference!) 1 c (c . cs) (with-all! subtract! c cs))
(define-both (set-difference bag-difference) 1 c (c . cs) (with-all! subtract! (copy c) cs))
(define-both (set-xor! bag-xor!) 1 c (c other) (with-all! xor! c (list other)))
(define-both (set-xor bag-xor) 1 c (c other) (with-all! xor! (copy c) (list other)))

;; ---- bags only ----

(define-syntax define-bag
  (syntax-rules ()
    ((_ name n c args body ...)
     (define (name . all) (apply (lambda args (need 'name n bag? "a bag" c) body ...) all)))))
(define-bag bag-sum! 1 c (c . cs) (with-all! sum! c cs))
(define-bag bag-sum 1 c (c . cs) (with-all! sum! (copy c) cs))
(define (times! n c)
  (must "bag-product" 1 exact-integer? "an exact integer" n)
  (each-pair (lambda (x k) (put! c x (* n k))) c)
  c)
(define-bag bag-product! 2 c (n c) (times! n c))
(define-bag bag-product 2 c (n c) (times! n (copy c)))
(define-bag bag-unique-size 1 c (c) (hash-table-size (bag-table c)))
(define-bag bag-element-count 1 c (c x) (count-of c x))
(define-bag bag-for-each-unique 2 c (f c) (each-pair f c))
(define-bag bag-fold-unique 3 c (f seed c)
  (let loop ((ps (pairs c)) (acc seed))
    (if (null? ps) acc (loop (cdr ps) (f (caar ps) (cdar ps) acc)))))
(define-bag bag-increment! 1 c (c x n) (add! c x n) c)
(define-bag bag-decrement! 1 c (c x n) (add! c x (- n)) c)
(define-bag bag->alist 1 c (c) (pairs c))
(define (alist->bag comparator alist)
  (let ((c (new make-bag "alist->bag" comparator)))
    (for-each (lambda (p) (if (= (count-of c (car p)) 0) (put! c (car p) (cdr p)))) alist)
    c))
(define-bag bag->set 1 c (c) (become! (make-set (order-of c) (make-hash-table (order-of c))) c))
(define (set->bag c)
  (must "set->bag" 1 set? "a set" c)
  (become! (make-bag (order-of c) (make-hash-table (order-of c))) c))
(define-bag set->bag! 1 c (c other) (sum! c other) c)

;; ---- comparators of sets and bags ----

(define (hash-of c) (hash-table-fold (lambda (k e h) (+ h (* (cdr e) (comparator-hash (order-of c) k)))) 0 (table-of c)))
(define set-comparator (make-comparator set? (lambda (a b) (set=? a b)) #f hash-of))
(define bag-comparator (make-comparator bag? (lambda (a b) (bag=? a b)) #f hash-of))
(comparator-register-default! set-comparator)
(comparator-register-default! bag-comparator)
