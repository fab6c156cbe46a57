package expand

import "caper/interp/syntax"

// This file holds quotation, procedures, conditionals of two branches and assignment: the forms under all others.

func exprQuote(x *expander, u use) Node {
	if len(u.args) != 1 {
		x.shape(u, "(quote datum)")
	}
	return x.constant(u.args[0], u.s.Span)
}

func exprIf(x *expander, u use) Node {
	switch len(u.args) {
	case 2, 3:
	case 0, 1:
		x.shape(u, "(if test then else)")
	default:
		hint := "to do several things in a branch, use (begin ...) or cond"
		for _, a := range u.args {
			if id, ok := identOf(a); ok && (id.name() == "then" || id.name() == "else" || id.name() == "elif") {
				hint = "there are no words between the parts: (if test value other)"
			}
		}
		x.failAt(u.s.Span, []string{hint}, "if: expected a test and at most two branches, found %d parts", len(u.args))
	}
	n := &If{Span: u.s.Span, Test: x.expr(u.args[0], u.sc), Then: x.expr(u.args[1], u.sc)}
	if len(u.args) == 3 {
		n.Else = x.expr(u.args[2], u.sc)
	} else {
		n.Else = x.unspecified(u.s)
	}
	return n
}

func exprSet(x *expander, u use) Node {
	if len(u.args) != 2 {
		x.shape(u, "(set! name value)")
	}
	id, ok := identOf(u.args[0])
	if !ok {
		if l, ok := u.args[0].Datum.(*syntax.List); ok && len(l.Items) > 0 {
			x.failAt(u.args[0].Span, []string{"a part of a value is changed with (set-car! pair x), (vector-set! vector k x) or (hash-table-set! table key x)"},
				"%s: the variable is an identifier, found %s", u.form.name, show(u.args[0]))
		}
		x.found(u, u.args[0], "the variable is an identifier")
	}
	return x.assign(u, id, u.args[0], func() Node { return x.expr(u.args[1], u.sc) })
}

// assign makes the assignment of a variable; the value is expanded after the variable was looked up.
func (x *expander) assign(u use, id ident, at *syntax.Syntax, value func() Node) Node {
	b, home := x.lookup(id, u.sc)
	switch b := b.(type) {
	case *Var:
		b.Assigned = true
		return &LocalSet{Span: u.s.Span, Var: b, Value: value()}
	case *Global:
		if b.state.home == x.env && b.Constant {
			x.failAt(at.Span, []string{"define it anew"}, "%s: %s was compiled as a constant and cannot be assigned", u.form.name, b.Name)
		}
		if b.state.home == x.env { // others may be shared, and are not counted
			b.state.sets++
		} else {
			x.checkAssignable(u, b, at)
		}
		x.globalRef(b, at.Span)
		return &GlobalSet{Span: u.s.Span, Global: b, Value: value()}
	case *form, *macro:
		x.failAt(at.Span, nil, "%s: %s is syntax and cannot be assigned", u.form.name, id.name())
	}
	g := x.freeGlobal(home, id.symbol(), at, u.sc)
	g.state.sets++
	return &GlobalSet{Span: u.s.Span, Global: g, Value: value()}
}

func (x *expander) checkAssignable(u use, g *Global, at *syntax.Syntax) {
	home := g.state.home
	// A macro may assign a variable of its own library that was left assignable for that.
	if home != nil && !g.Constant && x.trail != nil {
		return
	}
	from := ""
	if home != nil && home.name != "" && home.name[1] != '%' {
		from = " from " + home.name
	}
	x.failAt(at.Span, []string{"define a variable of that name first"}, "%s: %s is imported%s and cannot be assigned", u.form.name, g.Name, from)
}

func exprLambda(x *expander, u use) Node {
	if len(u.args) == 0 {
		x.shape(u, "(lambda (name ...) body ...)")
	}
	return x.procedure(u, "", u.args[0], u.args[1:], u.sc)
}

func exprNamedLambda(x *expander, u use) Node {
	if len(u.args) == 0 {
		x.shape(u, "(named-lambda (name parameter ...) body ...)")
	}
	l, ok := u.args[0].Datum.(*syntax.List)
	if !ok || len(l.Items) == 0 {
		x.found(u, u.args[0], "the name and the parameters are a list")
	}
	id := x.identifier(u, l.Items[0], "the name is an identifier")
	return x.procedure(u, id.name(), rest(u.args[0], l, 1), u.args[1:], u.sc)
}

func exprCaseLambda(x *expander, u use) Node {
	if len(u.args) == 0 {
		x.shape(u, "(case-lambda ((name ...) body ...) ...)")
	}
	n := &CaseLambda{Span: u.s.Span}
	x.sink(1, u.s)
	defer x.lift(1)
	for _, c := range u.args {
		l, ok := c.Datum.(*syntax.List)
		if !ok || len(l.Items) == 0 || l.Tail != nil {
			x.found(u, c, "each clause is ((name ...) body ...)")
		}
		clause := x.lambda(u, "", l.Items[0], l.Items[1:], u.sc)
		clause.Span = c.Span
		n.Clauses = append(n.Clauses, clause)
	}
	if len(n.Clauses) == 1 {
		return n.Clauses[0]
	}
	return n
}

func (x *expander) lambda(u use, name string, formals *syntax.Syntax, body []*syntax.Syntax, sc *scope) *Lambda {
	params, final, inner := x.params(u, formals, sc)
	n := &Lambda{Span: u.s.Span, Name: name, Params: params, Rest: final}
	x.lambdas++
	n.Body = x.body(u, body, inner)
	x.lambdas--
	return n
}

// params makes the variables and the scope of a parameter list.
func (x *expander) params(u use, formals *syntax.Syntax, sc *scope) (params []*Var, final *Var, inner *scope) {
	ids, tail := x.formalNames(u, formals)
	inner = &scope{parent: sc}
	if n := len(ids); n > 0 {
		vars := make([]Var, n)
		params = make([]*Var, n)
		inner.entries = make([]entry, 0, n+1)
		for i, s := range ids {
			id, _ := identOf(s)
			vars[i].Name = id.name()
			params[i] = &vars[i]
			inner.bind(id, params[i])
		}
	}
	if tail != nil {
		id, _ := identOf(tail)
		final = &Var{Name: id.name()}
		inner.bind(id, final)
	}
	return params, final, inner
}

// formalNames checks (a b . c), (a b) or c.
func (x *expander) formalNames(u use, s *syntax.Syntax) (ids []*syntax.Syntax, tail *syntax.Syntax) {
	if _, ok := identOf(s); ok {
		return nil, s
	}
	l, ok := s.Datum.(*syntax.List)
	if !ok {
		x.found(u, s, "the parameters are a list of names or one name")
	}
	if l.Tail != nil {
		x.parameter(u, l.Tail)
	}
	for _, it := range l.Items {
		x.parameter(u, it)
	}
	x.distinct(u, l.Items, l.Tail)
	return l.Items, l.Tail
}

func (x *expander) parameter(u use, s *syntax.Syntax) {
	if _, ok := identOf(s); ok {
		return
	}
	if l, ok := s.Datum.(*syntax.List); ok && len(l.Items) > 0 {
		x.failAt(s.Span, []string{"for optional parameters use case-lambda or a rest parameter (a . rest)"}, "%s: each parameter is a name, found %s", u.form.name, show(s))
	}
	x.found(u, s, "each parameter is a name")
}

// distinct refuses a name that occurs twice.
func (x *expander) distinct(u use, ids []*syntax.Syntax, tail *syntax.Syntax) {
	if tail != nil {
		ids = append(ids[:len(ids):len(ids)], tail)
	}
	twice := func(s *syntax.Syntax) {
		x.failAt(s.Span, nil, "%s: the name %s occurs twice", u.form.name, show(s))
	}
	if len(ids) > largeFrame {
		seen := make(map[ident]bool, len(ids))
		for _, s := range ids {
			id, _ := identOf(s)
			if seen[id] {
				twice(s)
			}
			seen[id] = true
		}
		return
	}
	for i, s := range ids {
		id, _ := identOf(s)
		for _, t := range ids[:i] {
			if other, _ := identOf(t); other == id {
				twice(s)
			}
		}
	}
}
