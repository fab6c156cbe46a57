(define-library (srfi 111)
  (import (caper prelude))
  (export
    box box? unbox set-box!))
