package vm_test

import (
	"os"
	"strings"
	"sync"
	"testing"

	"caper/builtins"
	"caper/interp/code"
	"caper/interp/compile"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/image"
	"caper/interp/prim"
	"caper/interp/syntax"
	"caper/interp/vm"
)

type loader struct{}

func (loader) Library(name []string, _ syntax.Span) (*syntax.Source, error) {
	if strings.Join(name, " ") != "%support" {
		return nil, nil
	}
	b, err := os.ReadFile("../../stdlib/control.scm")
	return syntax.NewSource("stdlib/control.scm", string(b)), err
}

func (loader) Include(string, *syntax.Source, syntax.Span) (*syntax.Source, error) { return nil, nil }

var testImage = sync.OnceValues(func() (*image.Image, error) {
	return image.Build(prim.NewTable(builtins.All()), loader{}, []string{"(%support)"})
})

func buildImage(t testing.TB) *image.Image {
	t.Helper()
	img, err := testImage()
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// program compiles Scheme text against the test image.
func program(t testing.TB, text string) []*code.Unit {
	t.Helper()
	img := buildImage(t)
	forms, err := syntax.ReadAll(syntax.NewSource("test.scm", text))
	if err != nil {
		t.Fatal(err)
	}
	world := expand.NewWorld(img.World, img.Slots(), nil, expand.Limits{})
	res, err := world.NewProgram([]string{"(%syntax)", "(%primitive)", "(%support)"}).Expand(forms)
	if err != nil {
		t.Fatal(err)
	}
	var units []*code.Unit
	for _, u := range res.Units {
		cu, err := compile.Compile(u.Name, u.Body, compile.Options{Prims: img.Prims})
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, cu)
	}
	return units
}

func machine(t testing.TB, memory uint64, units []*code.Unit) *vm.Machine {
	t.Helper()
	img := buildImage(t)
	m, err := vm.New(vm.Config{Prims: img.Prims, Image: img.Machine, Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	var numbers []int
	for _, u := range units {
		n, err := m.Load(u)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, n)
	}
	if err := m.Start(numbers...); err != nil {
		t.Fatal(err)
	}
	return m
}

const plenty = 1 << 40

func eval(t testing.TB, text string) (*vm.Machine, vm.Step) {
	t.Helper()
	m := machine(t, 0, program(t, text))
	return m, m.Run(plenty)
}

func show(m *vm.Machine, s vm.Step) string {
	switch s.Kind {
	case vm.Done:
		return m.Describe(s.Value)
	case vm.Raised:
		if m.IsType(s.Value, heap.TypeCondition) {
			return "raised " + m.Describe(m.Field(s.Value, heap.CondKind)) + ": " + m.Describe(s.Value)
		}
		return "raised " + m.Describe(s.Value)
	case vm.Suspended:
		return "suspended"
	}
	return "exhausted " + s.Which
}

func TestPrograms(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`(+ 1 2)`, "3"},
		{`(define (f x) (* x 2)) (f 21)`, "42"},
		{`(let loop ((i 0) (s 0)) (if (= i 100000) s (loop (+ i 1) (+ s i))))`, "4999950000"},
		{`(define (count n) (if (= n 0) 0 (+ 1 (count (- n 1))))) (count 1000000)`, "1000000"},
		{`(define (f n) (if (= n 0) 1 (* n (f (- n 1))))) (f 30)`, "265252859812191058636308480000000"},
		{`(+ 0.5 0.25)`, "0.75"}, {`(- 0.5 0.5)`, "0.0"}, {`(* 1e200 1e200)`, "+inf.0"}, {`(+ 1 0.5)`, "1.5"},
		{`(define (f . r) r) (f 1 2 3)`, "(1 2 3)"},
		{`(define (f a . r) r) (f 1)`, "()"},
		{`(define f (case-lambda ((a) (list 'one a)) ((a b) (list 'two b)) ((a . r) (list 'more r)))) (list (f 1) (f 1 2) (f 1 2 3))`, "((one 1) (two 2) (more (2 3)))"},
		{`(apply + '(1 2 3))`, "6"}, {`(apply + 1 2 '(3 4))`, "10"}, {`(apply list 1 '())`, "(1)"},
		{`(apply apply (list list (list 1 2)))`, "(1 2)"},
		{`(define (f a . r) (cons a r)) (apply f '(1 2 3))`, "(1 2 3)"},
		{`(define (iota n l) (if (= n 0) l (iota (- n 1) (cons n l)))) (apply + (iota 100000 '()))`, "5000050000"},
		{`(define (iota n l) (if (= n 0) l (iota (- n 1) (cons n l)))) (define (f a . r) (length r)) (apply f (iota 100000 '()))`, "99999"},
		{`(call-with-values (lambda () (values 1 2)) cons)`, "(1 . 2)"},
		{`(call-with-values (lambda () 5) list)`, "(5)"}, {`(call-with-values values list)`, "()"},
		{`(call/cc (lambda (k) (+ 1 (k 42))))`, "42"},
		{`(define (f x) (call/cc (lambda (k) (if (pair? x) (k (car x)) (list x k))))) (define r (f 1)) (if (pair? r) ((cadr r) 5)) (list (f '(2)) r)`, "(2 5)"},
		{`(define (f n) (let loop ((i 0)) (if (< i n) (loop (+ i 1)) (call/cc (lambda (k) (let inner ((j i)) (if (= j 0) (k (list i n)) (inner (- j 1))))))))) (f 3)`, "(3 3)"},
		{`(define (f n) (call/cc (lambda (k) (set! n (+ n 1)) (set! k (list n)) k))) (f 1)`, "(2)"},
		{`(define (f n l) (call/cc (lambda (k) (if (= n 0) (k l) (f (- n 1) (cons n l)))))) (apply + (f 1000 '()))`, "500500"},
		// Frames that were captured for want of room come back and are captured anew, also those that a continuation has.
		{`(define (count n) (if (= n 0) 0 (+ 1 (count (- n 1))))) (let loop ((i 0) (s 0)) (if (= i 5) s (loop (+ i 1) (+ s (count 10000)))))`, "50000"},
		{`(define k #f) (define times 0) (define (deep n) (if (= n 0) (call/cc (lambda (c) (set! k c) 0)) (+ 1 (deep (- n 1)))))
		  (define (build n) (if (= n 0) '() (cons n (build (- n 1)))))
		  (define r (+ (deep 9000) (length (build 9000)))) (set! times (+ times 1)) (if (< times 4) (k times)) (list times r)`, "(4 18003)"},
		{`(define ks '()) (define (deep n) (if (= n 0) 0 (let ((v (+ 1 (deep (- n 1))))) (if (= 0 (remainder n 2000)) (+ v (call/cc (lambda (c) (set! ks (cons c ks)) 0))) v))))
		  (define r (deep 8000)) (define seen (cons r '())) (set! seen (cons r seen))
		  (if (pair? ks) (let ((k (car ks))) (set! ks (cdr ks)) (k (* 100000 (length seen))))) (list r (length seen))`, "(808000 2)"},
		{`(define (deep n) (if (= n 0) 0 (+ 1 (deep (- n 1))))) (apply + (par-map (lambda (n) (+ (deep n) (apply + (par-map deep (list n 1000))))) '(5000 10000)))`, "32000"},
		{`(+ 1 (call/cc (lambda (k) 1)))`, "2"},
		{`(define r '()) (define k #f) (define n 0) (set! r (cons (call/cc (lambda (c) (set! k c) 0)) r)) (set! n (+ n 1)) (if (< n 3) (k n)) r`, "(2 1 0)"},
		{`(let ((path '())) (dynamic-wind (lambda () (set! path (cons 'in path))) (lambda () (set! path (cons 'during path))) (lambda () (set! path (cons 'out path)))) path)`, "(out during in)"},
		{`(let ((path '())) (call/cc (lambda (k) (dynamic-wind (lambda () (set! path (cons 'in path))) (lambda () (k 1)) (lambda () (set! path (cons 'out path)))))) path)`, "(out in)"},
		{`(let ((path '()) (k #f) (n 0)) (dynamic-wind (lambda () (set! path (cons 'in path))) (lambda () (call/cc (lambda (c) (set! k c)))) (lambda () (set! path (cons 'out path)))) (set! n (+ n 1)) (if (< n 3) (k 0)) path)`, "(out in out in out in)"},
		{`(with-exception-handler (lambda (e) 10) (lambda () (+ 1 (raise-continuable 'oops))))`, "11"},
		{`(guard (e (#t (list 'caught e))) (raise 'boom))`, "(caught boom)"},
		{`(guard (e ((symbol? e) (list 'sym e)) ((string? e) (list 'str e))) (raise "x"))`, `(str "x")`},
		{`(guard (e ((string? e) 'outer)) (guard (e ((number? e) 'inner)) (raise "x")))`, "outer"},
		{`(guard (e (#t (error-object-message e))) (car 5))`, `"car: argument 1 must be a pair"`},
		{`(guard (e (#t (error-object-irritants e))) (vector-ref (vector 1 2) 9))`, `(9)`},
		{`(guard (e (#t 'caught)) (let loop ((i 0)) (if (= i 1000) (error "x") (loop (+ i 1)))))`, "caught"},
		{`(guard (e (#t (list (error-object-message e) (error-object-irritants e)))) (error "msg" 1 2))`, `("msg" (1 2))`},
		{`(guard (e (#t (error-object-message e))) (error 'who "msg" 1))`, `"who: msg"`},
		{`(with-exception-handler (lambda (e) 0) (lambda () (raise 'x)))`, "raised handler-returned: the handler of an exception that is not continuable returned: x"},
		{`(define p (make-parameter 1)) (list (p) (parameterize ((p 2)) (p)) (p))`, "(1 2 1)"},
		{`(define p (make-parameter 1 (lambda (x) (* x 10)))) (list (p) (parameterize ((p 2)) (p)))`, "(10 20)"},
		{`(define p (delay (begin 5))) (list (force p) (force p))`, "(5 5)"},
		{`(define (loop n) (if (= n 0) (delay 'done) (delay-force (loop (- n 1))))) (force (loop 100000))`, "done"},
		{`(undefined-thing)`, "raised unbound: this variable has no value yet"},
		{`(define (f x) x) (f 1 2)`, "raised arity-error: f takes 1 argument (x), 2 given: 1 2"},
		{`(car 1 2)`, "raised arity-error: car takes 1 argument (pair), 2 given: 1 2"},
		{`("x" 1)`, `raised type-error: call of a value that is no procedure: "x"`},
		{`(+ 'a 1)`, "raised type-error: +: argument 1 must be a number: a"},
		{`(define (f x y) (+ x y)) (f 1 'a)`, "raised type-error: +: argument 2 must be a number: a"},
		{`(- 'a 1)`, "raised type-error: -: argument 1 must be a number: a"},
		{`(quotient 1 0)`, "raised divide-by-zero: quotient: division by zero: 1 0"},
		{`(define (f) (g)) (define (g) (raise 'x)) (f)`, "raised x"},
		{`(letrec ((a (lambda () b)) (b (a))) b)`, "raised unbound: a local variable was used before it was given its value"},
		{`(par-map (lambda (x) (* x x)) '(1 2 3))`, "(1 4 9)"},
		{`(parallel (lambda () 1) (lambda () 2))`, "(1 2)"},
		{`(race (lambda () 1) (lambda () 2))`, "1"},
		{`(guard (e (#t (list 'caught e))) (par-map (lambda (x) (if (= x 2) (raise 'two) x)) '(1 2 3)))`, "(caught two)"},
		{`(call/cc (lambda (k) (par-map (lambda (x) (if (= x 2) (k 'left) x)) '(1 2 3))))`, "left"},
		{`(define k #f) (guard (e (#t (error-object-message e))) (par-map (lambda (x) (if (= x 1) (call/cc (lambda (c) (set! k c) 0)) (k 5))) '(1 2)))`, `"a continuation of another fiber cannot be entered"`},
		{`(par-map (lambda (x) (apply + (par-map (lambda (y) (* x y)) '(1 2 3)))) '(1 10))`, "(6 60)"},
		{`(guard (e (#t (condition-kind e))) (with-timeout 1 (lambda () (car 1))))`, "type-error"},
		{`(string-ref "hello" 1)`, `#\e`}, {`(string-ref "hällö" 4)`, `#\ö`},
		{`(vector-map2)`, "raised unbound: this variable has no value yet"},
		{`(define-record-type point (make-point x y) point? (x point-x set-point-x!) (y point-y)) (let ((p (make-point 1 2))) (set-point-x! p 5) (list (point-x p) (point-y p) (point? p) (point? 1)))`, "(5 2 #t #f)"},
	} {
		m, s := eval(t, c.text)
		if got := show(m, s); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
			for _, f := range m.Backtrace(s.Value) {
				t.Log(f)
			}
		}
		m.Close()
	}
}
