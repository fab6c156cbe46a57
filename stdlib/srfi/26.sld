(define-library (srfi 26)
  (import (caper prelude))
  (export
    cut <> <...>))
