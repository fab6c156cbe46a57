;; Pattern matching alone, for programs that import what they use.
(define-library (caper match)
  (import (caper prelude))
  (export match match-lambda match* match-lambda* match-lambda** match-let match-let* match-define))
