(define-library (srfi 26)
  (import (caper prelude))
  (export cut cute <> <...>)
  (begin
    ;; cut that evaluates what is no slot once, when the procedure is made.
    (define-syntax cute
      (syntax-rules () ((_ . slots) (%cute () () . slots))))
    (define-syntax %cute
      (syntax-rules (<> <...>)
        ((_ bindings (e ...)) (let bindings (cut e ...)))
        ((_ bindings (e ...) <> . slots) (%cute bindings (e ... <>) . slots))
        ((_ bindings (e ...) <...>) (let bindings (cut e ... <...>)))
        ((_ (b ...) (e ...) s . slots) (%cute (b ... (x s)) (e ... x) . slots))))))
