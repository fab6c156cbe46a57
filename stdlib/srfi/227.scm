;; Optional arguments. The formals are variables, then (variable init) pairs, then perhaps a rest.

(define-syntax opt-lambda
  (syntax-rules () ((_ formals body ...) (split #f () () formals body ...))))
(define-syntax opt*-lambda
  (syntax-rules () ((_ formals body ...) (split #t () () formals body ...))))

;; Tells required variables and pairs apart. Where defaults must not see the other variables these get their values from
;; temporaries t at the end.
(define-syntax split
  (syntax-rules ()
    ((_ seq? required () ((x init) . more) . body) (split-pairs seq? required () ((x init) . more) . body))
    ((_ seq? (required ...) () (x . more) . body) (split seq? (required ... (x t)) () more . body))
    ((_ seq? required () rest . body) (build seq? required () rest . body))))
(define-syntax split-pairs
  (syntax-rules ()
    ((_ seq? required (pair ...) ((x init) . more) . body) (split-pairs seq? required (pair ... (x t init)) more . body))
    ((_ seq? required pairs rest . body) (build seq? required pairs rest . body))))

(define-syntax build
  (syntax-rules ()
    ((_ #t ((x t) ...) ((y u init) ...) rest . body)
     (lambda (x ... . args) (bind ((y init) ...) args (ending rest () args . body))))
    ((_ #f ((x t) ...) ((y u init) ...) rest . body)
     (lambda (t ... . args) (bind ((u init) ...) args (ending rest ((x t) ... (y u) ...) args . body))))))

(define-syntax bind
  (syntax-rules ()
    ((_ () args end) end)
    ((_ ((y init) . more) args (ending rest bindings last . body))
     (let ((y (if (pair? args) (car args) init))
           (left (if (pair? args) (cdr args) '())))
       (bind more left (ending rest bindings left . body))))))

(define-syntax ending
  (syntax-rules ()
    ((_ () bindings left . body) (begin (no-more left) (let bindings . body)))
    ((_ rest (binding ...) left . body) (let (binding ... (rest left)) . body))))
(define (no-more left)
  (if (pair? left) (%raise 'arity-error "a procedure with optional arguments has got too many" left)))

(define-syntax let-optionals
  (syntax-rules () ((_ e formals body ...) (apply (opt-lambda formals body ...) e))))
(define-syntax let-optionals*
  (syntax-rules () ((_ e formals body ...) (apply (opt*-lambda formals body ...) e))))
(define-syntax define-optionals
  (syntax-rules () ((_ (name . formals) body ...) (define name (opt-lambda formals body ...)))))
(define-syntax define-optionals*
  (syntax-rules () ((_ (name . formals) body ...) (define name (opt*-lambda formals body ...)))))
