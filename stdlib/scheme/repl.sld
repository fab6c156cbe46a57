(define-library (scheme repl)
  (import (caper standard))
  (export
    interaction-environment))
