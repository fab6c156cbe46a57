package compile

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"caper/interp/code"
	"caper/interp/expand"
	"caper/interp/syntax"
)

func number(i int64) expand.Node {
	return &expand.Const{Datum: &syntax.Syntax{Datum: i}}
}

// chainOf nests n forms made by wrap around a number.
func chainOf(n int, wrap func(expand.Node) expand.Node) []expand.Node {
	node := number(1)
	for range n {
		node = wrap(node)
	}
	return []expand.Node{node}
}

var (
	carGlobal   = &expand.Global{Name: "car", Prim: "car", Constant: true, Defined: true, Slot: 1}
	otherGlobal = &expand.Global{Name: "f", Slot: 2}
	aTest       = &expand.GlobalRef{Global: otherGlobal}
)

// Forms built by hand may be deeper than any text that the expander lets through.
func TestDepth(t *testing.T) {
	cases := []struct {
		name string
		n    int
		ok   bool
		wrap func(expand.Node) expand.Node
	}{
		{"if, else", 200_000, true, func(n expand.Node) expand.Node { return &expand.If{Test: aTest, Then: number(1), Else: n} }},
		{"if, then", 20_000, true, func(n expand.Node) expand.Node { return &expand.If{Test: aTest, Then: n, Else: number(1)} }},
		{"if, then", 60_000, false, func(n expand.Node) expand.Node { return &expand.If{Test: aTest, Then: n, Else: number(1)} }},
		{"seq", 100_000, true, func(n expand.Node) expand.Node {
			return &expand.If{Test: aTest, Then: number(2), Else: &expand.Seq{Nodes: []expand.Node{aTest, n}}}
		}},
		{"calls", 20_000, false, func(n expand.Node) expand.Node { return &expand.Call{Func: aTest, Args: []expand.Node{number(1), n}} }},
		{"calls", 1_900, true, func(n expand.Node) expand.Node { return &expand.Call{Func: aTest, Args: []expand.Node{n}} }},
		{"primitives", 20_000, true, func(n expand.Node) expand.Node {
			return &expand.Call{Func: &expand.GlobalRef{Global: carGlobal}, Args: []expand.Node{n}}
		}},
		{"lambdas", 20_000, true, func(n expand.Node) expand.Node { return &expand.Lambda{Body: n} }},
		{"lambdas", 200_000, false, func(n expand.Node) expand.Node { return &expand.Lambda{Body: n} }},
		{"lets", 3_000, true, func(n expand.Node) expand.Node {
			return &expand.Let{Vars: []*expand.Var{{Name: "y"}}, Inits: []expand.Node{aTest}, Body: n}
		}},
		{"lets", 50_000, false, func(n expand.Node) expand.Node {
			return &expand.Let{Vars: []*expand.Var{{Name: "y"}}, Inits: []expand.Node{aTest}, Body: n}
		}},
		{"assignments", 3_900, true, func(n expand.Node) expand.Node { return &expand.GlobalSet{Global: otherGlobal, Value: n} }},
	}
	for _, c := range cases {
		u, err := Compile("deep", chainOf(c.n, c.wrap), Options{})
		if (err == nil) != c.ok {
			t.Errorf("%s, %d deep: %v", c.name, c.n, err)
			continue
		}
		if err == nil {
			err = code.Verify(u, 0)
		} else if e := (*Error)(nil); !errors.As(err, &e) {
			t.Errorf("%s: a %T", c.name, err)
			err = nil
		} else {
			err = nil
		}
		if err != nil {
			t.Errorf("%s, %d deep: %v", c.name, c.n, err)
		}
	}
}

func TestLimits(t *testing.T) {
	args := strings.Repeat(" 1", 1001)
	params := func(n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, " p%d", i)
		}
		return s.String()
	}
	sum := func(n int) string { return "(list" + params(n) + ")" }
	cases := []struct{ name, text, message string }{
		{"arguments", "(define (f . a) a) (f" + args + ")", "more than 1000 arguments"},
		{"arguments that fit", "(define (f . a) a) (f" + args[2:] + ")", ""},
		{"arguments of a primitive beyond its instruction", "(vector" + args[2:] + ")", ""},
		{"registers", "(define (g) 1) (define (f) (let (" + strings.Repeat("(x (g))", 1) + ") (g)))", ""},
		{"captures", "(define (f" + params(800) + ") (lambda () " + sum(800) + "))", "captures more than 765"},
		{"captures that fit", "(define (f" + params(765) + ") (lambda () " + sum(765) + "))", ""},
		{"clauses", "(define f (case-lambda " + strings.Repeat("((x) x)", 256) + "))", "more than 255 clauses"},
		{"clauses that fit", "(define f (case-lambda " + strings.Repeat("((x) x)", 255) + "))", ""},
		{"record types in high registers", "(define-record-type p (mk a) p? (a pa)) (define (f" + params(300) + ") (pa p0))", ""},
	}
	for _, c := range cases {
		w := newWorld(t)
		u, err := Compile("t", w.expand(t, c.text), Options{Prims: w.prims})
		switch {
		case c.message == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.message == "":
			if err := code.Verify(u, len(w.prims.Rows)); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		case err == nil || !strings.Contains(err.Error(), c.message) || !strings.HasPrefix(err.Error(), "t.scm:1:"):
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A long file becomes many small procedures, each with its places.
func TestTop(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&text, "(define v%d (car (cons %d\n 'x)))\n", i, i)
	}
	w := newWorld(t)
	u := w.compile(t, text.String())
	if n := len(u.Top); n < 20 || n > 100 {
		t.Errorf("%d top-level procedures", n)
	}
	last := u.Procs[u.Top[len(u.Top)-1]]
	if l := last.Lines[len(last.Lines)-1]; l.Line != 5999 || l.Column != 1 {
		t.Errorf("the last place is %d:%d", l.Line, l.Column)
	}
}

// Circular constants keep their knots; equal data share symbols, the same datum is one object.
func TestConstants(t *testing.T) {
	w := newWorld(t)
	for text, want := range map[string]int{
		"'#0=(a b . #0#)": 4, "'(a a a)": 5, "'#0=#(x #0#)": 2, "(let ((s \"x\")) (eq? s s))": 1, "(list 'a \"a\" \"a\")": 3, "''()": 4,
	} {
		u := w.compile(t, text)
		if len(u.Consts) != want {
			t.Errorf("%s: %d constants: %v", text, len(u.Consts), u.Consts)
		}
	}
}

func TestPlaces(t *testing.T) {
	w := newWorld(t)
	u := w.compile(t, "(define (f x)\n  (+ (car x)\n     (λ x)))\n(define (λ y)\n \"ä\" (f (f y)))\n")
	var got []string
	for _, p := range u.Procs {
		for _, l := range p.Lines {
			got = append(got, fmt.Sprintf("%s %d:%d", p.Name, l.Line, l.Column))
		}
	}
	want := "top level 1:1, top level 4:1, f 2:6, f 3:6, f 2:3, λ 2:6, λ 3:6, λ 2:3, λ 2:6, λ 3:6, λ 2:3"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
}

// The running cache of places agrees with the source, for every kind of line.
func TestPosition(t *testing.T) {
	texts := []string{"ab\ncd\n\n  ef\n", "a\r\nb\rc\nd", "αβ\nc δ\nxyz\n", strings.Repeat("x", 3000) + "\n" + strings.Repeat("y\n", 3000), ""}
	for _, text := range texts {
		src := syntax.NewSource("p", text)
		b := newBuilder("t", nil)
		for i := range 4000 {
			at := i * 7919 % (len(text) + 1)
			if i > 2000 {
				at = i % (len(text) + 1)
			}
			s := syntax.Span{Source: src, Start: int32(at), End: int32(at)}
			_, line, col := b.position(s)
			if _, l, c := s.Position(); int32(l) != line || int32(c) != col {
				t.Fatalf("%.20q offset %d: %d:%d, want %d:%d", text, at, line, col, l, c)
			}
		}
	}
}
