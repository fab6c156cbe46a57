(define-library (scheme complex)
  (import (caper standard))
  (export
    angle imag-part magnitude real-part))
