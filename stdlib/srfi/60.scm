;; What (srfi 151) does not have: lists here have the highest bit first.

(define integer->list
  (case-lambda
    ((n) (reverse (bits->list n)))
    ((n len) (reverse (bits->list n len)))))
(define (list->integer bits)
  (must "list->integer" 1 list? "a proper list" bits)
  (list->bits (reverse bits)))
(define (booleans->integer . bits) (list->integer bits))
