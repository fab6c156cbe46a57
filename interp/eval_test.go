package interp_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"caper/interp"
	"caper/interp/heap"
)

const evalImports = `(import (scheme base) (scheme eval) (scheme repl) (test)) `

// drive runs a machine in slices of fuel, answers every call with its number, and tells what was asked in which order.
// What was given up again is left out: a slice that ends between says both, another nothing.
func drive(m *interp.Machine, slice int64) (trace []string) {
	for {
		s := m.Run(slice)
		for _, c := range s.Calls {
			trace = append(trace, fmt.Sprint(c.ID, c.Name, m.Write(c.Args), "@", c.Fiber))
		}
		for _, id := range s.Cancelled {
			trace = slices.DeleteFunc(trace, func(s string) bool { return strings.HasPrefix(s, fmt.Sprint(id, "ask")) })
		}
		switch {
		case s.Kind == interp.Suspended:
			answer(m)
		case s.Kind != interp.Exhausted || s.Which != "fuel":
			return append(trace, show(m, s))
		}
	}
}

// TestEvalInFibers compares what a program does in one piece with what it does in small ones, on a machine whose code
// comes from the cache.
func TestEvalInFibers(t *testing.T) {
	for _, text := range []string{
		`(par-map (lambda (x) (+ (eval (list '* x 10) (environment '(scheme base))) (ask x))) '(1 2 3))`,
		`(par-map (lambda (x) (eval (list 'ask x) (interaction-environment))) '(1 2 3))`,
		`(par-map (lambda (x) (if (odd? x) (ask x)) (eval (list 'define (if (odd? x) 'odd 'even) x) (interaction-environment)) (list (ask x) (if (odd? x) odd even))) '(1 2 3 4))`,
		`(guard (e (#t (list 'caught e))) (par-map (lambda (x) (if (= x 2) (raise x) (eval '(ask 5) (interaction-environment)))) '(1 2 3)))`,
		`(guard (e (#t (error-object? e))) (par-map (lambda (x) (eval (if (= x 2) '(if) '(ask 5)) (interaction-environment))) '(1 2 3)))`,
		`(par-map (lambda (x) (par-map (lambda (y) (eval (list '+ x y '(ask)) (interaction-environment))) '(1 2))) '(10 20))`,
	} {
		whole := machine(t, evalImports+text)
		want := drive(whole, plenty)
		whole.Close()
		for _, slice := range []int64{1, 7, 1000} {
			m := machine(t, evalImports+text)
			if got := drive(m, slice); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s in slices of %d:\n%s\nwhole:\n%s", text, slice, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			m.Close()
		}
		if last := want[len(want)-1]; strings.HasPrefix(last, "raised") {
			t.Errorf("%s: %s", text, last)
		}
	}
}

// TestEvalIsBounded evaluates without end.
func TestEvalIsBounded(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`(let loop ((i 0) (l '())) (loop (+ i 1) (cons (eval (list 'lambda '() i) (interaction-environment)) l)))`, "too "},
		{`(let loop ((i 0)) (eval (list 'define (string->symbol (number->string i)) i) (interaction-environment)) (loop (+ i 1)))`, "raised"},
		{`(let loop ((i 0)) (environment (list 'prefix '(scheme base) (string->symbol (number->string i)))) (loop (+ i 1)))`, "takes too much memory"},
		{`(eval (make-vector 10000000 0) (interaction-environment))`, "memory"},
		{`(eval (list 'quote (make-vector 100000 "text")) (interaction-environment))`, "memory"},
		{`(let loop ((l '(1))) (loop (list 'begin l (eval (list 'quote l) (interaction-environment)))))`, "raised"},
	} {
		m := machine(t, evalImports+test.text)
		s := m.Run(plenty)
		if got := show(m, s); !strings.Contains(got, test.want) && got != "exhausted memory" {
			t.Errorf("%s: %s", test.text, got)
		}
		m.Close()
	}
}

// TestEvalIsFreed evaluates much more than there is room for at a time.
func TestEvalIsFreed(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`(let loop ((i 0)) (if (< i 9000) (loop (+ 1 (eval (list '+ i 0) (interaction-environment)))) i))`, "9000"},
		{`(let loop ((i 0)) (if (< i 9000) (begin (eval (list 'define 'x (list 'lambda '() i)) (interaction-environment)) (loop (+ i 1))) (eval '(x) (interaction-environment))))`, "8999"},
		{`(let loop ((i 0)) (if (< i 9000) (begin (guard (e (#t 1)) (eval (list 'if i) (interaction-environment))) (loop (+ i 1))) i))`, "9000"},
		{`(let loop ((i 0)) (if (< i 9000) (begin (guard (e (#t 1)) (eval (list 'let 'a i) (environment '(scheme base)))) (loop (+ i 1))) i))`, "9000"},
		// What is kept of it works on: a procedure, a continuation, a constant, a fiber that waits inside.
		{`(let loop ((i 0) (kept '()))
		    (if (< i 9000)
		        (let ((f (eval (list 'lambda '(x) (list 'cons (list 'quote (list i "text")) 'x)) (interaction-environment))))
		          (loop (+ i 1) (if (= 0 (modulo i 1000)) (cons f kept) kept)))
		        (map (lambda (f) (cadr (car (f 1)))) kept)))`, `("text" "text" "text" "text" "text" "text" "text" "text" "text")`},
		{`(define kept '())
		  (let loop ((i 0))
		    (if (< i 9000)
		        (let ((l (eval (list 'quote (list i (number->string i) (vector i "v"))) (interaction-environment))))
		          (if (= 0 (modulo i 3000)) (set! kept (cons l kept)))
		          (loop (+ i 1)))))
		  kept`, `((6000 "6000" #(6000 "v")) (3000 "3000" #(3000 "v")) (0 "0" #(0 "v")))`},
		{`(define again #f)
		  (define n 0)
		  (define got (eval '(+ 1000 (call/cc (lambda (k) (set! again k) 1))) (interaction-environment)))
		  (let loop ((i 0)) (if (< i 5000) (loop (+ 1 (eval (list '+ i 0) (interaction-environment))))))
		  (set! n (+ n 1))
		  (if (< n 3) (again n))
		  (list n got)`, "(3 1002)"},
	} {
		m := machine(t, evalImports+test.text)
		s := m.Run(plenty)
		if got := show(m, s); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.text, got, test.want)
		}
		m.Close()
	}
}

// TestEvalTakesFuel asks for more expansion than there is fuel for.
func TestEvalTakesFuel(t *testing.T) {
	m := machine(t, evalImports+`(let loop () (guard (e (#t 1)) (eval '(let-syntax ((m (syntax-rules () ((_) (m))))) (m)) (interaction-environment))) (loop))`)
	defer m.Close()
	s := m.Run(3_000_000)
	if s.Kind != interp.Exhausted || s.Which != "fuel" || s.Used < 3_000_000 {
		t.Errorf("%s after %d", show(m, s), s.Used)
	}
}

// TestEvalInCopies evaluates in a machine and in its copy, which share nothing.
func TestEvalInCopies(t *testing.T) {
	m := machine(t, evalImports+`
		(define x 1)
		(eval '(define y 10) (interaction-environment))
		(define (sum) (eval '(begin (define z (+ x y)) z) (interaction-environment)))
		(ask (lambda () (set! x 2) (list (sum) (eval '(+ z 1000) (interaction-environment)))))
		(list (sum) (eval '(+ z 2000) (interaction-environment)))`)
	defer m.Close()
	s := m.Run(plenty)
	f, err := m.Fork(s.Calls[0].ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := show(f, f.Run(plenty)); got != "(12 1012)" {
		t.Errorf("the copy: %s", got)
	}
	m.Resume(s.Calls[0].ID, heap.Fixnum(0))
	if got := show(m, m.Run(plenty)); got != "(11 2011)" {
		t.Errorf("the machine: %s", got)
	}
}

// TestEvalInSnapshots compares a machine that was taken down and restored wherever it stopped with one that never was.
func TestEvalInSnapshots(t *testing.T) {
	text := evalImports + `
		(define (twice x) (eval (list '* 2 x) (environment '(scheme base))))
		(eval '(define-syntax m (syntax-rules () ((_ a) (list a a)))) (interaction-environment))
		(guard (e (#t 1)) (eval '(if) (interaction-environment)))
		(guard (e (#t 1)) (environment '(no such library)))
		(define a (par-map (lambda (x) (eval (list 'm (ask x)) (interaction-environment))) '(1 2 3)))
		(eval '(define x (m (ask 4))) (interaction-environment))
		(define k (eval '(lambda (y) (cons (ask y) x)) (interaction-environment)))
		(list a (twice 3) (twice (ask)) (k 5) (eval '(m 1) (interaction-environment)) (eval (quote x) (interaction-environment)) (eval '(twice 3) (interaction-environment)))`
	run := func(restore bool, slice int64) (string, int64) {
		m := machine(t, text)
		defer func() { m.Close() }()
		var used int64
		for {
			s := m.Run(slice)
			used += s.Used
			switch {
			case s.Kind == interp.Exhausted && s.Which != "fuel", s.Kind == interp.Done, s.Kind == interp.Raised:
				return show(m, s), used
			case restore:
				m = restored(t, m, text)
			}
			if s.Kind == interp.Suspended {
				answer(m)
			}
		}
	}
	want, fuel := run(false, plenty)
	if strings.HasPrefix(want, "raised") {
		t.Fatal(want)
	}
	for _, slice := range []int64{plenty, 3000, 20} {
		if got, used := run(true, slice); got != want || slice == plenty && !sameFuel(used, fuel, 0) {
			t.Errorf("slices of %d: %s for %d\nwant %s for %d", slice, got, used, want, fuel)
		}
	}
}

// restored takes a machine of a text down and makes it anew.
func restored(t *testing.T, m *interp.Machine, text string) *interp.Machine {
	t.Helper()
	b, err := m.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	if m, err = e.Restore(interp.Config{Memory: memory}, sources(text), b); err != nil {
		t.Fatal(err)
	}
	return m
}

// sameFuel compares the fuel of two runs. Where all safepoints collect they collect at different times, which takes some; an
// evaluation takes far more.
func sameFuel(x, y, apart int64) bool {
	if everySafepoint {
		apart = 500
	}
	d := x - y
	return max(d, -d) <= apart
}

// TestDamagedLog changes each byte at the beginning of a snapshot, where its log is.
func TestDamagedLog(t *testing.T) {
	text := evalImports + `(eval '(define x 1) (interaction-environment)) (eval '(+ 1 1) (environment '(scheme base))) (ask 1)`
	m := machine(t, text)
	defer m.Close()
	m.Run(plenty)
	b, err := m.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	e, _ := engine()
	for i := range min(len(b), 300) {
		for _, x := range []byte{1, 0x80, 0xff} {
			bad := slices.Clone(b)
			bad[i] ^= x
			r, err := e.Restore(interp.Config{Memory: memory}, sources(text), bad)
			if err == nil {
				r.Close()
				t.Errorf("byte %d: restored", i)
			} else if !errors.Is(err, interp.ErrDamaged) && !errors.Is(err, interp.ErrOther) {
				t.Errorf("byte %d: %v", i, err)
			}
		}
	}
	for _, texts := range [][]string{nil, {text, text}} {
		if _, err := e.Restore(interp.Config{Memory: memory}, sources(texts...), b); !errors.Is(err, interp.ErrOther) {
			t.Errorf("%d texts: %v", len(texts), err)
		}
	}
}

// TestEvalLosesNoLibrary imports a library again whose first import could not be placed.
func TestEvalLosesNoLibrary(t *testing.T) {
	for _, failing := range []string{
		"(append '(begin (import (srfi 133)) (list)) (list (cons 'list (vector->list (make-vector 1001 0)))))", // more arguments than there can be
		"(list 'begin '(import (srfi 133)) (list 'quote (make-vector 30000 0)))",                               // more than there is room for
	} {
		m := machine(t, evalImports+`
			(define first (guard (e (#t 'failed)) (eval `+failing+` (interaction-environment))))
			(list first
				(eval '(begin (import (srfi 133)) (vector-index even? '#(1 3 4))) (interaction-environment))
				(eval '(vector-count even? '#(1 2 4)) (environment '(only (scheme base) quote even?) '(srfi 133))))`)
		if got := show(m, m.Run(plenty)); got != "(failed 2 2)" {
			t.Errorf("%s: %s", failing, got)
		}
		m.Close()
	}
}

// TestEvalInSnapshotsWithHoles takes a machine down where code has been freed, with much kept that lies between.
func TestEvalInSnapshotsWithHoles(t *testing.T) {
	text := evalImports + `
		(define kept '())
		(define (some from to)
		  (let loop ((i from))
		    (if (< i to)
		        (let ((f (eval (list 'lambda '(x) (list 'cons (list 'quote (list i (string->symbol (string-append "s" (number->string i))))) 'x)) (interaction-environment))))
		          (if (= 0 (modulo i 40)) (set! kept (cons f kept)))
		          (loop (+ i 1))))))
		(some 0 300) (ask 1) (some 300 600) (ask 2) (some 600 700) (ask 3)
		(let loop ((l kept) (n 0)) (if (pair? l) (loop (cdr l) (+ n (car (car ((car l) 0))))) (list n (eval '((car kept) 1) (interaction-environment)))))`
	for _, restore := range []bool{false, true} {
		m := machine(t, text)
		for {
			s := m.Run(plenty)
			if s.Kind != interp.Suspended {
				if got := show(m, s); got != "(6120 ((680 s680) . 1))" {
					t.Errorf("restored: %v: %s", restore, got)
				}
				break
			}
			if f, err := m.Fork(s.Calls[0].ID, nil); err == nil || f != nil { // its argument is no procedure; the copy was made
				t.Errorf("a copy without a program: %v", err)
			}
			if restore {
				m = restored(t, m, text)
			}
			answer(m)
		}
		m.Close()
	}
}

// TestEvalInCopiesIsCharged makes the copy pay for what it expands again, also one that was taken down before.
func TestEvalInCopiesIsCharged(t *testing.T) {
	text := evalImports + `
		(define-syntax big (syntax-rules () ((_ x ...) (list '(x x x) ...))))
		(eval '(define (f) (big 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)) (interaction-environment))
		(ask (lambda () (eval '1 (interaction-environment)) (eval '2 (interaction-environment))))`
	var used []int64
	for _, restore := range []bool{false, true} {
		m := machine(t, text)
		s := m.Run(plenty)
		f, err := m.Fork(s.Calls[0].ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		m.Close()
		if restore {
			f = restored(t, f, text)
		}
		s = f.Run(plenty)
		if got := show(f, s); got != "2" {
			t.Error(got)
		}
		used = append(used, s.Used)
		f.Close()
	}
	if !sameFuel(used[0], used[1], 9) || // a collection more or less
		used[0] < 2*2000+5*100 {
		t.Errorf("fuel %v", used)
	}
}

// TestEvalIsInterrupted interrupts a program while it evaluates.
func TestEvalIsInterrupted(t *testing.T) {
	m := machine(t, evalImports+`(define n 0) (par-map (lambda (x) (eval '(set! n (+ n 1)) (interaction-environment))) '(1 2 3 4 5)) (list n (ask))`)
	defer m.Close()
	m.Interrupt()
	if s := m.Run(plenty); s.Kind != interp.Exhausted || s.Which != "interrupt" {
		t.Errorf("not heard: %s", show(m, s))
	}
	if s := m.Run(plenty); s.Kind != interp.Suspended {
		t.Error(show(m, s))
	}
	answer(m)
	if got := show(m, m.Run(plenty)); !strings.HasPrefix(got, "(5 ") {
		t.Error(got)
	}
}
