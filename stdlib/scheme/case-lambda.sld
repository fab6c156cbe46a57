(define-library (scheme case-lambda)
  (import (caper standard))
  (export
    case-lambda))
