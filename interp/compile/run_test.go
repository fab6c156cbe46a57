package compile_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"caper/builtins"
	"caper/interp/code"
	"caper/interp/compile"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/prim"
	"caper/interp/syntax"
	"caper/interp/vm"
)

// This file runs what the compiler makes. Programs see the primitives and the machine's control procedures, no library.

func runText(t testing.TB, text string, strict bool) string {
	t.Helper()
	m, units := load(t, text, strict)
	defer m.Close()
	if err := m.Start(units...); err != nil {
		t.Fatal(err)
	}
	for range 2000 {
		s := m.Run(10_000_000)
		switch {
		case s.Kind == vm.Done:
			return m.Describe(s.Value)
		case s.Kind == vm.Raised:
			return "raised " + m.Describe(s.Value)
		case s.Kind == vm.Exhausted && s.Which == "fuel":
		default:
			return fmt.Sprint(s.Kind, " ", s.Which)
		}
	}
	return "no end"
}

// newWorld is a world of the primitives and the machine's control procedures.
func newWorld(t testing.TB) (*prim.Table, *expand.World) {
	t.Helper()
	table := prim.NewTable(builtins.All())
	world := expand.NewWorld(nil, expand.NewSlots(0, heap.ImageGlobals), nil, expand.Limits{})
	var names []string
	for _, p := range table.Rows {
		names = append(names, p.Name)
	}
	for _, c := range vm.Control {
		names = append(names, c.Name)
	}
	if err := world.DefinePrimitives("(%primitive)", names); err != nil {
		t.Fatal(err)
	}
	return table, world
}

func expandIn(t testing.TB, world *expand.World, text string, strict bool) []expand.Unit {
	t.Helper()
	forms, err := syntax.ReadAll(syntax.NewSource("t.scm", text))
	if err != nil {
		t.Fatal(err)
	}
	p := world.NewProgram([]string{"(%syntax)", "(%primitive)"})
	p.Strict = strict
	res, err := p.Expand(forms)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return res.Units
}

func expandOnly(t testing.TB, text string, strict bool) []expand.Node {
	_, world := newWorld(t)
	var body []expand.Node
	for _, u := range expandIn(t, world, text, strict) {
		body = append(body, u.Body...)
	}
	return body
}

func load(t testing.TB, text string, strict bool) (*vm.Machine, []int) {
	t.Helper()
	table, world := newWorld(t)
	slot := func(name string) (int, bool) {
		g := world.Global("(%primitive)", name)
		if g == nil {
			return 0, false
		}
		return g.Slot, true
	}
	m, err := vm.New(vm.Config{Prims: table})
	if err != nil {
		t.Fatal(err)
	}
	m.BindPrimitives(slot)
	var units []int
	for _, x := range expandIn(t, world, text, strict) {
		u, err := compile.Compile(x.Name, x.Body, compile.Options{Prims: table})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if err := code.Verify(u, len(table.Rows)); err != nil {
			t.Fatalf("%s: %v\n%s", text, err, code.Disassemble(u, code.Names{}))
		}
		n, err := m.Load(u)
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, n)
	}
	return m, units
}

// programs stress one thing each; the results are known.
var programs = []struct{ name, text, want string }{
	{"fib", "(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 22)", "17711"},
	{"tak", "(define (tak x y z) (if (not (< y x)) z (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y)))) (tak 18 12 6)", "7"},
	{"loop", "(let loop ((i 0)) (if (< i 1000000) (loop (+ i 1)) i))", "1000000"},
	{"lists", `(define (upto n) (let loop ((i (- n 1)) (l '())) (if (< i 0) l (loop (- i 1) (cons i l)))))
(define (map1 f l) (if (null? l) '() (cons (f (car l)) (map1 f (cdr l)))))
(define (fold f a l) (if (null? l) a (fold f (f a (car l)) (cdr l))))
(define (rev l) (let loop ((l l) (a '())) (if (null? l) a (loop (cdr l) (cons (car l) a)))))
(fold (lambda (a b) (+ a b)) 0 (rev (map1 (lambda (x) (* x 2)) (upto 10000))))`, "99990000"},
	{"floats", `(define (iter cr ci)
  (let loop ((x 0.0) (y 0.0) (n 0))
    (if (= n 1000) n
        (let ((x2 (* x x)) (y2 (* y y)))
          (if (< 4.0 (+ x2 y2)) n (loop (+ (- x2 y2) cr) (+ (* 2.0 (* x y)) ci) (+ n 1)))))))
(iter -0.1 0.1)`, "1000"},
	{"vectors", `(define (fill v n) (let loop ((i 0)) (if (< i n) (begin (vector-set! v i (* i 3)) (loop (+ i 1))) v)))
(define (sum v n) (let loop ((i 0) (s 0)) (if (< i n) (loop (+ i 1) (+ s (vector-ref v i))) s)))
(sum (fill (make-vector 10000 0) 10000) 10000)`, "149985000"},
	{"closures", `(define (make-counter) (let ((n 0)) (lambda () (set! n (+ n 1)) n)))
(define (compose f g) (lambda (x) (f (g x))))
(define (add k) (lambda (x) (+ x k)))
(let loop ((i 0) (r 0))
  (if (= i 10000) r
      (let ((c (make-counter)) (h (compose (add i) (add 2)))) (c) (loop (+ i 1) (+ (c) (h 1))))))`, "10004"},
	{"continuations", `(define (ctak x y z) (call/cc (lambda (k) (aux k x y z))))
(define (aux k x y z)
  (if (not (< y x)) (k z)
      (call/cc (lambda (k) (aux k
        (call/cc (lambda (k) (aux k (- x 1) y z)))
        (call/cc (lambda (k) (aux k (- y 1) z x)))
        (call/cc (lambda (k) (aux k (- z 1) x y))))))))
(ctak 12 8 4)`, "5"},
}

func TestPrograms(t *testing.T) {
	for _, p := range programs {
		if got := runText(t, p.text, true); got != p.want {
			t.Errorf("%s: %s, want %s", p.name, got, p.want)
		}
	}
}

func BenchmarkPrograms(b *testing.B) {
	for _, p := range programs {
		b.Run(p.name, func(b *testing.B) {
			m, units := load(b, p.text, true)
			defer m.Close()
			for b.Loop() {
				m.Start(units...)
				if s := m.Run(1 << 40); s.Kind != vm.Done {
					b.Fatal(s.Kind)
				}
			}
		})
	}
}

// FuzzCompile feeds source text: whatever expands compiles to a unit that the verifier accepts, or is refused with an
// *Error.
func FuzzCompile(f *testing.F) {
	for _, c := range semantics {
		f.Add(c.text)
	}
	table, _ := newWorld(f)
	f.Fuzz(func(t *testing.T, text string) {
		_, world := newWorld(t)
		forms, err := syntax.ReadAll(syntax.NewSource("f", text))
		if err != nil {
			return
		}
		for _, strict := range []bool{true, false} {
			p := world.NewProgram([]string{"(%syntax)", "(%primitive)"})
			p.Strict = strict
			res, err := p.Expand(forms)
			if err != nil {
				return
			}
			for _, x := range res.Units {
				u, err := compile.Compile(x.Name, x.Body, compile.Options{Prims: table})
				if e := (*compile.Error)(nil); err != nil && !errors.As(err, &e) {
					t.Fatal(err)
				}
				if err != nil {
					continue
				}
				if err := code.Verify(u, len(table.Rows)); err != nil {
					t.Fatalf("%v\n%s", err, code.Disassemble(u, code.Names{}))
				}
			}
		}
	})
}

// Programs that open the same library procedures may be compiled at once.
func TestParallel(t *testing.T) {
	table, world := newWorld(t)
	units := expandIn(t, world, "(define (first p) (car p)) (define (both p q) (cons (first p) (first q)))", true)
	var lib []*expand.Global
	for _, n := range units[0].Body {
		lib = append(lib, n.(*expand.GlobalDefine).Global)
	}
	if _, err := compile.Compile("lib", units[0].Body, compile.Options{Prims: table}); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			d := &syntax.Syntax{Datum: int64(i)}
			arg := &expand.Const{Datum: d}
			body := []expand.Node{&expand.Call{Func: &expand.GlobalRef{Global: lib[1]}, Args: []expand.Node{arg, arg}}}
			if _, err := compile.Compile("user", body, compile.Options{Prims: table}); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}
