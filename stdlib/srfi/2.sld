(define-library (srfi 2)
  (import (scheme base))
  (export and-let*)
  (begin
    (define-syntax and-let*
      (syntax-rules ()
        ((_ ()) #t)
        ((_ () body ...) (let () body ...))
        ((_ ((name value))) value)
        ((_ ((test))) test)
        ((_ (name)) name)
        ((_ ((name value) . rest) . body) (let ((name value)) (if name (and-let* rest . body) #f)))
        ((_ ((test) . rest) . body) (if test (and-let* rest . body) #f))
        ((_ (name . rest) . body) (if name (and-let* rest . body) #f))))))
