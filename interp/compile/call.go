package compile

import (
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/syntax"
)

// maxArgs bounds the arguments of a direct call.
const maxArgs = 1000

// Bounds on opening procedures of constant globals in place.
const (
	openSize   = 12 // nodes
	openHigher = 60 // the same where an argument is a procedure written in place: its calls become jumps or code
	openDepth  = 4
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
		} else if m := l.opened(f.Global, n.Args); m != nil {
			return l.open(m, n, k)
		}
	case *expand.Lambda:
		if f.Rest == nil && len(f.Params) == len(n.Args) {
			return l.chain(&expand.Let{Span: n.Span, Vars: f.Params, Inits: n.Args, Body: f.Body}, k)
		}
	case *expand.LocalRef:
		if v := l.procedure(f); v != nil {
			l.touch(v)
			if c, ok := v.known.body.(*constant); ok && len(n.Args) == 0 && v.known.takes(0) {
				return c
			}
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

// procedure is the variable that n names if that is bound to a known procedure, else nil.
func (l *lowerer) procedure(n expand.Node) *local {
	f, ok := n.(*expand.LocalRef)
	if !ok {
		return nil
	}
	v := l.lookup(f.Var, f.Span)
	if r, ok := v.alias.(*ref); ok {
		v = r.v
	}
	if v.known == nil {
		return nil
	}
	return v
}

func (l *lowerer) args(from []expand.Node) []node {
	args := make([]node, len(from))
	for i, a := range from {
		args[i] = l.lower(a, l.fresh())
	}
	return args
}

// opened answers the procedure of a constant global that is small, closed and not recursive, else nil.
func (l *lowerer) opened(g *expand.Global, args []expand.Node) *expand.Lambda {
	if !g.Constant || l.opening >= openDepth {
		return nil
	}
	m := clauseFor(g.Value(), len(args))
	if m == nil {
		return nil
	}
	for _, p := range m.Params {
		if p.Assigned {
			return nil
		}
	}
	o := opening{global: g, budget: openSize}
	for _, a := range args {
		if f, ok := a.(*expand.Lambda); ok && f.Rest == nil {
			o.higher, o.budget = true, openHigher
		}
	}
	if !o.fits(m.Body) {
		return nil
	}
	return m
}

// Opens reports whether the compiler may look at the value of a constant variable: a procedure that some call of it may
// be replaced by, or a record type.
func Opens(g *expand.Global) bool {
	clauses := []*expand.Lambda{}
	switch n := g.Value().(type) {
	case *expand.Lambda:
		clauses = append(clauses, n)
	case *expand.CaseLambda:
		clauses = n.Clauses
	}
	for _, m := range clauses {
		o := opening{global: g, budget: openHigher, higher: true}
		if m.Rest == nil && o.fits(m.Body) {
			return true
		}
	}
	return recordFields(&expand.GlobalRef{Global: g}) >= 0
}

// clauseFor is the procedure, or the clause of it, that takes just so many arguments, else nil.
func clauseFor(n expand.Node, args int) *expand.Lambda {
	switch n := n.(type) {
	case *expand.Lambda:
		if n.Rest == nil && len(n.Params) == args {
			return n
		}
	case *expand.CaseLambda:
		for _, m := range n.Clauses {
			if m.Rest != nil && len(m.Params) <= args {
				return nil
			}
			if m.Rest == nil && len(m.Params) == args {
				return m
			}
		}
	}
	return nil
}

// opening looks whether a body may stand where its procedure is called.
type opening struct {
	global *expand.Global
	budget int  // nodes
	higher bool // loops too
}

func (o *opening) fits(n expand.Node) bool {
	if o.budget--; o.budget < 0 {
		return false
	}
	switch n := n.(type) {
	case *expand.Const, *expand.Unspecified, *expand.LocalRef:
		return true
	case *expand.GlobalRef:
		return n.Global != o.global
	case *expand.If:
		return o.fits(n.Test) && o.fits(n.Then) && o.fits(n.Else)
	case *expand.Call:
		switch n.Func.(type) {
		case *expand.GlobalRef, *expand.LocalRef:
		default:
			if !o.higher {
				return false
			}
		}
		return o.all(n.Args) && o.fits(n.Func)
	case *expand.Let:
		return o.higher && o.scope(n.Vars, n.Inits) && o.fits(n.Body)
	case *expand.Letrec:
		return o.higher && o.scope(n.Vars, n.Inits) && o.fits(n.Body)
	case *expand.Seq:
		return o.higher && o.all(n.Nodes)
	case *expand.Lambda:
		return n.Rest == nil && o.scope(n.Params, nil) && o.fits(n.Body)
	}
	return false
}

func (o *opening) all(ns []expand.Node) bool {
	for _, n := range ns {
		if !o.fits(n) {
			return false
		}
	}
	return true
}

func (o *opening) scope(vars []*expand.Var, inits []expand.Node) bool {
	for _, v := range vars {
		if v.Assigned {
			return false
		}
	}
	return o.all(inits)
}

// place is where an instruction is said to stand: inside an opened procedure of another file, at the call that was
// replaced, since that is the text that its reader has.
func (l *lowerer) place(s syntax.Span) syntax.Span {
	if l.opening == 0 {
		return s
	}
	if s.Source != l.site.Source {
		return l.texts.mark(l.site, l.siteIn)
	}
	return l.texts.mark(s, l.in)
}

// texts gives text a second source where it is the body of a procedure that was opened in place, so that the lines of
// the instructions can say so.
type texts struct {
	marked map[passage]*syntax.Source
	real   map[*syntax.Source]passage
}

type passage struct {
	source *syntax.Source
	name   string // the procedure's
}

func (o *texts) mark(s syntax.Span, name string) syntax.Span {
	if o == nil || name == "" || s.Source == nil {
		return s
	}
	of := passage{s.Source, name}
	m := o.marked[of]
	if m == nil {
		if o.marked == nil {
			o.marked, o.real = map[passage]*syntax.Source{}, map[*syntax.Source]passage{}
		}
		m = &syntax.Source{Name: s.Source.Name, Text: s.Source.Text, Own: s.Source.Own}
		o.marked[of], o.real[m] = m, of
	}
	s.Source = m
	return s
}

// open puts the body of m in the place of a call.
func (l *lowerer) open(m *expand.Lambda, n *expand.Call, k int) node {
	args := make([]node, len(n.Args))
	for i, x := range n.Args {
		if v := l.procedure(x); v != nil { // to be called in the body, which is no escape
			l.touch(v)
			args[i] = &v.self
			continue
		}
		args[i] = l.lower(x, l.fresh())
	}
	saved, in, site, siteIn := l.inlined, l.in, l.site, l.siteIn
	if l.opening == 0 || n.Span.Source == l.site.Source {
		l.site, l.siteIn = n.Span, l.in
	}
	l.in = m.Name
	b := &let{}
	var known []*local
	l.opening++
	scope := make([]binding, 0, len(args))
	for i, p := range m.Params {
		v := newLocal(p)
		switch x := args[i].(type) {
		case *lambda:
			v.known, x.self = x, v
			known = append(known, v)
		default:
			if plain(x) {
				v.alias = x
			} else {
				b.vars, b.inits = append(b.vars, v), append(b.inits, x)
			}
		}
		scope = append(scope, binding{p, v})
	}
	l.inlined = scope
	b.body = l.lower(m.Body, k)
	l.opening--
	l.inlined, l.in, l.site, l.siteIn = saved, in, site, siteIn
	for _, v := range known { // one by one: they do not see each other
		b.body = l.finish(&fix{vars: []*local{v}, lams: []*lambda{v.known}, body: b.body}, k)
	}
	if len(b.vars) == 0 {
		return b.body
	}
	if p := b.defaulted(); p != nil {
		return p
	}
	return b
}

// absent is the name of a variable of the library whose value no table has.
const absent = "%absent"

// defaulted answers (let ((v (%table-ref t k %absent))) (if (eq? v %absent) d v)) as (%table-ref t k d) where d is a
// constant or a variable, else nil.
func (n *let) defaulted() node {
	if len(n.vars) != 1 {
		return nil
	}
	p, isLookup := n.inits[0].(*primitive)
	b, isBranch := n.body.(*branch)
	if !isLookup || p.kind != primTable || !isAbsent(p.args[2]) || !isBranch || !plain(b.then) || b.then == b.els || b.els != node(&n.vars[0].self) {
		return nil
	}
	if q, ok := b.test.(*primitive); !ok || q.kind != primEq || q.args[0] != b.els || !isAbsent(q.args[1]) {
		return nil
	}
	return &primitive{kind: p.kind, op: p.op, num: p.num, args: []node{p.args[0], p.args[1], b.then}, span: p.span}
}

func isAbsent(n node) bool {
	r, ok := n.(*globalRef)
	return ok && r.g.Name == absent && r.g.Constant && r.g.Slot < heap.ImageGlobals
}
