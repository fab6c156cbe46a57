(define-library (srfi 219)
  (import (rename (scheme base) (define define-one)))
  (export define)
  (begin
    ;; (define ((f a) b) …) is (define (f a) (lambda (b) …)), at any depth.
    (define-syntax define
      (syntax-rules ()
        ((_ ((head . outer) . formals) body ...) (define (head . outer) (lambda formals body ...)))
        ((_ . rest) (define-one . rest))))))
