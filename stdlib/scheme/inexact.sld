(define-library (scheme inexact)
  (import (caper standard))
  (export
    acos asin atan cos exp finite? infinite? log nan? sin sqrt tan))
