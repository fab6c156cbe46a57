package interp_test

import (
	"fmt"
	"strconv"
	"strings"
)

// This file defines a generator of well-typed programs that end in a value. All loops are bounded, all calls go back to
// earlier procedures or count down, numbers, lists and strings are cut to a size.
//
// The same choices can be written in two styles. Direct is how people write. In plain every argument of a call is bound
// first, so that no order of evaluation is left open, and procedures and operators come from a variable that is assigned,
// so that the compiler can know nothing about them. Both must have the same value.

// choices are what a generator decides by. When they are used up it takes the first of everything, which is the smallest.
type choices []byte

func (c *choices) IntN(n int) int {
	if len(*c) == 0 {
		return 0
	}
	x := int((*c)[0]) % n
	*c = (*c)[1:]
	return x
}

// kind is the type of an expression.
type kind byte

const (
	integer  kind = 'i'
	real     kind = 'r'
	boolean  kind = 'b'
	list     kind = 'l' // of integers, as vectors are, which have four
	text     kind = 's'
	vector   kind = 'v'
	function kind = 'f' // of one integer to an integer
	table    kind = 't' // of integers to integers
	record   kind = 'p' // of an integer, a list and a real
	symbol   kind = 'y'
)

var kinds = []kind{integer, integer, integer, list, list, text, real, real, boolean, vector, function, table, record, symbol}

// variable is a name in scope.
type variable struct {
	name   string
	kind   kind
	frozen bool // must not be assigned: it counts
}

// procedure is a named procedure in scope.
type procedure struct {
	name   string
	params []kind
	rest   bool // takes any number of integers more
	counts bool // its first parameter is how many times it may go on
	result kind
	cost   int
}

// generator writes programs.
type generator struct {
	r       choices
	plain   bool
	vars    []variable
	procs   []procedure
	escapes []procedure // continuations of callers, one argument
	group   []procedure // procedures whose bodies are being written: they count down from count
	count   string
	calls   int // of the group, in this body
	spent   int // estimated steps
	weight  int // how many times what is being written will run
	names   int
	temps   int
}

const enough = 20_000 // steps of a program, about

func (g *generator) name(prefix string) string {
	g.names++
	return prefix + strconv.Itoa(g.names)
}

func (g *generator) pick(s ...string) string { return s[g.r.IntN(len(s))] }

func (g *generator) chance(n int) bool { return g.r.IntN(n) == n-1 }

// in runs write with more in scope.
func (g *generator) in(vars []variable, write func() string) string {
	saved := g.vars
	g.vars = append(saved[:len(saved):len(saved)], vars...)
	defer func() { g.vars = saved }()
	return write()
}

// times runs write for what is evaluated n times.
func (g *generator) times(n int, write func() string) string {
	saved := g.weight
	g.weight *= n
	defer func() { g.weight = saved }()
	return write()
}

// apart runs write for what may run when the callers around it are gone.
func (g *generator) apart(write func() string) string {
	escapes, group := g.escapes, g.group
	g.escapes, g.group = nil, nil
	defer func() { g.escapes, g.group = escapes, group }()
	return write()
}

// opaque keeps the compiler from knowing what x is.
func (g *generator) opaque(x string) string {
	if g.plain {
		return "(opaque " + x + ")"
	}
	return x
}

func (g *generator) lambda(params, body string) string {
	return g.opaque("(lambda " + params + " " + body + ")")
}

// sequence binds what is no constant to names of their own, in order.
func (g *generator) sequence(args []string, body func(args []string) string) string {
	if !g.plain {
		return body(args)
	}
	var binds, names []string
	for _, x := range args {
		if c := x[0]; c == '#' || c == '\'' || c == '"' || c == '-' || c >= '0' && c <= '9' {
			names = append(names, x)
			continue
		}
		g.temps++
		t := "u" + strconv.Itoa(g.temps)
		names, binds = append(names, t), append(binds, "("+t+" "+x+")")
	}
	if len(binds) == 0 {
		return body(names)
	}
	return "(let* (" + strings.Join(binds, " ") + ") " + body(names) + ")"
}

func (g *generator) call(f string, args ...string) string {
	return g.sequence(args, func(args []string) string {
		return "(" + strings.Join(append([]string{g.opaque(f)}, args...), " ") + ")"
	})
}

func pairs(names, inits []string) string {
	var s []string
	for i := range names {
		s = append(s, "("+names[i]+" "+inits[i]+")")
	}
	return "(" + strings.Join(s, " ") + ")"
}

func (g *generator) let(names, inits []string, body string) string {
	if !g.plain {
		return "(let " + pairs(names, inits) + " " + body + ")"
	}
	return g.sequence(inits, func(inits []string) string {
		return "(" + g.lambda("("+strings.Join(names, " ")+")", body) + " " + strings.Join(inits, " ") + ")"
	})
}

func (g *generator) let1(name, init, body string) string {
	return g.let([]string{name}, []string{init}, body)
}

// named is a named let.
func (g *generator) named(loop string, names, inits []string, body string) string {
	if !g.plain {
		return "(let " + loop + " " + pairs(names, inits) + " " + body + ")"
	}
	return "(letrec ((" + loop + " " + g.lambda("("+strings.Join(names, " ")+")", body) + ")) " + g.call(loop, inits...) + ")"
}

// define is the definition of a procedure.
func (g *generator) define(name, params, body string) string {
	if g.plain && strings.HasPrefix(params, ". ") {
		return "(define " + name + " " + g.lambda(params[2:], body) + ")"
	}
	if g.plain {
		return "(define " + name + " " + g.lambda("("+params+")", body) + ")"
	}
	return "(define (" + strings.TrimSpace(name+" "+params) + ") " + body + ")"
}

// prelude is what programs use, in Scheme.
const prelude = `
(define (opaque x) x)
(set! opaque (lambda (x) x))
(define trace 7)
(define (note! x) (set! trace (modulo (+ (* trace 31) x) 1000003)) x)
(define (cut l) (let loop ((l l) (n 12)) (if (or (= n 0) (null? l)) '() (cons (car l) (loop (cdr l) (- n 1))))))
(define (clip s) (if (> (string-length s) 16) (substring s 0 16) s))
(define (tame x) (if (< -1e6 x 1e6) x 1.5))
(define (small x) (modulo x 1000))
(define (same . x) (car x))
(define (mix . l) (modulo (apply + 1 l) 1000003))
(define (join . l) (cut (apply append l)))
(define (glue . l) (clip (apply string-append l)))
(define (rest l) (if (pair? l) (cdr l) l))
(define-record-type part (make-part size items rate) part? (size part-size set-part-size!) (items part-items set-part-items!) (rate part-rate))
(define depth (make-parameter 1))
(define level (make-parameter 2 (lambda (x) (+ x 1))))
`

// program is a whole one: definitions, then a form whose value tells what happened.
func (g *generator) program() (definitions []string, value string) {
	g.weight = 1
	all := g.r
	g.r = all[:len(all)/2]
	for range g.r.IntN(4) {
		v := variable{name: g.name("g"), kind: kinds[g.r.IntN(len(kinds))]}
		definitions = append(definitions, "(define "+v.name+" "+g.expr(v.kind, 2)+")")
		g.vars = append(g.vars, v)
	}
	for range 1 + g.r.IntN(2) {
		defs, procs := g.procedures(4)
		definitions = append(definitions, defs...)
		g.procs = append(g.procs, procs...)
	}
	g.r = all[len(all)/2:]
	g.spent = 0
	var parts []string
	for _, p := range g.procs {
		if g.spent+p.cost < 2*enough {
			g.spent += p.cost
			parts = append(parts, g.shown(p.result, g.apply(p, "3", 1)))
		}
	}
	for range g.r.IntN(4) {
		k := kinds[g.r.IntN(len(kinds))]
		parts = append(parts, g.shown(k, g.expr(k, 4+g.r.IntN(3))))
	}
	for _, v := range g.vars {
		parts = append(parts, g.shown(v.kind, v.name))
	}
	parts = append(parts, "trace")
	value = "(guard (e (#t (list 'raised (if (number? e) e 'condition) trace))) " + g.call("list", parts...) + ")"
	return definitions, value
}

// shown makes something that can be written of a value.
func (g *generator) shown(k kind, x string) string {
	switch k {
	case real: // no two print all alike
		return "(exact (tame " + x + "))"
	case symbol:
		return "(symbol->string " + x + ")"
	case function:
		return "(" + x + " 5)"
	case table:
		return g.let1("t", x, "(list (hash-table-size t) (hash-table-fold t (lambda (k v s) (+ k v s)) 0))")
	case record:
		return g.let1("p", x, "(list (part-size p) (part-items p) (exact (tame (part-rate p))))")
	}
	return x
}

// procedures writes a few that may call each other.
func (g *generator) procedures(depth int) (definitions []string, procs []procedure) {
	n := 1 + g.r.IntN(3)
	recursive := g.chance(2)
	for range n {
		p := procedure{name: g.name("p"), result: kinds[g.r.IntN(len(kinds))], counts: recursive}
		if recursive {
			p.params = append(p.params, integer)
		}
		for range g.r.IntN(5) {
			p.params = append(p.params, kinds[g.r.IntN(len(kinds))])
		}
		p.rest = g.chance(5)
		procs = append(procs, p)
	}
	earlier := g.procs
	escapes, group, count, calls := g.escapes, g.group, g.count, g.calls
	defer func() { g.procs, g.escapes, g.group, g.count, g.calls = earlier, escapes, group, count, calls }()
	g.escapes, g.group = nil, nil
	most := 0
	for i, p := range procs {
		spent, weight := g.spent, g.weight
		g.spent, g.weight, g.calls = 0, 1, 0
		var params []string
		var vars []variable
		for j, k := range p.params {
			v := variable{g.name("a"), k, recursive && j == 0}
			params, vars = append(params, v.name), append(vars, v)
		}
		if recursive {
			g.group, g.count = procs, params[0]
		}
		dots := strings.Join(params, " ")
		if p.rest {
			v := variable{g.name("a"), list, false}
			dots, vars = strings.TrimSpace(dots+" . "+v.name), append(vars, v)
		}
		body := g.in(vars, func() string {
			if !recursive {
				return g.expr(p.result, depth)
			}
			stop := g.pick("(<= "+g.count+" 0)", "(< "+g.count+" 1)", "(not (< 0 "+g.count+"))")
			group := g.group
			g.group = nil
			end := g.expr(p.result, 2)
			g.group = group
			return "(if " + stop + " " + end + " " + g.expr(p.result, depth) + ")"
		})
		definitions = append(definitions, g.define(p.name, dots, body))
		most = max(most, g.spent+1)
		procs[i].cost = most
		g.spent, g.weight = spent, weight
		if !recursive {
			g.procs = append(g.procs[:len(g.procs):len(g.procs)], procs[i])
		}
	}
	for i := range procs {
		if recursive {
			procs[i].cost = most * 32
		}
	}
	return definitions, procs
}

// invoke calls a procedure in scope of that kind, "" when there is none.
func (g *generator) invoke(k kind, d int) string {
	if len(g.group) > 0 && g.weight == 1 && g.calls < 2 && g.chance(2) {
		for _, p := range g.group[g.r.IntN(len(g.group)):] {
			if p.result == k {
				g.calls++
				return g.apply(p, g.call("-", g.count, "1"), d)
			}
		}
	}
	var fit []procedure
	for _, p := range g.procs {
		if p.result == k && g.spent+g.weight*p.cost < enough {
			fit = append(fit, p)
		}
	}
	if len(fit) == 0 {
		return ""
	}
	p := fit[g.r.IntN(len(fit))]
	g.spent += g.weight * p.cost
	return g.apply(p, strconv.Itoa(g.r.IntN(5)), d)
}

func (g *generator) apply(p procedure, count string, d int) string {
	var args []string
	for i, k := range p.params {
		if i == 0 && p.counts {
			args = append(args, count)
		} else {
			args = append(args, g.expr(k, d))
		}
	}
	if p.rest {
		if g.chance(2) {
			return g.call("apply", append(append([]string{p.name}, args...), g.expr(list, d))...)
		}
		for range g.r.IntN(3) {
			args = append(args, g.expr(integer, d))
		}
	} else if g.chance(8) && len(args) > 0 {
		last := len(args) - 1
		return g.call("apply", append(append([]string{p.name}, args[:last]...), g.call("list", args[last]))...)
	}
	return g.call(p.name, args...)
}

func format(f string, args ...any) string { return fmt.Sprintf(f, args...) }
