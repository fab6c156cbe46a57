(define-library (srfi 34)
  (import (caper prelude))
  (export with-exception-handler guard raise))
