package expand

import "caper/interp/syntax"

// This file holds the conditionals of many branches.

func exprCond(x *expander, u use) Node {
	if len(u.args) == 0 {
		x.shape(u, "(cond (test value ...) ... (else value ...))")
	}
	return x.cond(u, u.args, u.sc, alone, func() Node { return x.unspecified(u.s) })
}

// arm makes of the value of a clause what is to happen when it is chosen.
type arm func(c *syntax.Syntax, value func() Node) Node

// alone is an arm that is nothing but the value.
func alone(_ *syntax.Syntax, value func() Node) Node { return value() }

// cond expands clauses; without else it ends in what fallback makes.
func (x *expander) cond(u use, clauses []*syntax.Syntax, sc *scope, chosen arm, fallback func() Node) Node {
	if len(clauses) == 0 {
		return fallback()
	}
	c := clauses[0]
	x.enter(c)
	defer func() { x.depth-- }()
	l, ok := c.Datum.(*syntax.List)
	if !ok || len(l.Items) == 0 || l.Tail != nil {
		x.found(u, c, "each clause is (test value ...)")
	}
	if x.isAux(l.Items[0], "else", sc) {
		x.elseClause(u, c, l, clauses)
		return chosen(c, func() Node { return x.body(clause(u, c), l.Items[1:], sc) })
	}
	test := x.expr(l.Items[0], sc)
	more := func() Node { return x.cond(u, clauses[1:], sc, chosen, fallback) }
	switch {
	case len(l.Items) == 1:
		return x.either(c, test, chosen, more)
	case x.isAux(l.Items[1], "=>", sc):
		if len(l.Items) != 3 {
			x.found(u, c, "a clause with => is (test => procedure)")
		}
		v := &Var{Name: "test"}
		x.sink(2, c)
		defer x.lift(2)
		call := chosen(c, func() Node {
			return &Call{Span: c.Span, Func: x.expr(l.Items[2], sc), Args: []Node{x.localRef(v, c)}}
		})
		n := &If{Span: c.Span, Test: x.localRef(v, c), Then: call, Else: more()}
		return &Let{Span: c.Span, Vars: []*Var{v}, Inits: []Node{test}, Body: n}
	}
	n := &If{Span: c.Span, Test: test, Then: chosen(c, func() Node { return x.body(clause(u, c), l.Items[1:], sc) })}
	n.Else = more()
	return n
}

// clause makes messages about a body point at its clause.
func clause(u use, c *syntax.Syntax) use {
	u.s = c
	return u
}

func (x *expander) elseClause(u use, c *syntax.Syntax, l *syntax.List, clauses []*syntax.Syntax) {
	if len(clauses) > 1 {
		x.failAt(c.Span, nil, "%s: else must be the last clause", u.form.name)
	}
	if len(l.Items) == 1 {
		x.found(u, c, "the last clause is (else value ...)")
	}
}

// either is (or first more).
func (x *expander) either(s *syntax.Syntax, first Node, chosen arm, more func() Node) Node {
	x.charge(3 * nodeCost)
	v := &Var{Name: "test"}
	n := &If{Span: s.Span, Test: x.localRef(v, s)}
	n.Then = chosen(s, func() Node { return x.localRef(v, s) })
	x.sink(1, s)
	n.Else = more()
	x.lift(1)
	return &Let{Span: s.Span, Vars: []*Var{v}, Inits: []Node{first}, Body: n}
}

func exprAnd(x *expander, u use) Node {
	if len(u.args) == 0 {
		return x.boolean(true, u.s)
	}
	return x.and(u, u.args)
}

func (x *expander) and(u use, args []*syntax.Syntax) Node {
	if len(args) == 1 {
		return x.expr(args[0], u.sc)
	}
	x.enter(args[0])
	n := &If{Span: u.s.Span, Test: x.expr(args[0], u.sc), Then: x.and(u, args[1:]), Else: x.boolean(false, u.s)}
	x.depth--
	return n
}

func exprOr(x *expander, u use) Node {
	if len(u.args) == 0 {
		return x.boolean(false, u.s)
	}
	return x.or(u, u.args)
}

func (x *expander) or(u use, args []*syntax.Syntax) Node {
	first := x.expr(args[0], u.sc)
	if len(args) == 1 {
		return first
	}
	x.enter(args[0])
	n := x.either(u.s, first, alone, func() Node { return x.or(u, args[1:]) })
	x.depth--
	return n
}

// exprWhen is when and unless.
func exprWhen(x *expander, u use) Node {
	if len(u.args) < 2 {
		x.shape(u, "("+u.form.name+" test value ...)")
	}
	n := &If{Span: u.s.Span, Test: x.expr(u.args[0], u.sc)}
	n.Then, n.Else = x.body(u, u.args[1:], u.sc), x.unspecified(u.s)
	if u.form.name == "unless" {
		n.Then, n.Else = n.Else, n.Then
	}
	return n
}

func exprCase(x *expander, u use) Node {
	if len(u.args) < 2 {
		x.shape(u, "(case key ((datum ...) value ...) ... (else value ...))")
	}
	key := &Var{Name: "key"}
	n := &Let{Span: u.s.Span, Vars: []*Var{key}, Inits: []Node{x.expr(u.args[0], u.sc)}}
	n.Body = x.caseClauses(u, u.args[1:], key)
	return n
}

func (x *expander) caseClauses(u use, clauses []*syntax.Syntax, key *Var) Node {
	if len(clauses) == 0 {
		return x.unspecified(u.s)
	}
	c := clauses[0]
	x.enter(c)
	defer func() { x.depth-- }()
	l, ok := c.Datum.(*syntax.List)
	if !ok || len(l.Items) < 2 || l.Tail != nil {
		x.found(u, c, "each clause is ((datum ...) value ...)")
	}
	value := func() Node {
		if !x.isAux(l.Items[1], "=>", u.sc) {
			return x.body(clause(u, c), l.Items[1:], u.sc)
		}
		if len(l.Items) != 3 {
			x.found(u, c, "a clause with => is ((datum ...) => procedure)")
		}
		x.sink(1, c)
		defer x.lift(1)
		return &Call{Span: c.Span, Func: x.expr(l.Items[2], u.sc), Args: []Node{x.localRef(key, c)}}
	}
	if x.isAux(l.Items[0], "else", u.sc) {
		x.elseClause(u, c, l, clauses)
		return value()
	}
	data, ok := l.Items[0].Datum.(*syntax.List)
	if !ok || data.Tail != nil {
		x.failAt(c.Span, []string{"put the datum in parentheses"}, "case: each clause is ((datum ...) value ...), found %s", show(c))
	}
	n := &If{Span: c.Span, Test: x.caseTest(c, l.Items[0], data.Items, key), Then: value()}
	n.Else = x.caseClauses(u, clauses[1:], key)
	return n
}

const caseChain = 8 // data compared one by one; more are searched as a list

func (x *expander) caseTest(c, list *syntax.Syntax, data []*syntax.Syntax, key *Var) Node {
	if len(data) == 0 {
		return x.boolean(false, c)
	}
	if len(data) > caseChain {
		member := "memv"
		for _, d := range data {
			if structured(d) {
				member = "member"
			}
		}
		return x.callSupport(c, member, x.localRef(key, c), x.constant(list, list.Span))
	}
	last := len(data) - 1
	test := x.caseDatum(c, data[last], key)
	for i := last - 1; i >= 0; i-- {
		test = &If{Span: c.Span, Test: x.caseDatum(c, data[i], key), Then: x.boolean(true, c), Else: test}
	}
	return test
}

// caseDatum compares by eqv?, but strings and structured data, which no key would ever be eqv? to, by equal?.
func (x *expander) caseDatum(c, d *syntax.Syntax, key *Var) Node {
	same := "eqv?"
	if structured(d) {
		same = "equal?"
	}
	return x.callSupport(c, same, x.localRef(key, c), x.constant(d, d.Span))
}

func structured(s *syntax.Syntax) bool {
	switch d := s.Datum.(type) {
	case *syntax.List:
		return len(d.Items) > 0
	case *syntax.Vector, syntax.String, syntax.Bytes:
		return true
	}
	return false
}
