(define-library (srfi 87)
  (import (caper prelude))
  (export case))
