package compile

import (
	"caper/interp/expand"
	"caper/interp/syntax"
)

// maxArgs bounds the arguments of a direct call.
const maxArgs = 1000

// Bounds on opening procedures of constant globals in place.
const (
	openSize  = 12 // nodes
	openDepth = 4
)

func (l *lowerer) call(n *expand.Call, k int) node {
	if len(n.Args) > maxArgs {
		panic(&Error{n.Span, "a call with more than 1000 arguments; build a list and use apply"})
	}
	switch f := n.Func.(type) {
	case *expand.GlobalRef:
		if f.Global.Prim != "" {
			if p := l.primitive(f.Global, n); p != nil {
				return p
			}
		} else if m := l.opened(f.Global, len(n.Args)); m != nil {
			return l.open(m, n, k)
		}
	case *expand.Lambda:
		if f.Rest == nil && len(f.Params) == len(n.Args) {
			return l.chain(&expand.Let{Span: n.Span, Vars: f.Params, Inits: n.Args, Body: f.Body}, k)
		}
	case *expand.LocalRef:
		v := l.lookup(f.Var, f.Span)
		if r, ok := v.alias.(*ref); ok {
			v = r.v
		}
		if v.known != nil {
			l.touch(v)
			c := &call{fn: &v.self, args: l.args(n.Args), k: k, span: l.place(n.Span)}
			v.calls = append(v.calls, c)
			if v.inside > 0 {
				v.inner++
				c.inner = true
			}
			return c
		}
	}
	c := &call{fn: l.lower(n.Func, l.fresh()), args: l.args(n.Args), k: k, span: l.place(n.Span)}
	if m, ok := c.fn.(*lambda); ok { // with a rest parameter or a wrong number of arguments: not in place
		v := &local{name: m.name, reg: -1}
		v.self.v = v
		c.fn = &v.self
		return &let{vars: []*local{v}, inits: []node{m}, body: c}
	}
	return c
}

func (l *lowerer) args(from []expand.Node) []node {
	args := make([]node, len(from))
	for i, a := range from {
		args[i] = l.lower(a, l.fresh())
	}
	return args
}

// opened answers the procedure of a constant global that is small, closed and not recursive, else nil.
func (l *lowerer) opened(g *expand.Global, args int) *expand.Lambda {
	if !g.Constant || g.Value == nil || l.opening >= openDepth {
		return nil
	}
	m, ok := g.Value.(*expand.Lambda)
	if !ok || m.Rest != nil || len(m.Params) != args {
		return nil
	}
	for _, p := range m.Params {
		if p.Assigned {
			return nil
		}
	}
	budget := openSize
	if !l.opens(m.Body, g, &budget) {
		return nil
	}
	return m
}

func (l *lowerer) opens(n expand.Node, g *expand.Global, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	switch n := n.(type) {
	case *expand.Const, *expand.Unspecified, *expand.LocalRef:
		return true
	case *expand.GlobalRef:
		return n.Global != g
	case *expand.If:
		return l.opens(n.Test, g, budget) && l.opens(n.Then, g, budget) && l.opens(n.Else, g, budget)
	case *expand.Call:
		if _, ok := n.Func.(*expand.GlobalRef); !ok {
			if _, ok := n.Func.(*expand.LocalRef); !ok {
				return false
			}
		}
		for _, a := range n.Args {
			if !l.opens(a, g, budget) {
				return false
			}
		}
		return l.opens(n.Func, g, budget)
	}
	return false
}

// place is where an instruction is said to stand: inside an opened procedure of another file, at the call that was
// replaced, since that is the text that its reader has.
func (l *lowerer) place(s syntax.Span) syntax.Span {
	if l.opening > 0 && s.Source != l.site.Source {
		return l.site
	}
	return s
}

// open puts the body of m in the place of a call.
func (l *lowerer) open(m *expand.Lambda, n *expand.Call, k int) node {
	args := l.args(n.Args)
	saved := l.inlined
	if l.opening == 0 {
		l.site = n.Span
	}
	b := &let{}
	l.opening++
	scope := make([]binding, 0, len(args))
	for i, p := range m.Params {
		v := newLocal(p)
		if plain(args[i]) {
			v.alias = args[i]
		} else {
			b.vars, b.inits = append(b.vars, v), append(b.inits, args[i])
		}
		scope = append(scope, binding{p, v})
	}
	l.inlined = scope
	b.body = l.lower(m.Body, k)
	l.opening--
	l.inlined = saved
	if len(b.vars) == 0 {
		return b.body
	}
	return b
}
