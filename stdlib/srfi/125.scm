;; Hash tables. The machine's tables compare by eqv?, equal? or the text of strings; a table with another equality is a
;; record over one of them, from hashes to lists of entries.

(define-record-type keyed
  (make-keyed same? hash buckets size mutable?)
  keyed?
  (same? keyed-same?)
  (hash keyed-hash)
  (buckets keyed-buckets)
  (size keyed-size set-keyed-size!)
  (mutable? keyed-mutable? set-keyed-mutable!))

(define (hash-table? x) (or (plain:hash-table? x) (keyed? x)))

;; One way for the machine's tables, another for the records.
(define-syntax by-kind
  (syntax-rules ()
    ((_ t who n plain other)
     (cond ((plain:hash-table? t) plain)
           ((keyed? t) other)
           (else (%wrong-type who n "a hash table" t))))))

(define (kind-of same?)
  (cond ((eq? same? equal?) 'equal)
        ((eq? same? string=?) 'string)
        ((eq? same? eq?) 'eq)
        ((or (eq? same? eqv?) (eq? same? char=?) (eq? same? symbol=?) (eq? same? boolean=?)) 'eqv)
        (else #f)))

(define (hash-for same?)
  (cond ((eq? same? string-ci=?) string-ci-hash)
        ((eq? same? =) number-hash)
        ((eq? same? char-ci=?) char-ci-hash)
        (else (lambda (x) 0)))) ; any other would be a guess

(define (new-table same? hash)
  (let ((kind (kind-of same?)))
    (if kind
        (%make-table kind)
        (make-keyed same? (or hash (hash-for same?)) (%make-table 'eqv) 0 #t))))

;; (make-hash-table comparator arg …), also (make-hash-table equality [hash] arg …), and () of SRFI 69.
(define (make-hash-table . args)
  (if (null? args) (new-table equal? #f) (apply table-of args)))
(define (table-of c . args)
  (cond
    ((comparator? c)
     (new-table (comparator-equality-predicate c) (and (comparator-hashable? c) (comparator-hash-function c))))
    ((procedure? c) (new-table c (and (pair? args) (procedure? (car args)) (car args))))
    (else (%wrong-type "make-hash-table" 1 "a comparator or an equality predicate" c))))

(define (hash-table c . args)
  (let ((t (make-hash-table c)))
    (apply hash-table-set! t args)
    t))

(define (hash-table-unfold stop? mapper next seed c . args)
  (let ((t (apply make-hash-table c args)))
    (let loop ((seed seed))
      (if (stop? seed) t
          (let-values (((k v) (mapper seed)))
            (hash-table-set! t k v)
            (loop (next seed)))))))

;; The first entry of a key counts.
(define (alist->hash-table alist . args)
  (let ((t (apply make-hash-table args)))
    (let loop ((l alist))
      (cond ((pair? l)
             (if (not (hash-table-contains? t (caar l))) (hash-table-set! t (caar l) (cdar l)))
             (loop (cdr l)))
            ((null? l) t)
            (else (%wrong-type "alist->hash-table" 1 "a list of pairs" alist))))))

;; ---- entries of a record ----

(define (bucket t k) (plain:hash-table-ref/default (keyed-buckets t) ((keyed-hash t) k) '()))

(define (entry t k)
  (let ((same? (keyed-same? t)))
    (let loop ((b (bucket t k)))
      (cond ((null? b) #f)
            ((same? (caar b) k) (car b))
            (else (loop (cdr b)))))))

(define (need-mutable who t)
  (if (not (keyed-mutable? t))
      (%raise 'type-error
              (string-append who ": the hash table is immutable; hash-table-copy makes one that can be changed") t)))

(define (put! t k v)
  (need-mutable "hash-table-set!" t)
  (let ((e (entry t k)))
    (if e
        (set-cdr! e v)
        (begin
          (plain:hash-table-set! (keyed-buckets t) ((keyed-hash t) k) (cons (cons k v) (bucket t k)))
          (set-keyed-size! t (+ (keyed-size t) 1))))))

(define (drop! t k)
  (need-mutable "hash-table-delete!" t)
  (let ((e (entry t k)))
    (if e
        (let ((h ((keyed-hash t) k)) (rest (let loop ((b (bucket t k))) (if (eq? (car b) e) (cdr b) (cons (car b) (loop (cdr b)))))))
          (if (null? rest)
              (plain:hash-table-delete! (keyed-buckets t) h)
              (plain:hash-table-set! (keyed-buckets t) h rest))
          (set-keyed-size! t (- (keyed-size t) 1))
          1)
        0)))

;; ---- access ----

(define absent (list 'absent))

(define (lookup who t k)
  (by-kind t who 1
    (plain:hash-table-ref/default t k absent)
    (let ((e (entry t k))) (if e (cdr e) absent))))

(define (no-key who k) (%raise 'key-error (string-append who ": there is no such key") k))

(define hash-table-ref
  (case-lambda
    ((t k)
     (let ((v (lookup "hash-table-ref" t k)))
       (if (eq? v absent) (no-key "hash-table-ref" k) v)))
    ((t k failure)
     (let ((v (lookup "hash-table-ref" t k)))
       (if (eq? v absent) (if failure (failure) (no-key "hash-table-ref" k)) v)))
    ((t k failure success)
     (let ((v (lookup "hash-table-ref" t k)))
       (cond ((not (eq? v absent)) (success v))
             (failure (failure))
             (else (no-key "hash-table-ref" k)))))))

(define (hash-table-ref/default t k default)
  (by-kind t "hash-table-ref/default" 1
    (plain:hash-table-ref/default t k default)
    (let ((e (entry t k))) (if e (cdr e) default))))

(define (hash-table-contains? t k)
  (by-kind t "hash-table-contains?" 1 (plain:hash-table-contains? t k) (if (entry t k) #t #f)))
(define hash-table-exists? hash-table-contains?)

(define hash-table-set!
  (case-lambda
    ((t k v) (by-kind t "hash-table-set!" 1 (plain:hash-table-set! t k v) (put! t k v)))
    ((t . kvs)
     (let loop ((l kvs))
       (cond ((null? l) (if #f #f))
             ((null? (cdr l)) (%raise 'arity-error "hash-table-set!: a key without its value" (car l)))
             (else (hash-table-set! t (car l) (cadr l)) (loop (cddr l))))))))

;; Answers how many there were.
(define (hash-table-delete! t . ks)
  (by-kind t "hash-table-delete!" 1
    (apply plain:hash-table-delete! t ks)
    (let loop ((ks ks) (n 0))
      (if (null? ks) n (loop (cdr ks) (+ n (drop! t (car ks))))))))

(define (hash-table-intern! t k failure)
  (let ((v (lookup "hash-table-intern!" t k)))
    (if (eq? v absent)
        (let ((v (failure))) (hash-table-set! t k v) v)
        v)))

(define hash-table-update!
  (case-lambda
    ((t k f) (hash-table-update! t k f #f values))
    ((t k f failure) (hash-table-update! t k f failure values))
    ((t k f failure success)
     (let ((v (lookup "hash-table-update!" t k)))
       (hash-table-set! t k
         (f (cond ((not (eq? v absent)) (success v))
                  (failure (failure))
                  (else (no-key "hash-table-update!" k)))))))))

(define (hash-table-update!/default t k f default)
  (let ((v (lookup "hash-table-update!/default" t k)))
    (hash-table-set! t k (f (if (eq? v absent) default v)))))

(define (hash-table-pop! t)
  (if (hash-table-empty? t) (%raise 'key-error "hash-table-pop!: the hash table is empty" t))
  (let* ((es (entries "hash-table-pop!" 1 t)) (k (vector-ref es 0)) (v (vector-ref es 1)))
    (hash-table-delete! t k)
    (values k v)))

(define (hash-table-clear! t)
  (by-kind t "hash-table-clear!" 1
    (plain:hash-table-clear! t)
    (begin
      (need-mutable "hash-table-clear!" t)
      (plain:hash-table-clear! (keyed-buckets t))
      (set-keyed-size! t 0))))

;; ---- the whole table ----

;; The entries now: a vector of keys and values in turn.
(define (entries who n t)
  (by-kind t who n
    (%table-entries t)
    (let* ((out (make-vector (* 2 (keyed-size t)) #f))
           (buckets (%table-entries (keyed-buckets t)))
           (n (vector-length buckets)))
      (let loop ((i 1) (j 0))
        (if (< i n)
            (let each ((b (vector-ref buckets i)) (j j))
              (if (null? b) (loop (+ i 2) j)
                  (begin
                    (vector-set! out j (caar b))
                    (vector-set! out (+ j 1) (cdar b))
                    (each (cdr b) (+ j 2)))))))
      out)))

(define-syntax fold-entries
  (syntax-rules ()
    ((_ who n t (k v acc) init step)
     (let* ((es (entries who n t)) (size (vector-length es)))
       (let loop ((i 0) (acc init))
         (if (< i size)
             (let ((k (vector-ref es i)) (v (vector-ref es (+ i 1))))
               (loop (+ i 2) step))
             acc))))))

(define (hash-table-size t) (by-kind t "hash-table-size" 1 (plain:hash-table-size t) (keyed-size t)))
(define (hash-table-empty? t)
  (by-kind t "hash-table-empty?" 1 (= (plain:hash-table-size t) 0) (= (keyed-size t) 0)))
(define (hash-table-mutable? t)
  (by-kind t "hash-table-mutable?" 1 (plain:hash-table-mutable? t) (keyed-mutable? t)))

(define (hash-table=? same? a b)
  (and (= (hash-table-size a) (hash-table-size b))
       (call/cc
         (lambda (leave)
           (fold-entries "hash-table=?" 2 a (k v acc) #t
             (let ((w (lookup "hash-table=?" b k)))
               (if (and (not (eq? w absent)) (same? v w)) acc (leave #f))))))))

(define (hash-table-keys t)
  (reverse (fold-entries "hash-table-keys" 1 t (k v acc) '() (cons k acc))))
(define (hash-table-values t)
  (reverse (fold-entries "hash-table-values" 1 t (k v acc) '() (cons v acc))))
(define (hash-table-entries t) (values (hash-table-keys t) (hash-table-values t)))
(define (hash-table->alist t)
  (reverse (fold-entries "hash-table->alist" 1 t (k v acc) '() (cons (cons k v) acc))))

(define (hash-table-find f t failure)
  (let* ((es (entries "hash-table-find" 2 t)) (n (vector-length es)))
    (let loop ((i 0))
      (if (< i n)
          (or (f (vector-ref es i) (vector-ref es (+ i 1))) (loop (+ i 2)))
          (failure)))))
(define (hash-table-count ok? t)
  (fold-entries "hash-table-count" 2 t (k v n) 0 (if (ok? k v) (+ n 1) n)))

(define (hash-table-map f c t)
  (let ((out (make-hash-table c)))
    (fold-entries "hash-table-map" 3 t (k v acc) #f (begin (hash-table-set! out k (f v)) #f))
    out))
;; Older programs have the table first.
(define (hash-table-for-each f t)
  (if (hash-table? f)
      (hash-table-for-each t f)
      (begin (fold-entries "hash-table-for-each" 2 t (k v acc) #f (begin (f k v) #f)) (if #f #f))))
(define (hash-table-walk t f) (hash-table-for-each f t))
(define (hash-table-map! f t)
  (fold-entries "hash-table-map!" 2 t (k v acc) #f (begin (hash-table-set! t k (f k v)) #f))
  (if #f #f))
(define (hash-table-map->list f t)
  (reverse (fold-entries "hash-table-map->list" 2 t (k v acc) '() (cons (f k v) acc))))
(define (hash-table-fold f seed t)
  (if (hash-table? f)
      (hash-table-fold seed t f)
      (fold-entries "hash-table-fold" 3 t (k v acc) seed (f k v acc))))
(define (hash-table-prune! f t)
  (fold-entries "hash-table-prune!" 2 t (k v acc) #f (begin (if (f k v) (hash-table-delete! t k)) #f))
  (if #f #f))

;; The copy is mutable only when that is asked for.
(define (hash-table-copy t . mutable)
  (let ((mutable? (and (pair? mutable) (car mutable) #t)))
    (by-kind t "hash-table-copy" 1
      (let ((copy (plain:hash-table-copy t))) (if mutable? copy (%table-freeze! copy)))
      (let ((copy (hash-table-empty-copy t)))
        (fold-entries "hash-table-copy" 1 t (k v acc) #f (begin (put! copy k v) #f))
        (set-keyed-mutable! copy mutable?)
        copy))))
(define (hash-table-empty-copy t)
  (by-kind t "hash-table-empty-copy" 1
    (%make-table (%table-kind t))
    (make-keyed (keyed-same? t) (keyed-hash t) (%make-table 'eqv) 0 #t)))

;; ---- tables as sets ----

(define (hash-table-union! a b)
  (fold-entries "hash-table-union!" 2 b (k v acc) #f
    (begin (if (not (hash-table-contains? a k)) (hash-table-set! a k v)) #f))
  a)
(define (hash-table-intersection! a b)
  (fold-entries "hash-table-intersection!" 1 a (k v acc) #f
    (begin (if (not (hash-table-contains? b k)) (hash-table-delete! a k)) #f))
  a)
(define (hash-table-difference! a b)
  (fold-entries "hash-table-difference!" 1 a (k v acc) #f
    (begin (if (hash-table-contains? b k) (hash-table-delete! a k)) #f))
  a)
(define (hash-table-xor! a b)
  (fold-entries "hash-table-xor!" 2 b (k v acc) #f
    (begin (if (hash-table-contains? a k) (hash-table-delete! a k) (hash-table-set! a k v)) #f))
  a)

;; ---- what the document keeps for older programs ----

(define hash-table-merge! hash-table-union!)
(define (hash x . bound) (apply equal-hash x bound))
(define (hash-by-identity x . bound) (apply eqv-hash x bound))
(define (hash-table-equivalence-function t)
  (by-kind t "hash-table-equivalence-function" 1
    (case (%table-kind t) ((equal) equal?) ((string) string=?) ((eqv) eqv?) (else eq?))
    (keyed-same? t)))
(define (hash-table-hash-function t)
  (by-kind t "hash-table-hash-function" 1
    (case (%table-kind t) ((equal) equal-hash) ((string) string-hash) (else eqv-hash))
    (keyed-hash t)))
