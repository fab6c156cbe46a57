package vm_test

import "testing"

// tracing begins the programs of TestGuard: note puts on record, wound winds around thunk.
const tracing = `
(define trace '())
(define (note x) (set! trace (cons x trace)) x)
(define (traced x) (list x (reverse trace)))
(define (wound name thunk) (dynamic-wind (lambda () (note (list 'in name))) thunk (lambda () (note (list 'out name)))))
(define p (make-parameter 0))
(define (deep n thunk) (if (= n 0) (thunk) (+ 1 (deep (- n 1) thunk))))
`

// TestSpread says that rest arguments are the callee's own, however the call came about.
func TestSpread(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`(define (f a . r) (list a r)) (define (g . r) (apply f r)) (g 1 2 3)`, "(1 (2 3))"},
		{`(define (f a b . r) (list a b r)) (define (g x . r) (apply f x r)) (list (g 1 2) (g 1 2 3))`, "((1 2 ()) (1 2 (3)))"},
		{`(define (f . r) r) (define (g x . r) (apply f x x r)) (list (g 1) (g 1 2))`, "((1 1) (1 1 2))"},
		{`(define (f a b) (- a b)) (define (g . r) (apply f r)) (g 5 3)`, "2"},
		{`(define (f a b) (- a b)) (define (g x . r) (apply f x r)) (g 5 3)`, "2"},
		{`(define (f a b) (- a b)) (define (g . r) (apply f 5 3 r)) (g)`, "2"},
		{`(define (f a b) (- a b)) (define (g . r) (apply f r)) (g 1)`, "raised arity-error: f takes 2 arguments (a b), 1 given: 1"},
		{`(define (f a b) (- a b)) (define (g . r) (apply f 1 r)) (g 2 3)`, "raised arity-error: f takes 2 arguments (a b), 3 given: 1 2 3"},
		{`(define (f a b . r) r) (define (g . r) (apply f r)) (g 1)`, "raised arity-error: f takes at least 2 arguments (a b . r), 1 given: 1"},
		{`(define (f a b) (- a b)) (apply f 1 '(2 . 3))`, "raised type-error: apply: the last argument must be a list: (2 . 3)"},
		{`(define l (list 1 2)) (set-cdr! (cdr l) l) (define (f . r) r) (guard (e (#t (condition-kind e))) (apply f l))`, "type-error"},
		// a list that others have is copied
		{`(define (f . r) (set-car! r 'x) r) (let ((l (list 1 2))) (list (apply f l) l))`, "((x 2) (1 2))"},
		{`(define (f a . r) (set-car! r 'x) r) (let ((l (list 1 2 3))) (list (apply f l) l))`, "((x 3) (1 2 3))"},
		{`(define (f . r) (set-car! r 'x) r) (define (g . r) (apply f 0 r)) (define (h . r) (let ((a (apply g r))) (list a r))) (h 1 2)`, "((x 1 2) (1 2))"},
		{`(define kept #f) (define (keep x) (set! kept x) #t) (define (f . r) (set-car! r 'x) r) (define (g . r) (if (keep r) (apply f r))) (let ((a (g 1 2))) (list a kept))`, "((x 2) (1 2))"},
		{`(define kept #f) (define (f . r) (set-car! r 'x) r) (define (g . r) (set! kept r) (apply f r)) (let ((a (g 1 2))) (list a kept))`, "((x 2) (1 2))"},
		{`(define (f . r) (set-car! r 'x) r) (define (g . r) (if (pair? (cdr r)) (let ((t (cdr r))) (list (apply f r) t r)))) (g 1 2)`, "((x 2) (2) (1 2))"},
		{`(define (f g . r) (set-car! r 'x) (g)) (define (g . r) (apply f (lambda () r) r)) (g 1 2)`, "(1 2)"},
		{`(define (f x . r) (set-car! r 'x) (list x r)) (define (g . r) (apply f r r)) (g 1 2)`, "((1 2) (x 2))"},
		{`(define k #f) (define n 0) (define (f x . r) (set-car! r (+ (car r) 10)) r) (define (g . r) (apply f (call/cc (lambda (c) (set! k c) 0)) r))
		  (define all '()) (set! all (cons (g 1 2) all)) (set! n (+ n 1)) (if (< n 3) (k 0)) all`, "((11 2) (11 2) (11 2))"},
		{`(define (f n . r) (if (= n 0) r (apply f (- n 1) r))) (f 10000 1 2 3)`, "(1 2 3)"},
		{`(define (f n . r) (if (= n 0) (length r) (apply f (- n 1) 'x r))) (f 1000)`, "1000"},
		{`(define (f . r) (if (null? r) 'done (apply f (cdr r)))) (f 1 2 3)`, "done"},
		{`(call-with-values (lambda () (apply values 1 '(2 3))) list)`, "(1 2 3)"},
		{`(call/cc (lambda (k) (apply k '(1))))`, "1"},
		{`(list (call/cc call/cc))`, "(#<continuation>)"},
		{`(call-with-values (lambda () (call/cc (lambda (k) (k 1 2)))) list)`, "(1 2)"},
		{`(call/cc (lambda r (length r)))`, "1"},
		{`(call/cc 5)`, "raised type-error: call of a value that is no procedure: 5"},
		{`(call/cc (lambda () 5))`, "raised arity-error: an anonymous procedure takes no arguments, 1 given: #<continuation>"},
		{`(call/cc vector?)`, "#f"},
	} {
		m, s := eval(t, c.text)
		if got := show(m, s); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
		m.Close()
	}
}

// TestGuard says what is left, wound and seen when a guard catches, and when it does not.
func TestGuard(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`(traced (guard (e (#f 1)) 'plain))`, "(plain ())"},
		{`(traced (guard (e (#t (note 'clause) e)) (wound 'a (lambda () (raise 1)))))`, "(1 ((in a) (out a) clause))"},
		{`(traced (guard (e ((begin (note 'test) #t) e)) (wound 'a (lambda () (wound 'b (lambda () (raise 1)))))))`, "(1 ((in a) (in b) (out b) (out a) test))"},
		// no clause matches: the winds are entered again
		{`(traced (guard (e (#t e)) (guard (e ((begin (note 'no) #f) 'inner)) (wound 'a (lambda () (raise 1))))))`, "(1 ((in a) (out a) no (in a) (out a)))"},
		{`(traced (guard (e (#t e)) (wound 'a (lambda () (guard (e ((note #f) 'inner)) (raise 1))))))`, "(1 ((in a) #f (out a)))"},
		{`(traced (with-exception-handler (lambda (e) (note 'handler) (* e 10)) (lambda () (+ 1 (guard (e (#f 1)) (wound 'a (lambda () (+ 1 (raise-continuable 2)))))))))`,
			"(22 ((in a) (out a) (in a) handler (out a)))"},
		{`(with-exception-handler (lambda (e) 10) (lambda () (guard (e (#f 1)) (raise 2))))`, "raised handler-returned: the handler of an exception that is not continuable returned: #<condition the handler of an exception that is not continuable returned: 2>"},
		{`(guard (e ((symbol? e) 'inner)) (raise 2))`, "raised 2"},
		// parameters and handlers of tests, clauses, and what follows
		{`(parameterize ((p 1)) (guard (e ((note (p)) (traced (p)))) (parameterize ((p 2)) (raise (p)))))`, "(1 (1))"},
		{`(guard (e (#t (list 'outer e (p)))) (parameterize ((p 1)) (guard (e ((note (p)) (raise (list 'clause (p))))) (parameterize ((p 2)) (raise 0)))))`, "(outer (clause 1) 0)"},
		{`(guard (e (#t (list 'outer e))) (guard (e ((raise 'test) 1)) (raise 0)))`, "(outer test)"},
		{`(guard (e (#t (list 'outer e (p)))) (parameterize ((p 1)) (guard (e (#f 1)) (parameterize ((p 2)) (raise (p))))))`, "(outer 2 0)"},
		{`(with-exception-handler (lambda (e) (p)) (lambda () (guard (e ((note (p)) #f 1)) (parameterize ((p 2)) (raise-continuable 0)))))`, "1"},
		{`(with-exception-handler (lambda (e) (p)) (lambda () (guard (e ((eq? (p) 1) 1)) (parameterize ((p 2)) (raise-continuable 0)))))`, "2"},
		{`(with-exception-handler (lambda (e) 5) (lambda () (guard (e (#f 1)) 1) (raise-continuable 0)))`, "5"},
		{`(with-exception-handler (lambda (e) 5) (lambda () (guard (e (#t 1)) (raise 0)) (raise-continuable 0)))`, "5"},
		// forms of clauses
		{`(guard (e ((assq 'a e) => cdr) ((assq 'b e))) (raise (list (cons 'a 42))))`, "42"},
		{`(guard (e ((assq 'a e) => cdr) ((assq 'b e))) (raise (list (cons 'b 23))))`, "(b . 23)"},
		{`(guard (e (else (list 'else e))) (raise 1))`, "(else 1)"},
		{`(guard (e) 1)`, "1"},
		{`(call-with-values (lambda () (guard (e (#t (values 1 2))) (raise 0))) list)`, "(1 2)"},
		{`(call-with-values (lambda () (guard (e (#t 0)) (values 1 2))) list)`, "(1 2)"},
		// far above the guard, and a guard far down
		{`(guard (e (#t e)) (deep 3000 (lambda () (raise 'top))))`, "top"},
		{`(deep 3000 (lambda () (guard (e (#t e)) (deep 3000 (lambda () (raise 1))))))`, "3001"},
		{`(deep 3000 (lambda () (guard (e (#t e)) (guard (e (#f e)) (deep 3000 (lambda () (guard (e (#f e)) (raise 1))))))))`, "3001"},
		{`(define (nest n) (guard (e ((= e n) e)) (if (= n 0) (raise 0) (+ 1 (nest (- n 1)))))) (nest 400)`, "400"},
		{`(define (nest n) (guard (e ((= e n) e)) (if (= n 0) (raise 400) (+ 1 (nest (- n 1)))))) (nest 400)`, "400"},
		// continuations through guards
		{`(define k #f) (define n 0) (note (guard (e (#t (list 'caught e))) (let ((x (call/cc (lambda (c) (set! k c) 0)))) (if (< x 2) (raise x) x)))) (set! n (+ n 1)) (if (< n 4) (k n)) (traced n)`,
			"(4 ((caught 0) (caught 1) 2 3))"},
		{`(define k #f) (define n 0) (note (guard (e ((call/cc (lambda (c) (set! k c) #t)) (list 'caught e n))) (wound 'a (lambda () (deep 10 (lambda () (raise 'x))))))) (set! n (+ n 1)) (if (< n 3) (k #t)) (traced n)`,
			"(3 ((in a) (out a) (caught x 0) (caught x 1) (caught x 2)))"},
		{`(define k #f) (define n 0) (note (guard (e (#t (list 'outer e))) (guard (e ((call/cc (lambda (c) (set! k c) #t)) (list 'inner e n))) (wound 'a (lambda () (raise 'x)))))) (set! n (+ n 1)) (if (< n 3) (k (= n 2))) (traced n)`,
			"(3 ((in a) (out a) (inner x 0) (in a) (out a) (outer x) (inner x 2)))"},
		{`(define k #f) (define n 0) (note (guard (e (#t (call/cc (lambda (c) (set! k c) 'first)))) (raise 0))) (set! n (+ n 1)) (if (< n 3) (k n)) (traced n)`, "(3 (first 1 2))"},
		{`(call/cc (lambda (out) (guard (e (#t 'caught)) (out 'left))))`, "left"},
		{`(guard (e (#t (list 'caught e))) (call/cc (lambda (out) (guard (e (#t (out e))) (raise 1)))) (raise 2))`, "(caught 2)"},
		{`(define (gen) (define back #f) (define on #f)
		    (lambda () (call/cc (lambda (b) (set! back b) (if on (on 0) (begin (guard (e (#t (set! on #f) (back (list 'end e)))) (call/cc (lambda (o) (set! on o) (back 1))) (deep 50 (lambda () (raise 'x))))))))))
		  (let ((g (gen))) (let* ((a (g)) (b (g))) (list a b)))`, "(1 (end x))"},
		// errors of the machine and of primitives, and fibers
		{`(define (f) (car 1)) (guard (e (#t (condition-kind e))) (+ 1 (f)))`, "type-error"},
		{`(guard (e (#t (condition-kind e))) (vector-ref (vector 1) (deep 1000 (lambda () 0))))`, "range-error"},
		{`(guard (e (#t (condition-kind e))) (1 2))`, "type-error"},
		{`(guard (e (#t (list 'outer e))) (par-map (lambda (x) (guard (e ((eq? e 'a) e)) (if (= x 1) (raise 'a) (raise 'b)))) '(1 2)))`, "(outer b)"},
		{`(par-map (lambda (x) (guard (e (#t (list x e))) (raise 'a))) '(1 2))`, "((1 a) (2 a))"},
		{`(%catch 1)`, "raised type-error: %catch: argument 1 must be a guard: 1"},
	} {
		m, s := eval(t, tracing+c.text)
		if got := show(m, s); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
		m.Close()
	}
}
