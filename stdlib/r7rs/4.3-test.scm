(import (scheme base) (scheme write))

;; 4.3.1 binding constructs for syntactic keywords
(let-syntax ((given-that (syntax-rules () ((_ test stmt1 stmt2 ...) (if test (begin stmt1 stmt2 ...)))))) (let ((if #t)) (given-that if (set! if 'now)) if)) => now
(let ((x 'outer)) (let-syntax ((m (syntax-rules () ((m) x)))) (let ((x 'inner)) (m)))) => outer
(letrec-syntax ((my-or (syntax-rules () ((my-or) #f) ((my-or e) e) ((my-or e1 e2 ...) (let ((temp e1)) (if temp temp (my-or e2 ...))))))) (let ((x #f) (y 7) (temp 8) (let odd?) (if even?)) (my-or x (let temp) (if y) y))) => 7
(let-syntax () 5) => 5
(letrec-syntax () 5) => 5
(let-syntax ((foo (syntax-rules () ((_ x) (* x 2))))) (define y 4) (foo y)) => 8
(let ((x 1)) (let-syntax ((foo (syntax-rules () ((_) 2)))) (define x (foo)) 3) x) =prints> "1"
(letrec-syntax ((ev? (syntax-rules () ((_) #t) ((_ x . r) (od? . r)))) (od? (syntax-rules () ((_) #f) ((_ x . r) (ev? . r))))) (list (ev? 1 2) (ev? 1 2 3))) => (#t #f)

;; 4.3.2 pattern language
(define-syntax be-like-begin (syntax-rules () ((be-like-begin name) (define-syntax name (syntax-rules () ((name expr (... ...)) (begin expr (... ...))))))))
(be-like-begin sequence)
(sequence 1 2 3 4) => 4
(let ((=> #f)) (cond (#t => 'ok))) => ok
(define-syntax simple-let (syntax-rules () ((_ (head ... ((x . y) val) . tail) body1 body2 ...) (syntax-error "expected an identifier but got" (x . y))) ((_ ((name val) ...) body1 body2 ...) ((lambda (name ...) body1 body2 ...) val ...))))
(simple-let ((a 1) (b 2)) (+ a b)) => 3
(simple-let (((a . b) 1)) 2) =rejects> "expected an identifier but got"
(syntax-error "a message" 1 2) =rejects> "a message"

;; each form of pattern and template
(define-syntax dots (syntax-rules () ((_ a ...) '(a ...))))
(dots) => ()
(dots 1 2 3) => (1 2 3)
(define-syntax middle (syntax-rules () ((_ a ... b c) '((a ...) b c))))
(middle 1 2) => (() 1 2)
(middle 1 2 3 4) => ((1 2) 3 4)
(middle 1) =rejects> "middle"
(define-syntax dotted (syntax-rules () ((_ a b . c) '(a b c))))
(dotted 1 2) => (1 2 ())
(dotted 1 2 3 4) => (1 2 (3 4))
(dotted 1 2 . 3) => (1 2 3)
(define-syntax dots-tail (syntax-rules () ((_ (a ... b . c)) '((a ...) b c))))
(dots-tail (1 2 3 . 4)) => ((1 2) 3 4)
(dots-tail (1)) => (() 1 ())
(dots-tail (1 2 3)) => ((1 2) 3 ())
(define-syntax vec (syntax-rules () ((_ #(a ...)) '(a ...))))
(vec #(1 2 3)) => (1 2 3)
(vec #()) => ()
(vec (1 2)) =rejects> "vec"
(define-syntax vec-middle (syntax-rules () ((_ #(a b ... c)) '(a (b ...) c))))
(vec-middle #(1 2 3 4)) => (1 (2 3) 4)
(define-syntax to-vec (syntax-rules () ((_ a ...) '#(x a ... y))))
(to-vec 1 2) => #(x 1 2 y)
(define-syntax nested (syntax-rules () ((_ (a b ...) ...) '((b ... a) ...))))
(nested (1 2 3) (4) (5 6)) => ((2 3 1) (4) (6 5))
(define-syntax flat (syntax-rules () ((_ (a ...) ...) '(a ... ...))))
(flat (1 2) () (3)) => (1 2 3)
(define-syntax outer-in-inner (syntax-rules () ((_ k (a ...) ...) '((k a ...) ...))))
(outer-in-inner 0 (1 2) (3)) => ((0 1 2) (0 3))
(define-syntax literal-number (syntax-rules () ((_ 1) 'one) ((_ "s") 'string) ((_ #\c) 'char) ((_ #t) 'true) ((_ x) 'other)))
(list (literal-number 1) (literal-number "s") (literal-number #\c) (literal-number #t) (literal-number 2)) => (one string char true other)
(define-syntax my-else (syntax-rules (else) ((_ else) 'else) ((_ x) 'other)))
(my-else else) => else
(my-else 1) => other
(let ((else 1)) (my-else else)) => other
(define-syntax under (syntax-rules () ((_ _ x _) 'x)))
(under 1 2 3) => 2
(define-syntax under-literal (syntax-rules (_) ((u _) 'underscore) ((u x) 'other)))
(under-literal _) => underscore
(under-literal 5) => other
(define-syntax own-ellipsis (syntax-rules ::: () ((_ a :::) '(a ::: ...))))
(own-ellipsis 1 2) => (1 2 ...)
(define-syntax literal-ellipsis (syntax-rules (...) ((_ ...) 'dots) ((_ x) 'other)))
(literal-ellipsis ...) => dots
(literal-ellipsis 5) => other
(define-syntax escaped (syntax-rules () ((_ a) '(... (a ...)))))
(escaped 1) => (1 ...)
(define-syntax escaped-dots (syntax-rules () ((_) '(... ...))))
(escaped-dots) => ...
(define-syntax empty (syntax-rules ()))
(empty) =rejects> "empty"
(define-syntax keyword-ignored (syntax-rules () ((anything x) 'x)))
(keyword-ignored 3) => 3
(define-syntax dup (syntax-rules () ((_ a a) 1))) =rejects> "a"
(define-syntax depth (syntax-rules () ((_ a ...) 'a))) =rejects> ""
(define-syntax not-many (syntax-rules () ((_ a) '(a ...)))) =rejects> ""

;; hygiene
(define-syntax swap! (syntax-rules () ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp)))))
(let ((tmp 1) (other 2)) (swap! tmp other) (list tmp other)) => (2 1)
(define-syntax my-or2 (syntax-rules () ((_ a b) (let ((t a)) (if t t b)))))
(let ((t 5)) (my-or2 #f t)) => 5
(let ((if list)) (my-or2 #f 2)) => 2
(define-syntax while (syntax-rules () ((_ test body ...) (let loop () (when test body ... (loop))))))
(let ((i 0) (loop 10)) (while (< i 3) (set! i (+ i 1)) (set! loop (+ loop 1))) (list i loop)) => (3 13)
(define-syntax def (syntax-rules () ((_ n v) (define n v))))
(def defined-through 5)
defined-through => 5
(let () (def a 1) (def b 2) (list a b)) => (1 2)
(define-syntax def-hidden (syntax-rules () ((_ get v) (begin (define hidden v) (define (get) hidden)))))
(def-hidden get-a 1)
(def-hidden get-b 2)
(list (get-a) (get-b)) => (1 2)
(define-syntax jabberwocky (syntax-rules () ((_ hatter) (begin (define march-hare 42) (define-syntax hatter (syntax-rules () ((_) march-hare)))))))
(jabberwocky mad-hatter)
(mad-hatter) => 42
(define-syntax my-let (syntax-rules () ((_ ((n v) ...) . body) ((lambda (n ...) . body) v ...)) ((_ tag ((n v) ...) . body) ((letrec ((tag (lambda (n ...) . body))) tag) v ...))))
(my-let ((a 1) (b 2)) (+ a b)) => 3
(my-let loop ((i 0)) (if (= i 5) i (loop (+ i 1)))) => 5
(define-syntax my-letrec (syntax-rules () ((_ ((v i) ...) body ...) (my-letrec "temps" (v ...) () ((v i) ...) body ...)) ((_ "temps" () (t ...) ((v i) ...) body ...) (let ((v #f) ...) (let ((t i) ...) (set! v t) ... (let () body ...)))) ((_ "temps" (x y ...) (t ...) ((v i) ...) body ...) (my-letrec "temps" (y ...) (newtemp t ...) ((v i) ...) body ...))))
(my-letrec ((e? (lambda (n) (if (= n 0) #t (o? (- n 1))))) (o? (lambda (n) (if (= n 0) #f (e? (- n 1)))))) (list (e? 10) (o? 10))) => (#t #f)
(let ((x 1)) (define-syntax get-x (syntax-rules () ((_) x))) (define y 2) (let ((x 10)) (+ (get-x) y))) => 3
(let () (define-syntax m (syntax-rules () ((_ a) (quote a)))) (m else)) => else
(define-syntax ten (syntax-rules () ((_) 10)))
(define (uses-ten) (ten))
(define-syntax ten (syntax-rules () ((_) 11)))
(list (uses-ten) (ten)) => (10 11)
(let loop ((... 0)) (if (< ... 3) (loop (+ ... 1)) ...)) => 3
(define-syntax make-adder (syntax-rules () ((_ name n) (define-syntax name (syntax-rules () ((_ x) (+ x n)))))))
(make-adder add5 5)
(add5 10) => 15
(define-syntax kw (syntax-rules (=>) ((_ a => b) '(a b)) ((_ a b c) 'other)))
(kw 1 => 2) => (1 2)
(let ((=> 0)) (kw 1 => 2)) => other
