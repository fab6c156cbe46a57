(define-library (scheme load)
  (import (caper standard))
  (export
    load))
