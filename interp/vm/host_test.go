package vm_test

import (
	"fmt"
	"strings"
	"testing"

	"caper/interp/heap"
	"caper/interp/vm"
)

// script drives a program: each line of steps says what the machine did and, after an arrow, what the host answers.
//
//	ask(1 2)@0#0 -> 5        the call named ask of fiber 0, its first; answered with the fixnum 5
//	ask(1 2)@0#0 -> raise 5  answered by raising
//	ask(1 2)@0#0             not answered now
//	answer 2 -> 7            call 2 is answered now
//	cancelled 3              reported with the step before it
type script struct {
	name, text string
	steps      []string
	want       string
}

func TestHostCalls(t *testing.T) {
	for _, c := range []script{
		{"one", `(+ 1 (%host 'ask 1 2))`, []string{"ask(1 2)@0#0 -> 5"}, "6"},
		{"two in order", `(list (%host 'a) (%host 'b))`, []string{"a()@0#0 -> 1", "b()@0#1 -> 2"}, "(1 2)"},
		{"raised", `(guard (e (#t (list 'caught e))) (%host 'a))`, []string{"a()@0#0 -> raise 9"}, "(caught 9)"},
		{"inside map", `(define (map1 f l) (if (null? l) '() (cons (f (car l)) (map1 f (cdr l))))) (map1 (lambda (x) (%host 'a x)) '(1 2))`,
			[]string{"a(1)@0#0 -> 10", "a(2)@0#1 -> 20"}, "(10 20)"},
		{"par-map", `(par-map (lambda (x) (+ x (%host 'a x))) '(1 2 3))`,
			[]string{"a(1)@0.0#0", "a(2)@0.1#0", "a(3)@0.2#0", "answer 2 -> 20", "answer 3 -> 30", "answer 1 -> 10"}, "(11 22 33)"},
		{"nested names", `(par-map (lambda (x) (par-map (lambda (y) (%host 'a x y)) '(1 2))) '(1 2))`,
			[]string{"a(1 1)@0.0.0#0 -> 1", "a(1 2)@0.0.1#0 -> 2", "a(2 1)@0.1.0#0 -> 3", "a(2 2)@0.1.1#0 -> 4"}, "((1 2) (3 4))"},
		{"spawn index goes on", `(begin (par-map (lambda (x) x) '(1 2)) (parallel (lambda () (%host 'a))))`, []string{"a()@0.2#0 -> 1"}, "(1)"},
		{"race", `(race (lambda () (%host 'a)) (lambda () (%host 'b)))`,
			[]string{"a()@0.0#0", "b()@0.1#0", "answer 2 -> 7", "cancelled 1"}, "7"},
		{"race raises", `(guard (e (#t (list 'caught e))) (race (lambda () (%host 'a)) (lambda () (%host 'b))))`,
			[]string{"a()@0.0#0", "b()@0.1#0", "answer 2 -> raise 7", "cancelled 1"}, "(caught 7)"},
		{"siblings are cancelled", `(guard (e (#t (list 'caught e))) (par-map (lambda (x) (%host 'a x)) '(1 2 3)))`,
			[]string{"a(1)@0.0#0", "a(2)@0.1#0", "a(3)@0.2#0", "answer 2 -> raise 5", "cancelled 1 3"}, "(caught 5)"},
		{"grandchildren are cancelled", `(race (lambda () (par-map (lambda (x) (%host 'a x)) '(1 2))) (lambda () (%host 'b)))`,
			[]string{"b()@0.1#0", "a(1)@0.0.0#0", "a(2)@0.0.1#0", "answer 1 -> 5", "cancelled 2 3"}, "5"},
		{"leaving by a continuation", `(call/cc (lambda (k) (par-map (lambda (x) (if (= x 2) (k (%host 'b)) (%host 'a x))) '(1 2 3))))`,
			[]string{"a(1)@0.0#0", "b()@0.1#0", "a(3)@0.2#0", "answer 2 -> 9", "cancelled 1 3"}, "9"},
		{"leaving runs winds", `(define out '()) (call/cc (lambda (k) (dynamic-wind (lambda () #f) (lambda () (par-map (lambda (x) (dynamic-wind (lambda () #f) (lambda () (%host 'a) (k 1)) (lambda () (set! out (cons 'child out))))) '(1))) (lambda () (set! out (cons 'parent out)))))) out`,
			[]string{"a()@0.0#0 -> 1"}, "(parent child)"},
		{"timeout in time", `(with-timeout 3 (lambda () (%host 'a)))`,
			[]string{"a()@0.0#0", "%timer(3)@0.1#0", "answer 1 -> 5", "cancelled 2"}, "5"},
		{"timeout too late", `(guard (e ((timeout-error? e) 'late)) (with-timeout 3 (lambda () (%host 'a))))`,
			[]string{"a()@0.0#0", "%timer(3)@0.1#0", "answer 2 -> 5", "cancelled 1"}, "late"},
		{"handlers may ask", `(guard (e (#t (%host 'log 1))) (car (%host 'a)))`, []string{"a()@0#0 -> 5", "log(1)@0#1 -> 6"}, "6"},
		{"exit", `(dynamic-wind (lambda () #f) (lambda () (exit 3)) (lambda () (%host 'bye)))`, []string{"bye()@0#0 -> 1", "%exit(3)@0#1"}, "suspended"},
		{"parameters are inherited", `(define p (make-parameter 1)) (parameterize ((p 2)) (par-map (lambda (x) (%host 'a (p))) '(1)))`, []string{"a(2)@0.0#0 -> 0"}, "(0)"},
		{"a parked machine that nobody wakes", `(%park)`, nil, "raised deadlock: every fiber waits for another"},
		{"the end cancels what is open", `(%spawn (lambda () (%host 'a))) (%host 'b) 'done`, []string{"b()@0#0", "a()@0.0#0", "answer 1 -> 1", "cancelled 2"}, "done"},
	} {
		t.Run(c.name, func(t *testing.T) { c.play(t) })
	}
}

func (c script) play(t *testing.T) {
	m := machine(t, 0, program(t, c.text))
	s := m.Run(plenty)
	var calls []string // not yet seen by the script; words in a step do not outlive the next Run
	var ids []uint64
	report := func() {
		for _, call := range s.Calls {
			calls = append(calls, fmt.Sprintf("%s%s@%s#%d", call.Name, m.Describe(call.Args), call.Fiber, call.Ordinal))
			ids = append(ids, call.ID)
		}
	}
	report()
	for _, line := range c.steps {
		what, answer, answered := strings.Cut(line, " -> ")
		if want, ok := strings.CutPrefix(what, "cancelled "); ok {
			if got := strings.Trim(fmt.Sprint(s.Cancelled), "[]"); got != want {
				t.Fatalf("%s: cancelled %s", line, got)
			}
			continue
		}
		var id uint64
		if _, err := fmt.Sscanf(what, "answer %d", &id); err != nil {
			if len(calls) == 0 {
				t.Fatalf("%s: no call, but %s", line, show(m, s))
			}
			if calls[0] != what {
				t.Fatalf("want %s, got %s", what, calls[0])
			}
			id, calls, ids = ids[0], calls[1:], ids[1:]
		}
		if !answered {
			continue
		}
		var n int64
		var err error
		if v, ok := strings.CutPrefix(answer, "raise "); ok {
			fmt.Sscan(v, &n)
			err = m.Raise(id, heap.Fixnum(n))
		} else {
			fmt.Sscan(answer, &n)
			err = m.Resume(id, heap.Fixnum(n))
		}
		if err != nil {
			t.Fatal(line, err)
		}
		s = m.Run(plenty)
		report()
	}
	if got := show(m, s); got != c.want {
		t.Fatalf("got %s, want %s", got, c.want)
	}
}

func TestBudgets(t *testing.T) {
	if vm.EverySafepoint {
		t.Skip("collecting at every safepoint takes too long here: run without -tags caperdebug")
	}
	for _, c := range []struct {
		text   string
		memory uint64
		fuel   int64
		want   string
	}{
		{`(let loop () (loop))`, 0, 100000, "exhausted fuel"},
		{`(define (grow l) (grow (cons 1 l))) (grow '())`, 4 << 20, plenty, "exhausted memory"},
		{`(define (deep n) (+ 1 (deep (+ n 1)))) (deep 0)`, 4 << 20, plenty, "exhausted memory"},
		{`(make-vector 10000000 0)`, 4 << 20, plenty, "raised memory-error: make-vector: a vector of 10000000 elements does not fit the memory limit"},
		{`(define (double x) (double (* x x))) (double 3)`, 8 << 20, plenty, "raised memory-error: *: the result does not fit the memory limit"},
		{`(define (f k) (call/cc f)) (f 1)`, 4 << 20, 1000000, "exhausted fuel"},
		{`(define (f) (with-exception-handler (lambda (e) (f)) f)) (f)`, 4 << 20, plenty, "exhausted memory"},
		{`(let loop ((i 0)) (%spawn (lambda () (%park))) (loop (+ i 1)))`, 4 << 20, plenty, "exhausted memory"},
	} {
		m := machine(t, c.memory, program(t, c.text))
		if got := show(m, m.Run(c.fuel)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestInterruptedRunGoesOn(t *testing.T) {
	m := machine(t, 0, program(t, `(let loop ((i 0)) (if (< i 100000) (loop (+ i 1)) i))`))
	m.Interrupt()
	s := m.Run(plenty)
	if show(m, s) != "exhausted interrupt" {
		t.Fatal(show(m, s))
	}
	if s = m.Run(plenty); show(m, s) != "100000" {
		t.Fatal(show(m, s))
	}
}

func TestSlicesDoNotChangeResults(t *testing.T) {
	for _, text := range []string{
		`(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 13)`,
		`(define (count n) (if (= n 0) 0 (+ 1 (count (- n 1))))) (count 3000)`,
		`(let loop ((i 0) (l '())) (if (< i 3000) (loop (+ i 1) (cons i l)) (length l)))`,
		`(define (f i) (guard (e (#t (+ e 1))) (if (= i 0) (raise 0) (f (- i 1))))) (let loop ((i 0) (s 0)) (if (< i 50) (loop (+ i 1) (+ s (f 5))) s))`,
		`(apply + (par-map (lambda (x) (let loop ((i 0)) (if (< i 300) (loop (+ i 1)) (+ x i)))) '(1 2 3)))`,
		`(define p (make-parameter 1)) (define (f n) (if (= n 0) (p) (parameterize ((p (+ 1 (p)))) (f (- n 1))))) (f 300)`,
	} {
		units := program(t, text)
		m := machine(t, 0, units)
		want := show(m, m.Run(plenty))
		for _, fuel := range []int64{1, 7, 100, 12345} {
			m := machine(t, 0, units)
			s := m.Run(fuel)
			for s.Kind == vm.Exhausted && s.Which == "fuel" {
				s = m.Run(fuel)
			}
			if got := show(m, s); got != want {
				t.Errorf("%s: %s with slices of %d, else %s", text, got, fuel, want)
			}
			m.Close()
		}
	}
}

func TestBacktrace(t *testing.T) {
	m, s := eval(t, "(define (inner x)\n  (+ 1 (car x)))\n(define (outer x)\n  (+ 1 (inner x)))\n(outer 5)\n")
	if s.Kind != vm.Raised {
		t.Fatal(show(m, s))
	}
	var got []string
	for _, f := range m.Backtrace(s.Value) {
		got = append(got, fmt.Sprintf("%s:%d", f.Proc, f.Line))
	}
	if len(got) < 3 || got[0] != "inner:2" || got[1] != "outer:4" {
		t.Error(got)
	}
}
