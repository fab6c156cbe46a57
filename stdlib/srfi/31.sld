(define-library (srfi 31)
  (import (caper prelude))
  (export rec)
  (begin
    (define-syntax rec
      (syntax-rules ()
        ((_ (name . formals) body ...) (letrec ((name (lambda formals body ...))) name))
        ((_ name e) (letrec ((name e)) name))))))
