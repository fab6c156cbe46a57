package interp_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"caper/interp"
	"caper/interp/heap"
	"caper/interp/syntax"
)

// engine has all of the standard library and (test), through which programs ask the host.
var engine = sync.OnceValues(func() (*interp.Engine, error) {
	return interp.NewEngine(interp.Options{
		Libraries: map[string]string{"(test)": `(define-library (test) (export ask par-map)
			(import (scheme base) (%primitive) (%support))
			(begin (define (ask . arguments) (apply %host 'ask arguments))))`},
		Order:    []string{"(caper standard)", "(test)"},
		Implicit: []string{"(scheme base)", "(test)"},
	})
})

const (
	plenty = 1 << 40
	memory = 16 << 20
)

// machine has loaded the texts, which it has run up to the last.
func machine(t testing.TB, texts ...string) *interp.Machine {
	t.Helper()
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	m, err := e.NewMachine(interp.Config{Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	for i, src := range sources(texts...) {
		if err := m.Load(src); err != nil {
			t.Fatal(err)
		}
		if i < len(texts)-1 {
			if s := m.Run(plenty); s.Kind != interp.Done {
				t.Fatal(show(m, s))
			}
		}
	}
	return m
}

func sources(texts ...string) (list []*syntax.Source) {
	for i, text := range texts {
		list = append(list, syntax.NewSource(fmt.Sprintf("test%d.scm", i), text))
	}
	return list
}

func show(m *interp.Machine, s interp.Step) string {
	switch s.Kind {
	case interp.Done:
		return m.Write(s.Value)
	case interp.Exhausted:
		return "exhausted " + s.Which
	case interp.Suspended:
		return "suspended"
	}
	return "raised " + m.Write(s.Value)
}

// answer gives every waiting call its number.
func answer(m *interp.Machine) {
	for _, c := range m.Pending() {
		m.Resume(c.ID, heap.Fixnum(int64(c.ID)))
	}
}

// finish answers calls until the program ends.
func finish(m *interp.Machine) string {
	for {
		s := m.Run(plenty)
		if s.Kind != interp.Suspended {
			return show(m, s)
		}
		answer(m)
	}
}

func TestEqualProgramsShareTheirCode(t *testing.T) {
	text := `(define counter 0)
		(define (count) (set! counter (+ counter (ask))) counter)
		(list 'shared (count) (count))`
	for round := range 3 {
		m := machine(t, text)
		if got := finish(m); got != "(shared 1 3)" {
			t.Errorf("round %d: %s", round, got)
		}
		// The expander's side, made only now for those whose code was at hand, agrees with the code.
		if err := m.Load(syntax.NewSource("more.scm", "(set! counter (+ 10 counter)) (list counter (count))")); err != nil {
			t.Fatal(err)
		}
		if got := finish(m); got != "(13 16)" {
			t.Errorf("round %d, second text: %s", round, got)
		}
		if err := m.Load(syntax.NewSource("wrong.scm", "(car (vector counter))")); err != nil {
			t.Fatal(err)
		}
		if got := finish(m); got != "raised car: argument 1 must be a pair: #(16)" {
			t.Errorf("round %d, third text: %s", round, got)
		}
		m.Close()
	}
}

// files is a loader whose library says another thing each time.
type files struct{ n *int }

func (f files) Library(name []string, _ syntax.Span) (*syntax.Source, error) {
	if len(name) != 1 || name[0] != "outside" {
		return nil, nil
	}
	*f.n++
	return syntax.NewSource("outside.sld", fmt.Sprintf("(define-library (outside) (export n) (import (scheme base)) (begin (define n %d)))", *f.n)), nil
}

func (f files) Include(string, *syntax.Source, syntax.Span) (*syntax.Source, error) {
	*f.n++
	return syntax.NewSource("included.scm", fmt.Sprintf("(define n %d)", *f.n)), nil
}

func TestTextFromOutsideIsReadEachTime(t *testing.T) {
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"(import (scheme base) (outside)) n", `(include "x.scm") n`} {
		n := 0
		for want := 1; want <= 3; want++ {
			m, err := e.NewMachine(interp.Config{Memory: memory, Loader: files{&n}})
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Load(syntax.NewSource("test.scm", text)); err != nil {
				t.Fatal(err)
			}
			if got := finish(m); got != fmt.Sprint(want) {
				t.Errorf("%s: %s, want %d", text, got, want)
			}
			m.Close()
		}
	}
}

func TestNames(t *testing.T) {
	for range 2 { // with the code made here, and from the cache
		m := machine(t, "(define visible 1) visible")
		found := 0
		for _, n := range m.Names() {
			if n == "visible" || n == "ask" || n == "vector-map" {
				found++
			}
		}
		if found != 3 {
			t.Errorf("%d of three names", found)
		}
		m.Close()
	}
}

func TestParkedMachinesRefuse(t *testing.T) {
	m := machine(t, "(ask 1)")
	defer m.Close()
	if s := m.Run(plenty); s.Kind != interp.Suspended {
		t.Fatal(show(m, s))
	}
	before, err := m.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Park(); err != nil {
		t.Fatal(err)
	}
	if err := m.Load(syntax.NewSource("x", "1")); err == nil {
		t.Error("a parked machine loads")
	}
	after, err := m.Snapshot()
	if err != nil || string(before) != string(after) {
		t.Error("the snapshot of a parked machine is another", err)
	}
	for range 2 {
		if err := m.Unpark(); err != nil {
			t.Fatal(err)
		}
	}
	answer(m)
	if got := finish(m); got != "1" {
		t.Error(got)
	}
}

func TestRestore(t *testing.T) {
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"(define (double x) (* 2 x)) (define l '(1 2 3))", `(define-record-type point (make-point x y) point? (x point-x) (y point-y))
		(define p (make-point 5 (lambda (x) (double x))))
		(list l (point-x p) (double (ask 1)) (map (lambda (x) (ask x)) l))`}
	m := machine(t, texts...)
	want := ""
	{
		m := machine(t, texts...)
		want = finish(m)
		m.Close()
	}
	for {
		s := m.Run(plenty)
		if s.Kind != interp.Suspended {
			if got := show(m, s); got != want {
				t.Errorf("%s, else %s", got, want)
			}
			break
		}
		b, err := m.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		m.Close()
		if m, err = e.Restore(interp.Config{Memory: memory}, sources(texts...), b); err != nil {
			t.Fatal(err)
		}
		answer(m)
		if _, err := e.Restore(interp.Config{Memory: memory}, sources(texts[0]), b); !errors.Is(err, interp.ErrOther) {
			t.Error("without its text:", err)
		}
		if _, err := e.Restore(interp.Config{Memory: memory}, sources(texts...), b[:len(b)-8]); !errors.Is(err, interp.ErrDamaged) {
			t.Error("cut:", err)
		}
	}
	if err := m.Load(syntax.NewSource("more.scm", "(double (point-x p))")); err != nil {
		t.Fatal(err)
	}
	if got := finish(m); got != "10" {
		t.Error("after the end:", got)
	}
	m.Close()
}

func BenchmarkFresh(b *testing.B) {
	text := `(define (upto n) (if (= n 0) '() (cons n (upto (- n 1))))) (define l (upto 100)) (ask 1)`
	machine(b, text).Close()
	for b.Loop() {
		m := machine(b, text)
		if s := m.Run(plenty); s.Kind != interp.Suspended {
			b.Fatal(show(m, s))
		}
		m.Close()
	}
}

// TestHostConditionsHaveATrace holds that a condition raised by the host tells where the program waited, also in a fiber
// and after a park.
func TestHostConditionsHaveATrace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"(define (inner x)\n  (+ 1 (ask x)))\n(define (outer x)\n  (+ 1 (inner x)))\n(outer 5)\n", "inner:2 outer:4 top level:5"},
		{"(import (scheme base) (test))\n(define (work x)\n  (list (ask x)))\n(par-map work '(1))\n", "work:3 top level:4"},
		{"(import (scheme base) (test))\n(par-map ask '(1))\n", "top level:2"},
		{"(define (outer p) (work p))\n(define (work p)\n  (+ 1 (ask p)))\n(outer 1)\n", "work:3 top level:4"},
	} {
		m := machine(t, c.text)
		s := m.Run(plenty)
		if s.Kind != interp.Suspended {
			t.Fatal(show(m, s))
		}
		if err := errors.Join(m.Park(), m.Unpark()); err != nil {
			t.Fatal(err)
		}
		m.Raise(s.Calls[0].ID, m.Arena().NewCondition("denied", "no", heap.Null, heap.Null))
		if s = m.Run(plenty); show(m, s) != "raised no" {
			t.Fatal(show(m, s))
		}
		var got []string
		for _, f := range m.Backtrace(s.Value) {
			if strings.HasSuffix(f.File, ".scm") && !strings.HasPrefix(f.File, "stdlib/") {
				got = append(got, fmt.Sprintf("%s:%d", f.Proc, f.Line))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q, want %s", got, c.want)
		}
		m.Close()
	}
}

// TestStoppedRuns stops programs while they wait, are parked, or run, and closes them twice: what they left behind would be
// seen when the tests end, or by the machines after them.
func TestStoppedRuns(t *testing.T) {
	for i := range 1000 {
		m := machine(t, "(import (scheme base) (test)) (if (ask 1) (par-map ask '(1 2 3))) (let loop () (loop))")
		m.Run(plenty)
		switch i % 4 {
		case 0:
			answer(m)
			m.Run(plenty)
		case 1:
			if err := m.Park(); err != nil {
				t.Fatal(err)
			}
		case 2:
			answer(m)
			m.Run(plenty)
			answer(m)
			m.Run(1000)
			m.Interrupt()
			if s := m.Run(plenty); show(m, s) != "exhausted interrupt" {
				t.Fatal(show(m, s))
			}
		}
		m.Close()
		m.Close()
	}
}
