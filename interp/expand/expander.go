package expand

import "caper/interp/syntax"

// expander is the state of one call of Expand.
type expander struct {
	world    *World
	limits   Limits
	env      *environment // the top level whose forms are being expanded
	trail    *trail
	place    syntax.Span // last form seen, for messages about limits
	depth    int
	steps    int
	units    int
	includes int
	lambdas  int // procedures around the current form
	item     int // index of the current top-level form
	loading  []string
	unknown  *freeUse // the outermost call around that names what is not defined

	declaredNow []*library // whose text this Expand met
}

// form is a piece of syntax built into the expander. An auxiliary keyword such as else has neither function.
type form struct {
	name   string
	expr   func(x *expander, u use) Node      // its meaning as an expression
	define func(x *expander, b *block, u use) // its meaning in a body or at top level, where that differs
}

// use is one occurrence of a built-in form: a proper list whose first item is bound to the form.
type use struct {
	form *form
	s    *syntax.Syntax
	args []*syntax.Syntax
	sc   *scope
}

// expr expands one expression.
func (x *expander) expr(s *syntax.Syntax, sc *scope) Node {
	x.enter(s)
	saved := x.trail
	n := x.expand(s, sc)
	x.trail = saved
	x.depth--
	return n
}

func (x *expander) expand(s *syntax.Syntax, sc *scope) Node {
	for {
		switch d := s.Datum.(type) {
		case *syntax.Symbol:
			return x.reference(ident{sym: d}, s, sc)
		case *Alias:
			return x.reference(ident{alias: d}, s, sc)
		case *syntax.List:
			if len(d.Items) == 0 {
				x.failAt(s.Span, []string{"the empty list is written '()"}, "() is not an expression")
			}
			id, ok := identOf(d.Items[0])
			if !ok {
				return x.call(x.expr(d.Items[0], sc), s, d, sc)
			}
			b, home := x.lookup(id, sc)
			switch b := b.(type) {
			case *form:
				return x.useForm(b, s, d, sc)
			case *macro:
				s = x.expandMacro(b, s, sc)
			default:
				x.charge(nodeCost)
				dynamic := x.world.dynamic
				f := x.refer(b, home, id, d.Items[0], sc)
				if g, ok := b.(*Global); ok && g.Name == "eval" && len(d.Items) > 2 {
					x.world.dynamic = dynamic // in an environment that is given: where that is the program's, its name tells
				}
				return x.call(f, s, d, sc)
			}
		case *syntax.Vector:
			return x.constant(s, s.Span)
		default:
			return &Const{Span: s.Span, Datum: s}
		}
	}
}

func (x *expander) useForm(f *form, s *syntax.Syntax, l *syntax.List, sc *scope) Node {
	u := x.checkUse(f, s, l, sc)
	if f.expr == nil {
		if f.define == nil {
			x.failAt(s.Span, belongs[f.name], "%s has no meaning outside of the form that it belongs to", f.name)
		}
		x.failAt(s.Span, []string{"move it to the start of a body, or use let"}, "%s: a definition is not allowed here, where a value is expected", f.name)
	}
	return f.expr(x, u)
}

func (x *expander) checkUse(f *form, s *syntax.Syntax, l *syntax.List, sc *scope) use {
	if l.Tail != nil {
		x.failAt(s.Span, nil, "%s: the form ends in a dot and %s", f.name, show(l.Tail))
	}
	return use{form: f, s: s, args: l.Items[1:], sc: sc}
}

func (x *expander) call(f Node, s *syntax.Syntax, l *syntax.List, sc *scope) Node {
	around := x.unknown
	if g, ok := f.(*GlobalRef); ok && !g.Global.Defined && around == nil {
		if id, ok := identOf(l.Items[0]); ok {
			x.unknown = &freeUse{sym: id.symbol(), global: g.Global, span: l.Items[0].Span, trail: x.trail, scope: sc}
		}
	}
	if l.Tail != nil {
		x.failAt(s.Span, nil, "a call ends in a dot and %s", show(l.Tail))
	}
	c := &Call{Span: s.Span, Func: f}
	if n := len(l.Items) - 1; n > 0 {
		c.Args = make([]Node, n)
		for i, it := range l.Items[1:] {
			c.Args[i] = x.expr(it, sc)
		}
	}
	x.unknown = around
	return c
}

func (x *expander) reference(id ident, s *syntax.Syntax, sc *scope) Node {
	b, home := x.lookup(id, sc)
	return x.refer(b, home, id, s, sc)
}

// evaluates says that a procedure of the library may define names of the program.
func evaluates(name string) bool {
	switch name {
	case "eval", "load", "interaction-environment", "test-read-eval-string":
		return true
	}
	return false
}

// refer makes the reference to what id means.
func (x *expander) refer(b binding, home *environment, id ident, s *syntax.Syntax, sc *scope) Node {
	switch b := b.(type) {
	case *Var:
		return &LocalRef{Span: s.Span, Var: b}
	case *Global:
		if evaluates(b.Name) && (s.Span.Source == nil || !s.Span.Source.Own) {
			x.world.dynamic = true
		}
		return x.globalRef(b, s.Span)
	case *form:
		hints := belongs[b.name]
		switch {
		case hints == nil && !parenthesized(s.Span):
			hints = []string{"a form stands in parentheses: (" + id.name() + " ...)"}
		case hints == nil:
			hints = []string{"to hand it on, wrap it in a lambda"}
		}
		x.failAt(s.Span, hints, "%s is syntax, not a value", id.name())
	case *macro:
		x.failAt(s.Span, []string{"to hand it on, wrap it in a lambda"}, "%s is a macro, not a value", id.name())
	}
	return &GlobalRef{Span: s.Span, Global: x.freeGlobal(home, id.symbol(), s, sc)}
}

func (x *expander) globalRef(g *Global, span syntax.Span) *GlobalRef {
	if g.state.shadows != nil && g.state.home == x.env && !g.state.early {
		x.noteShadow(g)
	}
	return &GlobalRef{Span: span, Global: g}
}

// localRef refers to a variable that a built-in form made.
func (x *expander) localRef(v *Var, s *syntax.Syntax) Node { return &LocalRef{Span: s.Span, Var: v} }

// support refers to a procedure that built-in forms call, whatever the program calls by that name.
func (x *expander) support(s *syntax.Syntax, names ...string) Node {
	x.charge(nodeCost)
	for _, name := range names {
		if g := x.supportGlobal(name, s.Span); g != nil {
			return &GlobalRef{Span: s.Span, Global: g}
		}
	}
	x.failAt(s.Span, nil, "the support procedure %s is missing from (%%support) and (%%primitive)", names[0])
	return nil
}

func (x *expander) callSupport(s *syntax.Syntax, name string, args ...Node) Node {
	return &Call{Span: s.Span, Func: x.support(s, name), Args: args}
}

func (x *expander) unspecified(s *syntax.Syntax) Node { return &Unspecified{Span: s.Span} }

func (x *expander) boolean(b bool, s *syntax.Syntax) Node {
	return &Const{Span: s.Span, Datum: &syntax.Syntax{Datum: b, Span: s.Span}}
}

// seq makes a sequence of at least one node.
func seq(span syntax.Span, nodes []Node) Node {
	if len(nodes) == 1 {
		return nodes[0]
	}
	return &Seq{Span: span, Nodes: nodes}
}

// named gives a procedure the name that it is bound to, unless it has one.
func named(n Node, name string) Node {
	switch n := n.(type) {
	case *Lambda:
		if n.Name == "" {
			n.Name = name
		}
	case *CaseLambda:
		if n.Name == "" {
			n.Name = name
			for _, c := range n.Clauses {
				c.Name = name
			}
		}
	case *Let:
		named(n.Body, name)
	case *Letrec:
		named(n.Body, name)
		if ref, ok := n.Body.(*LocalRef); ok {
			for i, v := range n.Vars {
				if v == ref.Var {
					named(n.Inits[i], name)
				}
			}
		}
	}
	return n
}

// frame makes a scope with one binding a name.
func (x *expander) frame(parent *scope, ids []*syntax.Syntax, vars []*Var) *scope {
	sc := &scope{parent: parent, entries: make([]entry, 0, len(ids))}
	for i, s := range ids {
		id, _ := identOf(s)
		sc.bind(id, vars[i])
	}
	return sc
}
