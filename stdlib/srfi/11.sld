(define-library (srfi 11)
  (import (caper prelude))
  (export let-values let*-values))
