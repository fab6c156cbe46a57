;; What (srfi 43) has of its own: its folds and maps give their procedure the index first.

(define (%procedure who n f)
  (if (not (procedure? f)) (%wrong-type who n "a procedure" f)))

(define (%shortest vs)
  (let loop ((n (vector-length (car vs))) (t (cdr vs)))
    (if (pair? t) (loop (min n (vector-length (car t))) (cdr t)) n)))
(define (%row vs i) (map (lambda (v) (vector-ref v i)) vs))

;; ---- constructors ----

(define (vector-unfold f n . seeds)
  (%procedure "vector-unfold" 1 f)
  (let ((v (make-vector n)))
    (cond
      ((null? seeds) (do ((i 0 (+ i 1))) ((= i n) v) (vector-set! v i (f i))))
      ((null? (cdr seeds))
       (let loop ((i 0) (seed (car seeds)))
         (if (= i n) v
             (let-values (((x seed) (f i seed)))
               (vector-set! v i x)
               (loop (+ i 1) seed)))))
      (else
       (let loop ((i 0) (seeds seeds))
         (if (= i n) v
             (let-values (((x . seeds) (apply f i seeds)))
               (vector-set! v i x)
               (loop (+ i 1) seeds))))))))

(define (vector-unfold-right f n . seeds)
  (%procedure "vector-unfold-right" 1 f)
  (let ((v (make-vector n)))
    (let loop ((i (- n 1)) (seeds seeds))
      (if (< i 0) v
          (let-values (((x . seeds) (apply f i seeds)))
            (vector-set! v i x)
            (loop (- i 1) seeds))))))

;; Unlike R7RS, end may lie beyond the vector: the rest is fill.
(define vector-copy
  (case-lambda
    ((v) (subvector v 0 (vector-length v)))
    ((v start) (subvector v start (vector-length v)))
    ((v start end) (vector-copy v start end (if #f #f)))
    ((v start end fill)
     (if (<= end (vector-length v))
         (subvector v start end)
         (let ((to (make-vector (- end start) fill)))
           (vector-copy! to 0 v start)
           to)))))

(define (vector-reverse-copy v . span)
  (let ((to (apply %part v span)))
    (vector-reverse! to)
    to))
(define %part
  (case-lambda
    ((v) (subvector v 0 (vector-length v)))
    ((v start) (subvector v start (vector-length v)))
    ((v start end) (subvector v start end))))

;; ---- predicates ----

(define (vector-empty? v) (zero? (vector-length v)))

(define (vector= same? . vs)
  (%procedure "vector=" 1 same?)
  (or (null? vs)
      (let loop ((a (car vs)) (more (cdr vs)))
        (or (null? more)
            (let* ((b (car more)) (n (vector-length a)))
              (and (or (eq? a b)
                       (and (= n (vector-length b))
                            (let each ((i 0))
                              (or (= i n)
                                  (and (same? (vector-ref a i) (vector-ref b i)) (each (+ i 1)))))))
                   (loop b (cdr more))))))))

;; ---- iteration ----

(define vector-fold
  (case-lambda
    ((f acc v)
     (let ((n (vector-length v)))
       (let loop ((i 0) (acc acc))
         (if (< i n) (loop (+ i 1) (f i acc (vector-ref v i))) acc))))
    ((f acc . vs)
     (let ((n (%shortest vs)))
       (let loop ((i 0) (acc acc))
         (if (< i n) (loop (+ i 1) (apply f i acc (%row vs i))) acc))))))

(define vector-fold-right
  (case-lambda
    ((f acc v)
     (let loop ((i (- (vector-length v) 1)) (acc acc))
       (if (< i 0) acc (loop (- i 1) (f i acc (vector-ref v i))))))
    ((f acc . vs)
     (let loop ((i (- (%shortest vs) 1)) (acc acc))
       (if (< i 0) acc (loop (- i 1) (apply f i acc (%row vs i))))))))

(define vector-map
  (case-lambda
    ((f v)
     (let ((n (vector-length v)))
       (let loop ((i 0) (acc '()))
         (if (< i n) (loop (+ i 1) (cons (f i (vector-ref v i)) acc)) (reverse-list->vector acc)))))
    ((f . vs)
     (let ((n (%shortest vs)))
       (let loop ((i 0) (acc '()))
         (if (< i n) (loop (+ i 1) (cons (apply f i (%row vs i)) acc)) (reverse-list->vector acc)))))))

(define (vector-map! f v . vs)
  (let ((n (%shortest (cons v vs))))
    (let loop ((i 0))
      (if (< i n)
          (begin
            (vector-set! v i (if (null? vs) (f i (vector-ref v i)) (apply f i (vector-ref v i) (%row vs i))))
            (loop (+ i 1)))))))

(define vector-for-each
  (case-lambda
    ((f v)
     (let ((n (vector-length v)))
       (let loop ((i 0))
         (if (< i n) (begin (f i (vector-ref v i)) (loop (+ i 1)))))))
    ((f . vs)
     (let ((n (%shortest vs)))
       (let loop ((i 0))
         (if (< i n) (begin (apply f i (%row vs i)) (loop (+ i 1)))))))))

(define (vector-count f . vs)
  (apply vector-fold (lambda (i n . xs) (if (apply f i xs) (+ n 1) n)) 0 vs))

;; ---- searching: without the index ----

(define-syntax %define-search
  (syntax-rules ()
    ((_ name (n from step) test)
     (define name
       (case-lambda
         ((f v)
          (let ((n (vector-length v)))
            (let loop ((i from))
              (cond ((or (< i 0) (>= i n)) #f)
                    ((test (f (vector-ref v i))) i)
                    (else (loop (+ i step)))))))
         ((f . vs)
          (let ((n (%shortest vs)))
            (let loop ((i from))
              (cond ((or (< i 0) (>= i n)) #f)
                    ((test (apply f (%row vs i))) i)
                    (else (loop (+ i step))))))))))))
(define-syntax %yes (syntax-rules () ((_ x) x)))
(%define-search vector-index (n 0 1) %yes)
(%define-search vector-index-right (n (- n 1) -1) %yes)
(%define-search vector-skip (n 0 1) not)
(%define-search vector-skip-right (n (- n 1) -1) not)

(define vector-any
  (case-lambda
    ((f v)
     (let ((n (vector-length v)))
       (let loop ((i 0))
         (and (< i n) (or (f (vector-ref v i)) (loop (+ i 1)))))))
    ((f . vs)
     (let ((n (%shortest vs)))
       (let loop ((i 0))
         (and (< i n) (or (apply f (%row vs i)) (loop (+ i 1)))))))))
(define vector-every
  (case-lambda
    ((f v)
     (let ((n (vector-length v)))
       (let loop ((i 0) (last #t))
         (if (< i n)
             (let ((r (f (vector-ref v i)))) (and r (loop (+ i 1) r)))
             last))))
    ((f . vs)
     (let ((n (%shortest vs)))
       (let loop ((i 0) (last #t))
         (if (< i n)
             (let ((r (apply f (%row vs i)))) (and r (loop (+ i 1) r)))
             last))))))

;; ---- copying ----

(define (vector-reverse-copy! to at from . span)
  (vector-copy! to at (apply vector-reverse-copy from span)))

(define (reverse-vector->list v . span) (reverse (apply vector->list v span)))
