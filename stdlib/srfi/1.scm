;; What (srfi 1) has besides the prelude, and the sets, whose order is the document's.

(define (circular-list x . more)
  (let ((l (cons x more)))
    (set-cdr! (last-pair l) l)
    l))

(define (list= same? . lists)
  (define (pair= a b)
    (cond ((and (pair? a) (pair? b))
           (and (same? (car a) (car b)) (pair= (cdr a) (cdr b))))
          (else (and (null-list? a) (null-list? b)))))
  (or (null? lists)
      (let loop ((a (car lists)) (more (cdr lists)))
        (or (null? more)
            (and (or (eq? a (car more)) (pair= a (car more)))
                 (loop (car more) (cdr more)))))))

(define (unzip1 l) (map first l))
(define (unzip3 l) (values (map first l) (map second l) (map third l)))
(define (unzip4 l) (values (map first l) (map second l) (map third l) (map fourth l)))
(define (unzip5 l) (values (map first l) (map second l) (map third l) (map fourth l) (map fifth l)))

;; ---- walks over tails; the next one is taken before the procedure may change this one ----

(define pair-for-each
  (case-lambda
    ((f l)
     (let loop ((t l))
       (if (pair? t) (let ((next (cdr t))) (f t) (loop next)))))
    ((f . lists)
     (let loop ((ls lists))
       (if (%heads ls) (let ((next (%tails ls))) (apply f ls) (loop next)))))))

(define pair-fold
  (case-lambda
    ((f acc l)
     (let loop ((t l) (acc acc))
       (if (pair? t) (let ((next (cdr t))) (loop next (f t acc))) acc)))
    ((f acc . lists)
     (let loop ((ls lists) (acc acc))
       (if (%heads ls)
           (let ((next (%tails ls))) (loop next (apply f (append ls (list acc)))))
           acc)))))

(define (pair-fold-right f acc l . lists)
  (let loop ((ls (cons l lists)) (rows '()))
    (if (%heads ls)
        (loop (%tails ls) (cons ls rows))
        (fold (lambda (row acc) (apply f (append row (list acc)))) acc rows))))

;; ---- sets ----

(define-syntax %in?
  (syntax-rules ()
    ((_ same? x l) (let loop ((t l)) (and (pair? t) (or (same? (car t) x) (loop (cdr t))))))))

(define (lset<= same? . lists)
  (or (null? lists)
      (let loop ((a (car lists)) (more (cdr lists)))
        (or (null? more)
            (and (or (eq? a (car more)) (%subset? same? a (car more)))
                 (loop (car more) (cdr more)))))))
(define (%subset? same? a b)
  (every (lambda (x) (member x b same?)) a))

(define (lset= same? . lists)
  (or (null? lists)
      (let loop ((a (car lists)) (more (cdr lists)))
        (or (null? more)
            (let ((b (car more)))
              (and (or (eq? a b)
                       (and (%subset? same? a b) (%subset? (lambda (x y) (same? y x)) b a)))
                   (loop b (cdr more))))))))

(define (lset-adjoin same? l . items)
  (fold (lambda (x acc) (if (%in? same? x acc) acc (cons x acc))) l items))

(define (lset-union same? . lists)
  (reduce (lambda (l acc)
            (cond ((null? l) acc)
                  ((null? acc) l)
                  ((eq? l acc) acc)
                  (else (fold (lambda (x acc) (if (%in? same? x acc) acc (cons x acc))) acc l))))
          '() lists))

(define (lset-intersection same? l . lists)
  (let ((lists (delete l lists eq?)))
    (cond ((any null-list? lists) '())
          ((null? lists) l)
          (else (filter (lambda (x) (every (lambda (m) (member x m same?)) lists)) l)))))

(define (lset-difference same? l . lists)
  (let ((lists (filter pair? lists)))
    (cond ((null? lists) l)
          ((memq l lists) '())
          (else (filter (lambda (x) (every (lambda (m) (not (member x m same?))) lists)) l)))))

(define (lset-xor same? . lists)
  (reduce (lambda (b a) ; what only b has goes onto what only a has
            (call-with-values (lambda () (lset-diff+intersection same? a b))
              (lambda (only-a both)
                (cond ((null? only-a) (lset-difference same? b a))
                      ((null? both) (append b a))
                      (else (fold (lambda (x acc) (if (%in? same? x both) acc (cons x acc))) only-a b))))))
          '() lists))

(define (lset-diff+intersection same? l . lists)
  (cond ((every null-list? lists) (values l '()))
        ((memq l lists) (values '() l))
        (else (partition (lambda (x) (not (any (lambda (m) (member x m same?)) lists))) l))))
