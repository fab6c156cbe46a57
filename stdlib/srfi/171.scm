;; Transducers. A reducer takes nothing (its first result), a result (its last word) or a result and an element; a
;; transducer makes a reducer of a reducer. A result that is reduced ends the walk.

(define-record-type <reduced> (reduced value) reduced? (value unreduce))
(define (ensure-reduced x) (if (reduced? x) x (reduced x)))
;; What an inner walk has reduced, the outer one unwraps once and ends as well.
(define (preserving-reduced f)
  (lambda (result x)
    (let ((r (f result x))) (if (reduced? r) (reduced r) r))))

;; ---- walks ----

(define (list-reduce f result l)
  (let loop ((l l) (acc result))
    (cond ((pair? l)
           (let ((r (f acc (car l)))) (if (reduced? r) (unreduce r) (loop (cdr l) r))))
          ((null? l) acc)
          (else (%wrong-type "list-reduce" 3 "a list" l)))))
(define-syntax define-reduce
  (syntax-rules ()
    ((_ name who ok? want size ref)
     (define (name f result seq)
       (must who 3 ok? want seq)
       (let ((n (size seq)))
         (let loop ((i 0) (acc result))
           (if (= i n) acc
               (let ((r (f acc (ref seq i)))) (if (reduced? r) (unreduce r) (loop (+ i 1) r))))))))))
(define-reduce vector-reduce "vector-reduce" vector? "a vector" vector-length vector-ref)
(define-reduce string-reduce "string-reduce" string? "a string" string-length string-ref)
(define-reduce bytevector-u8-reduce "bytevector-u8-reduce" bytevector? "a bytevector" bytevector-length bytevector-u8-ref)
(define (generator-reduce f result g)
  (let loop ((acc result))
    (let ((x (g)))
      (if (eof-object? x) acc
          (let ((r (f acc x))) (if (reduced? r) (unreduce r) (loop r)))))))
(define (port-reduce f result reader port) (generator-reduce f result (lambda () (reader port))))

;; (x-transduce transducer f [result] what): the last word is asked for.
(define-syntax define-transduce
  (syntax-rules ()
    ((_ name reduce)
     (define name
       (case-lambda
         ((xform f seq) (name xform f (f) seq))
         ((xform f result seq)
          (let ((g (xform f))) (g (reduce g result seq)))))))))
(define-transduce list-transduce list-reduce)
(define-transduce vector-transduce vector-reduce)
(define-transduce string-transduce string-reduce)
(define-transduce bytevector-u8-transduce bytevector-u8-reduce)
(define-transduce generator-transduce generator-reduce)
(define port-transduce
  (case-lambda
    ((xform f reader) (port-transduce xform f (f) reader (current-input-port)))
    ((xform f reader port) (port-transduce xform f (f) reader port))
    ((xform f result reader port)
     (let ((g (xform f))) (g (port-reduce g result reader port))))))

;; ---- reducers ----

(define rcons (case-lambda (() '()) ((acc) (reverse acc)) ((acc x) (cons x acc))))
(define reverse-rcons (case-lambda (() '()) ((acc) acc) ((acc x) (cons x acc))))
(define rcount (case-lambda (() 0) ((n) n) ((n x) (+ n 1))))
(define (rany ok?)
  (case-lambda (() #f) ((acc) acc) ((acc x) (let ((r (ok? x))) (if r (reduced r) #f)))))
(define (revery ok?)
  (case-lambda (() #t) ((acc) acc) ((acc x) (let ((r (ok? x))) (or r (reduced #f))))))

;; ---- transducers ----

;; (transducer f (acc x) step): passes the first result and the last word on.
(define-syntax transducer
  (syntax-rules ()
    ((_ f (acc x) step)
     (case-lambda (() (f)) ((acc) (f acc)) ((acc x) step)))))

(define (tmap g) (lambda (f) (transducer f (acc x) (f acc (g x)))))
(define (tfilter ok?) (lambda (f) (transducer f (acc x) (if (ok? x) (f acc x) acc))))
(define (tremove ok?) (lambda (f) (transducer f (acc x) (if (ok? x) acc (f acc x)))))
(define (tfilter-map g) (lambda (f) (transducer f (acc x) (let ((y (g x))) (if y (f acc y) acc)))))
;; A mapping is a procedure, an alist or a hash table; what it does not know stays.
(define (treplace mapping)
  (tmap
    (cond ((procedure? mapping) mapping)
          ((hash-table? mapping) (lambda (x) (hash-table-ref/default mapping x x)))
          ((or (pair? mapping) (null? mapping)) (lambda (x) (let ((e (assoc x mapping))) (if e (cdr e) x))))
          (else (%wrong-type "treplace" 1 "a procedure, an alist or a hash table" mapping)))))
(define (tdrop n)
  (must "tdrop" 1 exact-integer? "an exact integer" n)
  (lambda (f)
    (let ((left n))
      (transducer f (acc x) (if (> left 0) (begin (set! left (- left 1)) acc) (f acc x))))))
(define (tdrop-while ok?)
  (lambda (f)
    (let ((drop? #t))
      (transducer f (acc x)
        (if (and drop? (ok? x)) acc (begin (set! drop? #f) (f acc x)))))))
(define (ttake n)
  (must "ttake" 1 exact-integer? "an exact integer" n)
  (lambda (f)
    (let ((left n))
      (transducer f (acc x)
        (begin
          (set! left (- left 1))
          (cond ((> left 0) (f acc x))
                ((= left 0) (ensure-reduced (f acc x)))
                (else (reduced acc))))))))
(define ttake-while
  (case-lambda
    ((ok?) (ttake-while ok? (lambda (acc x) acc)))
    ((ok? last) (lambda (f) (transducer f (acc x) (if (ok? x) (f acc x) (reduced (last acc x))))))))
(define (tconcatenate f)
  (let ((g (preserving-reduced f)))
    (transducer f (acc l) (list-reduce g acc l))))
(define (tappend-map g) (lambda (f) ((tmap g) (tconcatenate f))))
(define (tflatten f)
  (define g (transducer f (acc x) (if (or (pair? x) (null? x)) (list-reduce (preserving-reduced g) acc x) (f acc x))))
  g)

(define none (list 'none))
(define tdelete-neighbor-duplicates
  (case-lambda
    (() (tdelete-neighbor-duplicates equal?))
    ((same?)
     (lambda (f)
       (let ((last none))
         (transducer f (acc x)
           (if (and (not (eq? last none)) (same? last x)) acc (begin (set! last x) (f acc x)))))))))
(define tdelete-duplicates
  (case-lambda
    (() (tdelete-duplicates equal?))
    ((same?)
     (lambda (f)
       (let ((seen (make-hash-table same?)))
         (transducer f (acc x)
           (if (hash-table-contains? seen x) acc (begin (hash-table-set! seen x #t) (f acc x)))))))))

;; Gathers elements; what is left over goes on at the end.
(define-syntax gathering
  (syntax-rules ()
    ((_ f group (acc x) step)
     (case-lambda
       (() (f))
       ((acc)
        (f (if (null? group) acc
               (let ((r (f acc (reverse group))))
                 (set! group '())
                 (if (reduced? r) (unreduce r) r)))))
       ((acc x) step)))))
(define (tsegment n)
  (within "tsegment" 1 1 (if (and (exact-integer? n) (> n 0)) n 1) n)
  (lambda (f)
    (let ((group '()) (k 0))
      (gathering f group (acc x)
        (begin
          (set! group (cons x group))
          (set! k (+ k 1))
          (if (< k n) acc
              (let ((full (reverse group)))
                (set! group '())
                (set! k 0)
                (f acc full))))))))
(define (tpartition g)
  (lambda (f)
    (let ((group '()) (key none))
      (gathering f group (acc x)
        (let ((now (g x)))
          (if (or (eq? key none) (equal? key now))
              (begin (set! key now) (set! group (cons x group)) acc)
              (let ((full (reverse group)))
                (set! group (list x))
                (set! key now)
                (let ((r (f acc full)))
                  (if (reduced? r) (set! group '()))
                  r))))))))
(define (tadd-between item)
  (lambda (f)
    (let ((first? #t))
      (transducer f (acc x)
        (if first?
            (begin (set! first? #f) (f acc x))
            (let ((r (f acc item)))
              (if (reduced? r) r (f r x))))))))
(define tenumerate
  (case-lambda
    (() (tenumerate 0))
    ((start)
     (must "tenumerate" 1 number? "a number" start)
     (lambda (f)
       (let ((n (- start 1)))
         (transducer f (acc x) (begin (set! n (+ n 1)) (f acc (cons n x)))))))))
(define tlog
  (case-lambda
    (() (tlog (lambda (acc x) (write x) (newline))))
    ((log) (lambda (f) (transducer f (acc x) (begin (log acc x) (f acc x)))))))
