;; cond with clauses (values-of test => receiver).
(define-library (srfi 61)
  (import (rename (caper prelude) (cond %cond)))
  (export cond)
  (begin
    (define-syntax cond
      (syntax-rules (=> else)
        ((_ (else e1 e2 ...)) (let () e1 e2 ...))
        ((_ (e test => receiver) . more)
         (call-with-values (lambda () e)
           (lambda all (if (apply test all) (apply receiver all) (%more . more)))))
        ((_ (e => receiver) . more)
         (let ((x e)) (if x (receiver x) (%more . more))))
        ((_ (e) . more) (or e (%more . more)))
        ((_ (e body ...) . more) (if e (begin body ...) (%more . more)))))
    (define-syntax %more
      (syntax-rules () ((_) (if #f #f)) ((_ . clauses) (cond . clauses))))))
