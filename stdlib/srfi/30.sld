;; Nested comments: the reader has them; the library exists to be imported.
(define-library (srfi 30)
  (import (caper prelude))
  (export ))
