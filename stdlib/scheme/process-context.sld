(define-library (scheme process-context)
  (import (caper standard) (%primitive))
  (export command-line emergency-exit exit get-environment-variable get-environment-variables)
  (begin
    (define (command-line) (cons (%host 'program-name) (%host 'arguments)))
    (define (get-environment-variable name) (%host 'environment name))
    (define (get-environment-variables) (%host 'environment))))
