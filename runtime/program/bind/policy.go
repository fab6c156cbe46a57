package bind

const policyLibrary = `
(define-library (caper policy)
 (import (%%syntax) (%%primitive) (%%support))
 (export policy with-policy decide)
 (begin
(define (policy) (%%host 'policy))
(define (decide tool . args) (%%host 'decide tool (if (and (pair? args) (null? (cdr args)) (list? (car args))) (car args) args) (%%policy-overlay)))
(define (under what thunk) (parameterize ((%%policy-overlay (cons what (%%policy-overlay)))) (thunk)))
;; A policy procedure stands in the overlay as the number that the host gave it.
(define (with-policy what thunk)
  (if (not (or (symbol? what) (list? what) (procedure? what)))
      (raise (%%condition 'type-error "with-policy: argument 1 must be a posture, a list of rules or a procedure of a call" (list what))))
  (%%need-procedure "with-policy" "2" thunk)
  (if (symbol? what)
      (if (not (memq what '(%s))) (error "with-policy: a posture is %s; found:" what)))
  (if (procedure? what)
      (let ((number (%%host 'serve (lambda () (%%host 'served (lambda () (apply what (%%host 'question))))) 'policy)))
        (call-with-values (lambda () (under number thunk))
          (lambda results (%%host 'unserve number) (apply values results))))
      (under what thunk)))
))
`
