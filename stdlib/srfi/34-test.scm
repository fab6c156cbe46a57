(import (scheme base) (scheme write) (srfi 34))

(call-with-current-continuation
  (lambda (k) (with-exception-handler (lambda (e) (k (list 'condition e))) (lambda () (+ 1 (raise 'an-error))))))
  => (condition an-error)
(guard (c (#t (list 'condition c))) (+ 1 (raise 'an-error))) => (condition an-error)
(guard (c ((symbol? c) 'symbol) (else 'other)) (raise 5)) => other
(guard (c ((assq 'a c) => cdr) ((assq 'b c))) (raise (list (cons 'a 42)))) => 42
(guard (c ((assq 'a c) => cdr) ((assq 'b c))) (raise (list (cons 'b 23)))) => (b . 23)
(guard (c ((string? c) c)) (raise 'through)) =raises> "through"
(with-exception-handler (lambda (e) 'ignored) (lambda () (raise 'oops))) =raises> "handler"
(with-exception-handler 5 (lambda () 1)) =raises> "with-exception-handler: argument 1 must be a procedure"
