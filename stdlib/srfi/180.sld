(define-library (srfi 180)
  (import (caper prelude))
  (export
    json->scheme scheme->json))
