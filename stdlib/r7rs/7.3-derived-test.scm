;; 7.3: the report's own definitions of the derived forms, under other names.
(import (scheme base) (scheme write))
(define-syntax r-cond
  (syntax-rules (else =>)
    ((r-cond (else result1 result2 ...)) (begin result1 result2 ...))
    ((r-cond (test => result)) (let ((temp test)) (if temp (result temp))))
    ((r-cond (test => result) clause1 clause2 ...)
     (let ((temp test)) (if temp (result temp) (r-cond clause1 clause2 ...))))
    ((r-cond (test)) test)
    ((r-cond (test) clause1 clause2 ...) (let ((temp test)) (if temp temp (r-cond clause1 clause2 ...))))
    ((r-cond (test result1 result2 ...)) (if test (begin result1 result2 ...)))
    ((r-cond (test result1 result2 ...) clause1 clause2 ...)
     (if test (begin result1 result2 ...) (r-cond clause1 clause2 ...)))))
(r-cond ((> 3 2) 'greater) ((< 3 2) 'less)) => greater
(r-cond ((> 3 3) 'greater) ((< 3 3) 'less) (else 'equal)) => equal
(r-cond ((assv 'b '((a 1) (b 2))) => cadr) (else #f)) => 2
(r-cond (#f) ((+ 1 1)) (else 3)) => 2
(let ((temp 5) (if list)) (r-cond (#f => car) (temp))) => 5
(define-syntax r-case
  (syntax-rules (else =>)
    ((r-case (key ...) clauses ...) (let ((atom-key (key ...))) (r-case atom-key clauses ...)))
    ((r-case key (else => result)) (result key))
    ((r-case key (else result1 result2 ...)) (begin result1 result2 ...))
    ((r-case key ((atoms ...) result1 result2 ...)) (if (memv key '(atoms ...)) (begin result1 result2 ...)))
    ((r-case key ((atoms ...) => result)) (if (memv key '(atoms ...)) (result key)))
    ((r-case key ((atoms ...) => result) clause clauses ...)
     (if (memv key '(atoms ...)) (result key) (r-case key clause clauses ...)))
    ((r-case key ((atoms ...) result1 result2 ...) clause clauses ...)
     (if (memv key '(atoms ...)) (begin result1 result2 ...) (r-case key clause clauses ...)))))
(r-case (* 2 3) ((2 3 5 7) 'prime) ((1 4 6 8 9) 'composite)) => composite
(r-case (car '(c d)) ((a e i o u) 'vowel) ((w y) 'semivowel) (else => (lambda (x) x))) => c
(r-case 5 ((1) 'one) ((5) 'five) (else 'other)) => five
(define-syntax r-and
  (syntax-rules () ((r-and) #t) ((r-and test) test) ((r-and test1 test2 ...) (if test1 (r-and test2 ...) #f))))
(list (r-and) (r-and 1 2 'c '(f g)) (r-and #f (car 1))) => (#t (f g) #f)
(define-syntax r-or
  (syntax-rules () ((r-or) #f) ((r-or test) test) ((r-or test1 test2 ...) (let ((x test1)) (if x x (r-or test2 ...))))))
(let ((x 5)) (list (r-or) (r-or #f x) (r-or (memq 'b '(a b c)) (/ 3 0)))) => (#f 5 (b c))
(define-syntax r-when (syntax-rules () ((r-when test result1 result2 ...) (if test (begin result1 result2 ...)))))
(define-syntax r-unless (syntax-rules () ((r-unless test result1 result2 ...) (if (not test) (begin result1 result2 ...)))))
(let ((not list)) (list (r-when 1 2 3) (r-unless #f 4))) => (3 4)
(define-syntax r-let
  (syntax-rules ()
    ((r-let ((name val) ...) body1 body2 ...) ((lambda (name ...) body1 body2 ...) val ...))
    ((r-let tag ((name val) ...) body1 body2 ...)
     ((letrec ((tag (lambda (name ...) body1 body2 ...))) tag) val ...))))
(r-let ((x 2) (y 3)) (* x y)) => 6
(r-let loop ((i 0)) (if (< i 10) (loop (+ i 1)) i)) => 10
(define-syntax r-let*
  (syntax-rules ()
    ((r-let* () body1 body2 ...) (let () body1 body2 ...))
    ((r-let* ((name1 val1) (name2 val2) ...) body1 body2 ...)
     (let ((name1 val1)) (r-let* ((name2 val2) ...) body1 body2 ...)))))
(r-let* ((x 7) (z (+ x 1))) (* z x)) => 56
(define-syntax r-letrec
  (syntax-rules ()
    ((r-letrec ((var1 init1) ...) body ...)
     (r-letrec "generate temp names" (var1 ...) () ((var1 init1) ...) body ...))
    ((r-letrec "generate temp names" () (temp1 ...) ((var1 init1) ...) body ...)
     (let ((var1 #f) ...) (let ((temp1 init1) ...) (set! var1 temp1) ... body ...)))
    ((r-letrec "generate temp names" (x y ...) (temp ...) ((var1 init1) ...) body ...)
     (r-letrec "generate temp names" (y ...) (newtemp temp ...) ((var1 init1) ...) body ...))))
(r-letrec ((even? (lambda (n) (if (zero? n) #t (odd? (- n 1))))) (odd? (lambda (n) (if (zero? n) #f (even? (- n 1)))))) (even? 88)) => #t
(r-letrec ((newtemp 1) (temp1 2) (x 3)) (list newtemp temp1 x)) => (1 2 3)
(define-syntax r-letrec*
  (syntax-rules ()
    ((r-letrec* ((var1 init1) ...) body1 body2 ...) (let ((var1 #f) ...) (set! var1 init1) ... (let () body1 body2 ...)))))
(r-letrec* ((p (lambda (x) (+ 1 (q (- x 1))))) (q (lambda (y) (if (zero? y) 0 (+ 1 (p (- y 1)))))) (x (p 5)) (y x)) y) => 5
(define-syntax r-let-values
  (syntax-rules ()
    ((r-let-values (binding ...) body0 body1 ...) (r-let-values "bind" (binding ...) () (begin body0 body1 ...)))
    ((r-let-values "bind" () tmps body) (let tmps body))
    ((r-let-values "bind" ((b0 e0) binding ...) tmps body) (r-let-values "mktmp" b0 e0 () (binding ...) tmps body))
    ((r-let-values "mktmp" () e0 args bindings tmps body)
     (call-with-values (lambda () e0) (lambda args (r-let-values "bind" bindings tmps body))))
    ((r-let-values "mktmp" (a . b) e0 (arg ...) bindings (tmp ...) body)
     (r-let-values "mktmp" b e0 (arg ... x) bindings (tmp ... (a x)) body))
    ((r-let-values "mktmp" a e0 (arg ...) bindings (tmp ...) body)
     (call-with-values (lambda () e0) (lambda (arg ... . x) (r-let-values "bind" bindings (tmp ... (a x)) body))))))
(r-let-values (((root rem) (exact-integer-sqrt 32))) (* root rem)) => 35
(let ((a 'a) (b 'b) (x 'x) (y 'y)) (r-let-values (((a b) (values x y)) ((x y) (values a b))) (list a b x y))) => (x y a b)
(r-let-values (((a . b) (values 1 2 3)) (c (values 4))) (list a b c)) => (1 (2 3) (4))
(define-syntax r-let*-values
  (syntax-rules ()
    ((r-let*-values () body0 body1 ...) (let () body0 body1 ...))
    ((r-let*-values (binding0 binding1 ...) body0 body1 ...)
     (let-values (binding0) (r-let*-values (binding1 ...) body0 body1 ...)))))
(let ((a 'a) (b 'b) (x 'x) (y 'y)) (r-let*-values (((a b) (values x y)) ((x y) (values a b))) (list a b x y))) => (x y x y)
(define-syntax r-define-values
  (syntax-rules ()
    ((r-define-values () expr) (define dummy (call-with-values (lambda () expr) (lambda args #f))))
    ((r-define-values (var) expr) (define var expr))
    ((r-define-values (var0 var1 ... varn) expr)
     (begin
       (define var0 (call-with-values (lambda () expr) list))
       (define var1 (let ((v (cadr var0))) (set-cdr! var0 (cddr var0)) v)) ...
       (define varn (let ((v (cadr var0))) (set! var0 (car var0)) v))))
    ((r-define-values (var0 var1 ... . varn) expr)
     (begin
       (define var0 (call-with-values (lambda () expr) list))
       (define var1 (let ((v (cadr var0))) (set-cdr! var0 (cddr var0)) v)) ...
       (define varn (let ((v (cdr var0))) (set! var0 (car var0)) v))))
    ((r-define-values var expr) (define var (call-with-values (lambda () expr) list)))))
(let () (r-define-values (a b c) (values 1 2 3)) (list a b c)) => (1 2 3)
(let () (r-define-values (a . b) (values 1 2 3)) (list a b)) => (1 (2 3))
(let () (r-define-values all (values 1 2)) all) => (1 2)
(r-define-values (top1 top2) (values 'a 'b))
(list top1 top2) => (a b)
(define-syntax r-do
  (syntax-rules ()
    ((r-do ((var init step ...) ...) (test expr ...) command ...)
     (letrec ((loop (lambda (var ...)
                      (if test (begin (if #f #f) expr ...) (begin command ... (loop (r-do "step" var step ...) ...))))))
       (loop init ...)))
    ((r-do "step" x) x)
    ((r-do "step" x y) y)))
(r-do ((vec (make-vector 5)) (i 0 (+ i 1))) ((= i 5) vec) (vector-set! vec i i)) => #(0 1 2 3 4)
(let ((x '(1 3 5 7 9)) (loop 1)) (r-do ((x x (cdr x)) (sum 0 (+ sum (car x)))) ((null? x) (+ loop sum)))) => 26
(define make-r-promise (lambda (done? proc) (list (cons done? proc))))
(define (promise-done? x) (car (car x)))
(define (promise-value x) (cdr (car x)))
(define (promise-update! new old)
  (set-car! (car old) (promise-done? new))
  (set-cdr! (car old) (promise-value new))
  (set-car! new (car old)))
(define-syntax r-delay-force (syntax-rules () ((r-delay-force expression) (make-r-promise #f (lambda () expression)))))
(define-syntax r-delay (syntax-rules () ((r-delay expression) (r-delay-force (make-r-promise #t expression)))))
(define (r-force promise)
  (if (promise-done? promise)
      (promise-value promise)
      (let ((promise* ((promise-value promise))))
        (unless (promise-done? promise) (promise-update! promise* promise))
        (r-force promise))))
(let* ((n 0) (p (r-delay (begin (set! n (+ n 1)) n)))) (list (r-force p) (r-force p))) => (1 1)
(let loop ((n 10000) (p (r-delay 'end))) (if (= n 0) (r-force p) (loop (- n 1) (r-delay-force p)))) => end
(define-syntax r-case-lambda
  (syntax-rules ()
    ((r-case-lambda (params body0 ...) ...)
     (lambda args
       (let ((len (length args)))
         (letrec-syntax
             ((cl (syntax-rules ::: ()
                    ((cl) (error "no matching clause"))
                    ((cl ((p :::) . body) . rest)
                     (if (= len (length '(p :::))) (apply (lambda (p :::) . body) args) (cl . rest)))
                    ((cl ((p ::: . tail) . body) . rest)
                     (if (>= len (length '(p :::))) (apply (lambda (p ::: . tail) . body) args) (cl . rest))))))
           (cl (params body0 ...) ...)))))))
(let ((range (r-case-lambda ((e) (list 0 e)) ((b e) (list b e)) ((b e . r) r)))) (list (range 3) (range 3 5) (range 1 2 3))) => ((0 3) (3 5) (3))
((r-case-lambda ((a) a))) =raises> "no matching clause"
(define-syntax r-guard
  (syntax-rules ()
    ((r-guard (var clause ...) e1 e2 ...)
     ((call/cc
       (lambda (guard-k)
         (with-exception-handler
          (lambda (condition)
            ((call/cc
              (lambda (handler-k)
                (guard-k
                 (lambda ()
                   (let ((var condition))
                     (r-guard-aux (handler-k (lambda () (raise-continuable condition))) clause ...))))))))
          (lambda ()
            (call-with-values (lambda () e1 e2 ...) (lambda args (guard-k (lambda () (apply values args)))))))))))))
(define-syntax r-guard-aux
  (syntax-rules (else =>)
    ((r-guard-aux reraise (else result1 result2 ...)) (begin result1 result2 ...))
    ((r-guard-aux reraise (test => result)) (let ((temp test)) (if temp (result temp) reraise)))
    ((r-guard-aux reraise (test => result) clause1 clause2 ...)
     (let ((temp test)) (if temp (result temp) (r-guard-aux reraise clause1 clause2 ...))))
    ((r-guard-aux reraise (test)) (or test reraise))
    ((r-guard-aux reraise (test) clause1 clause2 ...) (let ((temp test)) (if temp temp (r-guard-aux reraise clause1 clause2 ...))))
    ((r-guard-aux reraise (test result1 result2 ...)) (if test (begin result1 result2 ...) reraise))
    ((r-guard-aux reraise (test result1 result2 ...) clause1 clause2 ...)
     (if test (begin result1 result2 ...) (r-guard-aux reraise clause1 clause2 ...)))))
(r-guard (condition ((assq 'a condition) => cdr) ((assq 'b condition))) (raise (list (cons 'a 42)))) => 42
(r-guard (condition ((assq 'a condition) => cdr) ((assq 'b condition))) (raise (list (cons 'b 23)))) => (b . 23)
(with-exception-handler (lambda (e) 10) (lambda () (+ 1 (r-guard (e ((string? e) 'no)) (raise-continuable 'x))))) => 11
(call-with-values (lambda () (r-guard (e (else 'no)) (values 1 2))) list) => (1 2)
