;; Keywords. Caper writes them #:name: name: is a symbol here, as in R7RS.
(define-library (srfi 88)
  (import (caper prelude))
  (export keyword? keyword->string string->keyword))
