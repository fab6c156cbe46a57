package expand

import "testing"

// TestValues runs forms whose core forms are too long to be looked at.
func TestValues(t *testing.T) {
	cases := []struct{ source, want string }{
		{`(define (f a [b (+ a 1)] [c (+ a b)] . r) (list a b c r)) (list (f 1) (f 1 5) (f 1 5 6) (f 1 5 6 7 8))`, "((1 2 3 ()) (1 5 6 ()) (1 5 6 ()) (1 5 6 (7 8)))"},
		{`((lambda* (a #:optional b) (list a b)) 1)`, "(1 #f)"},
		{`(let ((a 0)) (define (g [a (+ a 1)]) a) (list (g) (g 5)))`, "(1 5)"},
		{`(define-values (a b . c) (values 1 2 3 4)) (list a b c)`, "(1 2 (3 4))"},
		{`(let () (define-values (a b) (values 1 2)) (define c (+ a b)) c)`, "3"},
		{`(let-values (((a b) (values 1 2)) ((c . d) (values 3 4 5))) (list a b c d))`, "(1 2 3 (4 5))"},
		{`(let ((a 9)) (let-values (((a b) (values 1 2)) ((c) a)) (list a b c)))`, "(1 2 9)"},
		{`(let ((a 9)) (let*-values (((a b) (values 1 2)) ((c) a)) (list a b c)))`, "(1 2 1)"},
		{`(receive (a . r) (values 1 2 3) (list a r))`, "(1 (2 3))"},
		{`(do ((i 0 (+ i 1)) (acc '() (cons i acc))) ((= i 3) acc))`, "(2 1 0)"},
		{`(let ((n 0)) (while (< n 5) (set! n (+ n 2))) n)`, "6"},
		{`(let ((n 0)) (until (= n 4) (set! n (+ n 2))) n)`, "4"},
		{`(let ((l '())) (list (dotimes (i 3 l) (set! l (cons i l)))))`, "((2 1 0))"},
		{`(define (classify x) (case x ((1 2) 'small) ((a #\b) 'sign) (("str") 'text) (else => list))) (list (classify 2) (classify 'a) (classify "str") (classify 9))`, "(small sign text (9))"},
		{`(define (big x) (case x ((1 2 3 4 5 6 7 8 9 10) 'in) (else 'out))) (list (big 7) (big 11))`, "(in out)"},
		{`(cond ((list 1 2) => (lambda (x) (car x))) (else 0))`, "1"},
		{`(cond ((= 1 2) 'a) ((list 1)))`, "(1)"},
		{`(list (and) (and 1 2) (and #f 2) (or) (or #f 3) (or #f #f))`, "(#t 2 #f #f 3 #f)"},
		{`(let loop ((i 0) (acc '())) (if (= i 3) (reverse acc) (loop (+ i 1) (cons i acc))))`, "(0 1 2)"},
		{`(let ((x 1)) (begin0 x (set! x 2)))`, "1"},
		{`(let ((f (case-lambda ((a) (list 'one a)) ((a b) (list 'two a b)) ((a . r) (list 'more a r))))) (list (f 1) (f 1 2) (f 1 2 3)))`, "((one 1) (two 1 2) (more 1 (2 3)))"},
		{`(define ((add a) b) (+ a b)) ((add 1) 2)`, "3"},
		{`(define (even? n) (if (= n 0) #t (odd? (- n 1)))) (define (odd? n) (if (= n 0) #f (even? (- n 1)))) (even? 10)`, "#t"},
		{`(define (f) (define (even? n) (if (= n 0) #t (odd? (- n 1)))) (define (odd? n) (if (= n 0) #f (even? (- n 1)))) (odd? 7)) (f)`, "#t"},
		{"(let ((x 1) (l '(2 3))) `(a ,x ,@l b))", "(a 1 2 3 b)"},
		{"(let ((x 1) (l '(2 3))) `(,@l . ,x))", "(2 3 . 1)"},
		{"(let ((x 1)) `#(a ,x #(,x) (b . ,x)))", "#(a 1 #(1) (b . 1))"},
		{"(let ((x 1)) `(a `(b ,(c ,x))))", "(a `(b ,(c 1)))"},
		{"(let ((x '(1 2))) `(a `(b ,(c ,@x) ,',x)))", "(a `(b ,(c 1 2) ,'(1 2)))"},
		{"(let ((n '(a b))) `(1 `,@(2 ,@n)))", "(1 `,@(2 a b))"},
		{"(let ((n '(a b))) `(1 `(,,@n)))", "(1 `((unquote a b)))"},
		{"`(1 ,@'() . 2)", "(1 . 2)"},
	}
	for _, c := range cases {
		got, err := run(t, nil, c.source)
		if err != nil {
			t.Errorf("%s\n  %v", c.source, err)
		} else if got != c.want {
			t.Errorf("%s\n  got  %s\n  want %s", c.source, got, c.want)
		}
	}
}
