(define-library (srfi 95)
  (import (caper prelude))
  (export
    sort sort!))
