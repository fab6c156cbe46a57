;; What the workflow computes. It calls no tool, so it can be tested without any.
(define-library (NAME)
  (export count-words report)
  (import (scheme base) (scheme char))
  (begin
    (define (count-words text)
      (let loop ((l (string->list text)) (inside? #f) (n 0))
        (cond ((null? l) (if inside? (+ n 1) n))
              ((char-whitespace? (car l)) (loop (cdr l) #f (if inside? (+ n 1) n)))
              (else (loop (cdr l) #t n)))))

    ;; One line a file: ((path . count) ...).
    (define (report counts)
      (apply string-append
             (map (lambda (p) (string-append (number->string (cdr p)) "  " (car p) "\n")) counts)))))
