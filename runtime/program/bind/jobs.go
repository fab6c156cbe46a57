package bind

const jobsLibrary = `
(define-library (caper jobs)
 (import (caper standard) (%primitive) (only (%support) %policy-overlay %disown-files %end-program %need-procedure par-map parallel race sleep with-timeout timeout-error? with-budget %charge-call) (only (caper tools) cancel detach))
 (export current-job job-status job-outcome job-kind job-children foreground-jobs background-jobs walk-work job-program job-usage
         cancel detach program program? program-source program-args run-program
         par-map parallel race sleep with-timeout timeout-error? with-budget background retry command-line-arguments #%argument)
 (begin
(define (current-job) (%host 'current-job))
(define (job-status j) (%host 'job-status j))
(define (job-outcome j) (%host 'job-outcome j))
(define (job-kind j) (%host 'job-kind j))
(define (job-children j) (%host 'job-children j))
(define (foreground-jobs j) (%host 'foreground-jobs j))
(define (background-jobs j) (%host 'background-jobs j))
(define (walk-work j) (%host 'walk-work j))
(define (job-usage j) (%host 'job-usage j))
(define (command-line-arguments) (%host 'arguments))
(define (#%argument n) (%host 'argument n))
(define (datum->text d) (let ((p (open-output-string))) (write d p) (get-output-string p)))
(define-record-type program-record (make-program source args budget) program?
  (source program-source) (args program-args) (budget program-budget))
(define (option key rest)
  (cond ((or (null? rest) (null? (cdr rest))) '()) ((eq? (car rest) key) (cadr rest)) (else (option key (cddr rest)))))
;; (program source #:args ((name . value) …) #:budget ((fuel . n) (memory . bytes) (output . bytes)))
(define (program source . rest)
  (make-program (if (string? source) source (datum->text source)) (option '#:args rest) (option '#:budget rest)))
;; A past bag as a value, to be run again as it was or with other data: (run-program (job-program j)).
(define (job-program j) (let ((p (%host 'job-program j))) (make-program (car p) (cadr p) '())))
;; The copy leaves the files that are open to this program.
(define (background thunk)
  (%need-procedure "background" "1" thunk)
  (%host 'background (lambda () (%disown-files) (let ((value (thunk))) (%end-program value))) (%policy-overlay)))
(define (run-program p)
  (if (not (program? p)) (error "run-program: a program is wanted, as (program source) makes it:" p))
  (%charge-call)
  (%host 'program (program-source p) (program-args p) (program-budget p) (%policy-overlay)))
;; What a second try must not repeat.
(define (final? e)
  (and (%condition? e)
       (or (memq (%condition-kind e) '(denied cancelled budget))
           (let ((code (assq 'code (%condition-data e))))
             (and code (memq (cdr code) '(denied cancelled budget uncertain)))))))
(define (retry n thunk)
  (if (not (and (exact-integer? n) (> n 0)))
      (%raise 'type-error "retry: argument 1 must be how often to try, an exact integer from 1 on" n))
  (%need-procedure "retry" "2" thunk)
  (let again ((n n))
    (if (= n 1) (thunk)
        ((call/cc (lambda (k)
           (with-exception-handler
             (lambda (e)
               (if (final? e)
                   (raise-continuable e)
                   (k (lambda () (again (- n 1))))))
             (lambda () (call-with-values thunk (lambda vs (lambda () (apply values vs))))))))))))
))
`
