(define-library (srfi 98)
  (import (caper prelude))
  (export
    get-environment-variable get-environment-variables))
