;; Lists: SRFI 1 and what other dialects add. Procedures take the element before the accumulator, as all of them do.

(define (filter keep? l)
  (let loop ((t l) (acc '()))
    (if (pair? t)
        (loop (cdr t) (if (keep? (car t)) (cons (car t) acc) acc))
        (begin (%ends "filter" 2 t) (reverse acc)))))

;; A predicate, or (Racket's) an item.
(define (remove what l . rest)
  (cond
    ((procedure? what) (filter (lambda (x) (not (what x))) l))
    (else
      (let loop ((t l) (acc '()))
        (cond ((null? t) l)
              ((equal? what (car t)) (append-reverse acc (cdr t)))
              (else (loop (cdr t) (cons (car t) acc))))))))

(define (filter-not drop? l) (filter (lambda (x) (not (drop? x))) l))
(define (remove* items l) (filter (lambda (x) (not (%member x items))) l))

(define (partition in? l)
  (let loop ((t l) (in '()) (out '()))
    (if (pair? t)
        (if (in? (car t))
            (loop (cdr t) (cons (car t) in) out)
            (loop (cdr t) in (cons (car t) out)))
        (values (reverse in) (reverse out)))))

(define fold
  (case-lambda
    ((f acc l)
     (let loop ((t l) (acc acc))
       (if (pair? t)
           (loop (cdr t) (f (car t) acc))
           (begin (%ends "fold" 3 t) acc))))
    ((f acc . lists)
     (let loop ((ls lists) (acc acc))
       (let ((heads (%heads ls)))
         (if heads
             (loop (%tails ls) (apply f (append heads (list acc))))
             acc))))))

(define fold-right
  (case-lambda
    ((f acc l) (fold f acc (reverse l)))
    ((f acc . lists)
     (let loop ((ls lists) (rows '()))
       (let ((heads (%heads ls)))
         (if heads
             (loop (%tails ls) (cons heads rows))
             (fold (lambda (row acc) (apply f (append row (list acc)))) acc rows)))))))

(define fold-left
  (case-lambda
    ((f acc l) (fold (lambda (x acc) (f acc x)) acc l))
    ((f acc . lists)
     (let loop ((ls lists) (acc acc))
       (let ((heads (%heads ls)))
         (if heads (loop (%tails ls) (apply f acc heads)) acc))))))

(define (reduce f none l)
  (if (null? l) none (fold f (car l) (cdr l))))
(define (reduce-right f none l)
  (if (null? l) none
      (let ((r (reverse l))) (fold f (car r) (cdr r)))))
(define (reduce-left f none l)
  (if (null? l) none (fold-left f (car l) (cdr l))))

(define append-map
  (case-lambda
    ((f l) (concatenate (map f l)))
    ((f . lists) (concatenate (apply map f lists)))))

(define filter-map
  (case-lambda
    ((f l)
     (let loop ((t l) (acc '()))
       (if (pair? t)
           (let ((x (f (car t)))) (loop (cdr t) (if x (cons x acc) acc)))
           (begin (%ends "filter-map" 2 t) (reverse acc)))))
    ((f . lists) (filter (lambda (x) x) (apply map f lists)))))

(define (find-tail ok? l)
  (let loop ((t l))
    (if (pair? t)
        (if (ok? (car t)) t (loop (cdr t)))
        (begin (%ends "find" 2 t) #f))))

;; Also (find list item-predicate) would be a mistake: the predicate comes first.
(define (find ok? l)
  (let ((t (find-tail ok? l))) (if t (car t) #f)))

(define any
  (case-lambda
    ((ok? l)
     (let loop ((t l))
       (cond ((pair? t) (if (null? (cdr t)) (ok? (car t)) (or (ok? (car t)) (loop (cdr t)))))
             (else (%ends "any" 2 t) #f))))
    ((ok? . lists)
     (let loop ((ls lists))
       (let ((heads (%heads ls)))
         (if heads (or (apply ok? heads) (loop (%tails ls))) #f))))))

(define every
  (case-lambda
    ((ok? l)
     (let loop ((t l))
       (cond ((pair? t) (if (null? (cdr t)) (ok? (car t)) (and (ok? (car t)) (loop (cdr t)))))
             (else (%ends "every" 2 t) #t))))
    ((ok? . lists)
     (let loop ((ls lists) (last #t))
       (let ((heads (%heads ls)))
         (if heads
             (let ((r (apply ok? heads))) (if r (loop (%tails ls) r) #f))
             last))))))

(define (count ok? l . lists)
  (if (null? lists)
      (fold (lambda (x n) (if (ok? x) (+ n 1) n)) 0 l)
      (length (filter (lambda (x) x) (apply map ok? l lists)))))

(define delete
  (case-lambda
    ((x l) (%delete x l))
    ((x l same?) (filter (lambda (y) (not (same? x y))) l))))

;; Without a predicate a table of what was seen keeps this linear.
(define delete-duplicates
  (case-lambda
    ((l)
     (let ((seen (%make-table 'equal)))
       (filter (lambda (x)
                 (if (hash-table-contains? seen x) #f (begin (hash-table-set! seen x #t) #t)))
               l)))
    ((l . options)
     (let ((key (%keyword options '#:key #f)) (same? (%positional options)))
       (let loop ((t l) (acc '()))
         (if (pair? t)
             (let* ((x (car t)) (k (if key (key x) x)) (eq (if (pair? same?) (car same?) equal?)))
               (loop (cdr t)
                     (if (any (lambda (y) (eq (if key (key y) y) k)) acc) acc (cons x acc))))
             (reverse acc)))))))

(define (list-index ok? l . lists)
  (cond
    ((not (procedure? ok?)) (list-index (lambda (x) (equal? x l)) ok?))
    ((null? lists)
     (let loop ((t l) (i 0))
       (cond ((not (pair? t)) #f) ((ok? (car t)) i) (else (loop (cdr t) (+ i 1))))))
    (else
     (let loop ((ls (cons l lists)) (i 0))
       (let ((heads (%heads ls)))
         (cond ((not heads) #f) ((apply ok? heads) i) (else (loop (%tails ls) (+ i 1)))))))))

(define (index-of l x . same?)
  (let ((same? (if (pair? same?) (car same?) equal?)))
    (list-index (lambda (y) (same? x y)) l)))

(define (take-while ok? l)
  (let loop ((t l) (acc '()))
    (if (and (pair? t) (ok? (car t)))
        (loop (cdr t) (cons (car t) acc))
        (reverse acc))))
(define (drop-while ok? l)
  (if (and (pair? l) (ok? (car l))) (drop-while ok? (cdr l)) l))
(define (span ok? l) (values (take-while ok? l) (drop-while ok? l)))
(define (break stop? l) (span (lambda (x) (not (stop? x))) l))
;; Racket has the list first.
(define (takef l ok?) (take-while ok? l))
(define (dropf l ok?) (drop-while ok? l))
(define (memf ok? l) (find-tail ok? l))
(define (assf ok? l) (find (lambda (e) (ok? (car e))) l))

(define (list-tabulate n f)
  (let loop ((i 0) (acc '()))
    (if (< i n) (loop (+ i 1) (cons (f i) acc)) (reverse acc))))

(define (unfold stop? f next seed . tail)
  (let loop ((seed seed) (acc '()))
    (if (stop? seed)
        (append-reverse acc (if (pair? tail) ((car tail) seed) '()))
        (loop (next seed) (cons (f seed) acc)))))
(define (unfold-right stop? f next seed . tail)
  (let loop ((seed seed) (acc (if (pair? tail) (car tail) '())))
    (if (stop? seed) acc (loop (next seed) (cons (f seed) acc)))))

(define (zip l . lists) (apply map list l lists))
(define (unzip2 l) (values (map car l) (map cadr l)))

(define (alist-delete key alist . same?)
  (let ((same? (if (pair? same?) (car same?) equal?)))
    (filter (lambda (e) (not (same? key (car e)))) alist)))

;; Chicken has the key first; assoc-ref has the list first. Which is which shows.
(define (alist-ref key alist . rest)
  (if (and (%alist? key) (not (%alist? alist)))
      (apply alist-ref alist key rest)
      (let* ((same? (if (pair? rest) (car rest) equal?))
             (e (assoc key alist same?)))
        (cond (e (cdr e))
              ((and (pair? rest) (pair? (cdr rest))) (cadr rest))
              (else #f)))))
(define (%alist? x) (or (null? x) (and (pair? x) (pair? (car x)))))

(define (lset-adjoin same? l . items)
  (fold (lambda (x acc) (if (%in? same? x acc) acc (append acc (list x)))) l items))
(define (%in? same? x l) (any (lambda (y) (same? y x)) l))
(define (lset-union same? . lists)
  (if (null? lists) '()
      (fold (lambda (l acc)
              (fold (lambda (x acc) (if (%in? same? x acc) acc (append acc (list x)))) acc l))
            (car lists) (cdr lists))))
(define (lset-intersection same? l . lists)
  (filter (lambda (x) (every (lambda (m) (%in? same? x m)) lists)) l))
(define (lset-difference same? l . lists)
  (filter (lambda (x) (not (any (lambda (m) (%in? same? x m)) lists))) l))
(define (lset-xor same? a b)
  (append (lset-difference same? a b) (lset-difference same? b a)))
(define (lset<= same? a b) (every (lambda (x) (%in? same? x b)) a))
(define (lset= same? a b) (and (lset<= same? a b) (lset<= same? b a)))

;; ---- Racket ----

(define (group-by key l . same?)
  (let ((groups (%make-table 'equal)))
    (for-each
      (lambda (x)
        (let ((k (key x)))
          (hash-table-set! groups k (cons x (%table-ref groups k '())))))
      l)
    (map reverse (hash-table-values groups))))

(define (%best better? f l)
  (if (null? l) (%wrong-type "argmax" 2 "a list that is not empty" l))
  (let loop ((t (cdr l)) (best (car l)) (score (f (car l))))
    (if (null? t) best
        (let ((s (f (car t))))
          (if (better? s score) (loop (cdr t) (car t) s) (loop (cdr t) best score))))))
(define (argmax f l) (%best > f l))
(define (argmin f l) (%best < f l))

(define range
  (case-lambda
    ((end) (range 0 end 1))
    ((start end) (range start end 1))
    ((start end step)
     (if (= step 0) (%wrong-type "range" 3 "a number other than 0" step))
     (iota (max 0 (exact (ceiling (/ (- end start) step)))) start step))))

(define (add-between l x . rest)
  (if (or (null? l) (null? (cdr l))) l
      (cons (car l) (append-map (lambda (y) (list x y)) (cdr l)))))
(define (list-set l k x) (append (list-head l k) (cons x (list-tail l (+ k 1)))))
(define (list-update l k f) (list-set l k (f (list-ref l k))))
(define (list-prefix? a b)
  (cond ((null? a) #t) ((null? b) #f) ((equal? (car a) (car b)) (list-prefix? (cdr a) (cdr b))) (else #f)))
(define (append-map! f . lists) (apply append-map f lists))
(define (apply-map f l) (map (lambda (x) (apply f x)) l))
(define (cartesian-product . lists)
  (fold-right (lambda (l acc) (append-map (lambda (x) (map (lambda (r) (cons x r)) acc)) l)) '(()) lists))
(define (rest l) (cdr l))
(define (empty? l) (null? l))
(define empty '())

(define (identity x) x)
(define (const x) (lambda args x))
(define constantly const)
(define (negate f) (lambda args (not (apply f args))))
(define complement negate)
(define compose
  (case-lambda
    (() values)
    ((f) f)
    ((f g) (lambda args (call-with-values (lambda () (apply g args)) f)))
    ((f . more) (compose f (apply compose more)))))
(define (curry f . first) (lambda more (apply f (append first more))))

;; ---- vectors ----

(define (build-vector n f) (list->vector (list-tabulate n f)))
(define (build-list n f) (list-tabulate n f))
(define (vector-map! f v)
  (let loop ((i 0))
    (if (< i (vector-length v))
        (begin (vector-set! v i (f (vector-ref v i))) (loop (+ i 1)))
        v)))
(define (vector-fold f acc v) (fold-left f acc (vector->list v)))
(define (vector-filter ok? v) (list->vector (filter ok? (vector->list v))))
(define (vector-count ok? v) (count ok? (vector->list v)))
(define (vector-index ok? v) (list-index ok? (vector->list v)))
(define (vector-member x v) (index-of (vector->list v) x))
(define (vector-any ok? v) (any ok? (vector->list v)))
(define (vector-every ok? v) (every ok? (vector->list v)))
;; compare answers a number, as in SRFI 133: (vector-binary-search v key compare).
(define (vector-binary-search v key compare)
  (let loop ((lo 0) (hi (vector-length v)))
    (if (>= lo hi) #f
        (let* ((mid (quotient (+ lo hi) 2)) (c (compare (vector-ref v mid) key)))
          (cond ((= c 0) mid) ((< c 0) (loop (+ mid 1) hi)) (else (loop lo mid)))))))

;; ---- sorting: a stable merge sort ----

(define (%insertion-sort! v lo hi less?)
  (let next ((i (+ lo 1)))
    (if (< i hi)
        (let ((x (vector-ref v i)))
          (let shift ((j i))
            (let ((y (if (= j lo) x (vector-ref v (- j 1)))))
              (if (and (< lo j) (less? x y))
                  (begin (vector-set! v j y) (shift (- j 1)))
                  (vector-set! v j x))))
          (next (+ i 1))))))

;; Merges the sorted halves of v from lo to mid and from mid to hi; t takes the first.
(define (%merge! v lo mid hi t less?)
  (let ((n (- mid lo)))
    (vector-copy! t 0 v lo mid)
    (let loop ((i 0) (j mid) (k lo) (a (vector-ref t 0)) (b (vector-ref v mid)))
      (if (less? b a)
          (let ((j (+ j 1)))
            (vector-set! v k b)
            (if (< j hi)
                (loop i j (+ k 1) a (vector-ref v j))
                (vector-copy! v (+ k 1) t i n)))
          (let ((i (+ i 1)))
            (vector-set! v k a)
            (if (< i n)
                (loop i j (+ k 1) (vector-ref t i) b)))))))

(define (%sort-vector! v less?)
  (let* ((n (vector-length v))
         (t (make-vector (quotient (+ n 1) 2) #f))
         (less? (cond ((eq? less? <) (lambda (a b) (< a b))) ; a procedure is called faster than a primitive
                      ((eq? less? >) (lambda (a b) (> a b)))
                      (else less?))))
    (let step ((lo 0) (hi n))
      (if (< (- hi lo) 8)
          (%insertion-sort! v lo hi less?)
          (let ((mid (quotient (+ lo hi) 2)))
            (step lo mid)
            (step mid hi)
            (if (less? (vector-ref v mid) (vector-ref v (- mid 1)))
                (%merge! v lo mid hi t less?)))))
    v))

(define (%sort-list l less?)
  (vector->list (%sort-vector! (list->vector l) less?)))

;; (sort list less) and (sort less list), lists and vectors, #:key.
(define sort
  (case-lambda
    ((a b)
     (cond
       ((procedure? a) (sort b a))
       ((vector? a) (%sort-vector! (vector-copy a) b))
       (else (%sort-list a b))))
    ((a b . options)
     (let ((key (%keyword options '#:key #f)))
       (cond
         ((procedure? a) (apply sort b a options))
         ((not key) (sort a b))
         ((vector? a) (list->vector (apply sort (vector->list a) b options)))
         (else
           (map cdr (%sort-list (map (lambda (x) (cons (key x) x)) a)
                                (lambda (x y) (b (car x) (car y)))))))))))

(define (sort! a b . options)
  (let* ((v (if (vector? a) a b)) (sorted (apply sort a b options)))
    (if (vector? v) (vector-copy! v 0 sorted))
    sorted))
(define (sort-by key l . less?) (sort l (if (pair? less?) (car less?) <) '#:key key))

;; ---- the same under other names ----

(define remove-duplicates delete-duplicates)
(define list-sort sort)
(define list-stable-sort sort)
(define stable-sort sort)
(define merge-sort sort)
(define vector-sort sort)
(define vector-sort! sort!)
(define filter! filter)
(define remove! remove)
(define delete! delete)
(define delete-duplicates! delete-duplicates)
(define partition! partition)
(define andmap every)
(define ormap any)
(define foldl fold)
(define foldr fold-right)
(define findf find)
(define vector->values (lambda (v) (apply values (vector->list v))))
(define make-initialized-list list-tabulate)
(define make-initialized-vector build-vector)
(define vector-tabulate (lambda (f n) (build-vector n f)))
(define (gc) (%gc))
(define (proper-list? x) (list? x))
(define (null-list? x) (null? x))
(define (not-pair? x) (not (pair? x)))
(define (car+cdr p) (values (car p) (cdr p)))

;; Names of Chicken, MIT and Clojure.
(define (butlast l) (drop-right l 1))
(define except-last-pair butlast)
(define except-last-pair! butlast)
(define (intersperse l x) (add-between l x))
(define (alist-update key value l . same?)
  (alist-cons key value (apply alist-delete key l same?)))
(define (acons key value l) (cons (cons key value) l))
(define (frequencies l)
  (let ((t (make-equal-hash-table)))
    (for-each (lambda (x) (hash-table-update!/default t x (lambda (n) (+ n 1)) 0)) l)
    t))
(define (partition-by f l)
  (if (null? l) '()
      (let ((k (f (car l))))
        (let-values (((run more) (span (lambda (x) (equal? (f x) k)) l)))
          (cons run (partition-by f more))))))
(define (partial f . given) (lambda args (apply f (append given args))))
