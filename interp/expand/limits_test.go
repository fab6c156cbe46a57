package expand

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// deep is n times open, then middle, then n times shut.
func deep(n int, open, middle, shut string) string {
	return strings.Repeat(open, n) + middle + strings.Repeat(shut, n)
}

// TestLimits holds texts that would overflow a stack or run for ever: each ends in an error that says which limit.
func TestLimits(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"calls", deep(20_000, "(car ", "1", ")"), "nested too deeply (limit 10000)"},
		{"operators", deep(20_000, "(", "car", ")"), "nested too deeply (limit 10000)"},
		{"lambdas", deep(20_000, "(lambda () ", "1", ")"), "nested too deeply"},
		{"lets", deep(20_000, "(let ((x 1)) ", "x", ")"), "nested too deeply"},
		{"named lets", deep(20_000, "(let f ((x 1)) ", "x", ")"), "nested too deeply"},
		{"begins", deep(20_000, "(begin ", "1", ")"), "nested too deeply"},
		{"ifs", deep(20_000, "(if 1 2 ", "3", ")"), "nested too deeply"},
		{"quasiquotes", deep(20_000, "`(,", "1", ")"), "nested too deeply"},
		{"quasiquoted lists", "`" + deep(20_000, "(", ",1", ")"), "nested too deeply"},
		{"quoted lists", "'" + deep(20_000, "(", "1", ")"), "nested too deeply"},
		{"quoted lists, far too many", "'" + deep(500_000, "(", "1", ")"), "nested too deeply"},
		{"vectors", deep(20_000, "#(", "1", ")"), "nested too deeply"},
		{"curried definitions", "(define " + deep(20_000, "(", "f", ")") + " 1)", "nested too deeply"},
		{"patterns", "(define-syntax m (syntax-rules () ((_ " + deep(20_000, "(", "x", ")") + ") 1)))", "nested too deeply"},
		{"templates", "(define-syntax m (syntax-rules () ((_) " + deep(20_000, "(", "x", ")") + ")))", "nested too deeply"},
		{"bodies", deep(20_000, "(let () (define x ", "1", ") x)"), "nested too deeply"},
		{"cond", "(cond " + strings.Repeat("(1 2) ", 20_000) + ")", "nested too deeply"},
		{"cond of tests", "(cond " + strings.Repeat("(1) ", 20_000) + ")", "nested too deeply"},
		{"case", "(case 1 " + strings.Repeat("((1) 2) ", 20_000) + ")", "nested too deeply"},
		{"and", "(and " + strings.Repeat("1 ", 20_000) + ")", "nested too deeply"},
		{"or", "(or " + strings.Repeat("1 ", 20_000) + ")", "nested too deeply"},
		{"let*", "(let* (" + strings.Repeat("(x 1) ", 20_000) + ") 1)", "nested too deeply"},
		{"let*-values", "(let*-values (" + strings.Repeat("((x y) 1) ", 20_000) + ") 1)", "nested too deeply"},
		{"quasiquoted items", "`(" + strings.Repeat(",1 ", 20_000) + ")", "nested too deeply"},
		{"define-values", "(define-values (" + numbered("v", 20_000) + ") 1)", "nested too deeply"},
		{"cond-expand", deep(20_000, "(cond-expand (else ", "1", "))"), "nested too deeply"},
		{"requirements", "(cond-expand (" + deep(20_000, "(not ", "x", ")") + "))", "nested too deeply"},
		{"import sets", "(import " + deep(20_000, "(only ", "(%syntax)", ")") + ")", "nested too deeply"},
		{"let-syntax", deep(20_000, "(let-syntax () ", "1", ")"), "nested too deeply"},

		{"macro for ever", "(define-syntax m (syntax-rules () ((_) (m)))) (m)", "the macro m seems to expand without end (limit 20000 macro uses)"},
		{"macro for ever, growing", "(define-syntax m (syntax-rules () ((_ x) (m (x x))))) (m 1)", "the macro m seems to expand without end"},
		{"macro for ever, doubling", "(define-syntax m (syntax-rules () ((_ x ...) (m x ... x ...)))) (m 1)", "the expansion of the macro m is too large"},
		{"macro for ever, in a call", "(define-syntax m (syntax-rules () ((_) (car (m))))) (m)", "nested too deeply (limit 10000) in the expansion of the macro m"},
		{"macro for ever, in two calls", "(define-syntax m (syntax-rules () ((_) (cons (m) (m))))) (m)", "nested too deeply"},
		{"macro for ever, definitions", "(define-syntax m (syntax-rules () ((_) (begin (define x 1) (m))))) (m)", "nested too deeply"},
		{"macro for ever, ping-pong", "(define-syntax a (syntax-rules () ((_) (b)))) (define-syntax b (syntax-rules () ((_) (a)))) (a)", "seems to expand without end"},
		{"macro for ever, as transformer", "(define-syntax a (syntax-rules () ((_) (a)))) (define-syntax b (a))", "the macro a seems to expand without end"},
		{"macros of macros", "(define-syntax m (syntax-rules () ((_) (let-syntax ((n (syntax-rules () ((_) (m))))) (n))))) (m)", "is too large"},
		{"exponential code", "(define-syntax m (syntax-rules () ((_ () e) e) ((_ (a . r) e) (m r (list e e))))) (m (" + strings.Repeat("1 ", 40) + ") 1)", "the expansion of the macro m is too large"},
		{"exponential data", "(define-syntax m (syntax-rules () ((_ () e) 'e) ((_ (a . r) e) (m r (e e))))) (m (" + strings.Repeat("1 ", 60) + ") 1)", "too large"},
		{"exponential search", "(define-syntax m (syntax-rules () ((_ a) (begin (m a) (m a))))) (m 1)", "nested too deeply"},
		{"circular code", "(car . #0=(1 . #0#))", "a call ends in a dot and"},
		{"circular code, in depth", "#0=(car #0#)", "nested too deeply"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			limits := Limits{}
			if strings.Contains(c.text, "define-syntax") {
				limits = Limits{Steps: 20_000, Nodes: 1_000_000}
			}
			switch c.name { // those that look names up through all scopes
			case "lambdas", "lets", "named lets", "bodies", "let-syntax":
				limits.Depth = 2_000
			}
			_, err := newWorld(t, nil, limits).NewProgram(implicit).Expand(parse(t, "t.scm", c.text))
			runtime.ReadMemStats(&after)
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(e.Message, c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 1000 {
				t.Errorf("allocated %d MB", mb)
			}
		})
	}
}

// TestDefaultLimits: without limits of one's own, a macro that never ends ends soon.
func TestDefaultLimits(t *testing.T) {
	_, err := expandText(t, nil, "(define-syntax m (syntax-rules () ((_) (m))))\n(m)")
	if err == nil || err.Error() != "t.scm:2:1: the macro m seems to expand without end (limit 1000000 macro uses)" {
		t.Error(err)
	}
}

func numbered(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d ", name, i)
	}
	return b.String()
}

// TestDeepEnough holds what must still go through.
func TestDeepEnough(t *testing.T) {
	for name, text := range map[string]string{
		"calls":           deep(9_000, "(car ", "1", ")"),
		"bodies":          deep(3_000, "(let () (define x ", "1", ") x)"),
		"quoted":          "'" + deep(9_000, "(", "1", ")"),
		"a long list":     "'(" + numbered("x", 100_000) + ")",
		"a circular list": "'#0=(1 2 . #0#)",
		"a circular tree": "'#0=(1 #(#0# 2) #0#)",
		"definitions":     "(begin " + strings.ReplaceAll(numbered("(define v", 20_000), " (", " 1)(") + " 1))",
		"a large body":    "(let () " + strings.ReplaceAll(numbered("(define v", 20_000), " (", " 1)(") + " 1) 1)",
		"a long cond":     "(cond " + strings.Repeat("(1 2) ", 9_000) + ")",
		"many arguments":  "(list " + numbered("'x", 50_000) + ")",
		"a macro's loop":  "(define-syntax m (syntax-rules () ((_) 1) ((_ x . r) (m . r)))) (m " + numbered("x", 5_000) + ")",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := expandText(t, nil, text); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestOutputIsNoDeeperThanTheLimit nests every form as deep as it goes: the core forms that come out may be walked
// recursively by whoever trusts the limit.
func TestOutputIsNoDeeperThanTheLimit(t *testing.T) {
	const limit = 400
	for _, f := range []string{
		"(car _)", "(_)", "(if _ 1)", "(if 1 _)", "(lambda () _)", "(lambda ((a _)) 1)", "(lambda ((a 1)) _)", "(let () (define (f) _) 1)", "(let ((x _)) x)", "(let () (define x _) x)",
		"(let () 1 _)", "(let f ((x 1)) _)", "(let f ((x _)) x)", "(let* ((x 1) (y _)) x)", "(let* ((x 1) (y 2)) _)",
		"(letrec ((x _)) x)", "(let-values (((a b) _)) 1)", "(let-values (((a b) 1) ((c d) _)) 1)", "(let-values (((a b) 1) ((c d) 2)) _)",
		"(let*-values (((a b) 1) ((c d) _)) 1)", "(let*-values (((a b) 1) ((c d) 2)) _)", "(receive a _ a)", "(receive a 1 _)",
		"(do ((i 0 _)) (1))", "(do ((i _)) (1))", "(do () (_))", "(do () (1 _))", "(do () (1) _)", "(while 1 _ 2)", "(while _ 1)", "(until 1 _)",
		"(dotimes (i _) 1)", "(dotimes (i 1) _)", "(dotimes (i 1 _) 1)",
		"(cond (_))", "(cond (1) (_) (2))", "(cond (1) (2) (else _))", "(cond (1 => car) (2 => _))", "(cond (1 => car) (_ => cdr))", "(cond (1 2) (3 _))",
		"(case _ ((1) 2))", "(case 1 ((1 2 3) 2) ((2) _))", "(case 1 ((1 2 3) 2) ((2) => _))", "(when 1 _)", "(unless 1 _ 2)",
		"(and 1 2 _)", "(and _ 1 2)", "(or 1 2 _)", "(or _ 1 2)", "(or 1 _ 2)", "(delay _)", "(delay-force _)", "(cons-stream 1 _)", "(cons-stream _ 1)",
		"(parameterize ((_ 1)) 2)", "(parameterize ((car _)) 2)", "(parameterize ((car 1)) _)",
		"(let ((x 1)) (fluid-let ((x _)) 2))", "(let ((x 1)) (fluid-let ((x 1)) _))", "(guard (e (_)) 1)", "(guard (e (1 _)) 1)", "(guard (e) _)",
		"(assert _)", "(let/ec k _)", "(let/cc k _)", "(begin0 _ 1)", "(begin0 1 _)", "(begin 1 _)", "(case-lambda ((x) _) (r r))",
		"(let () (define-values (a b c) _) 1)", "(let () (define ((f a) b) _) 1)", "(let-syntax () _)", "(set! x _)",
		"`(1 ,_)", "`(,_ 1)", "`(1 2 3 ,@_ 4)", "`(1 2 . ,_)", "`#(1 ,_)", "`(1 (2 (3 ,_)))", "`(1 `(2 ,(3 ,_)))", "`(1 `(2 ,,_))", "(let () (define-syntax m (syntax-rules () ((m x) (list 1 x)))) (m _))",
	} {
		before, after, _ := strings.Cut(f, "_")
		least := 0
		for n := 2; n <= limit; n += 19 {
			p := newWorld(t, nil, Limits{Depth: limit}).NewProgram(implicit)
			r, err := p.Expand(parse(t, "t.scm", "(define x 1) (list "+strings.Repeat(before, n)+"1"+strings.Repeat(after, n)+")"))
			if err != nil {
				if !strings.Contains(err.Error(), "nested too deeply") {
					t.Errorf("%s: %v", f, err)
				}
				break
			}
			least = n
			for _, u := range r.Units {
				for _, node := range u.Body {
					if d := nodeDepth(node); d > limit+8 {
						t.Errorf("%s: depth %d from nesting %d", f, d, n)
					}
				}
			}
		}
		if least < limit/20 {
			t.Errorf("%s: nests only %d deep", f, least)
		}
	}
}

func nodeDepth(n Node) int {
	deepest := 0
	visit := func(nodes ...Node) {
		for _, m := range nodes {
			if m != nil {
				deepest = max(deepest, nodeDepth(m))
			}
		}
	}
	switch n := n.(type) {
	case *LocalSet:
		visit(n.Value)
	case *GlobalSet:
		visit(n.Value)
	case *GlobalDefine:
		visit(n.Value)
	case *If:
		visit(n.Test, n.Then, n.Else)
	case *Lambda:
		visit(n.Body)
	case *CaseLambda:
		for _, c := range n.Clauses {
			visit(c)
		}
	case *Let:
		visit(n.Inits...)
		visit(n.Body)
	case *Letrec:
		visit(n.Inits...)
		visit(n.Body)
	case *Seq:
		visit(n.Nodes...)
	case *Call:
		visit(n.Func)
		visit(n.Args...)
	}
	return deepest + 1
}
