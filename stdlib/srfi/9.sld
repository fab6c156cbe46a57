(define-library (srfi 9)
  (import (caper prelude))
  (export define-record-type))
