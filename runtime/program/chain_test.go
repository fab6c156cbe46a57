package program_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/program"
)

// chain runs programs of one session, each after the one before it.
type chain struct {
	h       *house
	session uint64
	newest  graph.ID
	forget  bool // every machine is made again
	posture license.Posture
}

func (c *chain) after(at graph.ID, source string, data graph.Datum) ran {
	c.h.t.Helper()
	if c.forget {
		c.h.runner.Forget()
	}
	if c.posture == "" {
		c.posture = license.Yolo
	}
	spec := c.h.spec(source, c.posture, nil)
	spec.Context.Answerability = license.None
	spec.Open, spec.After, spec.Context.Session, spec.Data = true, at, c.session, data
	return c.h.run(c.h.t.Context(), spec, func(id graph.ID) { c.session, c.newest = id.Session, id })
}

func (c *chain) run(source string) ran {
	c.h.t.Helper()
	return c.after(c.newest, source, nil)
}

// told is how a program ended, in one line.
func (r ran) told() string {
	switch {
	case r.err != nil:
		text, _, _ := strings.Cut(r.err.Error(), "\n")
		return "error: " + text
	case r.Error != nil:
		return strings.TrimSpace(string(r.State) + ": " + r.Error.Message + " " + r.Error.Irritants)
	case r.State == program.Exited:
		return fmt.Sprintf("exit %d", r.Code)
	}
	return graph.Write(r.Value)
}

// TestChain: a program finds what those before it defined, whether their machine is at hand or made again from their
// journals.
func TestChain(t *testing.T) {
	rows := []struct{ source, want string }{
		{`(define n 1) (define (next) (set! n (+ n 1)) n) (next)`, "2"},
		{`(next)`, "3"},
		{`(define-syntax swap! (syntax-rules () ((_ a b) (let ((t a)) (set! a b) (set! b t))))) (define other 9) (swap! n other) (list n other)`, "(9 3)"},
		{`(swap! other n) n`, "3"},
		{`(define-record-type point (make-point x y) point? (x point-x) (y point-y set-point-y!)) (define p (make-point 1 2)) (set-point-y! p 5) (point-y p)`, "5"},
		{`(list (point? p) (point-x p) (point-y p))`, "(#t 1 5)"},
		{`(define text (read-file "data.txt")) (write-file "made.txt" text) (delete-file "data.txt") text`, `"from disk"`},
		{`(define hits (glob "*.txt")) (list text hits)`, `("from disk" ("made.txt"))`},
		{`(define before 'kept) (define ignored (vector-ref (vector 1) 7)) (define never 1)`, "raised: vector-ref: argument 2 must be from 0 to 0 7"},
		{`before`, "kept"},
		{`(list before (guard (e (#t 'not-yet)) never))`, "(kept not-yet)"},
		{`(next`, "error: test.scm:1:6: the input ends inside a list"},
		{`(nextt)`, "error: test.scm:1:2: nextt is not defined"},
		{`(define (next) 'redefined) (next)`, "redefined"},
		{`(define (string-length s) 'mine) (string-length "abc")`, "mine"},
		{`(list (next) (string-length "x"))`, "(redefined mine)"},
		{`(define k #f) (define count 0) (define (loud x) (display x) x) (loud (par-map (lambda (x) (string-length (read-file "made.txt")) (* x x)) '(1 2 3)))`, "(1 4 9)"},
		{`(guard (e (#t 'caught)) (read-file "gone.txt"))`, "caught"},
		{`(define seed (random-integer 1000000)) (number? seed)`, "#t"},
		{`(define now (current-second)) (exact? seed)`, "#t"},
		{`(begin (define last 'here) (exit 3))`, "exit 3"},
		{`last`, "here"},
		{`(import (only (srfi 1) iota)) (iota 3)`, "(0 1 2)"},
		{`(list (length (iota 4)) (next))`, "(4 redefined)"},
		{`(eval '(define made-by-eval 5) (interaction-environment)) made-by-eval`, "5"},
		{`(list made-by-eval (eval '(next) (interaction-environment)))`, "(5 redefined)"},
		{`(define (later) (undefined-here)) 1`, "1"},
		{`(run-program (program "(+ 1 (read-file \"made.txt\"))"))`, "raised: +: argument 2 must be a number: \"from disk\""},
		{`(define deep (make-parameter 1)) (parameterize ((deep 2)) (error "inside" (deep)))`, "raised: inside 2"},
		{`(deep)`, "1"},
	}
	for _, forget := range []bool{false, true} {
		t.Run(fmt.Sprintf("machines are made again: %v", forget), func(t *testing.T) {
			h := newHouse(t)
			defer h.runner.Forget()
			if err := os.WriteFile(filepath.Join(h.work, "data.txt"), []byte("from disk"), 0o600); err != nil {
				t.Fatal(err)
			}
			c := &chain{h: h, forget: forget}
			var random string
			for i, row := range rows {
				r := c.run(row.source)
				if got := r.told(); !strings.HasPrefix(got, row.want) {
					t.Errorf("%d: %s\n is %s\n want %s", i, row.source, got, row.want)
				}
			}
			random = c.run("(list seed now)").told()
			h.runner.Forget()
			if again := c.run("(list seed now)").told(); again != random {
				t.Errorf("what was read is %s, and later %s", random, again)
			}
		})
	}
}

// TestChainOfAHundred: each of a hundred programs adds one; a new process, that has none of their machines, goes on.
func TestChainOfAHundred(t *testing.T) {
	h := newHouse(t)
	c := &chain{h: h}
	for i := range 100 {
		if got, want := c.run(fmt.Sprintf("(define n%d (+ 1 %s)) (write-file \"n\" (number->string n%d)) n%d", i, map[bool]string{true: "0", false: fmt.Sprintf("n%d", i-1)}[i == 0], i, i)).told(), fmt.Sprint(i+1); got != want {
			t.Fatalf("program %d: %s", i, got)
		}
	}
	h.runner.Forget()
	h.enter(h.disk)
	if err := os.Remove(filepath.Join(h.work, "n")); err != nil {
		t.Fatal(err)
	}
	if got := c.run("(list n0 n50 n99)").told(); got != "(1 51 100)" {
		t.Error(got)
	}
	if _, err := os.Stat(filepath.Join(h.work, "n")); err == nil {
		t.Error("a call was made again")
	}
	h.runner.Forget()
}

// TestBranches: two programs that go on in the machine of one do not see each other.
func TestBranches(t *testing.T) {
	for _, forget := range []bool{false, true} {
		h := newHouse(t)
		c := &chain{h: h, forget: forget}
		c.run(`(define box (list 1 2)) (define who 'root)`)
		root := c.newest
		left := func(at graph.ID, source string) ran { return c.after(at, source, nil) }
		a := left(root, `(define who 'left) (set-car! box 'left) (define only-left 1) box`)
		b := left(root, `(set-car! (cdr box) 'right) (list who box)`)
		if a.told() != "(left 2)" || b.told() != "(root (1 right))" {
			t.Errorf("forget %v: left is %s, right is %s", forget, a.told(), b.told())
		}
		if r := left(a.ID, `(list who box only-left)`); r.told() != "(left (left 2) 1)" {
			t.Errorf("after the left one: %s", r.told())
		}
		if r := left(b.ID, `(list who box)`); r.told() != "(root (1 right))" {
			t.Errorf("after the right one: %s", r.told())
		}
		if r := left(b.ID, `only-left`); r.err == nil {
			t.Errorf("the right one sees the left one: %s", r.told())
		}
		h.runner.Forget()
	}
}

// TestNoLink: what a program that came to no end of its own had defined is not there.
func TestNoLink(t *testing.T) {
	h := newHouse(t)
	defer h.runner.Forget()
	c := &chain{h: h}
	c.run("(define a 1)")
	spec := h.spec("(define b 2) (let loop () (loop))", license.Yolo, nil)
	spec.Open, spec.After, spec.Context.Session, spec.Budget.Fuel = true, c.newest, c.session, 100_000
	r := h.run(t.Context(), spec, nil)
	if r.State != program.Budget {
		t.Fatalf("%s", r.told())
	}
	if got := c.after(r.ID, "(list a)", nil).told(); got != "(1)" {
		t.Error(got)
	}
	if got := c.after(r.ID, "b", nil); got.err == nil {
		t.Errorf("b is %s", got.told())
	}
}

// TestChainArguments: what #:args names is there in the program and in those after it, and errors have their own lines.
func TestChainArguments(t *testing.T) {
	h := newHouse(t)
	defer h.runner.Forget()
	c := &chain{h: h, forget: true}
	data := graph.List{graph.Pair("x", int64(40)), graph.Pair("names", graph.List{"a", "b"})}
	if r := c.after(graph.ID{}, "(+ x (length names))", data); r.told() != "42" {
		t.Error(r.told())
	}
	if r := c.run("(define y\n  (car x))"); r.Error == nil || r.Error.Trace[0].Line != 2 {
		t.Errorf("%s %+v", r.told(), r.Error)
	}
	if r := c.run("(list x names)"); r.told() != `(40 ("a" "b"))` {
		t.Error(r.told())
	}
}

// TestChainBackground: what an earlier program sent to the background is not begun again by those after it.
func TestChainBackground(t *testing.T) {
	h := newHouse(t)
	defer h.runner.Forget()
	c := &chain{h: h, forget: true}
	c.run(`(define job (background (lambda () (append-file "log" "x")))) (define z 1)`)
	if r := c.run(`(list (string? job) z)`); r.told() != "(#t 1)" {
		t.Error(r.told())
	}
	if b, err := os.ReadFile(filepath.Join(h.work, "log")); err != nil || string(b) != "x" {
		t.Errorf("log holds %q (%v)", b, err)
	}
}

// TestChainParks: a program of a chain that waits for a person goes on in a process that has none of the machines.
func TestChainParks(t *testing.T) {
	h := newHouse(t)
	c := &chain{h: h}
	c.run(`(define name "asked.txt") (define (save text) (write-file name text) (string-length text))`)
	spec := h.spec(`(define size (save text)) (list size name)`, license.Manual, nil)
	spec.Open, spec.After, spec.Context.Session, spec.Context.Answerability = true, c.newest, c.session, license.Queue
	spec.Data = graph.List{graph.Pair("text", "four")}
	r := h.run(t.Context(), spec, nil)
	if r.State != program.Parked {
		t.Fatal(r.told())
	}
	h.runner.Forget()
	h.enter(h.disk)
	h.approve("asked.txt")
	if again := h.resume(t.Context(), r.ID, spec); again.told() != `(4 "asked.txt")` {
		t.Error(again.told())
	}
	h.runner.Forget()
	if r := c.after(r.ID, "(list size text)", nil); r.told() != `(4 "four")` {
		t.Error(r.told())
	}
	h.runner.Forget()
}
