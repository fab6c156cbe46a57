;; The tables of (srfi 125) as the older document has them: hash functions take a bound, copies can be changed.

(define (bounded hash) (lambda (k . bound) (hash k (if (pair? bound) (car bound) 536870909))))
(define (make-hash-table . args)
  (cond ((null? args) (t:make-hash-table equal?))
        ((comparator? (car args)) (apply t:make-hash-table args))
        (else
          (must "make-hash-table" 1 procedure? "a procedure" (car args))
          (if (and (pair? (cdr args)) (procedure? (cadr args)))
              (t:make-hash-table (car args) (bounded (cadr args)))
              (t:make-hash-table (car args))))))

;; Of two entries with one key the earlier counts.
(define (alist->hash-table alist . args)
  (let ((t (apply make-hash-table args)))
    (for-each (lambda (e) (hash-table-set! t (car e) (cdr e))) (reverse alist))
    t))

(define (hash-table-walk t f)
  (must "hash-table-walk" 1 hash-table? "a hash table" t)
  (t:hash-table-walk t f))
(define (hash-table-fold t f acc)
  (if (not (procedure? t)) (must "hash-table-fold" 1 hash-table? "a hash table" t))
  (t:hash-table-fold t f acc))
(define (hash-table-copy t . mutable) (t:hash-table-copy t #t))
;; What the second has is put into the first, over what is there.
(define (hash-table-merge! t other)
  (hash-table-walk other (lambda (k v) (hash-table-set! t k v)))
  t)
