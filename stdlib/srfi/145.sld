;; An assumption that does not hold is an error, always: nothing is gained by going on.
(define-library (srfi 145)
  (import (scheme base) (only (caper standard) %raise))
  (export assume)
  (begin
    (define-syntax assume
      (syntax-rules ()
        ((_ e message ...)
         (or e (%raise 'assertion "an assumption does not hold" 'e message ...)))))))
