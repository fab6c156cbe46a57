(define-library (srfi 0)
  (import (caper prelude))
  (export cond-expand))
