;; S-expression comments: the reader has them; the library exists to be imported.
(define-library (srfi 62)
  (import (caper prelude))
  (export ))
