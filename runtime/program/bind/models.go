package bind

// A model made of a procedure lives as long as the program that defined it: its name then stands for a machine that holds a
// copy of the procedure.
const modelsLibrary = `
(define-library (caper models)
 (import (%syntax) (%primitive) (%support) (only (caper tools) complete))
 (export models model-cost define-model complete)
 (begin
(define (models) (%host 'models))
(define (model-cost usage . model) (%host 'model-cost usage (if (pair? model) (car model) #f)))
(define (define-model name proc)
  (%need-procedure "define-model" "2" proc)
  (%host 'serve (lambda () (%host 'served (lambda () (apply proc (%host 'question))))) 'model name))
))
`
