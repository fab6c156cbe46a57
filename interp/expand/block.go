package expand

import "caper/interp/syntax"

// block is a body or a top level while its forms are scanned.
type block struct {
	sc    *scope
	env   *environment // of a top level, nil for a body
	owner string       // the form whose body it is, for messages
	items []item
}

// item is one form of a block, its head expanded.
type item struct {
	target target
	form   *syntax.Syntax // the expression, or the value of the definition
	make   func() Node    // in place of form
	span   syntax.Span
	trail  *trail
}

// target is the variable that an item defines, if any.
type target struct {
	local  *Var
	global *Global
}

func (t target) none() bool { return t.local == nil && t.global == nil }

func (t target) name() string {
	if t.local != nil {
		return t.local.Name
	}
	return t.global.Name
}

// ref refers to a defined variable.
func (x *expander) ref(t target, s *syntax.Syntax) Node {
	if t.local != nil {
		return &LocalRef{Span: s.Span, Var: t.local}
	}
	return x.globalRef(t.global, s.Span)
}

// scan adds one form of a block, expanding macros at its head until it is a definition or an expression.
func (x *expander) scan(s *syntax.Syntax, b *block) {
	x.enter(s)
	saved := x.trail
	x.scanForm(s, b)
	x.trail = saved
	x.depth--
}

func (x *expander) scanForm(s *syntax.Syntax, b *block) {
	for {
		l, ok := s.Datum.(*syntax.List)
		if !ok || len(l.Items) == 0 {
			break
		}
		id, ok := identOf(l.Items[0])
		if !ok {
			break
		}
		bound, _ := x.lookup(id, b.sc)
		if m, ok := bound.(*macro); ok {
			s = x.expandMacro(m, s, b.sc)
			continue
		}
		if bound == nil && b.env != nil {
			bound = x.world.topForm(id.symbol())
		}
		if f, ok := bound.(*form); ok && f.define != nil {
			f.define(x, b, x.checkUse(f, s, l, b.sc))
			return
		}
		break
	}
	b.items = append(b.items, item{form: s, span: s.Span, trail: x.trail})
}

// add appends a definition (or, without target, an expression) whose value is made in the second pass.
func (x *expander) add(b *block, t target, span syntax.Span, make func() Node) {
	b.items = append(b.items, item{target: t, make: make, span: span, trail: x.trail})
}

// declare makes the variable that a definition of s is about.
func (x *expander) declare(b *block, u use, s *syntax.Syntax) target {
	id := x.identifier(u, s, "the name to define is an identifier")
	if b.env != nil {
		return target{global: x.defineGlobal(b.env, id, s, len(b.items))}
	}
	x.unique(b, s, id)
	v := &Var{Name: id.name()}
	b.sc.bind(id, v)
	return target{local: v}
}

// hidden makes a variable for a block that no program text can name.
func (x *expander) hidden(b *block, name string, at *syntax.Syntax) target {
	if b.env == nil {
		return target{local: &Var{Name: name}}
	}
	g := x.newGlobal(b.env, name, at.Span)
	g.Defined = true
	g.state.defs = 1
	b.env.globals = append(b.env.globals, g)
	return target{global: g}
}

func (x *expander) unique(b *block, s *syntax.Syntax, id ident) {
	if b.sc.find(id) != nil {
		x.failAt(s.Span, []string{"to change a variable use set!"}, "%s: %s is defined twice in the same body", b.owner, id.name())
	}
}

func (x *expander) identifier(u use, s *syntax.Syntax, expected string) ident {
	id, ok := identOf(s)
	if !ok {
		x.found(u, s, expected)
	}
	return id
}

// value expands what an item computes.
func (x *expander) value(it *item, sc *scope) Node {
	x.trail = it.trail
	var n Node
	if it.make != nil {
		x.depth++
		n = it.make()
		x.depth--
	} else {
		n = x.expr(it.form, sc)
	}
	if !it.target.none() {
		named(n, it.target.name())
	}
	return n
}

// body expands the forms of a body in a scope of its own.
func (x *expander) body(u use, forms []*syntax.Syntax, sc *scope) Node {
	switch len(forms) {
	case 0:
		x.failAt(u.s.Span, nil, "%s: the body is empty in %s", u.form.name, show(u.s))
	case 1:
		if _, ok := forms[0].Datum.(*syntax.List); !ok {
			return x.expr(forms[0], sc)
		}
	}
	b := &block{sc: &scope{parent: sc}, owner: u.form.name}
	saved := x.trail
	for _, f := range forms {
		x.scan(f, b)
	}
	n := x.finishBody(u, b)
	x.trail = saved
	return n
}

func (x *expander) finishBody(u use, b *block) Node {
	defs := 0 // items up to and including the last definition
	for i := range b.items {
		if !b.items[i].target.none() {
			defs = i + 1
		}
	}
	if defs == len(b.items) {
		x.failAt(u.s.Span, []string{"a body ends in an expression, whose value it answers"}, "%s: the body has no expression after its definitions", u.form.name)
	}
	if defs == 0 {
		if len(b.sc.entries) == 0 { // nobody will look into the empty scope
			b.sc = b.sc.parent
		}
		return x.sequence(u, b, b.items)
	}
	x.sink(1, u.s)
	defer x.lift(1)
	n := &Letrec{Span: u.s.Span, Vars: make([]*Var, defs), Inits: make([]Node, defs)}
	for i := range b.items[:defs] {
		it := &b.items[i]
		n.Vars[i] = it.target.local
		if it.target.local == nil { // an expression between definitions
			n.Vars[i] = &Var{Name: "_"}
		}
		n.Inits[i] = x.value(it, b.sc)
	}
	n.Body = x.sequence(u, b, b.items[defs:])
	return n
}

func (x *expander) sequence(u use, b *block, items []item) Node {
	if len(items) == 1 {
		return x.value(&items[0], b.sc)
	}
	nodes := make([]Node, len(items))
	x.sink(1, u.s)
	for i := range items {
		nodes[i] = x.value(&items[i], b.sc)
	}
	x.lift(1)
	return &Seq{Span: u.s.Span, Nodes: nodes}
}

// finishTop expands the values of a top level.
func (x *expander) finishTop(b *block) []Node {
	nodes := make([]Node, 0, len(b.items))
	for i := range b.items {
		it := &b.items[i]
		x.item = i
		n := x.value(it, b.sc)
		if g := it.target.global; g != nil {
			g.state.value = n
			n = &GlobalDefine{Span: it.span, Global: g, Value: n}
		}
		nodes = append(nodes, n)
	}
	return nodes
}
