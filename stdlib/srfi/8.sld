(define-library (srfi 8)
  (import (caper prelude))
  (export
    receive))
