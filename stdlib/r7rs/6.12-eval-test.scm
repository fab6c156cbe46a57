(import (scheme base) (scheme write) (scheme eval) (scheme repl) (scheme r5rs))

;; 6.12 environments and evaluation
(eval '(* 7 3) (environment '(scheme base))) => 21
(let ((f (eval '(lambda (f x) (f x x)) (null-environment 5)))) (f + 10)) => 20
(eval '(define foo 32) (environment '(scheme base))) =raises> "nothing can be defined in this environment"
(eval '(define-syntax foo (syntax-rules ())) (environment '(scheme base))) =raises> "nothing can be defined"
(eval '(import (scheme write)) (environment '(scheme base))) =raises> "nothing can be defined"
(eval '(define-library (x)) (environment '(scheme base))) =raises> "nothing can be defined"
(eval '(* 7 3) (scheme-report-environment 5)) => 21
(eval '(exact->inexact 1/2) (scheme-report-environment 5)) => 0.5
(eval '(let loop ((i 0)) (if (< i 10) (loop (+ i 1)) i)) (scheme-report-environment 5)) => 10
(eval '(car '(1)) (null-environment 5)) =raises> "car"
(eval '(cond (#f 1) (else 2)) (null-environment 5)) => 2
(eval '(let-syntax ((m (syntax-rules () ((_ a ...) '(a ...))))) (m 1 2)) (null-environment 5)) => (1 2)
(scheme-report-environment 4) =raises> "5 and 7 are known"
(null-environment 7) =raises> "5 is known"
(environment '(no such library)) =raises> "there is no library (no such library)"
(environment 5) =raises> "import set"
(environment '(only (scheme base) no-such-name)) =raises> "no-such-name"
(eval '(square 3) (environment '(only (scheme base) square))) => 9
(eval '(car '(1)) (environment '(only (scheme base) square quote))) =raises> "car is not defined"
(eval '(b:car '(1)) (environment '(prefix (scheme base) b:))) =raises> ""
(eval '(b:car (b:quote (1))) (environment '(prefix (scheme base) b:))) => 1
(eval '(list (square 2) (sqrt 16)) (environment '(scheme base) '(only (scheme inexact) sqrt))) => (4 4)
(eval '(iota 3) (environment '(srfi 1))) => (0 1 2)
(eval 'car (environment '(scheme base))) =prints> "#<procedure car>"
(eq? car (eval 'car (environment '(scheme base)))) => #t

;; the program's own top level
(eval '(define defined-by-eval 32) (interaction-environment))
defined-by-eval => 32
(eval '(begin (define a 1) (define b (+ a 1))) (interaction-environment))
(+ a b) => 3
(define defined-here 5)
(eval '(+ defined-here 1) (interaction-environment)) => 6
(eval '(set! defined-here 7) (interaction-environment))
defined-here => 7
(eval '(define-syntax swap! (syntax-rules () ((_ x y) (let ((t x)) (set! x y) (set! y t))))) (interaction-environment))
(let ((t 1) (u 2)) (swap! t u) (list t u)) => (2 1)
(define (uses-later) (defined-later 4))
(eval '(define (defined-later x) (* x x)) (interaction-environment))
(uses-later) => 16
(eval '(import (only (scheme char) char-upcase)) (interaction-environment))
(char-upcase #\a) => #\A
(let ((defined-here 'local)) (eval 'defined-here (interaction-environment))) => 7
(eval '(no-such-procedure 1) (interaction-environment)) =raises> "is not defined"
(eval 'defined-here 5) =raises> ""

;; the same text means what its names mean now
(define (again) (eval '(version) (interaction-environment)))
(define (version) 1)
(again) => 1
(define (version) 2)
(again) => 2
(eval '(define-syntax version (syntax-rules () ((_) 3))) (interaction-environment))
(again) => 3
(define-syntax version (syntax-rules () ((_) 4)))
(again) => 4
(let loop ((i 0) (sum 0)) (if (= i 1000) sum (loop (+ i 1) (+ sum (eval '(* 2 3) (interaction-environment)))))) => 6000
(let loop ((i 0) (sum 0)) (if (= i 100) sum (loop (+ i 1) (+ sum (eval `(* 2 ,i) (environment '(scheme base))))))) => 9900

;; data
(eval 5 (null-environment 5)) => 5
(eval "text" (null-environment 5)) => "text"
(eval ''sym (null-environment 5)) => sym
(eval '(quote #(1 "a" #\b (c . d) 1.5 #u8(1 2) |x y|)) (null-environment 5)) => #(1 "a" #\b (c . d) 1.5 #u8(1 2) |x y|)
(eval (list 'quote (string #\a #\" #\\ #\newline #\x1)) (null-environment 5)) => "a\"\\\n\x1;"
(let ((x (list 1 2))) (set-cdr! (cdr x) x) (let ((y (eval (list 'quote x) (null-environment 5)))) (list (car y) (cadr y) (eq? y (cddr y))))) => (1 2 #t)
(let ((x (list 1))) (set-cdr! x x) (eval x (interaction-environment))) =raises> ""
(let ((x (list 'car))) (set-car! x x) (eval x (interaction-environment))) =raises> ""
(eval (list car ''(1)) (interaction-environment)) =raises> "eval:"
(eval '() (interaction-environment)) =raises> "eval:"
(eval '(if) (interaction-environment)) =raises> "if"
(eval '(lambda (x x) x) (interaction-environment)) =raises> "x"
(guard (e ((error-object? e) 'caught)) (eval '(if) (interaction-environment))) => caught
(guard (e ((symbol? e) e)) (eval '(raise 'from-inside) (environment '(scheme base)))) => from-inside
(eval '(begin) (interaction-environment)) =prints> "#<unspecified>"
(eval '(syntax-error "told" 1) (environment '(scheme base))) =raises> "told"
(eval '(include "x.scm") (environment '(scheme base))) =raises> "include is not available"
(eval '(letrec-syntax ((m (syntax-rules () ((_) (m))))) (m)) (environment '(scheme base))) =raises> "without end"
(let loop ((i 0) (l '())) (if (< i 30000) (loop (+ i 1) (list l)) (eval (list 'quote l) (interaction-environment)))) =raises> "eval:"

;; control goes through it
(call/cc (lambda (k) (eval `(begin 1 2) (null-environment 5)) (k 3))) => 3
(define k #f)
(define entered 0)
(let ((v (eval '(call/cc (lambda (c) (set! k c) 1)) (interaction-environment)))) (set! entered (+ entered 1)) (if (< v 5) (k (+ v 1)) (list v entered))) => (5 5)
(define (count n) (if (= n 0) 'done (eval '(count-again) (interaction-environment))))
(define n 20000)
(define (count-again) (set! n (- n 1)) (count n))
(count n) => done
(eval '(eval '(+ 1 2) (interaction-environment)) (interaction-environment)) => 3
(map (lambda (x) (eval `(* ,x ,x) (environment '(scheme base)))) '(1 2 3)) => (1 4 9)
(let ((log '())) (dynamic-wind (lambda () (set! log (cons 'in log))) (lambda () (eval '(list 1) (environment '(scheme base)))) (lambda () (set! log (cons 'out log)))) log) => (out in)
(define p (make-parameter 1))
(parameterize ((p 2)) (eval '(p) (interaction-environment))) => 2
