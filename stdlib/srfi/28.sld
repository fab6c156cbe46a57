(define-library (srfi 28)
  (import (caper prelude))
  (export format))
