(define-library (srfi 227)
  (import (scheme base) (only (caper standard) %raise))
  (export opt-lambda opt*-lambda let-optionals let-optionals* define-optionals define-optionals*)
  (include "227.scm"))
