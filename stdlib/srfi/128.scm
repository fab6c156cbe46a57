;; Comparators: a type test, an equality, an order and a hash function in one object.

(define-record-type comparator
  (%make-comparator type-test equality ordering hash ordered? hashable?)
  comparator?
  (type-test comparator-type-test-predicate)
  (equality comparator-equality-predicate)
  (ordering comparator-ordering-predicate)
  (hash comparator-hash-function)
  (ordered? comparator-ordered?)
  (hashable? comparator-hashable?))

(define (lacks what)
  (lambda args (%raise 'error (string-append "the comparator has no " what))))

(define (make-comparator type-test equality ordering hash)
  (%make-comparator
    (if (eq? type-test #t) (lambda (x) #t) type-test)
    (cond ((not (eq? equality #t)) equality)
          (ordering (lambda (x y) (not (or (ordering x y) (ordering y x)))))
          (else (%wrong-type "make-comparator" 3 "an order where the second is #t" ordering)))
    (or ordering (lacks "ordering predicate"))
    (or hash (lacks "hash function"))
    (if ordering #t #f)
    (if hash #t #f)))

(define (make-eq-comparator) (make-comparator #t eq? #f default-hash))
(define (make-eqv-comparator) (make-comparator #t eqv? #f default-hash))
(define (make-equal-comparator) (make-comparator #t equal? #f default-hash))

;; ---- hashes ----

(define-syntax hash-bound (syntax-rules () ((_) 33554432)))
(define-syntax hash-salt (syntax-rules () ((_) 16064047)))

(define (mix a b) (modulo (+ (* 31 a) b) (hash-bound)))

(define (boolean-hash x)
  (must "boolean-hash" 1 boolean? "a boolean" x)
  (if x (hash-salt) 0))
(define (char-hash c)
  (must "char-hash" 1 char? "a character" c)
  (modulo (* 31 (char->integer c)) (hash-bound)))
(define (char-ci-hash c)
  (must "char-ci-hash" 1 char? "a character" c)
  (char-hash (char-foldcase c)))
(define (symbol-hash s)
  (must "symbol-hash" 1 symbol? "a symbol" s)
  (string-hash (symbol->string s)))
;; Numbers that are = have one hash.
(define (number-hash x)
  (must "number-hash" 1 number? "a number" x)
  (eqv-hash (if (and (real? x) (inexact? x) (finite? x)) (exact x) x)))

;; ---- pairs, lists, vectors ----

(define (make-pair-comparator a b)
  (let ((a=? (comparator-equality-predicate a)) (b=? (comparator-equality-predicate b))
        (a<? (comparator-ordering-predicate a)) (b<? (comparator-ordering-predicate b)))
    (make-comparator
      (lambda (x) (and (pair? x) (comparator-test-type a (car x)) (comparator-test-type b (cdr x))))
      (lambda (x y) (and (a=? (car x) (car y)) (b=? (cdr x) (cdr y))))
      (and (comparator-ordered? a) (comparator-ordered? b)
           (lambda (x y) (if (a=? (car x) (car y)) (b<? (cdr x) (cdr y)) (a<? (car x) (car y)))))
      (and (comparator-hashable? a) (comparator-hashable? b)
           (lambda (x) (mix (comparator-hash a (car x)) (comparator-hash b (cdr x))))))))

;; (make-list-comparator element [type-test empty? head tail])
(define (make-list-comparator element . how)
  (let* ((how (if (null? how) (list (lambda (x) (or (null? x) (pair? x))) null? car cdr) how))
         (type-test (list-ref how 0)) (empty? (list-ref how 1)) (head (list-ref how 2)) (tail (list-ref how 3))
         (same? (comparator-equality-predicate element))
         (less? (comparator-ordering-predicate element)))
    (make-comparator
      (lambda (x)
        (let loop ((x x))
          (and (type-test x)
               (or (empty? x) (and (comparator-test-type element (head x)) (loop (tail x)))))))
      (lambda (x y)
        (let loop ((x x) (y y))
          (cond ((empty? x) (empty? y))
                ((empty? y) #f)
                (else (and (same? (head x) (head y)) (loop (tail x) (tail y)))))))
      (and (comparator-ordered? element)
           (lambda (x y)
             (let loop ((x x) (y y))
               (cond ((empty? y) #f)
                     ((empty? x) #t)
                     ((same? (head x) (head y)) (loop (tail x) (tail y)))
                     (else (less? (head x) (head y)))))))
      (and (comparator-hashable? element)
           (lambda (x)
             (let loop ((x x) (h 1))
               (if (empty? x) h (loop (tail x) (mix h (comparator-hash element (head x)))))))))))

;; (make-vector-comparator element [type-test length ref]): the shorter comes first.
(define (make-vector-comparator element . how)
  (let* ((how (if (null? how) (list vector? vector-length vector-ref) how))
         (type-test (list-ref how 0)) (size (list-ref how 1)) (ref (list-ref how 2))
         (same? (comparator-equality-predicate element))
         (less? (comparator-ordering-predicate element)))
    (make-comparator
      (lambda (x)
        (and (type-test x)
             (let loop ((i (- (size x) 1)))
               (or (< i 0) (and (comparator-test-type element (ref x i)) (loop (- i 1)))))))
      (lambda (x y)
        (let ((n (size x)))
          (and (= n (size y))
               (let loop ((i 0)) (or (= i n) (and (same? (ref x i) (ref y i)) (loop (+ i 1))))))))
      (and (comparator-ordered? element)
           (lambda (x y)
             (let ((n (size x)) (m (size y)))
               (cond ((< n m) #t)
                     ((> n m) #f)
                     (else
                       (let loop ((i 0))
                         (cond ((= i n) #f)
                               ((same? (ref x i) (ref y i)) (loop (+ i 1)))
                               (else (less? (ref x i) (ref y i))))))))))
      (and (comparator-hashable? element)
           (lambda (x)
             (let ((n (size x)))
               (let loop ((i 0) (h n))
                 (if (= i n) h (loop (+ i 1) (mix h (comparator-hash element (ref x i))))))))))))

;; ---- the default comparator ----

(define registered '()) ; in the order of registration

(define (comparator-register-default! c)
  (must "comparator-register-default!" 1 comparator? "a comparator" c)
  (set! registered (append registered (list c))))

;; The place of a value's type in the default order.
(define (rank x)
  (cond ((null? x) 0) ((pair? x) 1) ((boolean? x) 2) ((char? x) 3) ((string? x) 4) ((symbol? x) 5) ((number? x) 6)
        ((vector? x) 7) ((bytevector? x) 8)
        (else
          (let loop ((cs registered) (i 10))
            (cond ((null? cs) 9)
                  ((comparator-test-type (car cs) x) i)
                  (else (loop (cdr cs) (+ i 1))))))))
(define (registered-as r) (list-ref registered (- r 10)))

(define (default=? a b)
  (or (eq? a b)
      (let ((r (rank a)))
        (and (= r (rank b))
             (case r
               ((0) #t)
               ((1) (and (default=? (car a) (car b)) (default=? (cdr a) (cdr b))))
               ((4) (string=? a b))
               ((6) (= a b))
               ((7) ((comparator-equality-predicate default-vectors) a b))
               ((2 3 5 8 9) (equal? a b))
               (else ((comparator-equality-predicate (registered-as r)) a b)))))))

(define (default<? a b)
  (let ((r (rank a)) (s (rank b)))
    (cond
      ((< r s) #t)
      ((> r s) #f)
      (else
        (case r
          ((0) #f)
          ((1) (if (default=? (car a) (car b)) (default<? (cdr a) (cdr b)) (default<? (car a) (car b))))
          ((2) (and (not a) b))
          ((3) (char<? a b))
          ((4) (string<? a b))
          ((5) (symbol<? a b))
          ((6) (< a b))
          ((7) ((comparator-ordering-predicate default-vectors) a b))
          ((8) ((comparator-ordering-predicate default-bytevectors) a b))
          ((9) (%raise 'type-error "the default comparator has no order for these" a b))
          (else ((comparator-ordering-predicate (registered-as r)) a b)))))))

(define (default-hash x)
  (let ((r (rank x)))
    (case r
      ((1)
       (let loop ((x x) (h 1))
         (if (pair? x) (loop (cdr x) (mix h (default-hash (car x)))) (mix h (default-hash x)))))
      ((0 2 3 4 8) (modulo (equal-hash x) (hash-bound)))
      ((5) (modulo (symbol-hash x) (hash-bound)))
      ((9) 9) ; a hash of the address would not outlive a collection
      ((6) (modulo (number-hash x) (hash-bound)))
      ((7) (comparator-hash default-vectors x))
      (else (comparator-hash (registered-as r) x)))))

(define (make-default-comparator) default-comparator)
(define default-comparator (make-comparator #t default=? default<? default-hash))
(define default-vectors (make-vector-comparator default-comparator))
(define default-bytevectors
  (make-vector-comparator default-comparator bytevector? bytevector-length bytevector-u8-ref))

;; ---- use ----

(define (comparator-test-type c x) ((comparator-type-test-predicate c) x))
(define (comparator-check-type c x)
  (or (comparator-test-type c x) (%raise 'type-error "comparator-check-type: the comparator is not for this" x)))
(define (comparator-hash c x) ((comparator-hash-function c) x))

(define-syntax define-comparison
  (syntax-rules ()
    ((_ name (c a b) holds)
     (define name
       (case-lambda
         ((c a b) holds)
         ((c a b . more)
          (let loop ((a a) (b b) (more more))
            (and holds (or (null? more) (loop b (car more) (cdr more)))))))))))
(define-comparison =? (c a b) ((comparator-equality-predicate c) a b))
(define-comparison <? (c a b) ((comparator-ordering-predicate c) a b))
(define-comparison >? (c a b) ((comparator-ordering-predicate c) b a))
(define-comparison <=? (c a b) (not ((comparator-ordering-predicate c) b a)))
(define-comparison >=? (c a b) (not ((comparator-ordering-predicate c) a b)))

(define-syntax comparator-if<=>
  (syntax-rules ()
    ((_ a b less same greater) (comparator-if<=> (make-default-comparator) a b less same greater))
    ((_ c a b less same greater)
     (let ((cmp c) (x a) (y b))
       (cond ((=? cmp x y) same)
             ((<? cmp x y) less)
             (else greater))))))
