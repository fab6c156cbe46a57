(define-library (srfi 27)
  (import (caper prelude))
  (export
    random-integer random-real))
