(define-library (srfi 6)
  (import (caper prelude))
  (export open-input-string open-output-string get-output-string))
