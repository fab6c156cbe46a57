;; A table is the engine's own where the equivalence is one that it knows. Another is a <general>: lists of the entries
;; by what the hash function says; without a hash function all are in one list.

(define-record-type <general>
  (%general same? hash buckets) %general?
  (same? %same) (hash %hasher) (buckets %buckets))

(define-syntax %define-table
  (syntax-rules ()
    ((_ (name t arg ...) quick slow)
     (define (name t arg ...) (if (p:hash-table? t) quick (begin (%need 'name t) slow))))))
(define (%need who t)
  (if (not (%general? t)) (%wrong-type (symbol->string who) 1 "a hash table" t)))

(define (%kind same?)
  (cond ((eq? same? equal?) 'equal)
        ((eq? same? eq?) 'eq)
        ((memq same? (list eqv? char=? boolean=? symbol=?)) 'eqv)
        ((eq? same? string=?) 'string)
        (else #f)))

(define (make-hash-table . args)
  (let* ((same? (if (pair? args) (car args) equal?))
         (hash (and (pair? args) (pair? (cdr args)) (procedure? (cadr args)) (cadr args)))
         (kind (%kind same?)))
    (cond
      (kind (%make-table kind))
      ((procedure? same?) (%general same? (or hash (%usual same?)) (%make-table 'eqv)))
      (else (%wrong-type "make-hash-table" 1 "a procedure" same?)))))
(define (%usual same?)
  (cond ((eq? same? string-ci=?) string-ci-hash)
        ((eq? same? char-ci=?) (lambda (c . bound) (char->integer (char-foldcase c))))
        ((eq? same? =) (lambda (x . bound) (equal-hash (inexact x))))
        (else (lambda (x . bound) 0))))

(define (hash-table? x) (or (p:hash-table? x) (%general? x)))

;; Of two entries with one key the earlier counts.
(define (alist->hash-table alist . args)
  (let ((t (apply make-hash-table args)))
    (for-each (lambda (e) (hash-table-set! t (car e) (cdr e))) (reverse alist))
    t))

(%define-table (hash-table-equivalence-function t)
  (case (%table-kind t) ((eq) eq?) ((eqv) eqv?) ((string) string=?) (else equal?))
  (%same t))
(%define-table (hash-table-hash-function t)
  (case (%table-kind t) ((eq) hash-by-identity) ((eqv) eqv-hash) ((string) string-hash) (else hash))
  (%hasher t))

;; ---- a general table's entries ----

(define (%bound) 536870909)
(define (%key t k) ((%hasher t) k (%bound)))
(define (%entry t k) (assoc k (%table-ref (%buckets t) (%key t k) '()) (%same t)))

(define %absent (list 'absent))

(define hash-table-ref
  (case-lambda
    ((t k)
     (let ((v (hash-table-ref/default t k %absent)))
       (if (eq? v %absent) (%raise 'key-error "hash-table-ref: there is no such key" k) v)))
    ((t k failure)
     (let ((v (hash-table-ref/default t k %absent)))
       (if (eq? v %absent) (failure) v)))))

(%define-table (hash-table-ref/default t k default)
  (%table-ref t k default)
  (let ((e (%entry t k))) (if e (cdr e) default)))

(%define-table (hash-table-set! t k v)
  (p:hash-table-set! t k v)
  (let ((e (%entry t k)))
    (if e
        (set-cdr! e v)
        (hash-table-update!/default (%buckets t) (%key t k) (lambda (l) (cons (cons k v) l)) '()))))

(%define-table (hash-table-delete! t k)
  (p:hash-table-delete! t k)
  (let ((e (%entry t k)) (h (%key t k)))
    (if e
        (let ((rest (delete e (%table-ref (%buckets t) h '()) eq?)))
          (if (null? rest)
              (p:hash-table-delete! (%buckets t) h)
              (p:hash-table-set! (%buckets t) h rest))))))

(%define-table (hash-table-exists? t k)
  (p:hash-table-contains? t k)
  (and (%entry t k) #t))

(define hash-table-update!
  (case-lambda
    ((t k f) (hash-table-set! t k (f (hash-table-ref t k))))
    ((t k f failure) (hash-table-set! t k (f (hash-table-ref t k failure))))))
(define (hash-table-update!/default t k f default)
  (hash-table-set! t k (f (hash-table-ref/default t k default))))

;; ---- the whole: walks see the entries as they were when they began ----

(%define-table (hash-table->alist t)
  (%table->alist t)
  (append-map (lambda (l) (map (lambda (e) (cons (car e) (cdr e))) l)) (hash-table-values (%buckets t))))
(%define-table (hash-table-size t)
  (p:hash-table-size t)
  (apply + (map length (hash-table-values (%buckets t)))))
(%define-table (hash-table-keys t) (p:hash-table-keys t) (map car (hash-table->alist t)))
(%define-table (hash-table-values t) (p:hash-table-values t) (map cdr (hash-table->alist t)))
(%define-table (hash-table-walk t f)
  (p:hash-table-walk t f)
  (for-each (lambda (e) (f (car e) (cdr e))) (hash-table->alist t)))
(%define-table (hash-table-fold t f acc)
  (p:hash-table-fold t f acc)
  (fold (lambda (e acc) (f (car e) (cdr e) acc)) acc (hash-table->alist t)))
(%define-table (hash-table-copy t)
  (p:hash-table-copy t #t)
  (let ((copy (%general (%same t) (%hasher t) (%make-table 'eqv))))
    (hash-table-walk t (lambda (k v) (hash-table-set! copy k v)))
    copy))
;; What the second has is put into the first, over what is there.
(define (hash-table-merge! t other)
  (hash-table-walk other (lambda (k v) (hash-table-set! t k v)))
  t)
