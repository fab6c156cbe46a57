;; Vectors: what R7RS and the prelude do not have as this document wants it.

(define (shortest who n vs)
  (let loop ((vs vs) (n n) (len #f))
    (if (null? vs) len
        (begin
          (must who n vector? "a vector" (car vs))
          (loop (cdr vs) (+ n 1) (if len (min len (vector-length (car vs))) (vector-length (car vs))))))))

(define (row vs i)
  (if (null? vs) '() (cons (vector-ref (car vs) i) (row (cdr vs) i))))

(define (same-length who vs)
  (let ((n (shortest who 2 vs)))
    (for-each
      (lambda (v)
        (if (not (= (vector-length v) n))
            (%raise 'range-error (string-append who ": the vectors must be equally long") v)))
      vs)
    n))

;; ---- construction ----

;; f takes the index and the seeds, and answers an element and the next seeds.
(define-syntax define-unfold
  (syntax-rules ()
    ((_ name (n lo hi) first next done?)
     (define (name f v lo hi . seeds)
       (cond
         ((null? seeds)
          (let loop ((i first))
            (if (not (done? i)) (begin (vector-set! v i (f i)) (loop (next i))))))
         ((null? (cdr seeds))
          (let loop ((i first) (seed (car seeds)))
            (if (not (done? i))
                (let-values (((x seed) (f i seed)))
                  (vector-set! v i x)
                  (loop (next i) seed)))))
         (else
           (let loop ((i first) (seeds seeds))
             (if (not (done? i))
                 (let-values (((x . seeds) (apply f i seeds)))
                   (vector-set! v i x)
                   (loop (next i) seeds))))))))))
(define-unfold fill-up (n lo hi) lo (lambda (i) (+ i 1)) (lambda (i) (>= i hi)))
(define-unfold fill-down (n lo hi) (- hi 1) (lambda (i) (- i 1)) (lambda (i) (< i lo)))

(define (checked who fill)
  (lambda (f v lo hi . seeds)
    (must who 2 vector? "a vector" v)
    (let-span who 3 (lo hi) ((list lo hi) (vector-length v)) (apply fill f v lo hi seeds))))
(define vector-unfold! (checked "vector-unfold!" fill-up))
(define vector-unfold-right! (checked "vector-unfold-right!" fill-down))
(define (vector-unfold f n . seeds)
  (must "vector-unfold" 1 procedure? "a procedure" f)
  (must "vector-unfold" 2 exact-integer? "an exact integer" n)
  (let ((v (make-vector n #f))) (apply fill-up f v 0 n seeds) v))
(define (vector-unfold-right f n . seeds)
  (must "vector-unfold-right" 1 procedure? "a procedure" f)
  (must "vector-unfold-right" 2 exact-integer? "an exact integer" n)
  (let ((v (make-vector n #f))) (apply fill-down f v 0 n seeds) v))

(define (vector-reverse-copy v . span)
  (let ((copy (apply vector-copy v span)))
    (vector-reverse! copy)
    copy))

;; (vector-append-subvectors v1 start1 end1 v2 start2 end2 …)
(define (vector-append-subvectors . args)
  (let loop ((args args) (acc '()))
    (cond
      ((null? args) (vector-concatenate (reverse acc)))
      ((and (pair? (cdr args)) (pair? (cddr args)))
       (loop (cdr (cddr args)) (cons (vector-copy (car args) (cadr args) (car (cddr args))) acc)))
      (else (%raise 'arity-error "vector-append-subvectors: takes a vector, a start and an end each time" args)))))

;; ---- predicates ----

(define (vector-empty? v)
  (must "vector-empty?" 1 vector? "a vector" v)
  (= (vector-length v) 0))

(define (vector= same? . vs)
  (must "vector=" 1 procedure? "a procedure" same?)
  (shortest "vector=" 2 vs)
  (or (null? vs)
      (let next ((a (car vs)) (rest (cdr vs)))
        (or (null? rest)
            (let ((n (vector-length a)) (b (car rest)))
              (and (or (eq? a b)
                       (and (= n (vector-length b))
                            (let loop ((i 0))
                              (or (= i n)
                                  (and (same? (vector-ref a i) (vector-ref b i)) (loop (+ i 1)))))))
                   (next b (cdr rest))))))))

;; ---- iteration ----

;; kons takes the state first.
(define vector-fold
  (case-lambda
    ((kons state v)
     (must "vector-fold" 3 vector? "a vector" v)
     (let ((n (vector-length v)))
       (let loop ((i 0) (state state))
         (if (< i n) (loop (+ i 1) (kons state (vector-ref v i))) state))))
    ((kons state . vs)
     (let ((n (shortest "vector-fold" 3 vs)))
       (let loop ((i 0) (state state))
         (if (< i n) (loop (+ i 1) (apply kons state (row vs i))) state))))))

(define vector-fold-right
  (case-lambda
    ((kons state v)
     (must "vector-fold-right" 3 vector? "a vector" v)
     (let loop ((i (- (vector-length v) 1)) (state state))
       (if (>= i 0) (loop (- i 1) (kons state (vector-ref v i))) state)))
    ((kons state . vs)
     (let loop ((i (- (shortest "vector-fold-right" 3 vs) 1)) (state state))
       (if (>= i 0) (loop (- i 1) (apply kons state (row vs i))) state)))))

(define vector-map!
  (case-lambda
    ((f v)
     (must "vector-map!" 2 vector? "a vector" v)
     (let ((n (vector-length v)))
       (let loop ((i 0))
         (if (< i n) (begin (vector-set! v i (f (vector-ref v i))) (loop (+ i 1)))))))
    ((f v . vs)
     (let* ((vs (cons v vs)) (n (shortest "vector-map!" 2 vs)))
       (let loop ((i 0))
         (if (< i n) (begin (vector-set! v i (apply f (row vs i))) (loop (+ i 1)))))))))

(define vector-count
  (case-lambda
    ((ok? v) (vector-fold (lambda (n x) (if (ok? x) (+ n 1) n)) 0 v))
    ((ok? . vs) (apply vector-fold (lambda (n . xs) (if (apply ok? xs) (+ n 1) n)) 0 vs))))

(define (vector-cumulate f state v)
  (must "vector-cumulate" 3 vector? "a vector" v)
  (let* ((n (vector-length v)) (out (make-vector n #f)))
    (let loop ((i 0) (state state))
      (if (< i n)
          (let ((x (f state (vector-ref v i))))
            (vector-set! out i x)
            (loop (+ i 1) x))
          out))))

;; ---- searching ----

(define-syntax define-search
  (syntax-rules ()
    ((_ name who length-of n first next done? want)
     (define name
       (case-lambda
         ((ok? v)
          (must who 2 vector? "a vector" v)
          (let ((n (vector-length v)))
            (let loop ((i first))
              (cond ((done? i n) #f)
                    ((eq? want (if (ok? (vector-ref v i)) #t #f)) i)
                    (else (loop (next i 1)))))))
         ((ok? . vs)
          (let ((n (length-of vs)))
            (let loop ((i first))
              (cond ((done? i n) #f)
                    ((eq? want (if (apply ok? (row vs i)) #t #f)) i)
                    (else (loop (next i 1))))))))))))
(define-syntax below-zero? (syntax-rules () ((_ i n) (< i 0))))
(define-search vector-index "vector-index" (lambda (vs) (shortest "vector-index" 2 vs)) n 0 + = #t)
(define-search vector-skip "vector-skip" (lambda (vs) (shortest "vector-skip" 2 vs)) n 0 + = #f)
(define-search vector-index-right "vector-index-right" (lambda (vs) (same-length "vector-index-right" vs))
  n (- n 1) - below-zero? #t)
(define-search vector-skip-right "vector-skip-right" (lambda (vs) (same-length "vector-skip-right" vs))
  n (- n 1) - below-zero? #f)

;; compare takes an element and the value, and answers a number.
(define (vector-binary-search v value compare)
  (must "vector-binary-search" 1 vector? "a vector" v)
  (let loop ((lo 0) (hi (vector-length v)))
    (and (< lo hi)
         (let* ((mid (quotient (+ lo hi) 2)) (c (compare (vector-ref v mid) value)))
           (cond ((= c 0) mid)
                 ((< c 0) (loop (+ mid 1) hi))
                 (else (loop lo mid)))))))

(define vector-any
  (case-lambda
    ((ok? v)
     (must "vector-any" 2 vector? "a vector" v)
     (let ((n (vector-length v)))
       (let loop ((i 0)) (and (< i n) (or (ok? (vector-ref v i)) (loop (+ i 1)))))))
    ((ok? . vs)
     (let ((n (shortest "vector-any" 2 vs)))
       (let loop ((i 0)) (and (< i n) (or (apply ok? (row vs i)) (loop (+ i 1)))))))))

(define vector-every
  (case-lambda
    ((ok? v)
     (must "vector-every" 2 vector? "a vector" v)
     (let ((n (vector-length v)))
       (let loop ((i 0) (last #t))
         (if (= i n) last (let ((r (ok? (vector-ref v i)))) (and r (loop (+ i 1) r)))))))
    ((ok? . vs)
     (let ((n (shortest "vector-every" 2 vs)))
       (let loop ((i 0) (last #t))
         (if (= i n) last (let ((r (apply ok? (row vs i)))) (and r (loop (+ i 1) r)))))))))

;; A new vector with the elements that satisfy ok? first, and how many these are.
(define (vector-partition ok? v)
  (must "vector-partition" 2 vector? "a vector" v)
  (let loop ((i (- (vector-length v) 1)) (in '()) (out '()) (n 0))
    (if (< i 0)
        (values (vector-append (list->vector in) (list->vector out)) n)
        (let ((x (vector-ref v i)))
          (if (ok? x)
              (loop (- i 1) (cons x in) out (+ n 1))
              (loop (- i 1) in (cons x out) n))))))

(define (vector-reverse-copy! to at from . span)
  (must "vector-reverse-copy!" 1 vector? "a vector" to)
  (vector-copy! to at (apply vector-reverse-copy from span)))
