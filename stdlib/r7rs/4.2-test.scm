(import (scheme base) (scheme write) (scheme lazy) (scheme case-lambda) (scheme char))

;; 4.2.1 conditionals
(cond ((> 3 2) 'greater) ((< 3 2) 'less)) => greater
(cond ((> 3 3) 'greater) ((< 3 3) 'less) (else 'equal)) => equal
(cond ((assv 'b '((a 1) (b 2))) => cadr) (else #f)) => 2
(cond (1)) => 1
(cond (#f 1) (2)) => 2
(cond ((values 1) 2 3)) => 3
(cond (#f 1) ((+ 1 1) => (lambda (x) (* x 10)))) => 20
(cond (#f => car) (else 1 2 3)) => 3
(cond) =rejects> "cond"
(cond (else 1) (2 3)) =rejects> "else"
(case (* 2 3) ((2 3 5 7) 'prime) ((1 4 6 8 9) 'composite)) => composite
(case (car '(c d)) ((a e i o u) 'vowel) ((w y) 'semivowel) (else => (lambda (x) x))) => c
(case (car '(c d)) ((a) 'a) ((b) 'b) (else 'other)) => other
(case 5 ((1 2 3) => -) ((4 5) => (lambda (x) (* x x)))) => 25
(case #\a ((#\a #\b) 1) (else 2)) => 1
(case 2.0 ((2) 'exact) ((2.0) 'inexact)) => inexact
(case '() ((()) 'nil) (else 'other)) => nil
(case 100000000000000000000 ((100000000000000000000) 'big) (else 'no)) => big
(case 'else ((else) 1) (else 2)) => 1
(case #t ((#f) 1) ((#t) 2)) => 2
(and (= 2 2) (> 2 1)) => #t
(and (= 2 2) (< 2 1)) => #f
(and 1 2 'c '(f g)) => (f g)
(and) => #t
(and #f (car 1)) => #f
(or (= 2 2) (> 2 1)) => #t
(or (= 2 2) (< 2 1)) => #t
(or #f #f #f) => #f
(or (memq 'b '(a b c)) (/ 3 0)) => (b c)
(or) => #f
(when #t 1 2) => 2
(unless #f 1 2) => 2
(let ((p (open-output-string))) (when (= 1 1.0) (display "1" p) (display "2" p)) (get-output-string p)) => "12"
(let ((p (open-output-string))) (unless (= 1 1.0) (display "1" p) (display "2" p)) (get-output-string p)) => ""
(cond-expand (full-unicode 'yes) (else 'no)) => yes
(cond-expand ((library (scheme base)) 'yes) (else 'no)) => yes
(cond-expand ((library (no such library)) 'yes) (else 'no)) => no
(cond-expand ((and r7rs (not nothing-like-it)) 'yes) (else 'no)) => yes
(cond-expand ((or nothing-like-it r7rs) 'yes) (else 'no)) => yes
(cond-expand ((and) 'yes) (else 'no)) => yes
(cond-expand ((or) 'yes) (else 'no)) => no
(cond-expand (nothing-like-it 'no) (r7rs (define in-cond-expand 1) (define in-it-too 2)))
(+ in-cond-expand in-it-too) => 3
(let () (cond-expand (r7rs (define a 1) (define b 2))) (+ a b)) => 3
(cond-expand (exact-closed 1) (else 2)) => 1
(cond-expand (no-such-feature 1) (ieee-float 3)) =prints> "3"
(cond-expand (ratios 1)) => 1

;; 4.2.2 binding constructs
(let ((x 2) (y 3)) (* x y)) => 6
(let ((x 2) (y 3)) (let ((x 7) (z (+ x y))) (* z x))) => 35
(let ((x 2) (y 3)) (let* ((x 7) (z (+ x y))) (* z x))) => 70
(let* ((x 1) (x (+ x 1))) x) => 2
(let* () 5) => 5
(let () 5) => 5
(let ((x 1) (x 2)) x) =rejects> "x"
(letrec ((even? (lambda (n) (if (zero? n) #t (odd? (- n 1))))) (odd? (lambda (n) (if (zero? n) #f (even? (- n 1)))))) (even? 88)) => #t
(letrec* ((p (lambda (x) (+ 1 (q (- x 1))))) (q (lambda (y) (if (zero? y) 0 (+ 1 (p (- y 1)))))) (x (p 5)) (y x)) y) => 5
(letrec ((a 1) (b (lambda () a))) (b)) => 1
(letrec* ((a 1) (b (+ a 1))) b) => 2
(letrec ((a b) (b 1)) a) =raises> ""
(let-values (((root rem) (exact-integer-sqrt 32))) (* root rem)) => 35
(let-values (((a b) (values 1 2)) ((x . y) (values 3 4 5)) (z (values 6))) (list a b x y z)) => (1 2 3 (4 5) (6))
(let ((a 'a) (b 'b) (x 'x) (y 'y)) (let*-values (((a b) (values x y)) ((x y) (values a b))) (list a b x y))) => (x y x y)
(let ((a 'a) (b 'b) (x 'x) (y 'y)) (let-values (((a b) (values x y)) ((x y) (values a b))) (list a b x y))) => (x y a b)
(let-values (((a b) (values 1))) a) =raises> "let-values: it takes 2 values (a b), 1 given"
(let-values (((a . b) (values))) a) =raises> "let-values: it takes at least 1 value (a . b), 0 given"
(let*-values (((a b) (values 1 2 3))) a) =raises> "let*-values: it takes 2 values (a b), 3 given"
(let () (define-values (a b) (values 1 2 3)) a) =raises> "define-values: it takes 2 values (a b), 3 given"
(let-values () 1) => 1
(let*-values () 1) => 1
(let-values ((all (values))) all) => ()

;; 4.2.3 sequencing
(define x 0)
(and (= x 0) (begin (set! x 5) (+ x 1))) => 6
(let ((p (open-output-string))) (begin (display "4 plus 1 equals " p) (display (+ 4 1) p)) (get-output-string p)) => "4 plus 1 equals 5"
(begin (define from-begin 3) (define second (+ from-begin 1)))
second => 4
(begin)

;; 4.2.4 iteration
(do ((vec (make-vector 5)) (i 0 (+ i 1))) ((= i 5) vec) (vector-set! vec i i)) => #(0 1 2 3 4)
(let ((x '(1 3 5 7 9))) (do ((x x (cdr x)) (sum 0 (+ sum (car x)))) ((null? x) sum))) => 25
(do ((i 0 (+ i 1)) (l '() (cons (lambda () i) l))) ((= i 3) (map (lambda (f) (f)) l))) => (2 1 0)
(let loop ((numbers '(3 -2 1 6 -5)) (nonneg '()) (neg '())) (cond ((null? numbers) (list nonneg neg)) ((>= (car numbers) 0) (loop (cdr numbers) (cons (car numbers) nonneg) neg)) ((< (car numbers) 0) (loop (cdr numbers) nonneg (cons (car numbers) neg))))) => ((6 1 3) (-5 -2))
(let loop () 1) => 1
(let ((loop 5)) (let loop ((x loop)) (if (number? x) x 0))) => 5

;; 4.2.5 delayed evaluation
(force (delay (+ 1 2))) => 3
(let ((p (delay (+ 1 2)))) (list (force p) (force p))) => (3 3)
(define integers (letrec ((next (lambda (n) (delay (cons n (next (+ n 1))))))) (next 0)))
(define head (lambda (stream) (car (force stream))))
(define tail (lambda (stream) (cdr (force stream))))
(head (tail (tail integers))) => 2
(define (stream-filter p? s) (delay-force (if (null? (force s)) (delay '()) (let ((h (car (force s))) (t (cdr (force s)))) (if (p? h) (delay (cons h (stream-filter p? t))) (stream-filter p? t))))))
(head (tail (tail (stream-filter odd? integers)))) => 5
(define count 0)
(define p (delay (begin (set! count (+ count 1)) (if (> count x) count (force p)))))
(define x 5)
(promise? p) => #t
(force p) => 6
(begin (set! x 10) (force p)) => 6
(promise? p) => #t
(eqv? (delay 1) 1) => #f
(pair? (delay (cons 1 2))) => #f
(promise? (make-promise 1)) => #t
(force (make-promise 1)) => 1
(let ((p (delay 1))) (eq? p (make-promise p))) => #t
(force 5) => 5
(promise? 5) => #f
(promise? (delay-force (delay 1))) => #t
(force (delay-force (delay-force (delay 3)))) => 3
(let loop ((n 0) (p (delay 'end))) (if (= n 100000) (force p) (loop (+ n 1) (delay-force p)))) => end
(define (stream-loop n) (if (= n 0) (delay 'done) (delay-force (stream-loop (- n 1)))))
(force (stream-loop 1000000)) => done
(define r (delay (begin (set! reentered (+ reentered 1)) (if (= reentered 1) (force r) 'second) )))
(define reentered 0)
(force r) => second
(let ((n 0)) (define q (delay (begin (set! n (+ n 1)) (if (= n 1) (raise 'first) n)))) (list (guard (e (#t e)) (force q)) (force q) (force q))) => (first 2 2)

;; 4.2.6 dynamic bindings
(define radix (make-parameter 10 (lambda (x) (if (and (exact-integer? x) (<= 2 x 16)) x (error "invalid radix")))))
(define (f n) (number->string n (radix)))
(f 12) => "12"
(parameterize ((radix 2)) (f 12)) => "1100"
(f 12) => "12"
(parameterize ((radix 0)) (f 12)) =raises> "invalid radix"
(f 12) => "12"
(let ((p (make-parameter 1))) (list (p) (parameterize ((p 2)) (p)) (p))) => (1 2 1)
(let ((p (make-parameter 1)) (q (make-parameter 2))) (parameterize ((p (q)) (q (p))) (list (p) (q)))) => (2 1)
(parameterize () 3) => 3
(let ((p (make-parameter 3 (lambda (x) (* x 10))))) (list (p) (parameterize ((p 4)) (p)) (p))) => (30 40 30)
(let ((p (make-parameter 1))) (let ((k #f) (n 0) (log '())) (parameterize ((p 2)) (call/cc (lambda (c) (set! k c))) (set! log (cons (p) log))) (set! n (+ n 1)) (if (< n 3) (k #f)) (list log (p)))) => ((2 2 2) 1)
(let ((p (make-parameter 1))) (guard (e (#t (p))) (parameterize ((p 2)) (raise 'x)))) => 1
(let ((p (make-parameter 1))) (parameterize ((p 5)) (parameterize ((p 6)) (list (p))))) => (6)
(parameterize ((5 6)) 1) =raises> ""

;; 4.2.7 exception handling
(guard (condition ((assq 'a condition) => cdr) ((assq 'b condition))) (raise (list (cons 'a 42)))) => 42
(guard (condition ((assq 'a condition) => cdr) ((assq 'b condition))) (raise (list (cons 'b 23)))) => (b . 23)
(guard (e (#f 1)) (raise 'through)) =raises> "through"
(guard (e (else (list 'caught e))) (raise 1)) => (caught 1)
(guard (e ((symbol? e) e) ((string? e) (string-append e "!"))) (raise "s")) => "s!"
(guard (e (#t 'no)) 1 2 3) => 3
(guard (e ((string? e) 'outer)) (guard (e ((number? e) 'inner)) (raise "x"))) => outer
(guard (e (#t (list 'reraised e))) (guard (e (#f 'never)) (raise 'x))) => (reraised x)
(with-exception-handler (lambda (e) 10) (lambda () (+ 1 (guard (e ((string? e) 'no)) (raise-continuable 'x))))) => 11
(let ((log '())) (guard (e (#t (set! log (cons 'handler log)))) (dynamic-wind (lambda () (set! log (cons 'in log))) (lambda () (raise 'x)) (lambda () (set! log (cons 'out log))))) (reverse log)) => (in out handler)
(call-with-values (lambda () (guard (e (#t 1)) (values 1 2))) list) => (1 2)

;; 4.2.8 quasiquotation
`(list ,(+ 1 2) 4) => (list 3 4)
(let ((name 'a)) `(list ,name ',name)) => (list a (quote a))
`(a ,(+ 1 2) ,@(map abs '(4 -5 6)) b) => (a 3 4 5 6 b)
`((foo ,(- 10 3)) ,@(cdr '(c)) . ,(car '(cons))) => ((foo 7) . cons)
`#(10 5 ,(square 2) ,@(map square '(4 3)) 8) => #(10 5 4 16 9 8)
(let ((foo '(foo bar)) (@baz 'baz)) `(list ,@foo , @baz)) => (list foo bar baz)
`(a `(b ,(c ,(+ 1 2)))) => (a (quasiquote (b (unquote (c 3)))))
`(a `(b ,(foo ,(+ 1 3) d) e) f) => (a (quasiquote (b (unquote (foo 4 d)) e)) f)
(let ((name1 'x) (name2 'y)) `(a `(b ,,name1 ,',name2 d) e)) => (a (quasiquote (b (unquote x) (unquote (quote y)) d)) e)
(let ((a 3)) `((1 2) ,a ,4 ,'five 6)) => ((1 2) 3 4 five 6)
(let ((a 3)) `((1 2) ,a ,4 ,'five 6)) => ((1 2) 3 4 five 6)
(quasiquote (list (unquote (+ 1 2)) 4)) => (list 3 4)
'(quasiquote (list (unquote (+ 1 2)) 4)) => (quasiquote (list (unquote (+ 1 2)) 4))
`,@'(1) =rejects> ""
`(1 . ,(+ 1 1)) => (1 . 2)
`(,@'() . x) => x
`(,@'(1 2) . x) => (1 2 . x)
`(1 ,@'(2 3)) => (1 2 3)
`(,@'(1) ,@'(2)) => (1 2)
`#() => #()
`#(,@'()) => #()
`() => ()
`5 => 5
`,(+ 1 2) => 3
`(1 ```,,@,,@(list (+ 1 2)) 4) => (1 (quasiquote (quasiquote (quasiquote (unquote (unquote-splicing (unquote 3)))))) 4)
(let ((unquote 5)) `(a unquote)) => (a unquote)

;; 4.2.9 case-lambda
(define range (case-lambda ((e) (range 0 e)) ((b e) (do ((r '() (cons e r)) (e (- e 1) (- e 1))) ((< e b) r)))))
(range 3) => (0 1 2)
(range 3 5) => (3 4)
(range) =raises> ""
(define cl (case-lambda ((a) (list 'one a)) ((a b) (list 'two a b)) ((a b . c) (list 'more a b c)) (all (list 'all all))))
(cl 1) => (one 1)
(cl 1 2) => (two 1 2)
(cl 1 2 3) => (more 1 2 (3))
(cl) => (all ())
((case-lambda ((a . r) (list a r)) ((a b) 'never)) 1 2) => (1 (2))
(procedure? cl) => #t
