;; What (srfi 133) has otherwise: folds and maps here give their procedure the index first.

(define (%shortest vs)
  (let loop ((n (vector-length (car vs))) (t (cdr vs)))
    (if (pair? t) (loop (min n (vector-length (car t))) (cdr t)) n)))
(define (%row vs i) (map (lambda (v) (vector-ref v i)) vs))

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
