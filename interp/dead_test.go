package interp_test

import (
	"testing"

	"caper/interp"
	"caper/interp/syntax"
)

// dead are programs that hold more than the limit at once, were a variable or a temporary to keep its value alive when it
// is read no more: in a frame that waits, in one that a continuation keeps, in the frame of a loop.
var dead = []struct{ name, text, want string }{
	{"a stream walked through", `(define (integers n) (cons n (delay (integers (+ n 1)))))
(define (nth s k) (if (= k 0) (car s) (nth (force (cdr s)) (- k 1))))
(define (run) (let ((s (integers 0))) (let ((first (car s))) (+ first (nth s 200000)))))
(run)`, "200000"},
	{"filtered streams", `(define (integers n) (cons n (delay (integers (+ n 1)))))
(define (keep p s) (if (p (car s)) (cons (car s) (delay (keep p (force (cdr s))))) (keep p (force (cdr s)))))
(define (nth s k) (if (= k 0) (car s) (nth (force (cdr s)) (- k 1))))
(+ 1 (nth (keep even? (keep (lambda (i) (= 0 (remainder i 3))) (integers 0))) 20000))`, "120001"},
	{"a list before another", `(define (run) (let* ((x (iota 100000)) (y (+ (car x) 1))) (let ((z (iota 100000))) (+ y (length z)))))
(run)`, "100001"},
	{"a variable of a caller", `(define (f) (let ((v (make-vector 250000 1))) (let ((n (vector-length v))) (+ 1 (g n)))))
(define (g n) (let ((v (make-vector 250000 2))) (+ n (vector-length v))))
(f)`, "500001"},
	{"an argument of a caller", `(define (f l) (let ((n (car l))) (+ n (length (iota 100000)))))
(+ 0 (f (iota 100000)))`, "100000"},
	{"variables of a deep recursion", `(define (deep n) (if (= n 0) 0 (let ((v (make-vector 1000 n))) (let ((x (vector-ref v 0))) (+ x (deep (- n 1)))))))
(deep 10000)`, "50005000"},
	{"a variable before a loop", `(define (f) (let ((v (make-vector 250000 1))) (let ((n (vector-length v))) (let loop ((i 0) (l '())) (if (< i 100000) (loop (+ i 1) (cons i l)) (+ n (length l)))))))
(f)`, "350000"},
	{"a variable in a captured frame", `(define k #f)
(define (mark) (call/cc (lambda (c) (set! k c) 1)))
(define (f) (let* ((v (make-vector 250000 0)) (n (vector-length v))) (+ (mark) n)))
(define r (f))
(+ r (vector-length (make-vector 250000 0)))`, "500001"},
	{"what lies above a part of a segment", `(define (deep n) (if (= n 0) (call/cc (lambda (k) 0)) (let* ((v (make-vector 1000 n)) (r (deep (- n 1)))) (+ r (vector-ref v 0)))))
(define (low n) (if (= n 0) (+ (deep 200) (vector-length (make-vector 250000 0))) (+ 1 (low (- n 1)))))
(low 1000)`, "271100"},
	{"loops in the place of operators", `(define (h n there) (if (< n 0) (there 1)) (l (+ n 1)))
(define (l n) (if (= n 200000) n ((call/cc (lambda (leave) ((call/cc (lambda (there) (leave (lambda () (h n (lambda () (there 1)))))))))))))
(l 0)`, "200000"},
	{"what is read again lives", `(define (f) (let ((v (make-vector 1000 7)) (s 0)) (let loop ((i 0)) (if (< i 100000) (begin (set! s (+ s (length (list i i)))) (loop (+ i 1))) (+ s (vector-ref v 999))))))
(+ 1 (f))`, "200008"},
	{"what a second entry reads lives", `(define k #f) (define n 0)
(define (f) (let ((v (list 1 2 3))) (let ((x (call/cc (lambda (c) (set! k c) 0)))) (+ x (length v)))))
(define r (+ 10 (f)))
(iota 100000)
(set! n (+ n 1))
(if (< n 5) (k n) r)`, "17"},
}

func TestDead(t *testing.T) {
	e, err := interp.NewEngine(interp.Options{Implicit: []string{"(caper prelude)"}, Order: []string{"(caper standard)", "(caper prelude)"}})
	if err != nil {
		t.Fatal(err)
	}
	long := map[string]bool{ // -short leaves them out
		"a stream walked through": true, "filtered streams": true, "loops in the place of operators": true,
	}
	for _, row := range dead {
		if testing.Short() && long[row.name] {
			continue
		}
		t.Run(row.name, func(t *testing.T) {
			m, err := e.NewMachine(interp.Config{Memory: 5 << 20})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			if err := m.Load(syntax.NewSource("dead.scm", row.text)); err != nil {
				t.Fatal(err)
			}
			switch s := m.Run(1 << 40); {
			case s.Kind != interp.Done:
				t.Errorf("%v %s %s", s.Kind, s.Which, m.Write(s.Value))
			case m.Write(s.Value) != row.want:
				t.Errorf("%s, want %s", m.Write(s.Value), row.want)
			}
		})
	}
}
