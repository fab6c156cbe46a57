package interp_test

import "strings"

// This file defines the expressions of each kind that the generator writes.

// atom is a variable or a small expression.
func (g *generator) atom(k kind) string {
	var fit []string
	for _, v := range g.vars {
		if v.kind == k {
			fit = append(fit, v.name)
		}
	}
	if len(fit) > 0 && g.r.IntN(4) < 3 {
		return fit[len(fit)-1-min(g.r.IntN(len(fit)), g.r.IntN(len(fit)))]
	}
	switch k {
	case integer:
		return g.pick("0", "1", "2", "-3", "7", "10", "40000", "1152921504606846975", "-1152921504606846976", "36893488147419103232", "(depth)", "(level)")
	case real:
		return g.pick("0.5", "-1.25", "2.0", "100.0", "0.1", "3e-5")
	case boolean:
		return g.pick("#t", "#f", "(< (depth) 3)")
	case list:
		return g.pick("'()", "'(1 2 3)", "'(5)", "(list 7 -8)", "'(4 3 2 1 0)")
	case text:
		return g.pick(`""`, `"abc"`, `"xyzzy"`, `(string #\a #\b)`, `"Grün"`)
	case vector:
		return g.pick("(vector 1 2 3 4)", "(make-vector 4 9)", "(vector-copy '#(9 8 7 6))")
	case function:
		return g.pick("(lambda (x) x)", "(lambda (x) (+ x 1))", "abs", "-", "small", "(lambda (x . r) (+ x (length r)))")
	case table:
		return "(make-hash-table)"
	case record:
		return "(make-part 1 '(1 2) 0.5)"
	}
	return g.pick("'a", "'b", "'c", "'d")
}

// each is a lambda over parameters of the kind, for what runs it on the items of a list or vector.
func (g *generator) each(k, result kind, d, n int) string {
	var vars []variable
	var names []string
	for range n {
		v := variable{name: g.name("x"), kind: k}
		vars, names = append(vars, v), append(names, v.name)
	}
	return g.lambda("("+strings.Join(names, " ")+")", g.in(vars, func() string {
		return g.times(6, func() string { return g.expr(result, d) })
	}))
}

// value is an expression of the kind that computes with others.
func (g *generator) value(k kind, d int) string {
	e := func(k kind) string { return g.expr(k, d) }
	switch k {
	case integer:
		return g.integer(d)
	case real:
		return g.real(d)
	case boolean:
		return g.boolean(d)
	case list:
		return g.list(d)
	case text:
		return g.text(d)
	case vector:
		switch g.r.IntN(5) {
		case 0:
			return g.call("vector", e(integer), e(integer), e(integer), e(integer))
		case 1:
			return g.call("make-vector", "4", e(integer))
		case 2:
			return g.call("vector-map", g.each(integer, integer, d, 1), e(vector))
		case 3:
			return g.call("vector-copy", e(vector))
		}
		return g.call("list->vector", g.call("list", e(integer), e(integer), e(integer), e(integer)))
	case function:
		return g.function(d)
	case table:
		t := g.name("t")
		return g.let1(t, "(make-hash-table)", "(begin "+g.call("hash-table-set!", t, g.call("small", e(integer)), g.call("small", e(integer)))+" "+
			g.call("hash-table-set!", t, "1", g.call("small", e(integer)))+" "+t+")")
	case record:
		return g.call("make-part", g.call("small", e(integer)), e(list), e(real))
	}
	if g.chance(2) {
		return "(if " + e(boolean) + " " + e(symbol) + " " + e(symbol) + ")"
	}
	return g.call("string->symbol", g.call("clip", e(text)))
}

func (g *generator) integer(d int) string {
	e := func(k kind) string { return g.expr(k, d) }
	switch g.r.IntN(30) {
	case 0, 1:
		return g.call(g.pick("+", "-"), e(integer), e(integer))
	case 24:
		return g.call("char->integer", g.call("string-ref", g.call("string-append", e(text), `"é"`), "0"))
	case 25:
		t := g.name("t")
		return g.let1(t, "(make-hash-table)", "(begin "+g.call("hash-table-set!", t, e(text), e(integer))+" "+g.call("hash-table-ref/default", t, e(text), e(integer))+")")
	case 27: // many temporaries
		var args []string
		for i := range 20 + g.r.IntN(60) {
			if i%9 == 0 {
				args = append(args, g.expr(integer, d-1))
			} else {
				args = append(args, g.atom(integer))
			}
		}
		return g.call(g.pick("+", "mix", "max"), args...)
	case 28: // keys that are told apart by where they lie (by guile, by what they hold)
		t, p, q := g.name("t"), g.name("p"), g.name("p")
		return g.let([]string{t, p, q}, []string{"(make-hash-table)", "(make-part 5000 '() 0.5)", "(make-part 6000 '() 0.5)"}, "(begin (hash-table-set! "+t+" "+p+" 1) (hash-table-set! "+t+" "+q+" 2) "+
			"(do ((i 0 (+ i 1))) ((= i 9)) (hash-table-set! "+t+" (make-part (+ 7000 i) '() 0.5) i)) "+g.effect(d)+
			" (+ (ask (hash-table-size "+t+")) (* 100 (hash-table-ref/default "+t+" "+p+" 0)) (* 1000 (hash-table-ref/default "+t+" "+q+" 0))))")
	case 29:
		t := g.name("t")
		return g.let1(t, "(make-hash-table)", "(begin (hash-table-set! "+t+" "+e(real)+" 1) (hash-table-set! "+t+" "+e(list)+" 2) (hash-table-set! "+t+" "+e(symbol)+" 3) "+
			"(+ (hash-table-ref/default "+t+" "+e(symbol)+" 0) (* 10 (hash-table-ref/default "+t+" "+e(list)+" 0)) (* 100 (hash-table-ref/default "+t+" "+e(real)+" 0))))")
	case 26:
		return g.call("list-ref", g.call("list", e(integer), e(integer), e(integer)), g.call("modulo", e(integer), "3"))
	case 2:
		return g.call(g.pick("+", "-", "max", "min"), e(integer), e(integer), e(integer))
	case 3:
		return g.call(g.pick("+", "-"), e(integer), g.pick("1", "2", "-1", "40000", "100"))
	case 4:
		return g.call("modulo", g.call("*", e(integer), e(integer)), g.pick("1000003", "1180591620717411303424"))
	case 5:
		return g.call(g.pick("quotient", "remainder", "modulo", "floor-quotient"), e(integer), g.pick("3", "-7", "16", "1000003"))
	case 6:
		return g.call(g.pick("abs", "-", "small", "square", "exact"), g.call("small", e(integer)))
	case 7:
		return g.call("length", e(list))
	case 8:
		return g.call("string-length", e(text))
	case 9, 10:
		if g.chance(2) {
			return g.call("vector-ref", e(vector), format("%d", g.r.IntN(4)))
		}
		return g.call("vector-ref", e(vector), g.call("modulo", e(integer), "4"))
	case 11:
		x := g.name("x")
		return g.let1(x, e(list), "(if (pair? "+x+") (car "+x+") "+g.in([]variable{{x, list, false}}, func() string { return e(integer) })+")")
	case 12, 13:
		return g.call(e(function), e(integer))
	case 14:
		return g.call("part-size", e(record))
	case 15:
		return g.call("hash-table-ref/default", e(table), g.call("small", e(integer)), e(integer))
	case 16:
		return g.call("exact", g.call("floor", g.call("tame", e(real))))
	case 17:
		return g.call("apply", g.pick("+", "max", "-"), e(integer), e(list))
	case 18:
		return g.call(g.pick("fold", "fold-right", "reduce"), g.each(integer, integer, d, 2), e(integer), e(list))
	case 19:
		return g.call("string->number", g.call("number->string", e(integer)))
	case 20:
		return g.call("note!", g.call("small", e(integer)))
	case 21, 22:
		return g.call("ask", e(integer))
	}
	return g.pick("(depth)", "(level)")
}

func (g *generator) real(d int) string {
	e := func(k kind) string { return g.expr(k, d) }
	switch g.r.IntN(13) {
	case 0, 1, 2:
		return g.call("tame", g.call(g.pick("+", "-", "*"), e(real), e(real)))
	case 9, 10:
		return g.call(g.pick("+", "-", "*"), e(real), e(real))
	case 11:
		return g.call(g.pick("+", "-", "*"), e(real), g.pick("0.5", "2", "-1.0"))
	case 12:
		return g.call("-", e(real))
	case 3:
		return g.call("tame", g.call("+", e(real), g.call("*", e(real), e(real))))
	case 4:
		return g.call("/", e(real), g.pick("3.0", "-0.7", "2", "1e3"))
	case 5:
		return g.call("sqrt", g.call("abs", e(real)))
	case 6:
		return g.call("inexact", g.call("small", e(integer)))
	case 7:
		return g.call("part-rate", e(record))
	}
	return g.call("tame", g.call("+", g.call("small", e(integer)), e(real)))
}

func (g *generator) boolean(d int) string {
	e := func(k kind) string { return g.expr(k, d) }
	switch g.r.IntN(16) {
	case 0, 1:
		return g.call(g.pick("<", "=", ">=", "<=", ">"), e(integer), e(integer))
	case 2:
		return g.call(g.pick("<", ">=", ">"), e(integer), e(integer), e(integer))
	case 3:
		return g.call(g.pick("<", ">", "="), e(real), g.pick("0.5", "+inf.0", "+nan.0", e(real)))
	case 4:
		return g.call("eq?", e(symbol), e(symbol))
	case 5:
		return g.call(g.pick("null?", "pair?", "list?"), e(list))
	case 6:
		return g.call(g.pick("even?", "odd?", "zero?", "positive?", "negative?"), e(integer))
	case 7:
		return g.call("equal?", e(list), e(list))
	case 8:
		return g.call(g.pick("string=?", "string<?", "equal?"), e(text), e(text))
	case 9:
		return "(and " + e(boolean) + " " + e(boolean) + ")"
	case 10:
		return "(or " + e(boolean) + " " + e(boolean) + " " + e(boolean) + ")"
	case 11:
		return g.call("not", e(boolean))
	case 12:
		return g.call("pair?", g.call(g.pick("memv", "member"), e(integer), e(list)))
	case 13:
		return g.call("hash-table-exists?", e(table), g.call("small", e(integer)))
	case 14:
		return g.call("eqv?", e(integer), e(integer))
	}
	return g.call(g.pick("integer?", "string?", "procedure?", "part?", "exact?"), e(integer))
}

func (g *generator) list(d int) string {
	e := func(k kind) string { return g.expr(k, d) }
	switch g.r.IntN(26) {
	case 0:
		return g.call("list", e(integer), e(integer), e(integer))
	case 24:
		x := g.name("x")
		body := g.in([]variable{{x, integer, false}}, func() string { return "(+ (ask " + g.atom(integer) + ") " + g.atom(integer) + ")" })
		return "(par-map (lambda (" + x + ") " + body + ") (cut " + e(list) + "))"
	case 25:
		return "(map (case-lambda ((x) (+ x 1)) ((x y) " + g.in([]variable{{"x", integer, false}, {"y", integer, false}}, func() string { return g.times(6, func() string { return e(integer) }) }) +
			")) (cut " + e(list) + ") (cut " + e(list) + "))"
	case 1, 2:
		return g.call("cons", e(integer), e(list))
	case 3:
		return g.call("rest", e(list))
	case 4:
		return g.call("cut", g.call("append", e(list), e(list)))
	case 5:
		return g.call("reverse", e(list))
	case 6, 7:
		return g.call("map", g.each(integer, integer, d, 1), g.call("cut", e(list)))
	case 8:
		return g.call("map", e(function), g.call("cut", e(list)))
	case 9:
		return g.call("map", g.each(integer, integer, d, 2), g.call("cut", e(list)), g.call("cut", e(list)))
	case 10:
		return g.call("vector->list", e(vector))
	case 11:
		return g.call("apply", g.pick("list", "(lambda (a . r) (cons a r))"), e(integer), e(list))
	case 12:
		return "(call-with-values " + g.lambda("()", g.call("values", e(integer), e(integer))) + " list)"
	case 13:
		return "`(1 ," + e(integer) + " " + format("%d", g.r.IntN(9)) + ")"
	case 14:
		return g.call("part-items", e(record))
	case 15:
		return g.call("filter", g.each(integer, boolean, d, 1), g.call("cut", e(list)))
	case 16:
		return "(map char->integer (string->list (clip " + e(text) + ")))"
	case 17:
		return "(let-values (((a b . r) " + g.call("values", e(integer), e(integer), e(integer)) + ")) (cons b r))"
	case 18:
		return g.generated(d)
	case 19:
		x := g.name("x")
		return g.let1(x, g.call("list-copy", g.call("cons", e(integer), e(list))), "(begin (set-car! "+x+" "+e(integer)+") "+x+")")
	case 20:
		return "(read (open-input-string " + `"(1 2 3 . (4))"` + "))"
	case 21:
		return g.call("list-tail", g.call("list", e(integer), e(integer), e(integer)), format("%d", g.r.IntN(4)))
	case 22: // not tail recursive
		l, x := g.name("walk"), g.name("x")
		return g.named(l, []string{x}, []string{g.call("cut", e(list))}, "(if (null? "+x+") '() "+
			g.in([]variable{{x, list, true}}, func() string {
				return g.times(6, func() string { return g.call("cons", e(integer), g.call(l, "(cdr "+x+")")) })
			})+")")
	}
	return g.call("list", g.call("string-length", e(text)), e(integer), e(integer), e(integer), e(integer))
}

// generated reads the values of a generator, made of two continuations.
func (g *generator) generated(d int) string {
	back, on, x := g.name("k"), g.name("k"), g.name("x")
	step := g.name("next")
	items := g.call("cut", g.expr(list, d))
	item := g.in([]variable{{x, integer, false}}, func() string {
		return g.times(6, func() string { return g.apart(func() string { return g.expr(integer, d) }) })
	})
	return g.let([]string{back, on}, []string{"#f", "#f"}, "(let () "+
		g.define(step, "", "(call/cc (lambda (r) (set! "+back+" r) (if "+on+" ("+on+" 0) (begin (for-each (lambda ("+x+") "+
			"(let ((v "+item+")) (call/cc (lambda (n) (set! "+on+" n) ("+back+" v))))) "+items+") ("+back+" 'done)))))")+
		" (let loop ((n 0) (l '())) (let ((v ("+step+"))) (if (or (eq? v 'done) (= n 9)) (reverse l) (loop (+ n 1) (cons v l))))))")
}

func (g *generator) text(d int) string {
	e := func(k kind) string { return g.expr(k, d) }
	switch g.r.IntN(13) {
	case 0, 1:
		return g.call("clip", g.call("string-append", e(text), e(text)))
	case 2:
		return g.call("clip", g.call("string-append", e(text), `" "`, e(text)))
	case 3:
		return g.call("clip", g.call("number->string", e(integer)))
	case 4:
		return g.call("symbol->string", e(symbol))
	case 5:
		return g.call("string-map", "char-upcase", e(text))
	case 6:
		return g.call("clip", g.call("apply", "string-append", `"<"`, e(text), g.call("map", g.each(integer, text, d, 1), g.call("cut", e(list)))))
	case 7, 8:
		p := g.name("o")
		return g.let1(p, "(open-output-string)", "(begin (write "+e(list)+" "+p+") (display "+e(text)+" "+p+") (write "+e(integer)+" "+p+") (clip (get-output-string "+p+")))")
	case 9:
		return g.call("string-copy", g.call("string-append", `"*"`, e(text)), "1")
	case 10:
		x := g.name("x")
		return g.let1(x, g.call("string-append", `"*"`, g.call("clip", e(text))), "(begin (string-set! "+x+" 0 "+g.pick(`#\z`, `#\ß`)+") (clip "+x+"))")
	case 11:
		return g.call("list->string", g.call("reverse", g.call("string->list", e(text))))
	}
	return "(read-line (open-input-string " + g.call("string-append", `"."`, g.call("clip", e(text))) + "))"
}

func (g *generator) function(d int) string {
	e := func(k kind) string { return g.expr(k, d) }
	switch g.r.IntN(5) {
	case 0, 1, 2:
		return g.apart(func() string { return g.each(integer, integer, d, 1) })
	case 3:
		f, h, x := g.name("f"), g.name("f"), g.name("x")
		return g.let([]string{f, h}, []string{e(function), e(function)}, g.lambda("("+x+")", "("+f+" ("+h+" "+x+"))"))
	}
	for _, p := range g.procs {
		if p.result == integer && len(p.params) == 1 && p.params[0] == integer && !p.counts && p.cost < 100 {
			return p.name
		}
	}
	return e(function)
}
