(define-library (srfi 16)
  (import (caper prelude))
  (export case-lambda))
