(define-library (srfi 39)
  (import (caper prelude))
  (export make-parameter parameterize))
