(define-library (srfi 23)
  (import (caper prelude))
  (export error))
