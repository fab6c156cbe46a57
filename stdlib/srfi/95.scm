;; Sorting and merging: the sequence, a list or a vector, comes first; an optional key comes last.

(define (by less? key)
  (if (null? key) less? (lambda (a b) (less? ((car key) a) ((car key) b)))))

(define (as-list who n seq)
  (cond ((list? seq) seq)
        ((vector? seq) (vector->list seq))
        (else (%wrong-type who n "a list or a vector" seq))))

(define (sorted? seq less? . key)
  (list-sorted? (by less? key) (as-list "sorted?" 1 seq)))

(define (merge a b less? . key)
  (must "merge" 1 list? "a list" a)
  (must "merge" 2 list? "a list" b)
  (list-merge (by less? key) a b))
(define merge! merge)

;; With a key each element's is taken once.
(define (sort seq less? . key)
  (if (null? key)
      (begin (as-list "sort" 1 seq) (sort-by seq less?))
      (let ((l (map cdr (sort-by (map (lambda (x) (cons ((car key) x) x)) (as-list "sort" 1 seq))
                                 (lambda (a b) (less? (car a) (car b)))))))
        (if (vector? seq) (list->vector l) l))))
(define (sort! seq less? . key)
  (let ((sorted (apply sort seq less? key)))
    (if (vector? seq) (begin (vector-copy! seq 0 sorted) seq) sorted)))
