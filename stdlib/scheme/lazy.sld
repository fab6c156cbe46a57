(define-library (scheme lazy)
  (import (caper standard))
  (export
    delay delay-force force make-promise promise?))
