(define-library (scheme read)
  (import (caper standard))
  (export
    read))
