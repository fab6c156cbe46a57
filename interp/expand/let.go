package expand

import "caper/interp/syntax"

// This file holds the forms that bind variables.

// bindings reads ((name value) ...).
func (x *expander) bindings(u use, s *syntax.Syntax) (ids, values []*syntax.Syntax) {
	items := x.clauses(u, s, "the bindings are ((name value) ...)")
	ids = make([]*syntax.Syntax, len(items))
	values = make([]*syntax.Syntax, len(items))
	for i, it := range items {
		l, ok := it.Datum.(*syntax.List)
		if !ok && len(items) > 1 {
			x.failAt(it.Span, []string{"each binding has its own parentheses: " + shapes[u.form.name]}, "%s: each binding is (name value), found %s", u.form.name, show(it))
		}
		if !ok || len(l.Items) != 2 || l.Tail != nil {
			x.found(u, it, "each binding is (name value)")
		}
		x.identifier(u, l.Items[0], "each binding is (name value)")
		ids[i], values[i] = l.Items[0], l.Items[1]
	}
	return ids, values
}

func (x *expander) exprs(forms []*syntax.Syntax, sc *scope, vars []*Var) []Node {
	nodes := make([]Node, len(forms))
	for i, f := range forms {
		nodes[i] = x.expr(f, sc)
		if vars != nil {
			named(nodes[i], vars[i].Name)
		}
	}
	return nodes
}

func exprLet(x *expander, u use) Node {
	if len(u.args) > 0 {
		if _, ok := identOf(u.args[0]); ok {
			return namedLet(x, u)
		}
	}
	if len(u.args) < 2 {
		x.shape(u, "(let ((name value) ...) body ...)")
	}
	ids, values := x.bindings(u, u.args[0])
	x.distinct(u, ids, nil)
	if len(ids) == 0 {
		return x.body(u, u.args[1:], u.sc)
	}
	vars := newVars(ids)
	n := &Let{Span: u.s.Span, Vars: vars, Inits: x.exprs(values, u.sc, vars)}
	n.Body = x.body(u, u.args[1:], x.frame(u.sc, ids, vars))
	return n
}

// namedLet is a call of a procedure that only the body can see.
func namedLet(x *expander, u use) Node {
	if len(u.args) < 3 {
		x.shape(u, "(let name ((name value) ...) body ...)")
	}
	ids, values := x.bindings(u, u.args[1])
	x.distinct(u, ids, nil)
	loop := newVars(u.args[:1])
	vars := newVars(ids)
	x.sink(1, u.s)
	args := x.exprs(values, u.sc, vars)
	x.lift(1)
	sc := x.frame(u.sc, u.args[:1], loop)
	x.lambdas++
	x.sink(1, u.s)
	body := x.body(u, u.args[2:], x.frame(sc, ids, vars))
	x.lift(1)
	x.lambdas--
	return x.loop(u, loop[0], vars, args, body)
}

// loop is (letrec ((name (lambda vars body))) (name args ...)).
func (x *expander) loop(u use, name *Var, vars []*Var, args []Node, body Node) Node {
	x.charge(3 * nodeCost)
	f := &Lambda{Span: u.s.Span, Name: name.Name, Params: vars, Body: body}
	call := &Call{Span: u.s.Span, Func: x.localRef(name, u.s), Args: args}
	return &Letrec{Span: u.s.Span, Vars: []*Var{name}, Inits: []Node{f}, Body: call}
}

func exprLetStar(x *expander, u use) Node {
	if len(u.args) < 2 {
		x.shape(u, "(let* ((name value) ...) body ...)")
	}
	ids, values := x.bindings(u, u.args[0])
	x.deepen(len(ids), u.s)
	saved := x.depth
	sc := u.sc
	var first, last *Let
	for i := range ids {
		vars := newVars(ids[i : i+1])
		n := &Let{Span: u.s.Span, Vars: vars, Inits: x.exprs(values[i:i+1], sc, vars)}
		sc = x.frame(sc, ids[i:i+1], vars)
		if last == nil {
			first = n
		} else {
			last.Body = n
		}
		last = n
		x.depth++
	}
	body := x.body(u, u.args[1:], sc)
	x.depth = saved
	if last == nil {
		return body
	}
	last.Body = body
	return first
}

func exprLetrec(x *expander, u use) Node {
	if len(u.args) < 2 {
		x.shape(u, "("+u.form.name+" ((name value) ...) body ...)")
	}
	ids, values := x.bindings(u, u.args[0])
	x.distinct(u, ids, nil)
	if len(ids) == 0 {
		return x.body(u, u.args[1:], u.sc)
	}
	vars := newVars(ids)
	sc := x.frame(u.sc, ids, vars)
	n := &Letrec{Span: u.s.Span, Vars: vars, Inits: x.exprs(values, sc, vars)}
	n.Body = x.body(u, u.args[1:], sc)
	return n
}

// valuesClause is one (formals value) of let-values, its variables made.
type valuesClause struct {
	params []*Var
	final  *Var
	value  Node
}

// bind makes the nested bindings of clauses around a body; last first.
func (x *expander) bindValues(u use, clauses []valuesClause, body Node) Node {
	for i := len(clauses) - 1; i >= 0; i-- {
		c := clauses[i]
		x.charge(4 * nodeCost)
		if len(c.params) == 1 && c.final == nil {
			body = &Let{Span: u.s.Span, Vars: c.params, Inits: []Node{c.value}, Body: body}
			continue
		}
		producer := &Lambda{Span: c.value.Place(), Body: c.value}
		consumer := &Lambda{Span: u.s.Span, Name: takes(u), Params: c.params, Rest: c.final, Body: body}
		body = x.callSupport(u.s, "call-with-values", producer, consumer)
	}
	return body
}

// takes is the name of a procedure that takes the values of a form: it makes messages speak of the form.
func takes(u use) string { return "(" + u.form.name + ")" }

func (x *expander) valuesBindings(u use) (formals, values []*syntax.Syntax) {
	if len(u.args) < 2 {
		x.shape(u, "("+u.form.name+" (((name ...) value) ...) body ...)")
	}
	for _, it := range x.clauses(u, u.args[0], "the bindings are (((name ...) value) ...)") {
		l, ok := it.Datum.(*syntax.List)
		if !ok || len(l.Items) != 2 || l.Tail != nil {
			x.found(u, it, "each binding is ((name ...) value)")
		}
		formals = append(formals, l.Items[0])
		values = append(values, l.Items[1])
	}
	return formals, values
}

// exprLetValues evaluates all values outside the scope of all names.
func exprLetValues(x *expander, u use) Node {
	formals, values := x.valuesBindings(u)
	sc := &scope{parent: u.sc}
	var all []*syntax.Syntax
	clauses := make([]valuesClause, len(formals))
	x.lambdas++
	x.sink(2*len(formals), u.s)
	for i := range formals {
		ids, tail := x.formalNames(u, formals[i])
		c := &clauses[i]
		c.value = x.expr(values[i], u.sc)
		c.params = newVars(ids)
		for j, s := range ids {
			id, _ := identOf(s)
			sc.bind(id, c.params[j])
		}
		all = append(all, ids...)
		if tail != nil {
			id, _ := identOf(tail)
			c.final = &Var{Name: id.name()}
			sc.bind(id, c.final)
			all = append(all, tail)
		}
	}
	x.distinct(u, all, nil)
	body := x.body(u, u.args[1:], sc)
	x.lift(2 * len(formals))
	x.lambdas--
	return x.bindValues(u, clauses, body)
}

func exprLetStarValues(x *expander, u use) Node {
	formals, values := x.valuesBindings(u)
	sc := u.sc
	clauses := make([]valuesClause, len(formals))
	x.lambdas++
	x.sink(2*len(formals), u.s)
	for i := range formals {
		c := &clauses[i]
		c.value = x.expr(values[i], sc)
		c.params, c.final, sc = x.params(u, formals[i], sc)
	}
	body := x.body(u, u.args[1:], sc)
	x.lift(2 * len(formals))
	x.lambdas--
	return x.bindValues(u, clauses, body)
}

func exprReceive(x *expander, u use) Node {
	if len(u.args) < 3 {
		x.shape(u, "(receive (name ...) value body ...)")
	}
	x.sink(1, u.s)
	producer := x.thunk(u, u.args[1], u.sc)
	consumer := x.lambda(u, takes(u), u.args[0], u.args[2:], u.sc)
	x.lift(1)
	return x.callSupport(u.s, "call-with-values", producer, consumer)
}

func exprDo(x *expander, u use) Node {
	if len(u.args) < 2 {
		x.shape(u, "(do ((name init step) ...) (test result ...) body ...)")
	}
	specs := x.clauses(u, u.args[0], "the variables are ((name init step) ...)")
	ids := make([]*syntax.Syntax, len(specs))
	inits := make([]*syntax.Syntax, len(specs))
	steps := make([]*syntax.Syntax, len(specs))
	for i, it := range specs {
		l, ok := it.Datum.(*syntax.List)
		if !ok || len(l.Items) < 2 || len(l.Items) > 3 || l.Tail != nil {
			x.found(u, it, "each variable is (name init step)")
		}
		x.identifier(u, l.Items[0], "each variable is (name init step)")
		ids[i], inits[i] = l.Items[0], l.Items[1]
		steps[i] = l.Items[0]
		if len(l.Items) == 3 {
			steps[i] = l.Items[2]
		}
	}
	x.distinct(u, ids, nil)
	end, ok := u.args[1].Datum.(*syntax.List)
	if !ok || len(end.Items) == 0 || end.Tail != nil {
		x.found(u, u.args[1], "the end of the loop is (test result ...)")
	}
	vars := newVars(ids)
	x.sink(1, u.s)
	args := x.exprs(inits, u.sc, vars)
	x.lift(1)
	sc := x.frame(u.sc, ids, vars)
	loop := &Var{Name: "do"}
	x.lambdas++
	x.sink(4, u.s)
	test := &If{Span: u.s.Span, Test: x.expr(end.Items[0], sc)}
	if len(end.Items) > 1 {
		test.Then = seq(u.args[1].Span, x.exprs(end.Items[1:], sc, nil))
	} else {
		test.Then = x.unspecified(u.args[1])
	}
	var nodes []Node
	if len(u.args) > 2 {
		nodes = append(nodes, x.bodyOrNothing(u, u.args[2:], sc))
	}
	nodes = append(nodes, &Call{Span: u.s.Span, Func: x.localRef(loop, u.s), Args: x.exprs(steps, sc, nil)})
	test.Else = seq(u.s.Span, nodes)
	x.lift(4)
	x.lambdas--
	return x.loop(u, loop, vars, args, test)
}

// bodyOrNothing is a body whose value nobody looks at.
func (x *expander) bodyOrNothing(u use, forms []*syntax.Syntax, sc *scope) Node {
	if len(forms) == 0 {
		return x.unspecified(u.s)
	}
	return x.body(u, forms, sc)
}

// exprWhile is while and until.
func exprWhile(x *expander, u use) Node {
	if len(u.args) < 1 {
		x.shape(u, "("+u.form.name+" test body ...)")
	}
	loop := &Var{Name: u.form.name}
	x.lambdas++
	x.sink(3, u.s)
	n := &If{Span: u.s.Span, Test: x.expr(u.args[0], u.sc)}
	again := seq(u.s.Span, []Node{
		x.bodyOrNothing(u, u.args[1:], u.sc),
		&Call{Span: u.s.Span, Func: x.localRef(loop, u.s)},
	})
	x.lift(3)
	x.lambdas--
	n.Then, n.Else = again, x.unspecified(u.s)
	if u.form.name == "until" {
		n.Then, n.Else = n.Else, n.Then
	}
	return x.loop(u, loop, nil, nil, n)
}

// exprDotimes is (dotimes (name count [result]) body ...), the name running from 0.
func exprDotimes(x *expander, u use) Node {
	const expected = "(dotimes (name count) body ...)"
	if len(u.args) < 1 {
		x.shape(u, expected)
	}
	head := x.clauses(u, u.args[0], expected)
	if len(head) < 2 || len(head) > 3 {
		x.shape(u, expected)
	}
	x.identifier(u, head[0], "the counter is an identifier")
	limit, loop := &Var{Name: "count"}, &Var{Name: "dotimes"}
	vars := newVars(head[:1])
	n := &Let{Span: u.s.Span, Vars: []*Var{limit}, Inits: []Node{x.expr(head[1], u.sc)}}
	sc := x.frame(u.sc, head[:1], vars)
	number := func(i int64) Node {
		return &Const{Span: u.s.Span, Datum: &syntax.Syntax{Datum: i, Span: u.s.Span}}
	}
	x.lambdas++
	x.sink(5, u.s)
	counter := func() Node { return x.localRef(vars[0], u.s) }
	test := &If{Span: u.s.Span, Test: x.callSupport(u.s, "<", counter(), x.localRef(limit, u.s)), Else: x.unspecified(u.s)}
	if len(head) == 3 {
		test.Else = x.expr(head[2], sc)
	}
	test.Then = seq(u.s.Span, []Node{
		x.bodyOrNothing(u, u.args[1:], sc),
		&Call{Span: u.s.Span, Func: x.localRef(loop, u.s), Args: []Node{x.callSupport(u.s, "+", counter(), number(1))}},
	})
	x.lift(5)
	x.lambdas--
	n.Body = x.loop(u, loop, vars, []Node{number(0)}, test)
	return n
}
