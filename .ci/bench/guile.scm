;; One program under Guile: compiled first, then timed. Arguments: the program and a folder for what is compiled.
(use-modules (system base compile) (ice-9 rdelim))
(define args (cdr (command-line)))
(define (slurp f) (call-with-input-file f (lambda (p) (read-string p))))
(define text
  (string-append
   "(use-modules (srfi srfi-9) ((scheme base) #:select (guard raise vector-map exact read-line read-u8 write-u8 write-string\n"
   "  open-input-bytevector open-output-bytevector get-output-bytevector bytevector-u8-ref bytevector-u8-set! bytevector-length make-bytevector)))\n"
   "(define hash-table-set! hash-set!) (define hash-table-ref/default hash-ref) (define make-equal-hash-table make-hash-table)\n"
   "(define (hash-table-count t) (hash-count (lambda (k v) #t) t))\n"
   (slurp (car args))
   "\n(define (run-all) (let loop ((i 1)) (let ((r (once))) (if (not (equal? r answer)) (begin (display r) (exit 3))) (if (< i rounds) (loop (+ i 1))))))\n"))
(define source (string-append (cadr args) "/program.scm"))
(define object (string-append (cadr args) "/program.go"))
(if (not (file-exists? object))
    (begin
      (call-with-output-file source (lambda (p) (display text p)))
      (compile-file source #:output-file object)))
(define cpu (let ((times times)) (lambda () (let ((t (times))) (+ (tms:utime t) (tms:stime t)))))) ; a program may have its own times
(load-compiled object)
(define start (cpu))
(run-all)
(display (/ (* 1000.0 (- (cpu) start)) internal-time-units-per-second))
(newline)
