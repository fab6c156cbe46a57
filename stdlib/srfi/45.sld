(define-library (srfi 45)
  (import (caper prelude) (only (%primitive) %make-promise))
  (export (rename delay-force lazy) eager delay force)
  (begin
    ;; Unlike make-promise, also of a promise.
    (define (eager value) (%make-promise #t value))))
