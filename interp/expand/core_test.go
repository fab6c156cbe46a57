package expand

import "testing"

// TestCore holds source beside the core forms that it becomes.
func TestCore(t *testing.T) {
	cases := []struct{ source, want string }{
		// constants
		{`1`, `1`}, {`"a"`, `"a"`}, {`#\a`, `#\a`}, {`#t`, `#t`}, {`#u8(1 2)`, `#u8(1 2)`}, {`#(1 a)`, `'#(1 a)`}, {`#:key`, `#:key`},
		{`'a`, `'a`}, {`'(a . b)`, `'(a . b)`}, {`'()`, `'()`}, {`''a`, `''a`},
		// variables and calls
		{`(car 1 2)`, `(call g:car 1 2)`},
		{`((car 1) 2)`, `(call (call g:car 1) 2)`},
		{`(define x 1) x`, `(define g:x 1) g:x`},
		{`(define x) (set! x 2)`, `(define g:x #!unspecified) (set! g:x 2)`},
		// procedures
		{`(lambda () 1)`, `(lambda () 1)`},
		{`(lambda (x y) y)`, `(lambda (x y) y)`},
		{`(lambda (x . r) r)`, `(lambda (x . r) r)`},
		{`(lambda r r)`, `(lambda (. r) r)`},
		{`(λ (x) x)`, `(lambda (x) x)`},
		{`(lambda (x) (set! x 1) x)`, `(lambda (x) (begin (set! x 1) x))`},
		{`(named-lambda (f x) x)`, `(lambda (x) x)`},
		{`(case-lambda ((x) x) ((x . y) y))`, `(case-lambda ((x) x) ((x.2 . y) y))`},
		{`(case-lambda ((x) x))`, `(lambda (x) x)`},
		{`(define (f x) x)`, `(define g:f (lambda (x) x))`},
		{`(define (f . r) r)`, `(define g:f (lambda (. r) r))`},
		{`(define ((f a) b . c) (list a b c))`, `(define g:f (lambda (a) (lambda (b . c) (call g:list a b c))))`},
		{`(define (f a [b 1] [c (car b)] . r) c)`, `(define g:f (letrec ((f (case-lambda ((a) (call f a 1)) ((a.2 b) (call f a.2 b (call g:car b))) ((a.3 b.2 c . r) c)))) f))`},
		{`(lambda* (#:optional a (b a)) b)`, `(letrec ((self (case-lambda (() (call self #f)) ((a) (call self a a)) ((a.2 b) b)))) self)`},
		{`(define* (f a #:optional b) b)`, `(define g:f (letrec ((f (case-lambda ((a) (call f a #f)) ((a.2 b) b)))) f))`},
		// conditionals
		{`(if 1 2)`, `(if 1 2 #!unspecified)`},
		{`(if 1 2 3)`, `(if 1 2 3)`},
		{`(cond (1 2) (3) (else 4))`, `(if 1 2 (let ((test 3)) (if test test 4)))`},
		{`(cond (1))`, `(let ((test 1)) (if test test #!unspecified))`},
		{`(cond (1 => car) (2 3 4))`, `(let ((test 1)) (if test (call g:car test) (if 2 (begin 3 4) #!unspecified)))`},
		{`(case 1 ((a) 2) ((b 3) 4) (else 5))`, `(let ((key 1)) (if (call g:eqv? key 'a) 2 (if (if (call g:eqv? key 'b) #t (call g:eqv? key 3)) 4 5)))`},
		{`(case 1 (("a" b) 2))`, `(let ((key 1)) (if (if (call g:equal? key "a") #t (call g:eqv? key 'b)) 2 #!unspecified))`},
		{`(case 1 ((1 2 3 4 5 6 7 8 9) 2))`, `(let ((key 1)) (if (call g:memv key '(1 2 3 4 5 6 7 8 9)) 2 #!unspecified))`},
		{`(case 1 (() 2) ((1) => car) (else => cdr))`, `(let ((key 1)) (if #f 2 (if (call g:eqv? key 1) (call g:car key) (call g:cdr key))))`},
		{`(when 1 2 3)`, `(if 1 (begin 2 3) #!unspecified)`},
		{`(unless 1 2)`, `(if 1 #!unspecified 2)`},
		{`(and)`, `#t`}, {`(and 1)`, `1`}, {`(and 1 2)`, `(if 1 2 #f)`},
		{`(or)`, `#f`}, {`(or 1)`, `1`}, {`(or 1 2)`, `(let ((test 1)) (if test test 2))`},
		// binding
		{`(let ((x 1) (y 2)) y)`, `(let ((x 1) (y 2)) y)`},
		{`(let () 1)`, `1`},
		{`(let ((x 1)) (let ((x x)) x))`, `(let ((x 1)) (let ((x.2 x)) x.2))`},
		{`(let* ((x 1) (x x)) x)`, `(let ((x 1)) (let ((x.2 x)) x.2))`},
		{`(let* () 1)`, `1`},
		{`(letrec ((f (lambda () f))) f)`, `(letrec ((f (lambda () f))) f)`},
		{`(letrec* ((a 1) (b a)) b)`, `(letrec ((a 1) (b a)) b)`},
		{`(let loop ((i 0)) (loop i))`, `(letrec ((loop (lambda (i) (call loop i)))) (call loop 0))`},
		{`(let ((loop 1)) (let loop ((i loop)) i))`, `(let ((loop 1)) (letrec ((loop.2 (lambda (i) i))) (call loop.2 loop)))`},
		{`(let-values (((a b) (values 1 2)) ((c) 3)) c)`, `(call g:call-with-values (lambda () (call g:values 1 2)) (lambda (a b) (let ((c 3)) c)))`},
		{`(let*-values (((a . b) 1) (c a)) c)`, `(call g:call-with-values (lambda () 1) (lambda (a . b) (call g:call-with-values (lambda () a) (lambda (. c) c))))`},
		{`(receive (a . b) (values 1) b)`, `(call g:call-with-values (lambda () (call g:values 1)) (lambda (a . b) b))`},
		{`(do ((i 0 (+ i 1)) (k 2)) ((= i 3) k) (display i))`, `(letrec ((do (lambda (i k) (if (call g:= i 3) k (begin (call g:display i) (call do (call g:+ i 1) k)))))) (call do 0 2))`},
		{`(do () (1))`, `(letrec ((do (lambda () (if 1 #!unspecified (call do))))) (call do))`},
		{`(while 1 2)`, `(letrec ((while (lambda () (if 1 (begin 2 (call while)) #!unspecified)))) (call while))`},
		{`(until 1 2)`, `(letrec ((until (lambda () (if 1 #!unspecified (begin 2 (call until)))))) (call until))`},
		{`(dotimes (i 3) (display i))`, `(let ((count 3)) (letrec ((dotimes (lambda (i) (if (call g:< i count) (begin (call g:display i) (call dotimes (call g:+ i 1))) #!unspecified)))) (call dotimes 0)))`},
		// sequences and bodies
		{`(begin 1 2)`, `1 2`}, {`(car (begin 1 2))`, `(call g:car (begin 1 2))`}, {`(begin)`, ``}, {`(if 1 (begin (define a 2) a))`, `(if 1 (letrec ((a 2)) a) #!unspecified)`}, {`(begin0 1 2)`, `(let ((value 1)) (begin 2 value))`},
		{`(lambda () (define a 1) (define (f) a) (f))`, `(lambda () (letrec ((a 1) (f (lambda () a))) (call f)))`},
		{`(lambda () (display 1) (define a 2) (begin (define b 3)) a)`, `(lambda () (letrec ((_ (call g:display 1)) (a 2) (b 3)) a))`},
		{`(lambda (x) (define x 1) x)`, `(lambda (x) (letrec ((x.2 1)) x.2))`},
		{`(when 1 (define a 2) a)`, `(if 1 (letrec ((a 2)) a) #!unspecified)`},
		{`(lambda () (begin) 1)`, `(lambda () 1)`},
		// several values
		{`(define-values (a) 1)`, `(define g:a 1)`},
		{`(define-values (a b) 1)`, `(define g:values (call g:call-with-values (lambda () 1) (lambda (a b) (call g:cons a (call g:cons b '()))))) (define g:a (call g:car g:values)) (define g:b (call g:car (call g:cdr g:values)))`},
		{`(define-values r 1) r`, `(define g:values (call g:call-with-values (lambda () 1) (lambda (. r) (call g:cons r '())))) (define g:r (call g:car g:values)) g:r`},
		{`(lambda () (define-values (a . b) 1) b)`, `(lambda () (letrec ((values (call g:call-with-values (lambda () 1) (lambda (a . b) (call g:cons a (call g:cons b '()))))) (a.2 (call g:car values)) (b.2 (call g:car (call g:cdr values)))) b.2))`},
		// records
		{`(define-record-type p (mk y) p? (x px) (y py set-y!) z)`, `(define g:p (call g:%make-rtd 'p '#(x y z))) (define g:mk (lambda (y) (call g:%record g:p #!unspecified y #!unspecified))) (define g:p? (lambda (x) (call g:%record? x g:p))) (define g:px (lambda (x) (call g:%record-ref x g:p 0 'px))) (define g:py (lambda (x) (call g:%record-ref x g:p 1 'py))) (define g:set-y! (lambda (x v) (call g:%record-set! x g:p 1 v 'set-y!)))`},
		{`(define-record-type p #f p?)`, `(define g:p (call g:%make-rtd 'p '#())) (define g:p? (lambda (x) (call g:%record? x g:p)))`},
		{`(define-record-type <p> #t #t (x px))`, `(define g:<p> (call g:%make-rtd '<p> '#(x))) (define g:make-p (lambda (x) (call g:%record g:<p> x))) (define g:p? (lambda (x) (call g:%record? x g:<p>))) (define g:px (lambda (x) (call g:%record-ref x g:<p> 0 'px)))`},
		{`(define-record-type p mk #f (x))`, `(define g:p (call g:%make-rtd 'p '#(x))) (define g:mk (lambda (x) (call g:%record g:p x)))`},
		{`(struct p (x [y #:mutable]) #:transparent)`, `(define g:struct:p (call g:%make-rtd 'p '#(x y))) (define g:p (lambda (x y) (call g:%record g:struct:p x y))) (define g:p? (lambda (x) (call g:%record? x g:struct:p))) (define g:p-x (lambda (x) (call g:%record-ref x g:struct:p 0 'p-x))) (define g:p-y (lambda (x) (call g:%record-ref x g:struct:p 1 'p-y))) (define g:set-p-y! (lambda (x v) (call g:%record-set! x g:struct:p 1 v 'set-p-y!)))`},
		{`(define-structure p x)`, `(define g:struct:p (call g:%make-rtd 'p '#(x))) (define g:make-p (lambda (x) (call g:%record g:struct:p x))) (define g:p? (lambda (x) (call g:%record? x g:struct:p))) (define g:p-x (lambda (x) (call g:%record-ref x g:struct:p 0 'p-x))) (define g:set-p-x! (lambda (x v) (call g:%record-set! x g:struct:p 0 v 'set-p-x!)))`},
		{`(define-record-type p (fields x (mutable y) (immutable z get-z)))`, `(define g:p (call g:%make-rtd 'p '#(x y z))) (define g:make-p (lambda (x y z) (call g:%record g:p x y z))) (define g:p? (lambda (x) (call g:%record? x g:p))) (define g:p-x (lambda (x) (call g:%record-ref x g:p 0 'p-x))) (define g:p-y (lambda (x) (call g:%record-ref x g:p 1 'p-y))) (define g:p-y-set! (lambda (x v) (call g:%record-set! x g:p 1 v 'p-y-set!))) (define g:get-z (lambda (x) (call g:%record-ref x g:p 2 'get-z)))`},
		{`(define-record-type (p mk is?) (fields))`, `(define g:p (call g:%make-rtd 'p '#())) (define g:mk (lambda () (call g:%record g:p))) (define g:is? (lambda (x) (call g:%record? x g:p)))`},
		// control
		{`(delay 1)`, `(call g:%make-lazy (lambda () (call g:%make-promise #t 1)))`},
		{`(delay-force 1)`, `(call g:%make-lazy (lambda () 1))`},
		{`(cons-stream 1 2)`, `(call g:cons 1 (call g:%make-lazy (lambda () (call g:%make-promise #t 2))))`},
		{`(parameterize ((car 1) (cdr 2)) 3)`, `(call g:%parameterize (call g:list (call g:cons g:car 1) (call g:cons g:cdr 2)) (lambda () 3))`},
		{`(parameterize () 3)`, `3`},
		{`(guard (e (1 e)) 2)`, `(call g:%guard (lambda () 2) (lambda (e guard) (if 1 (begin (call g:%catch guard) e) #f)))`},
		{`(guard (e (1 => car) (else 3)) 2)`, `(call g:%guard (lambda () 2) (lambda (e guard) (let ((test 1)) (if test (begin (call g:%catch guard) (call g:car test)) (begin (call g:%catch guard) 3)))))`},
		{`(guard (e) 2)`, `(call g:%guard (lambda () 2) (lambda (e guard) #f))`},
		{`(assert (car 1))`, `(if (call g:car 1) #!unspecified (call g:%assert-failed '(car 1)))`},
		{`(let/ec k (k 1))`, `(call g:call/ec (lambda (k) (call k 1)))`},
		{`(let/cc k k)`, `(call g:call/cc (lambda (k) k))`},
		{`(let ((x 1)) (fluid-let ((x 2)) x))`, `(let ((x 1)) (let ((x.2 2)) (call g:dynamic-wind (lambda () (let ((old x)) (begin (set! x x.2) (set! x.2 old)))) (lambda () x) (lambda () (let ((old.2 x)) (begin (set! x x.2) (set! x.2 old.2)))))))`},
		// quasiquotation
		{"`a", `'a`}, {"`(1 2)", `'(1 2)`}, {"`(1 ,2)", `(call g:cons 1 (call g:cons 2 '()))`},
		{"`(,1 a b)", `(call g:cons 1 '(a b))`},
		{"`(1 . ,2)", `(call g:cons 1 2)`}, {"`(,1 . a)", `(call g:cons 1 'a)`},
		{"`(,@1)", `1`}, {"`(,@1 2)", `(call g:append 1 '(2))`}, {"`(,@1 . 2)", `(call g:append 1 2)`},
		{"`(,@1 ,@2)", `(call g:append 1 2)`},
		{"`#(1 ,2)", `(call g:list->vector (call g:cons 1 (call g:cons 2 '())))`},
		{"`#(,@1)", `(call g:list->vector 1)`},
		{"`#(unquote 1)", `'#(unquote 1)`},
		{"`((1 ,2) 3)", `(call g:cons (call g:cons 1 (call g:cons 2 '())) '(3))`},
		{"`(1 `(2 ,(3)))", "'(1 `(2 ,(3)))"},
		{"`(1 `(2 ,(3 ,4)))", "(call g:cons 1 (call g:cons (call g:cons 'quasiquote (call g:cons (call g:cons 2 (call g:cons (call g:cons 'unquote (call g:cons (call g:cons 3 (call g:cons 4 '())) '())) '())) '())) '()))"},
		{"`(1 `,(2 ,@3))", "(call g:cons 1 (call g:cons (call g:cons 'quasiquote (call g:cons (call g:cons 'unquote (call g:cons (call g:cons 2 3) '())) '())) '()))"},
		// conditional expansion
		{`(cond-expand (r7rs 1) (else 2))`, `1`},
		{`(cond-expand ((and r7rs (not x)) (define y 1)) (else 2)) y`, `(define g:y 1) g:y`},
		{`(cond-expand ((library (%primitive)) 1))`, `1`},
		{`(cond-expand ((or x (library (no such))) 1))`, ``},
		{`(car (cond-expand (x 1) (else 2 3)))`, `(call g:car (begin 2 3))`},
		// other dialects' preambles
		{`(use-modules (srfi srfi-1) (ice-9 match)) (require racket/list) 1`, `1`},
	}
	for _, c := range cases {
		got, err := expandText(t, nil, c.source)
		if err != nil {
			t.Errorf("%s\n  %v", c.source, err)
		} else if got != c.want {
			t.Errorf("%s\n  got  %s\n  want %s", c.source, got, c.want)
		}
	}
}
