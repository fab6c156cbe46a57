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
		{`(let loop ((i 0)) (eval (list '+ i 1) (interaction-environment)) (loop (+ i 1)))`, "takes too much memory"},
		{`(let loop ((i 0)) (eval (list 'define (string->symbol (number->string i)) i) (interaction-environment)) (loop (+ i 1)))`, "raised"},
		{`(let loop ((i 0)) (environment (list 'prefix '(scheme base) (string->symbol (number->string i)))) (loop (+ i 1)))`, "takes too much memory"},
		{`(let loop ((i 0)) (guard (e ((read-error? e) 1)) (eval (list 'if i) (interaction-environment))) (loop (+ i 1)))`, "raised"},
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
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
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
				b, err := m.Snapshot()
				if err != nil {
					t.Fatal(err)
				}
				m.Close()
				if m, err = e.Restore(interp.Config{Memory: memory}, sources(text), b); err != nil {
					t.Fatal(err)
				}
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
		if got, used := run(true, slice); got != want || slice == plenty && used != fuel {
			t.Errorf("slices of %d: %s for %d\nwant %s for %d", slice, got, used, want, fuel)
		}
	}
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
