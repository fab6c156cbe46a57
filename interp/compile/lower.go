package compile

import (
	"math"

	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/syntax"
)

// This file turns core forms into the compiler's tree. On the way it resolves variables, folds constants, recognises
// primitives, opens small procedures and decides which local procedures are labels.
//
// Every expression has a continuation number k: equal numbers mean the same continuation. Tail positions inherit it,
// other positions get a fresh one. A local procedure all of whose calls have the continuation of its binding form, or of
// its own body, needs no closure and no call: it is a label (see finish).

// maxDepth bounds the recursion over nested forms, which is what a Go stack must hold.
const maxDepth = 25_000

type lowerer struct {
	opts       Options
	depth      int
	same       []int32     // union-find over continuations
	inlined    []binding   // variables of the global procedure being opened
	opening    int         // depth of opening
	site       syntax.Span // of the innermost call being opened that stands in the text of the outermost one
	in, siteIn string      // the procedure being opened, and the one that site stands in; "": none
	texts      *texts
	procedures int // depth of lambdas
}

type binding struct {
	from *expand.Var
	to   *local
}

func (l *lowerer) fresh() int {
	l.same = append(l.same, int32(len(l.same)))
	return len(l.same) - 1
}

func (l *lowerer) find(k int) int {
	for int(l.same[k]) != k {
		l.same[k] = l.same[l.same[k]]
		k = int(l.same[k])
	}
	return k
}

// merge makes k another name of the continuation of to.
func (l *lowerer) merge(k, to int) { l.same[l.find(k)] = int32(l.find(to)) }

func (l *lowerer) enter(span syntax.Span) {
	if l.depth++; l.depth > maxDepth {
		panic(&Error{span, "forms are nested too deeply to be compiled; split the expression into procedures"})
	}
}

func (l *lowerer) bind(v *expand.Var) *local {
	b := newLocal(v)
	if l.opening == 0 {
		v.Data = b
	} else {
		l.inlined = append(l.inlined, binding{v, b})
	}
	return b
}

// lookup finds what a variable is bound to. Procedures of globals may be opened by several compilations at once, so
// their variables carry no notes.
func (l *lowerer) lookup(v *expand.Var, span syntax.Span) *local {
	for i := len(l.inlined) - 1; i >= 0; i-- {
		if l.inlined[i].from == v {
			return l.inlined[i].to
		}
	}
	if b, ok := v.Data.(*local); ok && l.opening == 0 {
		return b
	}
	panic(&Error{span, "the variable " + v.Name + " is used outside the form that binds it (a fault of the expander)"})
}

// touch notes that the init being lowered mentions v. One that reads a later value at once, not from a procedure, ties
// the two together, so that the read is found out.
func (l *lowerer) touch(v *local) {
	g := v.group
	if g == nil || g.current < 0 {
		return
	}
	if v.stamp != g.current+1 {
		v.stamp = g.current + 1
		g.edges[g.current] = append(g.edges[g.current], v.index)
	}
	if v.known == nil && v.index > g.current && l.procedures == g.procedures {
		g.edges[v.index] = append(g.edges[v.index], g.current)
	}
}

func (l *lowerer) use(v *expand.Var, span syntax.Span) node {
	b := l.lookup(v, span)
	if b.alias != nil {
		if r, ok := b.alias.(*ref); ok {
			l.touch(r.v)
			r.v.escapes = true
			r.v.uses++
		}
		return b.alias
	}
	l.touch(b)
	b.escapes = true
	b.uses++
	return &b.self
}

func (l *lowerer) lower(n expand.Node, k int) node {
	switch n := n.(type) {
	case *expand.LocalRef:
		return l.use(n.Var, n.Span)
	case *expand.Const:
		return literal(n.Datum, n.Span)
	case *expand.GlobalRef:
		return &globalRef{n.Global, l.place(n.Span)}
	case *expand.Unspecified:
		return immediate(heap.Unspecified, n.Span)
	}
	l.enter(n.Place())
	r := l.compound(n, k)
	l.depth--
	return r
}

func (l *lowerer) compound(n expand.Node, k int) node {
	switch n := n.(type) {
	case *expand.Call:
		return l.call(n, k)
	case *expand.Lambda:
		return l.lambda(n, nil)
	case *expand.CaseLambda:
		c := &caseLambda{span: n.Span}
		for _, x := range n.Clauses {
			m := l.lambda(x, nil)
			if m.name == "" {
				m.name = n.Name
			}
			c.clauses = append(c.clauses, m)
		}
		return c
	case *expand.LocalSet:
		v := l.lookup(n.Var, n.Span)
		l.touch(v)
		return &set{v: v, value: l.lower(n.Value, l.fresh()), span: n.Span}
	case *expand.GlobalSet:
		return &globalSet{g: n.Global, value: l.lower(n.Value, l.fresh()), span: n.Span}
	case *expand.GlobalDefine:
		return l.define(n)
	case *expand.If, *expand.Seq, *expand.Let:
		return l.chain(n, k)
	case *expand.Letrec:
		return l.letrec(n, k)
	}
	panic(&Error{Message: "unknown core form"})
}

// chain lowers forms whose last part is in tail position without recursion over those parts.
func (l *lowerer) chain(n expand.Node, k int) node {
	var root node
	out := &root
	for {
		switch x := n.(type) {
		case *expand.If:
			test := l.lower(x.Test, l.fresh())
			if v, known := truth(test); known {
				if n = x.Then; !v {
					n = x.Else
				}
				continue
			}
			b := &branch{test: test}
			*out = b
			if p, ok := test.(*primitive); ok && p.kind == primNot {
				b.test = p.args[0]
				b.els = l.lower(x.Then, k)
				out = &b.then
			} else {
				b.then = l.lower(x.Then, k)
				out = &b.els
			}
			n = x.Else
		case *expand.Seq:
			s := &seq{}
			last := len(x.Nodes) - 1
			for _, m := range x.Nodes[:last] {
				if m := l.lower(m, l.fresh()); !idle(m) {
					s.nodes = append(s.nodes, m)
				}
			}
			n = x.Nodes[last]
			if len(s.nodes) > 0 {
				s.nodes = append(s.nodes, nil)
				*out = s
				out = &s.nodes[len(s.nodes)-1]
			}
		case *expand.Let:
			vars, inits, f := l.bindings(x.Vars, x.Inits)
			if f != nil {
				f.body = l.lower(x.Body, k)
				b := l.finish(f, k)
				if len(vars) > 0 {
					b = &let{vars, inits, b}
				}
				*out = b
				return root
			}
			if len(vars) > 0 {
				b := &let{vars: vars, inits: inits}
				*out = b
				out = &b.body
			}
			n = x.Body
		default:
			*out = l.lower(n, k)
			return root
		}
	}
}

// bindings lowers the bindings of a let: constants and plain variables become aliases, lambdas a fix.
func (l *lowerer) bindings(from []*expand.Var, inits []expand.Node) (vars []*local, values []node, f *fix) {
	type pending struct {
		v *local
		m *lambda
	}
	var lams []pending
	all := make([]node, len(inits))
	for i, x := range inits { // in the outer scope: nothing is bound yet
		if m, ok := x.(*expand.Lambda); ok {
			all[i] = l.lambda(m, nil)
		} else {
			all[i] = l.lower(x, l.fresh())
		}
	}
	for i, v := range from {
		b := l.bind(v)
		if m, ok := all[i].(*lambda); ok && !v.Assigned {
			b.known, m.self = m, b
			if m.name == "" {
				m.name = b.name
			}
			lams = append(lams, pending{b, m})
			continue
		}
		if !v.Assigned && plain(all[i]) {
			b.alias = all[i]
			continue
		}
		vars, values = append(vars, b), append(values, all[i])
	}
	if lams != nil {
		f = &fix{}
		for _, p := range lams {
			f.vars, f.lams = append(f.vars, p.v), append(f.lams, p.m)
		}
	}
	return vars, values, f
}

// plain reports whether n may stand wherever a variable bound to it is used.
func plain(n node) bool {
	switch n := n.(type) {
	case *constant:
		return n.kind != constRaw
	case *ref:
		return !n.v.assigned && !n.v.letrec && (n.v.group == nil || n.v.known != nil)
	}
	return false
}

// idle reports whether n has no effect and cannot fail.
func idle(n node) bool {
	switch n := n.(type) {
	case *constant, *lambda, *caseLambda:
		return true
	case *ref:
		return plain(n)
	}
	return false
}

func (l *lowerer) lambda(n *expand.Lambda, self *local) *lambda {
	m := &lambda{name: n.Name, span: n.Span, self: self, k: l.fresh()}
	if len(n.Params) > 0 {
		m.params = make([]*local, 0, len(n.Params)+1)
	}
	for _, v := range n.Params {
		m.params = append(m.params, l.bind(v))
	}
	if n.Rest != nil {
		m.rest = true
		m.params = append(m.params, l.bind(n.Rest))
	}
	if self != nil {
		self.inside++
	}
	l.procedures++
	m.body = l.lower(n.Body, m.k)
	l.procedures--
	if self != nil {
		self.inside--
	}
	return m
}

func (l *lowerer) define(n *expand.GlobalDefine) node {
	v := l.lower(n.Value, l.fresh())
	if m, ok := v.(*lambda); ok {
		if n.Global.Constant {
			m.global = n.Global
		}
		if m.name == "" {
			m.name = n.Global.Name
		}
	}
	return &globalSet{g: n.Global, value: v, define: true, span: n.Span}
}

// literal classifies a quoted datum.
func literal(d *syntax.Syntax, span syntax.Span) *constant {
	if d == nil {
		return immediate(heap.Unspecified, span)
	}
	switch x := d.Datum.(type) {
	case int64:
		if heap.FitsFixnum(x) {
			return fixnum(x, span)
		}
	case float64:
		if w, ok := heap.PackFlonum(x); ok {
			if w <= math.MaxUint32 { // it fits an instruction
				return &constant{kind: constImm, word: w, span: span}
			}
			return &constant{kind: constRaw, word: w, span: span}
		}
	case bool:
		return immediate(heap.Bool(x), span)
	case syntax.Char:
		return immediate(heap.Char(rune(x)), span)
	case *syntax.List:
		if len(x.Items) == 0 && x.Tail == nil {
			return immediate(heap.Null, span)
		}
	}
	return &constant{kind: constObj, datum: d, span: span}
}
