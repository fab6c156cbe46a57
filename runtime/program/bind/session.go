package bind

const sessionLibrary = `
(define-library (caper session)
 (import (%syntax) (%primitive) (%support) (only (caper tools) turn fork! rewind! kvs-set!))
 (export session session-agent session-head session-turns session-mode turn turn-tail turn-text turn-prompt turn-policy turn-model
         fork! rewind! kvs-ref kvs-set!)
 (begin
(define (one args) (if (pair? args) (car args) #f))
(define (session) (%host 'session))
(define (session-agent . s) (%host 'session-agent (one s)))
(define (session-head . s) (%host 'session-head (one s)))
(define (session-turns . s) (%host 'session-turns (one s)))
(define (session-mode . s) (%host 'session-mode (one s)))
(define (turn-tail t) (%host 'turn-tail t))
(define (turn-text t) (%host 'turn-text t))
(define (turn-prompt t) (%host 'turn-prompt t))
(define (turn-policy t) (%host 'turn-policy t))
(define (turn-model t) (%host 'turn-model t))
(define (kvs-ref k) (%host 'kvs-ref k))
))
`
