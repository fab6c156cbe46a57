package bind

const agentsLibrary = `
(define-library (caper agents)
 (import (%syntax) (%primitive) (%support) (only (caper tools) spawn-agent ask-agent drive-agent define-agent))
 (export agents agent-spec agent-head define-agent spawn-agent ask-agent drive-agent)
 (begin
(define (agents) (%host 'agents))
(define (agent-spec a) (%host 'agent-spec a))
(define (agent-head a) (%host 'agent-head a))
))
`
