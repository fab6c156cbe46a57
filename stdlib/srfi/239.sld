(define-library (srfi 239)
  (import (scheme base) (only (caper standard) %raise))
  (export list-case _)
  (include "239.scm"))
