;; Pipelines. Each form takes, before its steps, its own placeholder and its own ellipsis; without they are _ and ….
;; The steps are read by macros with the placeholder and the ellipsis as literals, made on the spot.

(define-syntax chain
  (syntax-rules ::: ()
    ((_ init) init)
    ((_ init (part ::: . end) . more) (run _ ... init (part ::: . end) . more))
    ((_ init hole (part ::: . end) . more) (run hole ... init (part ::: . end) . more))
    ((_ init hole dots step :::) (run hole dots init step :::))
    ((_ init hole) init)))

(define-syntax run
  (syntax-rules ()
    ((_ hole dots init) init)
    ((_ hole dots init step . more) (run hole dots (call-with-values (lambda () init) (as-lambda hole dots step)) . more))))

;; A step as a procedure of its placeholders. One without any ignores what it gets.
(define-syntax as-lambda
  (syntax-rules :: ()
    ((_ hole dots step)
     (letrec-syntax
         ((scan
            (syntax-rules ::: (hole dots)
              ((scan () call ()) (lambda ignored call))
              ((scan (x :::) call ()) (lambda (x :::) call))
              ((scan (x :::) (part :::) (hole dots)) (lambda (x ::: . all) (apply part ::: all)))
              ((scan (x :::) (part :::) (hole . more)) (scan (x ::: y) (part ::: y) more))
              ((scan xs (part :::) (e . more)) (scan xs (part ::: e) more)))))
       (scan () () step)))))

(define-syntax chain-lambda
  (syntax-rules ::: ()
    ((_ (part ::: . end) . more) (lambda-of _ ... (part ::: . end) . more))
    ((_ hole (part ::: . end) . more) (lambda-of hole ... (part ::: . end) . more))
    ((_ hole dots step :::) (lambda-of hole dots step :::))))
(define-syntax lambda-of
  (syntax-rules ()
    ((_ hole dots step) (as-lambda hole dots step))
    ((_ hole dots step . more)
     (let ((first (as-lambda hole dots step)) (rest (lambda-of hole dots . more)))
       (lambda args (call-with-values (lambda () (apply first args)) rest))))))

;; Stops with #f when a value is #f.
(define-syntax chain-and
  (syntax-rules ::: ()
    ((_ init) init)
    ((_ init (part ::: . end) . more) (run-and _ init (part ::: . end) . more))
    ((_ init hole . steps) (run-and hole init . steps))))
(define-syntax run-and
  (syntax-rules ::: ()
    ((_ hole init) init)
    ((_ hole init step . more) (run-and hole (let ((x init)) (and x ((as-lambda hole ... step) x))) . more))))

;; A step is ((guard) step) with the guard left out or not: (step) or (guard step).
(define-syntax chain-when
  (syntax-rules ::: ()
    ((_ init) init)
    ((_ init (part ::: . end) . more) (run-when _ init (part ::: . end) . more))
    ((_ init hole . steps) (run-when hole init . steps))))
(define-syntax run-when
  (syntax-rules ::: ()
    ((_ hole init) init)
    ((_ hole init (step) . more) (run-when hole ((as-lambda hole ... step) init) . more))
    ((_ hole init (guard step) . more)
     (run-when hole (let ((x init)) (if guard ((as-lambda hole ... step) x) x)) . more))))

;; ---- nesting: the steps stay expressions ----

(define-syntax nest
  (syntax-rules ::: ()
    ((_ last) last)
    ((_ (part ::: . end) . more) (nest-from _ () (part ::: . end) . more))
    ((_ hole . steps) (nest-from hole () . steps))))
;; Turns the steps round, so that the last is put into the one before it first.
(define-syntax nest-from
  (syntax-rules ()
    ((_ hole done last) (put-all hole last . done))
    ((_ hole done step . more) (nest-from hole (step . done) . more))))
(define-syntax nest-reverse
  (syntax-rules ::: ()
    ((_ first) first)
    ((_ first (part ::: . end) . more) (put-all _ first (part ::: . end) . more))
    ((_ first hole . steps) (put-all hole first . steps))))
(define-syntax put-all
  (syntax-rules ::: ()
    ((_ hole e) e)
    ((_ hole e step . more) (put-all hole (put hole e step) . more))))
(define-syntax put
  (syntax-rules :: ()
    ((_ hole e step)
     (letrec-syntax
         ((scan
            (syntax-rules ::: (hole)
              ((scan x () ()) (syntax-error "nest: a step has no placeholder"))
              ((scan x (done :::) (hole part :::)) (done ::: x part :::))
              ((scan x () (part more :::)) (scan x (part) (more :::)))
              ((scan x (done :::) (part more :::)) (scan x (done ::: part) (more :::)))
              ((scan x done ()) (syntax-error "nest: a step has no placeholder")))))
       (scan e () step)))))
