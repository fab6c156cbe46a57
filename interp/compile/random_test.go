package compile_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"caper/interp/expand"
)

// generator writes random programs: nests of bindings, loops, closures, assignments and tests over few names.
type generator struct {
	r     *rand.Rand
	scope []string // variables
	procs []proc   // local procedures that may be called
	count int
}

type proc struct {
	name string
	args int
}

func (g *generator) name(prefix string) string {
	g.count++
	return prefix + strconv.Itoa(g.count)
}

func (g *generator) pick(s ...string) string { return s[g.r.IntN(len(s))] }

func (g *generator) atom() string {
	if len(g.scope) > 0 && g.r.IntN(3) > 0 {
		return g.pick(g.scope...)
	}
	return g.pick("0", "1", "2", "-3", "7", "40000", "#t", "#f", "'()", "'a", "-1", "2")
}

// within runs body with names added to the scope.
func (g *generator) within(names []string, procs []proc, body func() string) string {
	vars, ps := g.scope, g.procs
	g.scope = append(g.scope[:len(g.scope):len(g.scope)], names...)
	g.procs = append(g.procs[:len(g.procs):len(g.procs)], procs...)
	s := body()
	g.scope, g.procs = vars, ps
	return s
}

func (g *generator) many(n, depth int) string {
	var s []string
	for range n {
		s = append(s, g.expr(depth))
	}
	return strings.Join(s, " ")
}

func (g *generator) expr(depth int) string {
	if depth <= 0 {
		return g.atom()
	}
	d := depth - 1
	switch g.r.IntN(22) {
	case 0, 1:
		return "(" + g.pick("+", "-", "*", "+") + " " + g.many(2+g.r.IntN(2), d) + ")"
	case 2:
		return "(" + g.pick("<", "=", ">=", "eq?", "cons", "cons") + " " + g.many(2, d) + ")"
	case 3:
		return "(" + g.pick("not", "null?", "pair?", "zero?", "car", "cdr") + " " + g.expr(d) + ")"
	case 4, 5:
		return "(if " + g.many(3, d) + ")"
	case 6:
		return "(" + g.pick("and", "or") + " " + g.many(2+g.r.IntN(2), d) + ")"
	case 7, 8:
		a, b := g.name("x"), g.name("y")
		i := g.many(1, d)
		j := g.many(1, d)
		return fmt.Sprintf("(let ((%s %s) (%s %s)) %s)", a, i, b, j, g.within([]string{a, b}, nil, func() string { return g.expr(d) }))
	case 9, 10:
		if len(g.scope) == 0 {
			return g.atom()
		}
		return fmt.Sprintf("(begin (set! %s %s) %s)", g.pick(g.scope...), g.expr(d), g.expr(d))
	case 11, 12:
		return g.loop(d)
	case 13:
		return g.twice(d)
	case 14, 15:
		return g.body(d)
	case 16:
		a := g.name("a")
		return fmt.Sprintf("((lambda (%s) %s) %s)", a, g.within([]string{a}, nil, func() string { return g.expr(d) }), g.expr(d))
	case 17:
		return "(lambda () " + g.expr(d) + ")"
	case 18:
		return "(list " + g.many(g.r.IntN(4), d) + ")"
	case 19:
		return "(" + g.expr(d) + ")"
	default:
		if len(g.procs) == 0 {
			return g.atom()
		}
		p := g.procs[g.r.IntN(len(g.procs))]
		return "(" + p.name + " " + g.many(p.args, d) + ")"
	}
}

// loop is a named let that counts down, with calls of itself in tail position or not.
func (g *generator) loop(d int) string {
	l, i, x := g.name("loop"), g.name("i"), g.name("s")
	return fmt.Sprintf("(let %s ((%s %d) (%s %s)) %s)", l, i, g.r.IntN(5), x, g.expr(d), g.within([]string{i, x}, nil, func() string {
		again := func() string { return fmt.Sprintf("(%s (- %s 1) %s)", l, i, g.expr(d)) }
		stop := g.pick("(< "+i+" 1)", "(= "+i+" 0)", "(not (< 0 "+i+"))")
		switch g.r.IntN(4) {
		case 0:
			return fmt.Sprintf("(if %s %s %s)", stop, g.expr(d), again())
		case 1:
			return fmt.Sprintf("(if (< 0 %s) (if %s %s %s) %s)", i, g.expr(d), again(), again(), g.expr(d))
		case 2:
			return fmt.Sprintf("(if %s %s (cons %s %s))", stop, g.expr(d), g.expr(d), again())
		}
		return fmt.Sprintf("(if %s %s (let ((t %s)) %s))", stop, x, g.expr(d), again())
	}))
}

// twice is a local loop that is entered from two places.
func (g *generator) twice(d int) string {
	l, i, x := g.name("loop"), g.name("i"), g.name("s")
	stop := g.pick("(< "+i+" 1)", "(= 0 "+i+")")
	limit := "0"
	if len(g.scope) > 0 {
		limit = g.pick(g.scope...)
	}
	test := g.pick(stop, "(if "+stop+" #t (eq? "+x+" "+limit+"))", "(eq? "+x+" "+limit+")")
	body := g.within([]string{i, x}, nil, func() string {
		return fmt.Sprintf("(if %s %s (if %s %s (%s (- %s 1) %s)))", test, g.expr(d), stop, g.expr(d), l, i, g.expr(d))
	})
	return fmt.Sprintf("(let () (define (%s %s %s) %s) (if %s (%s 3 %s) (%s 2 %s)))", l, i, x, body, g.expr(d), l, g.expr(d), l, g.expr(d))
}

// body is a let body with internal definitions of procedures and values, in any order.
func (g *generator) body(d int) string {
	n := 1 + g.r.IntN(3)
	var names []string
	var procs []proc
	for range n {
		if g.r.IntN(3) > 0 {
			procs = append(procs, proc{g.name("f"), g.r.IntN(3)})
		} else {
			names = append(names, g.name("v"))
		}
	}
	return "(let () " + g.within(names, procs, func() string {
		var defs []string
		for _, p := range procs {
			var params []string
			for range p.args {
				params = append(params, g.name("p"))
			}
			body := g.within(params, nil, func() string { return g.expr(d) })
			defs = append(defs, fmt.Sprintf("(define (%s %s) %s)", p.name, strings.Join(params, " "), body))
		}
		for _, v := range names {
			defs = append(defs, fmt.Sprintf("(define %s %s)", v, g.expr(d)))
		}
		g.r.Shuffle(len(defs), func(i, j int) { defs[i], defs[j] = defs[j], defs[i] })
		return strings.Join(defs, " ") + " " + g.expr(d)
	}) + ")"
}

func (g *generator) program() string {
	var b strings.Builder
	for range 1 + g.r.IntN(3) {
		p := proc{g.name("g"), g.r.IntN(3)}
		var params []string
		for range p.args {
			params = append(params, g.name("p"))
		}
		fmt.Fprintf(&b, "(define (%s %s) %s)\n", p.name, strings.Join(params, " "), g.within(params, nil, func() string { return g.expr(2 + g.r.IntN(4)) }))
		g.procs = append(g.procs, p)
	}
	return b.String() + g.expr(4)
}

var procedure = regexp.MustCompile(`#<procedure[^>]*>`)

// agree compares printed values; the machine's printer cuts off what is long or deep.
func agree(got, want string) bool {
	got, want = procedure.ReplaceAllString(got, "#<procedure>"), procedure.ReplaceAllString(want, "#<procedure>")
	got, _, cut := strings.Cut(got, "…")
	if i := strings.LastIndex(got, "#<"); cut && i >= 0 {
		got = got[:i]
	}
	if i := strings.Index(got, "..."); i >= 0 {
		got, cut = got[:i], true
	}
	return got == want || cut && strings.HasPrefix(want, got)
}

// TestRandom compares compiled programs with the reference. RANDOM_PROGRAMS sets how many.
func TestRandom(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("RANDOM_PROGRAMS"))
	seed, _ := strconv.Atoi(os.Getenv("RANDOM_SEED"))
	if n == 0 {
		n = 100
		if os.Getenv("CAPER_FULL") != "" {
			n = 2000
		}
	}
	compared, values := 0, 0
	for i := range n {
		text := (&generator{r: rand.New(rand.NewPCG(uint64(seed), uint64(i)))}).program()
		for _, strict := range []bool{true, false} {
			body := expandOnly(t, text, strict)
			ref := &reference{globals: map[*expand.Global]any{}, steps: 20_000}
			want := ref.run(body)
			if want == errSteps.Error() {
				break
			}
			compared++
			got := runText(t, text, strict)
			if strings.HasPrefix(got, "raised") {
				got = "raised"
			} else {
				values++
			}
			if !agree(got, want) {
				t.Fatalf("program %d, strict %v: %s\n got %s\nwant %s", i, strict, text, got, want)
			}
		}
	}
	t.Logf("%d runs compared, %d with values", compared, values)
}
