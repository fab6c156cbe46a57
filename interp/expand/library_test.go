package expand

import (
	"strings"
	"sync"
	"testing"

	"caper/interp/syntax"
)

var shelf = texts{
	"(counter)": `(define-library (counter) (export next! (rename current now) with-next) (import (%syntax) (%primitive))
		(begin (define n 0) (define (next!) (set! n (+ n 1)) n) (define (current) n) (define (helper x) (list x n))
		       (define-syntax with-next (syntax-rules () ((_ e) (begin (next!) (helper e)))))))`,
	"(bump)": `(define-library (bump) (export bump! total) (import (%syntax) (%primitive))
		(begin (define total 0) (define-syntax bump! (syntax-rules () ((_) (set! total (+ total 1)))))))`,
	"(log)": `(define-library (log) (export log! entries) (import (%syntax) (%primitive))
		(begin (define entries '()) (define-syntax push! (syntax-rules () ((_ p x) (set! p (cons x p))))) (define-syntax log! (syntax-rules () ((_ x) (push! entries x))))))`,
	"(needs counter)": `(define-library (needs counter) (export go) (import (%syntax) (%primitive) (prefix (counter) c:))
		(begin (define (go) (c:next!) (c:next!))))`,
	"(aux)":      `(define-library (aux) (export my-case) (import (%syntax)) (begin (define-syntax my-case (syntax-rules (else) ((_ else) 'else) ((_ x) 'other)))))`,
	"(cycle a)":  `(define-library (cycle a) (import (cycle b)))`,
	"(cycle b)":  `(define-library (cycle b) (import (cycle a)))`,
	"(liar)":     `(define-library (other) (export))`,
	"(secret)":   `!`,
	"(srfi 1)":   `(define-library (srfi 1) (export first) (import (%syntax) (%primitive)) (begin (define (first l) (car l))))`,
	"(own list)": `(define-library (own list) (export list get) (import (%syntax) (%primitive)) (begin (define (list . r) 'own) (define (get) (list 1 2))))`,
	"(parts)":    `(define-library (parts) (export a b c) (import (%syntax)) (include "a.scm") (include-ci "b.scm") (include-library-declarations "c.sld") (cond-expand (r7rs (begin (define d 4))) (else (bad))))`,
	"a.scm":      `(define a 1)`,
	"b.scm":      `(DEFINE B "B")`,
	"c.sld":      `(export d) (begin (define c 3))`,
	"loop.scm":   `(include "loop.scm")`,
	"loop.sld":   `(include-library-declarations "loop.sld")`,
	"(looping)":  `(define-library (looping) (include-library-declarations "loop.sld"))`,
	"bad.scm":    `(a`,
	"use.scm":    `(define (square x) (* x x)) (square 4)`,
}

const base = `(import (%syntax) (%primitive)) `

func TestLibraries(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"a library", base + `(import (counter)) (next!) (list (next!) (now))`, "(2 2)"},
		{"instantiated once", base + `(import (counter) (needs counter)) (go) (now)`, "2"},
		{"only", base + `(import (only (counter) now)) (define (next!) 'mine) (list (next!) (now))`, "(mine 0)"},
		{"except", base + `(import (except (counter) next!)) (define (next!) 'mine) (list (next!) (now))`, "(mine 0)"},
		{"prefix", base + `(import (prefix (counter) c:)) (list (c:next!) (c:now))`, "(1 1)"},
		{"rename", base + `(import (rename (counter) (next! step) (now next!))) (list (step) (next!))`, "(1 1)"},
		{"all of them", base + `(import (prefix (only (rename (except (counter) with-next) (now n)) n) x-)) (x-n)`, "0"},
		{"a macro reaches what its library does not export", base + `(import (counter)) (define (helper x) 'mine) (with-next 5)`, "(5 1)"},
		{"also renamed, where its helpers' names are taken", base + `(import (prefix (counter) c:)) (define (next!) 'mine) (c:with-next 5)`, "(5 1)"},
		{"a macro may assign its library's variable", base + `(import (bump)) (bump!) (bump!) total`, "2"},
		{"also through another macro", base + `(import (log)) (log! 1) (log! 2) entries`, "(2 1)"},
		{"else of the same meaning in two libraries", base + `(import (aux)) (list (my-case else) (let ((else 1)) (my-case else)))`, "(else other)"},
		{"else that was never imported", `(import (aux) (only (%primitive) list)) (list (my-case else))`, "(else)"},
		{"a library in the file", `(define-library (here) (export (rename f g)) (import (%syntax) (%primitive)) (begin (define (f) 7))) ` + base + `(import (here)) (g)`, "7"},
		{"a library that replaces a procedure for itself", base + `(import (only (own list) get)) (cons (get) (list 1))`, "(own 1)"},
		{"a redefinition that libraries never see", base + `(import (counter)) (define (list . r) 'mine) (with-next 5)`, "(5 1)"},
		{"of two imports the later wins", base + `(import (own list)) (list 1)`, "own"},
		{"parts of libraries", base + `(import (parts)) (list a b c d)`, `(1 "B" 3 4)`},
		{"include", base + `(include "use.scm") (square 3)`, "9"},
		{"include in a body", base + `(define (f) (include "use.scm")) (f)`, "16"},
		{"include as an expression", base + `(car (list (include-ci "b2.scm")))`, "5"},
		{"an import later in the file", base + `(define (f) (next!)) (import (counter)) (f)`, "1"},
		{"other names of SRFIs", base + `(import (srfi srfi-1)) (use-modules (srfi srfi-1)) (require srfi/1) (first '(1 2))`, "1"},
		{"cond-expand on a SRFI", base + `(cond-expand ((and srfi-1 (not srfi-2)) 'yes) (else 'no))`, "yes"},
		{"cond-expand on a library", base + `(cond-expand ((library (counter)) (import (counter)) (next!)) (else 'no))`, "1"},
	}
	shelf := texts{"b2.scm": "5"}.with(shelf)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := run(t, shelf, c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func (t texts) with(other texts) texts {
	for k, v := range other {
		t[k] = v
	}
	return t
}

func TestUnitsComeInRunningOrder(t *testing.T) {
	got, err := expandText(t, shelf, base+`(import (needs counter)) (go)`)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, line := range strings.Split(got, "\n") {
		names = append(names, line[:strings.Index(line, ": ")])
	}
	if got := strings.Join(names, " "); got != "(counter) (needs counter) t.scm" {
		t.Errorf("units: %s", got)
	}
}

func TestConstants(t *testing.T) {
	w := newWorld(t, texts{"(m)": `(define-library (m) (export k v p s f) (import (%syntax) (%primitive))
		(begin (define k 1) (define v 2) (set! v 3) (define (p) (set! s 1)) (define s 2) (define (f) (p)) (define f f)))`}.with(shelf), Limits{})
	p := w.NewProgram(implicit)
	p.Strict = true
	_, err := p.Expand(parse(t, "t.scm", `(import (%syntax) (%primitive) (m) (bump)) (define a 1) (define b 2) (set! b 3) (define (car x) x) (define c (car 1)) (define d 1) (define d 2)`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lib, name string
		constant  bool
	}{
		{"(m)", "k", true}, {"(m)", "v", false}, {"(m)", "p", true}, {"(m)", "s", false}, {"(m)", "f", false},
		{"(bump)", "total", false}, {"(%primitive)", "car", true},
	} {
		if g := w.Global(c.lib, c.name); g.Constant != c.constant {
			t.Errorf("%s of %s: constant %v", c.name, c.lib, g.Constant)
		}
	}
	if _, ok := w.Global("(m)", "p").Value().(*Lambda); !ok {
		t.Error("a constant procedure has no Lambda")
	}
	for name, want := range map[string]bool{"a": true, "b": false, "car": true, "c": true, "d": false} {
		if g := p.env.symbols.get(syntax.Intern(name)).(*Global); g.Constant != want {
			t.Errorf("%s of the program: constant %v", name, g.Constant)
		}
	}
}

// TestChildWorlds looks at programs over a parent whose libraries they share.
func TestChildWorlds(t *testing.T) {
	parent := newWorld(t, shelf, Limits{})
	slots := parent.slots
	if _, err := parent.NewProgram([]string{"(%syntax)", "(counter)", "(own list)"}).Expand(nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		w := NewWorld(parent, NewSlots(slots.Next(), 100_000), shelf, Limits{})
		p := w.NewProgram([]string{"(%syntax)", "(%primitive)", "(counter)"})
		got, err := units(p.Expand(parse(t, "t.scm", `(define x (with-next (now))) (import (needs counter)) (go)`)))
		if err != nil {
			t.Fatal(err)
		}
		want := "(needs counter): (define g:go (lambda () (begin (call g:next!) (call g:next!))))\n" +
			"t.scm: (define g:x (begin (call g:next!) (call g:helper (call g:current)))) (call g:go)"
		if got != want {
			t.Errorf("got %s", got)
		}
		if g := p.env.symbols.get(syntax.Intern("x")).(*Global); g.Slot != slots.Next() {
			t.Errorf("slot %d, want %d", g.Slot, slots.Next())
		}
	}
	if libs := strings.Join(parent.Libraries(), " "); libs != "(%primitive) (%syntax) (counter) (own list)" {
		t.Errorf("libraries: %s", libs)
	}
	if names := strings.Join(parent.Exports("(counter)"), " "); names != "next! now with-next" {
		t.Errorf("exports: %s", names)
	}
}

// TestReservedLibraries keeps what only the standard library may call from the text of programs.
func TestReservedLibraries(t *testing.T) {
	parent := newWorld(t, shelf, Limits{})
	if _, err := parent.NewProgram([]string{"(%syntax)"}).Expand(nil); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"(import (%primitive))", "(import (only (%support) raise))",
		"(define-library (mine) (import (prefix (%primitive) p:)))\n(import (mine))"} {
		p := NewWorld(parent, NewSlots(1000, 100_000), shelf, Limits{}).NewProgram([]string{"(%syntax)"})
		_, err := p.Expand(parse(t, "t.scm", text))
		if err == nil || !strings.Contains(err.Error(), "for programs") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestParentsAreShared expands over one parent from several goroutines; the race detector looks on.
func TestParentsAreShared(t *testing.T) {
	parent := newWorld(t, shelf, Limits{})
	if _, err := parent.NewProgram([]string{"(%syntax)", "(counter)", "(log)", "(own list)"}).Expand(nil); err != nil {
		t.Fatal(err)
	}
	first := parent.slots.Next()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			p := NewWorld(parent, NewSlots(first, 100_000), shelf, Limits{}).NewProgram([]string{"(%syntax)", "(%primitive)", "(counter)", "(log)"})
			p.Strict = true
			text := "(define (f x) (log! x) (with-next `(,x ,(now)))) (import (needs counter)) (cond ((f 1) => list) (else (go)))"
			if _, err := p.Expand(parse(t, "t.scm", text)); err != nil {
				t.Error(err)
			}
			if _, err := p.Expand(parse(t, "t.scm", "(nxt!)")); err == nil {
				t.Error("no error")
			}
		})
	}
	wg.Wait()
}

// TestREPL gives one program one input after the other; an error leaves it as it was.
func TestREPL(t *testing.T) {
	p := newWorld(t, shelf, Limits{}).NewProgram(implicit)
	for _, c := range []struct{ input, want string }{
		{`(define (f) (later 1))`, `(define g:f (lambda () (call g:later 1)))`},
		{`(define (later x) (car x))`, `(define g:later (lambda (x) (call g:car x)))`},
		{`(define x 1) (define (car y) x) (car (let))`, `t.scm:1:38: let: expected (let ((name value) ...) body ...), found (let)`},
		{`(car x)`, `(call g:car g:x)`},
		{`(define car 5) (car)`, `(define g:car 5) (call g:car)`},
		{`(import (counter)) (next!)`, "(counter): (define g:n 0) (define g:next! (lambda () (begin (set! g:n (call g:+ g:n 1)) g:n))) (define g:current (lambda () g:n)) (define g:helper (lambda (x) (call g:list x g:n)))\nt.scm: (call g:next!)"},
		{`(import (liar))`, `t.scm:1:9: (liar) does not define the library (liar)`},
		{`(now)`, `(call g:current)`},
		{`(set! later 3)`, `(set! g:later 3)`},
		{`(set! nowhere 3)`, `(set! g:nowhere 3)`},
		{`(set! now 3)`, `t.scm:1:7: set!: current is imported from (counter) and cannot be assigned`},
		{`(define-syntax m (syntax-rules () ((_) 1))) (if)`, `t.scm:1:45: if: expected (if test then else), found (if)`},
		{`(m)`, `(call g:m)`},
		{`(define-syntax m (syntax-rules () ((_) 1)))`, ``},
		{`(m)`, `1`},
		{`(define m 2) m`, `(define g:m 2) g:m`},
		{`(define-library (new) (export v) (import (%syntax)) (begin (define v 1))) (import (new)) v`, "(new): (define g:v 1)\nt.scm: g:v"},
		{`(define-library (new) (export v) (import (%syntax)) (begin (define v 2))) (import (new)) v`, "(new): (define g:v 2)\nt.scm: g:v"},
	} {
		got, err := units(p.Expand(parse(t, "t.scm", c.input)))
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\n  got  %s\n  want %s", c.input, got, c.want)
		}
	}
	names := strings.Join(p.Names(), " ")
	for _, name := range []string{"later", "car", "next!", "lambda", "m"} {
		if !strings.Contains(names, name) {
			t.Errorf("Names lacks %s", name)
		}
	}
}

// TestMoreAfterAWholeFile: what a strict Expand made constant stays so for the code that was compiled with it.
func TestMoreAfterAWholeFile(t *testing.T) {
	p := newWorld(t, shelf, Limits{}).NewProgram(implicit)
	p.Strict = true
	for _, c := range []struct{ input, want string }{
		{`(define x 1) (define (f) x)`, `(define g:x 1) (define g:f (lambda () g:x))`},
		{`(set! x 2)`, `t.scm:1:7: set!: x was compiled as a constant and cannot be assigned`},
		{`(define x 2) (f)`, `(define g:x 2) (call g:f)`},
	} {
		old := p.env.symbols.get(syntax.Intern("x"))
		got, err := units(p.Expand(parse(t, "t.scm", c.input)))
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\n  got  %s\n  want %s", c.input, got, c.want)
		}
		if now := p.env.symbols.get(syntax.Intern("x")); err == nil && old == now {
			t.Error("the constant was redefined")
		}
	}
}

func TestImportsOfAProgram(t *testing.T) {
	p := newWorld(t, shelf, Limits{}).NewProgram(implicit)
	r, err := p.Import("(counter)")
	if err != nil || len(r.Units) != 1 || r.Units[0].Name != "(counter)" {
		t.Fatal(r, err)
	}
	if _, err := p.Import("(no such)"); err == nil || err.Error() != "there is no library (no such)" {
		t.Error(err)
	}
}

// TestInteractive: at a REPL an import adds to what is there.
func TestInteractive(t *testing.T) {
	for _, interactive := range []bool{true, false} {
		p := newWorld(t, shelf, Limits{}).NewProgram(implicit)
		p.Interactive = interactive
		if _, err := p.Import("(own list)"); err != nil {
			t.Fatal(err)
		}
		got, err := units(p.Expand(parse(t, "t.scm", "(import (prefix (counter) c:)) (list (c:now) (car 1))")))
		_, isCall := p.env.lookup(ident{sym: syntax.Intern("car")}).(*Global)
		if err != nil || isCall != interactive {
			t.Errorf("interactive %v: %s %v", interactive, got, err)
		}
		if g := p.env.lookup(ident{sym: syntax.Intern("list")}).(*Global); g.Prim != "" {
			t.Error("an explicit import does not win over the implicit ones")
		}
	}
}

func TestStrip(t *testing.T) {
	s := parse(t, "t.scm", `(a #(b) "d")`)[0]
	if Strip(s) != s {
		t.Error("what has no alias is not copied")
	}
	renamed := &syntax.Syntax{Datum: &Alias{id: ident{sym: syntax.Intern("x")}}}
	l := &syntax.Syntax{Datum: &syntax.List{Items: []*syntax.Syntax{s, renamed}, Tail: renamed}}
	if got := Strip(l).Text(); got != `((a #(b) "d") x . x)` {
		t.Error(got)
	}
	knot := &syntax.List{Items: []*syntax.Syntax{renamed, nil}}
	k := &syntax.Syntax{Datum: knot}
	knot.Items[1] = k
	if got := Strip(k).Text(); got != `#0=(x #0#)` {
		t.Error(got)
	}
}
