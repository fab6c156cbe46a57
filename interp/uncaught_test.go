package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"caper/interp"
	"caper/interp/heap"
	"caper/interp/syntax"
)

// open makes a machine that asks its host about what nothing catches, with a text loaded.
func open(t *testing.T, text string) *interp.Machine {
	t.Helper()
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	m, err := e.NewMachine(interp.Config{Memory: memory, Open: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	if err := m.Load(syntax.NewSource("test", text)); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestUseValue: a program goes on with a value where nothing caught what was raised, as if the expression that failed had
// come to it.
func TestUseValue(t *testing.T) {
	five := heap.Fixnum(5)
	for _, c := range []struct {
		text string
		use  heap.Word
		want string
	}{
		{`(+ 1 (error "no"))`, five, "6"},
		{`(list 1 (raise 'x) 2)`, five, "(1 5 2)"},
		{`(+ 1 (raise-continuable 'x))`, five, "6"},
		{`(define (f x) (+ 1 (car x))) (list (f '()) 2)`, five, "(6 2)"},
		{`(define (f x) (car x)) (list (f '()) 2)`, five, "(5 2)"},
		{`(+ 1 (not-there))`, five, "6"},
		{`(+ 1 (not-there 2 3))`, five, "6"},
		{`(list not-there)`, five, "(5)"},
		{`(define (f x) (x 1)) (list (f 2))`, five, "(5)"},
		{`(define (f x) (+ 1 (x 1))) (f 2)`, five, "6"},
		{`(define (f x) (let ((y (vector-ref x 9))) (list y x))) (f (vector 1))`, five, "(5 #(1))"},
		{`(define (f x) (if (< x 1) 'less 'not)) (f 'a)`, heap.True, "less"},
		{`(define (f x) (if (< x 1) 'less 'not)) (f 'a)`, heap.False, "not"},
		{`(define (f x) (if (not (< x 1)) 'not 'less)) (f 'a)`, heap.True, "less"},
		{`(define (f x y) (if (>= x y) 'most 'less)) (f 'a 1)`, heap.True, "most"},
		{`(define (f x y) (if (char<? x y) 'before 'not)) (f 'a #\a)`, heap.True, "before"},
		{`(define (f x) (+ x 1)) (list (f 'a))`, five, "(5)"},
		{`(define (f x y) (+ x y)) (list (f 'a 1))`, five, "(5)"},
		{`(define (g x) (list 'g x)) (define (f x) (list (g (+ x 1)))) (f 'a)`, five, "((g 5))"},
		{`(define (f x) (define (g x) (if (list? x) x (list 'g (g (list (+ 1 x)))))) (list (g x))) (f 'a)`, five, "((g (5)))"},
		{`(define (f x) (string-append (symbol->string x) "!")) (guard (e ((string? e) e)) (list (f 1)))`, five, ""},
		{`(define (f x) (+ 1 (* x 2))) (f 'a)`, five, "6"},
		{`(define (f v) (vector-set! v 9 1) 'on) (f (vector))`, five, "on"},
		{`(define (f . l) l) (f (apply car '(1 2)) 3)`, five, "(5 3)"},
		{`(map (lambda (x) (if (= x 2) (car x) x)) '(1 2 3))`, five, "(1 5 3)"},
		{`(list (guard (e ((string? e) 'caught)) (raise 'other)) 1)`, five, "(5 1)"},
		{`(list (par-map (lambda (x) (car x)) '(1)))`, five, "(5)"},
		{`(define (f n) (if (= n 0) (car n) (+ 1 (f (- n 1))))) (f 20000)`, five, "20005"},
		{`(define out '()) (define r (dynamic-wind (lambda () (set! out (cons 'in out))) (lambda () (car 1)) (lambda () (set! out (cons 'out out))))) (list r out)`, five, "(5 (out in))"},
	} {
		m := open(t, c.text)
		s := m.Run(plenty)
		asked := 0
		for s.Kind == interp.Suspended {
			if len(s.Calls) != 1 || s.Calls[0].Name != "%uncaught" {
				t.Fatalf("%s: %v", c.text, s.Calls)
			}
			answer := heap.False
			if asked++; asked == 1 {
				answer = m.Arena().Cons(heap.True, c.use)
			}
			m.Resume(s.Calls[0].ID, answer)
			s = m.Run(plenty)
		}
		got := ""
		if s.Kind == interp.Done {
			got = m.Write(s.Value)
		}
		if got != c.want || asked == 0 {
			t.Errorf("%s: came to %q %v, asked %d times; want %s", c.text, got, s.Kind, asked, c.want)
		}
	}
}

// TestRetry: what a host call was answered with is raised, and the same call is made again.
func TestRetry(t *testing.T) {
	m := open(t, `(list (ask 1 2))`)
	s := m.Run(plenty)
	seen := ""
	for n := 0; s.Kind == interp.Suspended; n++ {
		c := s.Calls[0]
		seen += c.Name + m.Write(c.Args) + " "
		switch {
		case c.Name == "%uncaught":
			m.Resume(c.ID, m.Arena().SymbolOr("retry"))
		case n < 3:
			m.Raise(c.ID, heap.Fixnum(9))
		default:
			m.Resume(c.ID, heap.Fixnum(7))
		}
		s = m.Run(plenty)
	}
	if got := m.Write(s.Value); got != "(7)" || seen != "ask(1 2) %uncaught(9 (ask 1 2)) ask(1 2) %uncaught(9 (ask 1 2)) ask(1 2) " {
		t.Errorf("%s after %s", got, seen)
	}
}

// TestLook: the frames of a fiber that failed are there, with what the variables in sight hold.
func TestLook(t *testing.T) {
	if everySafepoint {
		t.Skip("a collection clears variables that nothing reads any more: run it without -tags caperdebug")
	}
	for _, c := range []struct{ text, want string }{
		{"(define (f x y) (let ((z (* x 2))) (+ 1 (car z))))\n(list (f 1 'b))", "f@1: x=1 y=b z=2; top level@2:"},
		{"(define (f k) (let loop ((i 0) (l '(a b))) (if (null? (cdr l)) (car i) (loop (+ i 1) (cdr l)))))\n(list (f 9))", "f@1: k=9 i=1 l=(b); top level@2:"},
		{"(define (f n) (lambda (m) (set! n (+ n 1)) (+ 1 (car n) m)))\n(list ((f 1) 3))", "@1: m=3 n=2; top level@2:"},
		{"(define (f . rest) (let ((a (length rest))) (list a (error \"no\" a))))\n(list (f 1 2))", "f@1: rest=(1 2) a=2; top level@2:"},
		{"(define (f x) (let ((y 1)) (if (> x 5) (let ((w 2)) (list w)) (let ((v (list x))) (list (car x) v)))))\n(list (f 1))", "f@1: x=1 v=(1); top level@2:"},
	} {
		m := open(t, c.text)
		s := m.Run(plenty)
		if s.Kind != interp.Suspended {
			t.Fatalf("%s: %v", c.text, s.Kind)
		}
		var parts []string
		for _, f := range m.Look(s.Calls[0].ID, m.Arena().Car(s.Calls[0].Args)) {
			if f.File != "test" {
				continue
			}
			text := fmt.Sprintf("%s@%d:", f.Proc, f.Line)
			for _, v := range f.Vars {
				text += " " + v.Name + "=" + v.Value
			}
			parts = append(parts, text)
		}
		if got := strings.Join(parts, "; "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}
