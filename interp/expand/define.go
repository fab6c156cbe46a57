package expand

import "caper/interp/syntax"

// This file holds the forms that define: define, define-values, define-syntax and their kin, and the splicing begin.

func defineDefine(x *expander, b *block, u use) {
	if len(u.args) == 0 {
		x.shape(u, "(define name value) or (define (name . parameters) body ...)")
	}
	where := u.args[0]
	l, ok := where.Datum.(*syntax.List)
	if !ok {
		if len(u.args) > 2 {
			x.failAt(u.s.Span, []string{"to define a procedure, put its name and parameters in parentheses"}, "define: expected one value for %s, found %d", show(where), len(u.args)-1)
		}
		t := x.declare(b, u, where)
		if len(u.args) == 1 {
			x.add(b, t, u.s.Span, func() Node { return x.unspecified(u.s) })
			return
		}
		b.items = append(b.items, item{target: t, form: u.args[1], span: u.s.Span, trail: x.trail})
		return
	}
	// Curried definitions nest: (define ((f a) b) …) is f = (lambda (a) (lambda (b) …)).
	var formals []*syntax.Syntax
	depth := x.depth
	for ok {
		if len(l.Items) == 0 {
			x.found(u, where, "the name and parameters of a procedure")
		}
		formals = append(formals, rest(where, l, 1))
		where = l.Items[0]
		l, ok = where.Datum.(*syntax.List)
		if x.depth++; x.depth > x.limits.Depth {
			x.tooDeep(u.s)
		}
	}
	x.depth = depth
	t := x.declare(b, u, where)
	x.add(b, t, u.s.Span, func() Node { return x.curried(u, formals, t.name()) })
}

func (x *expander) curried(u use, formals []*syntax.Syntax, name string) Node {
	last := len(formals) - 1
	if last == 0 {
		return x.procedure(u, name, formals[0], u.args[1:], u.sc)
	}
	params, final, sc := x.params(u, formals[last], u.sc)
	n := &Lambda{Span: u.s.Span, Name: name, Params: params, Rest: final}
	inner := u
	inner.sc = sc
	x.enter(u.s)
	x.lambdas++
	n.Body = x.curried(inner, formals[:last], "")
	x.lambdas--
	x.depth--
	return n
}

// rest is the list s without its first n items.
func rest(s *syntax.Syntax, l *syntax.List, n int) *syntax.Syntax {
	if len(l.Items) == n && l.Tail != nil {
		return l.Tail
	}
	return &syntax.Syntax{Datum: &syntax.List{Items: l.Items[n:], Tail: l.Tail}, Span: s.Span}
}

func defineBegin(x *expander, b *block, u use) {
	for _, f := range u.args {
		x.scan(f, b)
	}
}

func exprBegin(x *expander, u use) Node {
	if len(u.args) == 0 {
		return x.unspecified(u.s)
	}
	return x.body(u, u.args, u.sc) // definitions are local to it
}

func defineValues(x *expander, b *block, u use) {
	if len(u.args) != 2 {
		x.shape(u, "(define-values (name ...) value)")
	}
	ids, tail := x.formalNames(u, u.args[0])
	value := u.args[1]
	if len(ids) == 1 && tail == nil {
		t := x.declare(b, u, ids[0])
		b.items = append(b.items, item{target: t, form: value, span: u.s.Span, trail: x.trail})
		return
	}
	targets := make([]target, len(ids), len(ids)+1)
	for i, id := range ids {
		targets[i] = x.declare(b, u, id)
	}
	if tail != nil {
		targets = append(targets, x.declare(b, u, tail))
	}
	// One hidden variable takes all values in a list, so that each name has one definition.
	all := x.hidden(b, "values", u.s)
	x.add(b, all, u.s.Span, func() Node {
		params, final := newVars(ids), (*Var)(nil)
		var list Node = x.constantNil(u.s)
		if tail != nil {
			final = newVars([]*syntax.Syntax{tail})[0]
			list = x.callSupport(u.s, "cons", x.localRef(final, u.s), x.constantNil(u.s))
		}
		x.deepen(len(params), u.s)
		for i := len(params) - 1; i >= 0; i-- {
			list = x.callSupport(u.s, "cons", x.localRef(params[i], u.s), list)
		}
		collect := &Lambda{Span: u.s.Span, Name: takes(u), Params: params, Rest: final, Body: list}
		return x.callSupport(u.s, "call-with-values", x.thunk(u, value, u.sc), collect)
	})
	for i, t := range targets {
		x.add(b, t, u.s.Span, func() Node {
			x.deepen(i, u.s)
			n := x.ref(all, u.s)
			for range i {
				n = x.callSupport(u.s, "cdr", n)
			}
			return x.callSupport(u.s, "car", n)
		})
	}
}

func newVars(ids []*syntax.Syntax) []*Var {
	vars := make([]*Var, len(ids))
	for i, s := range ids {
		id, _ := identOf(s)
		vars[i] = &Var{Name: id.name()}
	}
	return vars
}

func (x *expander) constantNil(s *syntax.Syntax) Node {
	return &Const{Span: s.Span, Datum: &syntax.Syntax{Datum: &syntax.List{}, Span: s.Span}}
}

// thunk is (lambda () e).
func (x *expander) thunk(u use, e *syntax.Syntax, sc *scope) Node {
	x.lambdas++
	x.sink(1, e)
	n := &Lambda{Span: e.Span, Body: x.expr(e, sc)}
	x.lift(1)
	x.lambdas--
	return n
}

func (x *expander) bodyThunk(u use, body []*syntax.Syntax, sc *scope) *Lambda {
	x.lambdas++
	x.sink(1, u.s)
	n := &Lambda{Span: u.s.Span, Body: x.body(u, body, sc)}
	x.lift(1)
	x.lambdas--
	return n
}

func defineSyntax(x *expander, b *block, u use) {
	if len(u.args) == 0 {
		x.shape(u, "(define-syntax name transformer)")
	}
	if l, ok := u.args[0].Datum.(*syntax.List); ok && len(l.Items) > 0 {
		x.failAt(u.s.Span, []string{"write (define-syntax name (syntax-rules () (pattern template) ...))"}, "define-syntax: procedural macros are not available")
	}
	id := x.identifier(u, u.args[0], "the name of a macro is an identifier")
	if len(u.args) != 2 {
		x.shape(u, "(define-syntax name transformer)")
	}
	x.bindSyntax(b, u.args[0], id, x.transformer(u, u.args[1], b.sc, id.name()))
}

func (x *expander) bindSyntax(b *block, s *syntax.Syntax, id ident, m binding) {
	if b.env != nil {
		x.changes(b.env, s)
		b.env.set(id, m)
		return
	}
	x.unique(b, s, id)
	b.sc.bind(id, m)
}

// defineSyntaxRule is (define-syntax-rule (name . pattern) template).
func defineSyntaxRule(x *expander, b *block, u use) {
	if len(u.args) == 3 { // a documentation string may stand between
		if _, ok := u.args[1].Datum.(syntax.String); ok {
			u.args = []*syntax.Syntax{u.args[0], u.args[2]}
		}
	}
	if len(u.args) != 2 {
		x.shape(u, "(define-syntax-rule (name . pattern) template)")
	}
	l, ok := u.args[0].Datum.(*syntax.List)
	if !ok || len(l.Items) == 0 {
		x.found(u, u.args[0], "the pattern is (name . pattern)")
	}
	id := x.identifier(u, l.Items[0], "the name of a macro is an identifier")
	c := &rulesCompiler{x: x, u: u, sc: b.sc, dots: &syntax.Syntax{Datum: syntax.Intern("..."), Span: u.s.Span}, name: id.name()}
	m := &macro{name: id.name(), env: b.sc, span: u.s.Span}
	m.rules = []*rule{c.rule(u.args[0], u.args[1])}
	x.bindSyntax(b, l.Items[0], id, m)
}

// transformer evaluates the right side of a syntax definition.
func (x *expander) transformer(u use, s *syntax.Syntax, sc *scope, name string) binding {
	saved := x.trail
	defer func() { x.trail = saved }()
	for {
		if id, ok := identOf(s); ok {
			b, _ := x.lookup(id, sc)
			switch b.(type) {
			case *form, *macro:
				return b
			}
			x.found(u, s, "the transformer is (syntax-rules ...) or the name of a macro")
		}
		l, ok := s.Datum.(*syntax.List)
		if !ok || len(l.Items) == 0 {
			x.found(u, s, "the transformer is (syntax-rules ...)")
		}
		id, ok := identOf(l.Items[0])
		if !ok {
			x.found(u, s, "the transformer is (syntax-rules ...)")
		}
		b, _ := x.lookup(id, sc)
		switch b := b.(type) {
		case *form:
			if b.name == "syntax-rules" {
				return x.syntaxRules(x.checkUse(b, s, l, sc), name)
			}
		case *macro:
			s = x.expandMacro(b, s, sc)
			continue
		}
		x.failAt(s.Span, []string{"only syntax-rules macros are available"}, "%s: the transformer is (syntax-rules ...), found %s", u.form.name, show(s))
	}
}

func exprLetSyntax(x *expander, u use) Node {
	recursive := u.form.name == "letrec-syntax"
	if len(u.args) < 2 {
		x.shape(u, "((name transformer) ...) and a body")
	}
	sc := &scope{parent: u.sc}
	outer := u.sc
	if recursive {
		outer = sc
	}
	for _, c := range x.clauses(u, u.args[0], "the bindings are ((name transformer) ...)") {
		l, ok := c.Datum.(*syntax.List)
		if !ok || len(l.Items) != 2 || l.Tail != nil {
			x.found(u, c, "each binding is (name transformer)")
		}
		id := x.identifier(u, l.Items[0], "the name of a macro is an identifier")
		if sc.find(id) != nil {
			x.failAt(l.Items[0].Span, nil, "%s: %s is bound twice", u.form.name, id.name())
		}
		sc.bind(id, x.transformer(u, l.Items[1], outer, id.name()))
	}
	return x.body(u, u.args[1:], sc)
}

// clauses answers the items of a proper list.
func (x *expander) clauses(u use, s *syntax.Syntax, expected string) []*syntax.Syntax {
	l, ok := s.Datum.(*syntax.List)
	if !ok || l.Tail != nil {
		x.found(u, s, expected)
	}
	return l.Items
}
