(define-library (scheme eval)
  (import (caper standard))
  (export
    environment eval))
