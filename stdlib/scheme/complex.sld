(define-library (scheme complex)
  (import (caper standard))
  (export
    angle imag-part magnitude make-polar make-rectangular real-part))
