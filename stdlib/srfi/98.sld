(define-library (srfi 98)
  (import (scheme process-context))
  (export get-environment-variable get-environment-variables))
