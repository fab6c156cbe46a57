package interp

import (
	"testing"

	"caper/interp/syntax"
)

// floatShapes are expressions that the compiler turns into chains and pairs of instructions, and steps of loops.
const floatShapes = `
(define-syntax shapes
  (syntax-rules ()
    ((_ name op+ op- op* op/ op< op<= op= op> op>= root odd even)
     (define name
       (list
        (lambda (a b c) (op+ (op* a b) c)) (lambda (a b c) (op+ c (op* a b))) (lambda (a b c) (op- (op* a b) c))
        (lambda (a b c) (op- c (op* a b))) (lambda (a b c) (op* (op* a b) c)) (lambda (a b c) (op* c (op* a b)))
        (lambda (a b c) (op/ (op* a b) c)) (lambda (a b c) (op/ c (op* a b)))
        (lambda (a b c) (op+ (op+ a b) c)) (lambda (a b c) (op* (op+ a b) c)) (lambda (a b c) (op- c (op+ a b)))
        (lambda (a b c) (op- (op+ a b) c)) (lambda (a b c) (op/ c (op+ a b)))
        (lambda (a b c) (op+ (op- a b) c)) (lambda (a b c) (op* c (op- a b))) (lambda (a b c) (op- (op- a b) c))
        (lambda (a b c) (op- c (op- a b))) (lambda (a b c) (op+ (op/ a b) c)) (lambda (a b c) (op/ (op/ a b) c))
        (lambda (a b c) (op+ (op* a b) (op* b c))) (lambda (a b c) (op- (op* 2.0 (op* a b)) (op/ c 3.0)))
        (lambda (a b c) (op* (op+ (op* (op+ (op* a 0.5) b) c) 1.5) a)) (lambda (a b c) (op* (op+ a 1) (op- c 2)))
        (lambda (a b c) (op+ (op+ (op* a a) (op* b b)) (op* c c))) (lambda (a b c) (op/ (op+ 1.0 (root a)) (op* b c)))
        (lambda (a b c) (op+ (root (op* a b)) c)) (lambda (a b c) (if (op< (op+ a b) c) 1 2)) (lambda (a b c) (if (op< c (op* a b)) 1 2))
        (lambda (a b c) (if (op<= (op- a b) c) 1 2)) (lambda (a b c) (if (op> (op* a b) c) 1 2)) (lambda (a b c) (if (op>= c (op+ a b)) 1 2))
        (lambda (a b c) (if (op= (op* a b) c) 1 2)) (lambda (a b c) (if (not (op< (op+ a b) c)) 1 2))
        (lambda (a b c) (if (not (op>= (op* a b) c)) 1 2)) (lambda (a b c) (let ((x (op* a b))) (list x (op+ x c))))
        (lambda (a b c) (let loop ((i a) (n 0)) (if (or (op>= i b) (op= n 4)) (list i n) (loop (op+ i 1) (op+ n 1)))))
        (lambda (a b c) (let loop ((i a) (n 0)) (if (op< i b) (if (op= n 5) (list i n) (loop (op+ i 3) (op+ n 1))) (list i n))))
        (lambda (a b c) (let loop ((i a) (n 0)) (if (op= n 3) (list i) (if (op= i b) i (loop (op+ i 1) (op+ n 1))))))
        (lambda (a b c) (list (odd a) (if (odd a) 1 2) (even a) (if (even b) 1 2) (if (not (even b)) 1 2))))))))
(define (id f) (vector-ref (vector f) 0))
(define p+ (id +)) (define p- (id -)) (define p* (id *)) (define p/ (id /)) (define p< (id <)) (define p<= (id <=)) (define p= (id =))
(define p> (id >)) (define p>= (id >=)) (define proot (id sqrt)) (define podd (id odd?)) (define peven (id even?))
`

// TestFloatShapes: chains of operations answer as the procedures do one by one, for all kinds of numbers and for what is
// none, which is a fault of the same operation.
func TestFloatShapes(t *testing.T) {
	e, err := NewEngine(Options{Order: []string{"(caper standard)", "(caper prelude)"}, Implicit: []string{"(caper prelude)"}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := e.NewMachine(Config{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	numbers, want := `1.5 -2.0 0.0 -0.0 +inf.0 -inf.0 +nan.0 1e300 -1e-300 5e-324 1e150 3 0 -1 (expt 2 59) (- (expt 2 60)) (expt 2 70) 1/3 9007199254740993 'a`, "(312000 ())"
	if testing.Short() {
		numbers, want = `1.5 -0.0 +nan.0 1e300 3 (expt 2 70) 'a`, "(13377 ())"
	}
	text := floatShapes + `
(shapes direct + - * / < <= = > >= sqrt odd? even?)
(shapes called p+ p- p* p/ p< p<= p= p> p>= proot podd peven)
(define numbers (list ` + numbers + `))
(define (try f a b c) (guard (e (#t (let ((s (condition/report-string e))) (string-ref s 0)))) (f a b c)))
(define wrong '())
(define count 0)
(for-each
  (lambda (a) (for-each (lambda (b) (for-each (lambda (c)
    (let loop ((d direct) (p called) (n 0))
      (when (pair? d)
        (set! count (+ count 1))
        (let ((x (try (car d) a b c)) (y (try (car p) a b c)))
          (unless (equal? x y)
            (when (< (length wrong) 10) (set! wrong (cons (list n a b c x y) wrong)))))
        (loop (cdr d) (cdr p) (+ n 1))))) numbers)) numbers)) numbers)
(list count wrong)`
	if err := m.Load(syntax.NewSource("t.scm", text)); err != nil {
		t.Fatal(err)
	}
	if s := m.Run(1 << 30); s.Kind != Done || m.Write(s.Value) != want {
		t.Errorf("%v: %s", s.Kind, m.Write(s.Value))
	}
}
