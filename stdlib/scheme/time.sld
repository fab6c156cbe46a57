(define-library (scheme time)
  (import (caper standard))
  (export
    current-jiffy current-second jiffies-per-second))
