package interp_test

import "strings"

// This file defines the control forms that the generator writes, for any kind of value.

// expr is an expression of a kind.
func (g *generator) expr(k kind, depth int) string {
	g.spent += g.weight
	if depth <= 0 || g.spent > enough {
		return g.atom(k)
	}
	d := depth - 1
	switch g.r.IntN(34) {
	case 0:
		return g.atom(k)
	case 1:
		return "(if " + g.expr(boolean, d) + " " + g.expr(k, d) + " " + g.expr(k, d) + ")"
	case 2, 3:
		return g.lets(k, d)
	case 4, 5, 6:
		return g.loop(k, d)
	case 7:
		return g.do(k, d)
	case 8, 9:
		return g.body(k, d)
	case 10, 11, 12:
		if s := g.invoke(k, d); s != "" {
			return s
		}
	case 13:
		return "(begin " + g.effect(d) + " " + g.expr(k, d) + ")"
	case 14:
		return g.choice(k, d)
	case 15:
		return g.control(k, d)
	case 16:
		return g.control(k, d)
	case 19:
		return g.mutual(k, d)
	case 17, 18:
		return g.call("same", g.expr(k, d))
	}
	return g.value(k, d)
}

// bound makes names for n values of any kinds and the expressions for them.
func (g *generator) bound(n, d int) (vars []variable, names, inits []string) {
	for range n {
		v := variable{name: g.name("x"), kind: kinds[g.r.IntN(len(kinds))]}
		vars, names, inits = append(vars, v), append(names, v.name), append(inits, g.expr(v.kind, d))
	}
	return vars, names, inits
}

func (g *generator) lets(k kind, d int) string {
	if g.chance(3) { // let*
		v := variable{name: g.name("x"), kind: kinds[g.r.IntN(len(kinds))]}
		w := variable{name: g.name("y"), kind: kinds[g.r.IntN(len(kinds))]}
		a := g.expr(v.kind, d)
		b := g.in([]variable{v}, func() string { return g.expr(w.kind, d) })
		return "(let* ((" + v.name + " " + a + ") (" + w.name + " " + b + ")) " + g.in([]variable{v, w}, func() string { return g.expr(k, d) }) + ")"
	}
	vars, names, inits := g.bound(1+g.r.IntN(3), d)
	body := g.in(vars, func() string { return g.expr(k, d) })
	if g.chance(4) {
		return g.sequence(inits, func(inits []string) string {
			return "(" + g.lambda("("+strings.Join(names, " ")+")", body) + " " + strings.Join(inits, " ") + ")"
		})
	}
	return g.let(names, inits, body)
}

// loop is a named let with several accumulators.
func (g *generator) loop(k kind, d int) string {
	l := g.name("loop")
	vars, names, inits := g.bound(1+g.r.IntN(3), d)
	vars[0].kind = k
	inits[0] = g.expr(k, d)
	i := variable{g.name("i"), integer, true}
	n := 1 + g.r.IntN(4)
	up := g.chance(2)
	stop, step, start := format("(= %s %d)", i.name, n), g.call("+", i.name, "1"), "0"
	if !up {
		stop, step, start = g.pick("(< "+i.name+" 1)", "(= 0 "+i.name+")", "(<= "+i.name+" 0)"), g.call("-", i.name, "1"), format("%d", n)
	}
	at := g.r.IntN(len(vars) + 1) // where the counter is among the accumulators
	insert := func(s []string, x string) []string {
		return append(append(append([]string{}, s[:at]...), x), s[at:]...)
	}
	body := g.in(append(vars, i), func() string {
		return g.times(n, func() string {
			again := func() string {
				var steps []string
				for _, v := range vars {
					steps = append(steps, g.step(v, d))
				}
				return g.call(l, insert(steps, step)...)
			}
			end := func() string {
				if g.chance(2) {
					return names[0]
				}
				return g.expr(k, d)
			}
			switch g.r.IntN(7) {
			case 0, 1:
				return "(if " + stop + " " + end() + " " + again() + ")"
			case 2:
				return "(cond (" + stop + " " + end() + ") (" + g.expr(boolean, d) + " " + again() + ") (else " + again() + "))"
			case 3: // not in tail position
				r := g.name("r")
				return "(if " + stop + " " + end() + " " + g.let1(r, again(), g.in([]variable{{r, k, false}}, func() string { return g.expr(k, d) })) + ")"
			case 4:
				return "(if " + stop + " " + end() + " (begin " + g.effect(d) + " " + again() + "))"
			case 5: // from inside a let
				vs, ns, is := g.bound(1+g.r.IntN(2), d)
				return "(if " + stop + " " + end() + " " + g.let(ns, is, g.in(vs, again)) + ")"
			}
			return "(if (or " + stop + " " + g.expr(boolean, d) + ") " + end() + " " + again() + ")"
		})
	})
	return g.named(l, insert(names, i.name), insert(inits, start), body)
}

// step is a loop variable's next value.
func (g *generator) step(v variable, d int) string {
	if g.chance(2) {
		for f, k := range map[string]kind{"mix": integer, "join": list, "glue": text} {
			if k == v.kind {
				args := []string{g.expr(k, d-1), v.name, g.expr(k, d)}
				if g.chance(2) {
					args = args[1:]
				}
				return g.call(f, args...)
			}
		}
	}
	return g.expr(v.kind, d)
}

func (g *generator) do(k kind, d int) string {
	vars, names, inits := g.bound(g.r.IntN(3), d)
	i := variable{g.name("i"), integer, true}
	n := 1 + g.r.IntN(4)
	vars, names, inits = append(vars, i), append(names, i.name), append(inits, "0")
	return g.in(vars, func() string {
		var steps []string
		command := ""
		g.times(n, func() string {
			for _, v := range vars[:len(vars)-1] {
				steps = append(steps, g.step(v, d))
			}
			if g.chance(2) {
				command = g.effect(d)
			}
			return ""
		})
		steps = append(steps, g.call("+", i.name, "1"))
		stop, end := format("(= %s %d)", i.name, n), g.expr(k, d)
		if g.plain {
			l := g.name("do")
			return g.named(l, names, inits, "(if "+stop+" "+end+" (begin "+command+" "+g.call(l, steps...)+"))")
		}
		g.name("do")
		var specs []string
		for j := range names {
			specs = append(specs, "("+names[j]+" "+inits[j]+" "+steps[j]+")")
		}
		return "(do (" + strings.Join(specs, " ") + ") (" + stop + " " + end + ") " + command + ")"
	})
}

// body is a body with definitions: values, procedures that see them, and values that need those.
func (g *generator) body(k kind, d int) string {
	procs := g.procs
	defer func() { g.procs = procs }()
	var defs []string
	var vars []variable
	value := func() {
		v := variable{name: g.name("d"), kind: kinds[g.r.IntN(len(kinds))]}
		defs = append(defs, "(define "+v.name+" "+g.in(vars, func() string { return g.expr(v.kind, d) })+")")
		vars = append(vars, v)
	}
	if g.chance(2) {
		value()
	}
	g.in(vars, func() string {
		more, ps := g.procedures(d)
		defs = append(defs, more...)
		g.procs = append(g.procs[:len(g.procs):len(g.procs)], ps...)
		return ""
	})
	if g.chance(2) {
		value()
	}
	return "(let () " + strings.Join(defs, " ") + " " + g.in(vars, func() string { return g.expr(k, d) }) + ")"
}

// choice is one of several.
func (g *generator) choice(k kind, d int) string {
	switch g.r.IntN(5) {
	case 0:
		return "(cond (" + g.expr(boolean, d) + " " + g.expr(k, d) + ") (" + g.expr(boolean, d) + " " + g.effect(d) + " " + g.expr(k, d) + ") (else " + g.expr(k, d) + "))"
	case 1:
		x := g.name("x")
		return "(cond (" + g.call("memv", g.expr(integer, d), g.expr(list, d)) + " => " +
			g.lambda("("+x+")", g.in([]variable{{x, list, false}}, func() string { return g.expr(k, d) })) + ") (else " + g.expr(k, d) + "))"
	case 2:
		return "(case " + g.expr(symbol, d) + " ((a) " + g.expr(k, d) + ") ((b c) " + g.expr(k, d) + ") (else " + g.expr(k, d) + "))"
	case 3:
		return "(case (small " + g.expr(integer, d) + ") ((0 1 2) " + g.expr(k, d) + ") ((3 4 500) " + g.expr(k, d) + ") ((7) " + g.expr(k, d) + ") (else " + g.expr(k, d) + "))"
	}
	x := g.name("x")
	return g.let1(x, "(and "+g.expr(boolean, d)+" "+g.expr(integer, d)+")", "(if "+x+" "+
		g.in([]variable{{x, integer, false}}, func() string { return g.expr(k, d) })+" "+g.expr(k, d)+")")
}

func (g *generator) control(k kind, d int) string {
	switch g.r.IntN(12) {
	case 0, 1: // escape
		p := procedure{name: g.name("k"), params: []kind{k}}
		saved := g.escapes
		g.escapes = append(saved[:len(saved):len(saved)], p)
		body := g.expr(k, d)
		g.escapes = saved
		return "(" + g.pick("call/cc", "call-with-current-continuation") + " " + g.lambda("("+p.name+")", body) + ")"
	case 2:
		if len(g.escapes) == 0 {
			return g.value(k, d)
		}
		p := g.escapes[g.r.IntN(len(g.escapes))]
		return "(if " + g.expr(boolean, d) + " " + g.expr(k, d) + " (" + p.name + " " + g.expr(p.params[0], d) + "))"
	case 3: // wind
		before, after := g.effect(d-1), g.effect(d-1)
		return "(dynamic-wind (lambda () " + before + ") " + g.lambda("()", g.expr(k, d)) + " (lambda () " + after + "))"
	case 4, 5: // guard
		e := g.name("e")
		clause := g.in([]variable{{e, integer, true}}, func() string {
			switch g.r.IntN(4) {
			case 0:
				return "((and (number? " + e + ") (even? " + e + ")) " + g.expr(k, d) + ")"
			case 1:
				return "((string? " + e + ") " + g.expr(k, d) + ") ((number? " + e + ") " + g.expr(k, d) + ")"
			case 2:
				return "((assv " + e + " '((1 . 2) (3 . 4))) => (lambda (p) " + g.expr(k, d) + ")) ((number? " + e + ") " + g.expr(k, d) + ")"
			}
			return "((number? " + e + ") " + g.expr(k, d) + ")"
		})
		clause += " (else " + g.expr(k, d) + ")"
		return "(guard (" + e + " " + clause + ") " + g.effect(d) + " (if " + g.expr(boolean, d) + " " + g.expr(k, d) + " " + g.fail(d) + "))"
	case 6:
		vars, names, inits := g.bound(1+g.r.IntN(3), d)
		body := g.in(vars, func() string { return g.expr(k, d) })
		producer, params := g.producer(inits, d), "("+strings.Join(names, " ")+")"
		switch g.r.IntN(3) {
		case 0:
			return "(let-values ((" + params + " " + producer + ")) " + body + ")"
		case 1:
			return "(let () (define-values " + params + " " + producer + ") " + body + ")"
		}
		return "(call-with-values " + g.lambda("()", producer) + " " + g.lambda(params, body) + ")"
	case 7:
		p := g.pick("depth", "level")
		return "(parameterize ((" + p + " (small " + g.expr(integer, d) + "))) " + g.expr(k, d) + ")"
	case 8:
		p := g.name("w")
		body := g.apart(func() string { return g.expr(k, d) })
		return g.let1(p, "("+g.pick("delay", "make-promise")+" "+body+")", "(begin (force "+p+") (force "+p+"))")
	case 9: // a handler that goes on; it installs none itself, which guile 3.0 forgets
		x, e := g.name("x"), g.name("e")
		goes := g.in([]variable{{e, integer, true}}, func() string { return g.call("+", g.call("note!", g.call("small", e)), g.atom(integer)) })
		return "(with-exception-handler " + g.lambda("("+e+")", "(if (number? "+e+") "+goes+" 0)") +
			" " + g.lambda("()", g.let1(x, g.call("raise-continuable", g.expr(integer, d)), g.in([]variable{{x, integer, false}}, func() string { return g.expr(k, d) }))) + ")"
	case 10: // deep recursion
		l, i := g.name("deep"), g.name("i")
		n := []int{10, 100, 1000, 3000}[g.r.IntN(4)]
		g.spent += n * g.weight
		if g.spent > 2*enough {
			return g.atom(k)
		}
		r := g.name("r")
		return g.named(l, []string{i}, []string{format("%d", n)}, "(if (= "+i+" 0) "+g.expr(k, d)+" "+g.let1(r, g.call(l, g.call("-", i, "1")), "(if (eq? "+i+" 3) "+
			g.in([]variable{{r, k, false}}, func() string { return g.expr(k, d) })+" "+r+")")+")")
	}
	// A continuation entered again and again.
	again, n, x := g.name("k"), g.name("n"), g.name("x")
	c := g.name("c")
	return g.let([]string{again, n}, []string{"#f", "0"}, g.let1(x,
		g.times(3, func() string {
			return g.call("list", g.expr(integer, d), "(call/cc "+g.lambda("("+c+")", "(begin (set! "+again+" "+c+") "+g.expr(integer, d)+")")+")", g.expr(integer, d))
		}),
		"(begin (set! "+n+" (+ "+n+" 1)) (if (< "+n+" 3) ("+again+" "+g.times(3, func() string { return g.expr(integer, d) })+") "+
			g.in([]variable{{x, list, false}}, func() string { return g.expr(k, d) })+"))"))
}

// producer is an expression of several values.
func (g *generator) producer(inits []string, d int) string {
	values := g.call("values", inits...)
	switch g.r.IntN(7) {
	case 1:
		return "(call/cc " + g.lambda("(k)", g.call("k", inits...)) + ")"
	case 2:
		return "(dynamic-wind (lambda () " + g.effect(d-1) + ") " + g.lambda("()", values) + " (lambda () #f))"
	case 3:
		return "(guard (e (#t " + values + ")) " + g.fail(d) + ")"
	case 4:
		return "(parameterize ((depth 5)) " + values + ")"
	case 5:
		return g.call("apply", append([]string{"values"}, append(inits, "'()")...)...)
	}
	return values
}

// mutual is two procedures that call each other and are values too.
func (g *generator) mutual(k kind, d int) string {
	f, h, n := g.name("f"), g.name("f"), g.name("n")
	body := func(other string) string {
		end := g.in([]variable{{n, integer, true}}, func() string { return g.expr(k, d) })
		again := "(" + other + " (- " + n + " 1))"
		if g.chance(3) {
			again = "(same " + again + ")"
		}
		return g.lambda("("+n+")", "(if (= "+n+" 0) "+end+" "+again+")")
	}
	binds := "((" + f + " " + body(h) + ") (" + h + " " + body(f) + "))"
	switch g.r.IntN(3) {
	case 0:
		return "(letrec " + binds + " ((if " + g.expr(boolean, d) + " " + f + " " + h + ") 3))"
	case 1:
		return "(letrec " + binds + " (" + f + " 4))"
	}
	return "(letrec " + binds + " ((car (same (list " + h + " " + f + "))) 2))"
}

// fail raises.
func (g *generator) fail(d int) string {
	switch g.r.IntN(7) {
	case 0, 1:
		return "(raise " + g.expr(integer, d) + ")"
	case 2:
		return `(error "failed" ` + g.expr(integer, d) + ")"
	case 3:
		return "(vector-ref " + g.expr(vector, d) + " 4)"
	case 4:
		return "(+ 1 " + g.expr(symbol, d) + ")"
	case 5:
		return g.pick("(car '())", "(modulo 5 0)", `(string-ref "" 0)`, `("no procedure" 1)`, "(apply car '())", "(raise 'other)", "(list-tail '(1) 3)", "(symbol->string 1)",
			"((lambda (x) x))", "((lambda (x . y) x))", "(vector-ref '#(1) 'a)", "(- \"1\")", "(< 1 'a)", "(same)", "(exact +nan.0)", "(length '(1 . 2))", "(part-size 5)")
	}
	return "(car '())"
}

// effect changes something.
func (g *generator) effect(d int) string {
	if d > 0 {
		switch g.r.IntN(15) {
		case 12:
			v, i := g.name("v"), g.name("i")
			return g.let1(v, g.expr(vector, d-1), g.in([]variable{{v, vector, false}, {i, integer, true}}, func() string {
				return "(do ((" + i + " 0 (+ " + i + " 1))) ((= " + i + " 4)) " + g.times(4, func() string { return g.call("vector-set!", v, i, g.expr(integer, d-1)) }) + ")"
			}))
		case 13:
			x := g.name("x")
			f := g.in([]variable{{x, integer, false}}, func() string { return g.lambda("("+x+")", g.call("small", g.expr(integer, d-1))) })
			return g.call("hash-table-update!/default", g.expr(table, d-1), g.call("small", g.expr(integer, d-1)), f, "0")
		case 0, 1, 2, 3:
			if s := g.assign(d - 1); s != "" {
				return s
			}
		case 4:
			return g.call("vector-set!", g.expr(vector, d-1), format("%d", g.r.IntN(4)), g.expr(integer, d-1))
		case 5:
			return g.call("hash-table-set!", g.expr(table, d-1), g.call("small", g.expr(integer, d-1)), g.call("small", g.expr(integer, d-1)))
		case 6:
			return g.call("set-part-size!", g.expr(record, d-1), g.call("small", g.expr(integer, d-1)))
		case 7:
			x := g.name("x")
			l := g.call("cut", g.expr(list, d-1))
			return "(for-each " + g.lambda("("+x+")", g.in([]variable{{x, integer, false}}, func() string { return g.times(6, func() string { return g.effect(d - 1) }) })) + " " + l + ")"
		case 8:
			return "(" + g.pick("when", "unless") + " " + g.expr(boolean, d-1) + " " + g.effect(d-1) + " " + g.effect(d-1) + ")"
		case 9:
			return g.do(integer, d-1)
		case 14:
			i := g.name("i")
			return "(do ((" + i + " 0 (+ " + i + " 1))) ((= " + i + " 40)) " + g.call("hash-table-set!", g.expr(table, 0), g.call("*", i, g.pick("1", "64", "-3")), i) + ")"
		case 10:
			return g.call("hash-table-delete!", g.expr(table, d-1), format("%d", g.r.IntN(5)))
		}
	}
	return g.call("note!", g.call("small", g.expr(integer, d-1)))
}

// assign is an assignment, "" where nothing may be assigned. A function gets one that calls no other, lest it call itself.
func (g *generator) assign(d int) string {
	var fit []variable
	for _, v := range g.vars {
		if !v.frozen {
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		return ""
	}
	v := fit[g.r.IntN(len(fit))]
	if v.kind != function {
		return "(set! " + v.name + " " + g.expr(v.kind, d) + ")"
	}
	x := g.name("x")
	return "(set! " + v.name + " " + g.lambda("("+x+")", g.call("+", x, format("%d", g.r.IntN(100)))) + ")"
}
