(define-library (srfi 2)
  (import (caper prelude))
  (export and-let*))
