package expand

import (
	"strings"

	"caper/interp/syntax"
)

// This file holds the forms of promises, parameters, conditions and escapes.

func (x *expander) one(u use, expected string) *syntax.Syntax {
	if len(u.args) != 1 {
		x.shape(u, expected)
	}
	return u.args[0]
}

func exprDelay(x *expander, u use) Node {
	return x.delay(u, x.one(u, "(delay value)"))
}

func (x *expander) delay(u use, e *syntax.Syntax) Node {
	x.charge(4 * nodeCost)
	x.lambdas++
	x.sink(3, u.s)
	thunk := &Lambda{Span: u.s.Span, Body: x.callSupport(u.s, "%make-promise", x.boolean(true, u.s), x.expr(e, u.sc))}
	x.lift(3)
	x.lambdas--
	return x.callSupport(u.s, "%make-lazy", thunk)
}

func exprDelayForce(x *expander, u use) Node {
	return x.callSupport(u.s, "%make-lazy", x.thunk(u, x.one(u, "(delay-force promise)"), u.sc))
}

func exprConsStream(x *expander, u use) Node {
	if len(u.args) != 2 {
		x.shape(u, "(cons-stream first rest)")
	}
	return x.callSupport(u.s, "cons", x.expr(u.args[0], u.sc), x.delay(u, u.args[1]))
}

func exprParameterize(x *expander, u use) Node {
	if len(u.args) < 2 {
		x.shape(u, "(parameterize ((parameter value) ...) body ...)")
	}
	var pairs []Node
	for _, it := range x.clauses(u, u.args[0], "the bindings are ((parameter value) ...)") {
		l, ok := it.Datum.(*syntax.List)
		if !ok || len(l.Items) != 2 || l.Tail != nil {
			x.found(u, it, "each binding is (parameter value)")
		}
		x.sink(2, it)
		pairs = append(pairs, x.callSupport(it, "cons", x.expr(l.Items[0], u.sc), x.expr(l.Items[1], u.sc)))
		x.lift(2)
	}
	if len(pairs) == 0 {
		return x.body(u, u.args[1:], u.sc)
	}
	list := x.callSupport(u.s, "list", pairs...)
	return x.callSupport(u.s, "%parameterize", list, x.bodyThunk(u, u.args[1:], u.sc))
}

// exprFluidLet swaps the values of variables in and out around its body.
func exprFluidLet(x *expander, u use) Node {
	if len(u.args) < 2 {
		x.shape(u, "(fluid-let ((name value) ...) body ...)")
	}
	ids, values := x.bindings(u, u.args[0])
	x.distinct(u, ids, nil)
	if len(ids) == 0 {
		return x.body(u, u.args[1:], u.sc)
	}
	kept := newVars(ids)
	n := &Let{Span: u.s.Span, Vars: kept, Inits: x.exprs(values, u.sc, nil)}
	swap := func() Node {
		x.lambdas++
		defer func() { x.lambdas-- }()
		nodes := make([]Node, len(ids))
		for i, s := range ids {
			id, _ := identOf(s)
			t := &Var{Name: "old"}
			old := x.reference(id, s, u.sc)
			set := x.assign(u, id, s, func() Node { return x.localRef(kept[i], s) })
			kept[i].Assigned = true
			keep := &LocalSet{Span: s.Span, Var: kept[i], Value: x.localRef(t, s)}
			nodes[i] = &Let{Span: s.Span, Vars: []*Var{t}, Inits: []Node{old}, Body: &Seq{Span: s.Span, Nodes: []Node{set, keep}}}
		}
		x.charge(8 * nodeCost * len(ids))
		return &Lambda{Span: u.s.Span, Body: seq(u.s.Span, nodes)}
	}
	x.sink(1, u.s)
	in, body, out := swap(), x.bodyThunk(u, u.args[1:], u.sc), swap()
	x.lift(1)
	n.Body = x.callSupport(u.s, "dynamic-wind", in, body, out)
	return n
}

// exprGuard is (guard (e clause ...) body ...). Of a clause that is chosen, and only then, the handler first leaves what was
// called within the guard; when it returns without having done so, no clause matched.
func exprGuard(x *expander, u use) Node {
	const expected = "(guard (name clause ...) body ...)"
	if len(u.args) < 2 {
		x.shape(u, expected)
	}
	head := x.clauses(u, u.args[0], expected)
	if len(head) == 0 {
		x.found(u, u.args[0], "a name and clauses")
	}
	x.identifier(u, head[0], "the condition's name is an identifier")
	body := x.bodyThunk(u, u.args[1:], u.sc)
	vars := newVars(head[:1])
	guard := &Var{Name: "guard"}
	x.lambdas++
	x.sink(1, u.s)
	handler := &Lambda{Span: u.args[0].Span, Params: []*Var{vars[0], guard}}
	chosen := func(c *syntax.Syntax, value func() Node) Node {
		x.sink(1, c)
		defer x.lift(1)
		catch := x.callSupport(c, "%catch", x.localRef(guard, c))
		return &Seq{Span: c.Span, Nodes: []Node{catch, value()}}
	}
	handler.Body = x.cond(u, head[1:], x.frame(u.sc, head[:1], vars), chosen, func() Node { return x.boolean(false, u.s) })
	x.lift(1)
	x.lambdas--
	return x.callSupport(u.s, "%guard", body, handler)
}

func exprAssert(x *expander, u use) Node {
	if len(u.args) == 0 {
		x.shape(u, "(assert test)")
	}
	failed := x.callSupport(u.s, "%assert-failed", x.constant(u.args[0], u.args[0].Span))
	return &If{Span: u.s.Span, Test: x.expr(u.args[0], u.sc), Then: x.unspecified(u.s), Else: failed}
}

// exprWhere is (%where form): where the form stands in the text, as (file . line), or #f.
func exprWhere(x *expander, u use) Node {
	if len(u.args) != 1 {
		x.shape(u, "(%where form)")
	}
	span := u.args[0].Span
	if !span.Known() {
		return x.boolean(false, u.s)
	}
	name, line, _ := span.Position()
	pair := &syntax.List{Items: []*syntax.Syntax{syntax.New(syntax.String(name), span)}, Tail: syntax.New(int64(line), span)}
	return x.constant(syntax.New(pair, span), span)
}

// ifName is (%if-name x yes no): yes where x is an identifier, for macros that must know.
func (x *expander) ifName(u use) *syntax.Syntax {
	if len(u.args) != 3 {
		x.shape(u, "(%if-name x yes no)")
	}
	if _, ok := identOf(u.args[0]); ok {
		return u.args[1]
	}
	return u.args[2]
}

func exprIfName(x *expander, u use) Node { return x.expr(x.ifName(u), u.sc) }

func defineIfName(x *expander, b *block, u use) { x.scan(x.ifName(u), b) }

// exprLetEscape is let/ec and let/cc.
func exprLetEscape(x *expander, u use) Node {
	if len(u.args) < 2 {
		x.shape(u, "("+u.form.name+" name body ...)")
	}
	x.identifier(u, u.args[0], "the name of the continuation is an identifier")
	vars := newVars(u.args[:1])
	x.lambdas++
	x.sink(1, u.s)
	receiver := &Lambda{Span: u.s.Span, Params: vars, Body: x.body(u, u.args[1:], x.frame(u.sc, u.args[:1], vars))}
	x.lift(1)
	x.lambdas--
	f := x.support(u.s, "call/ec")
	if u.form.name == "let/cc" {
		f = x.support(u.s, "call/cc", "call-with-current-continuation")
	}
	return &Call{Span: u.s.Span, Func: f, Args: []Node{receiver}}
}

func exprBegin0(x *expander, u use) Node {
	if len(u.args) == 0 {
		x.shape(u, "(begin0 value form ...)")
	}
	first := x.expr(u.args[0], u.sc)
	if len(u.args) == 1 {
		return first
	}
	v := &Var{Name: "value"}
	x.sink(1, u.s)
	nodes := append(x.exprs(u.args[1:], u.sc, nil), x.localRef(v, u.s))
	x.lift(1)
	return &Let{Span: u.s.Span, Vars: []*Var{v}, Inits: []Node{first}, Body: &Seq{Span: u.s.Span, Nodes: nodes}}
}

func exprSyntaxError(x *expander, u use) Node {
	if len(u.args) == 0 {
		x.shape(u, "(syntax-error message form ...)")
	}
	var b strings.Builder
	if m, ok := u.args[0].Datum.(syntax.String); ok {
		b.WriteString(string(m))
	} else {
		b.WriteString(show(u.args[0]))
	}
	for i, a := range u.args[1:] {
		if i == 8 {
			b.WriteString(" …")
			break
		}
		b.WriteString(" " + show(a))
	}
	x.failAt(u.s.Span, nil, "%s", b.String())
	return nil
}
