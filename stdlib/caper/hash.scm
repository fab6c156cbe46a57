;; Hash tables under the names of SRFI 69 and 125, Racket, Guile and MIT. Loops run over the entries as they were when
;; the loop began. Keys are compared by equal? unless the name says otherwise.

(define %absent (list 'absent))
(define (%present? x) (not (eq? x %absent)))
(define (%or-call x) (if (procedure? x) (x) x))

(define (%kind-of args)
  (let loop ((args args))
    (cond ((null? args) 'equal)
          ((or (eq? (car args) eq?) (eq? (car args) 'eq)) 'eq)
          ((or (eq? (car args) eqv?) (eq? (car args) 'eqv) (eq? (car args) =)) 'eqv)
          (else (loop (cdr args))))))
(define (make-hash-table . args) (%make-table (%kind-of args)))
(define (make-equal-hash-table . size) (%make-table 'equal))
(define (make-string-hash-table . size) (%make-table 'string))
(define (make-eqv-hash-table . size) (%make-table 'eqv))
(define (make-eq-hash-table . size) (%make-table 'eq))
(define make-strong-eqv-hash-table make-eqv-hash-table)
(define make-strong-eq-hash-table make-eq-hash-table)
(define make-key-weak-eqv-hash-table make-eqv-hash-table)
(define (make-hash . alist) (%alist->table (if (pair? alist) (car alist) '()) 'equal))
(define (make-hasheqv . alist) (%alist->table (if (pair? alist) (car alist) '()) 'eqv))
(define (make-hasheq . alist) (%alist->table (if (pair? alist) (car alist) '()) 'eq))
(define (hash . kvs) (%table-extend (%make-table 'equal) kvs))
(define (hasheqv . kvs) (%table-extend (%make-table 'eqv) kvs))
(define (hasheq . kvs) (%table-extend (%make-table 'eq) kvs))
(define (make-immutable-hash . alist) (%table-freeze! (apply make-hash alist)))
(define make-immutable-hasheq make-immutable-hash)
(define (alist->hash-table alist . args) (%alist->table alist (%kind-of args)))
(define alist->hash alist->hash-table)
;; (hash-table comparator key value …), also without the comparator.
(define (hash-table . args)
  (let ((t (%make-table 'equal)))
    (apply hash-table-set! t (if (odd? (length args)) (cdr args) args))
    t))
(define-syntax #%hash
  (syntax-rules () ((_ (k . v) ...) (%table-freeze! (%alist->table '((k . v) ...) 'equal)))))

(define (%no-key who key)
  (%raise 'key-error (string-append who ": there is no such key") key))

;; These are small enough to be opened where they are called, with thunks and defaults that stand there.
(define (%else v failure) (if (%present? v) v (%or-call failure)))
(define (%must v who k) (if (%present? v) v (%no-key who k)))
(define hash-table-ref
  (case-lambda
    ((t k) (%must (%table-ref t k %absent) "hash-table-ref" k))
    ((t k failure) (%else (%table-ref t k %absent) failure))
    ((t k failure success)
     (let ((v (%table-ref t k %absent)))
       (if (%present? v) (success v) (%or-call failure))))))

;; Racket raises and Guile answers #f when the key is absent; programs of both work when it is #f. An alist will do.
(define hash-ref
  (case-lambda
    ((t k) (%hash-ref t k #f))
    ((t k default) (%else (%hash-ref t k %absent) default))))
(define hashq-ref hash-ref)
(define hashv-ref hash-ref)
(define (hash-ref! t k make)
  (let ((v (%table-ref t k %absent)))
    (if (%present? v) v
        (let ((v (%or-call make))) (hash-table-set! t k v) v))))
(define hash-table-intern! hash-ref!)

(define hash-table-update!
  (case-lambda
    ((t k f) (hash-table-set! t k (f (%must (%table-ref t k %absent) "hash-table-update!" k))))
    ((t k f failure) (hash-table-set! t k (f (%else (%table-ref t k %absent) failure))))
    ((t k f failure success)
     (let ((v (%table-ref t k %absent)))
       (hash-table-set! t k (f (if (%present? v) (success v) (%or-call failure))))))))
(define (hash-table-update!/default t k f default)
  (hash-table-set! t k (f (%table-ref t k default))))
(define hash-update!
  (case-lambda
    ((t k f) (hash-table-set! t k (f (%must (%table-ref t k %absent) "hash-update!" k))))
    ((t k f default) (hash-table-set! t k (f (%else (%table-ref t k %absent) default))))))
(define (hash-set t k v . more) (%table-extend t (cons* k v more)))
(define (hash-update t k f . default)
  (hash-set t k
    (f (let ((v (%table-ref t k %absent)))
         (cond ((%present? v) v)
               ((pair? default) (%or-call (car default)))
               (else (%no-key "hash-update" k)))))))
(define (hash-table-pop! t)
  (let ((e (car (hash-table->alist t))))
    (hash-table-delete! t (car e))
    (values (car e) (cdr e))))

(define (%each-entry t f)
  (let* ((entries (%table-entries t)) (n (vector-length entries)))
    (let loop ((i 0))
      (if (< i n)
          (begin
            (f (vector-ref entries i) (vector-ref entries (+ i 1)))
            (loop (+ i 2)))))))
(define (%fold-entries t f acc)
  (let* ((entries (%table-entries t)) (n (vector-length entries)))
    (let loop ((i 0) (acc acc))
      (if (< i n)
          (loop (+ i 2) (f (vector-ref entries i) (vector-ref entries (+ i 1)) acc))
          acc))))

;; The table and the procedure in either order.
(define (hash-table-walk a b) (if (hash-table? a) (%each-entry a b) (%each-entry b a)))
(define (hash-for-each a b . try-order) (hash-table-walk a b))
(define hash-table-for-each hash-table-walk)
(define (hash-map a b . try-order)
  (let ((t (if (hash-table? a) a b)) (f (if (hash-table? a) b a)))
    (reverse (%fold-entries t (lambda (k v acc) (cons (f k v) acc)) '()))))
(define hash-map->list hash-map)
(define hash-table-map->list hash-map)
(define (hash-table-fold a b c)
  (if (hash-table? a) (%fold-entries a b c) (%fold-entries c a b)))
(define hash-fold hash-table-fold)
(define (hash-table-map! a b)
  (let ((t (if (hash-table? a) a b)) (f (if (hash-table? a) b a)))
    (%each-entry t (lambda (k v) (hash-table-set! t k (f k v))))))
(define (hash-table-count a . b)
  (cond ((null? b) (hash-table-size a))
        ((hash-table? a) (hash-table-count (car b) a))
        (else (%fold-entries (car b) (lambda (k v n) (if (a k v) (+ n 1) n)) 0))))
(define (hash-table-prune! f t)
  (%each-entry t (lambda (k v) (if (f k v) (hash-table-delete! t k)))))
(define (hash-filter t keep?)
  (%fold-entries t (lambda (k v acc) (if (keep? k v) (begin (hash-table-set! acc k v) acc) acc)) (%make-table 'equal)))
(define (hash-table-find f t)
  (let/ec leave
    (%each-entry t (lambda (k v) (let ((r (f k v))) (if r (leave r)))))
    #f))
(define (hash-table-union! t other)
  (%each-entry other (lambda (k v) (if (not (hash-table-contains? t k)) (hash-table-set! t k v))))
  t)
(define (hash-union t . others)
  (let ((all (hash-table-copy t)) (combine (%keyword others '#:combine (lambda (old new) new))))
    (for-each
      (lambda (o)
        (%each-entry o
          (lambda (k v)
            (let ((old (%table-ref all k %absent)))
              (hash-table-set! all k (if (%present? old) (combine old v) v))))))
      (%positional others))
    all))

;; ---- sets: tables whose values do not matter ----

(define (list->set l)
  (let ((s (%make-table 'equal))) (for-each (lambda (x) (hash-table-set! s x #t)) l) s))
(define (set . items) (list->set items))
(define (mutable-set . items) (list->set items))
(define (set-add! s x) (hash-table-set! s x #t))
(define (set-remove! s x) (hash-table-delete! s x))
(define (set-member? s x) (hash-table-contains? s x))
(define (set-add s x) (let ((t (hash-table-copy s))) (hash-table-set! t x #t) t))
(define (set-remove s x) (let ((t (hash-table-copy s))) (hash-table-delete! t x) t))
(define (set->list s) (hash-table-keys s))
(define (set-count s) (hash-table-size s))
(define (set-empty? s) (hash-table-empty? s))
(define (set-union s . sets) (list->set (append-map set->list (cons s sets))))
(define (set-intersect s . sets)
  (list->set (filter (lambda (x) (every (lambda (t) (set-member? t x)) sets)) (set->list s))))
(define (set-subtract s . sets)
  (list->set (filter (lambda (x) (not (any (lambda (t) (set-member? t x)) sets))) (set->list s))))
(define (subset? a b) (every (lambda (x) (set-member? b x)) (set->list a)))

(define (hash-get-handle t k)
  (let ((v (hash-table-ref/default t k %no-handle))) (if (eq? v %no-handle) #f (cons k v))))
(define hashq-get-handle hash-get-handle)
(define %no-handle (list 'none))
(define (hash-table-push! t k v) (hash-table-update!/default t k (lambda (l) (cons v l)) '()))
(define (hash-table-get t k . default) (if (pair? default) (hash-table-ref/default t k (car default)) (hash-table-ref t k)))

;; (hash-count table), or Guile's (hash-count (lambda (key value) …) table).
(define hash-count
  (case-lambda
    ((t) (hash-table-size t))
    ((a b)
     (let ((ok? (if (procedure? a) a b)) (t (if (procedure? a) b a)))
       (hash-table-fold t (lambda (k v n) (if (ok? k v) (+ n 1) n)) 0)))))
