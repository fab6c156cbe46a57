(define-library (scheme write)
  (import (caper standard))
  (export
    display write write-shared write-simple))
