package expand

// This file lets a program take over an imported name and still use the imported variable before that, as in
// (define old-car car) (define (car x) …): where code may run before the definition, the new variable starts
// with the imported value.

func (x *expander) noteShadow(g *Global) {
	st := &g.state
	switch {
	case x.item > st.index:
	case x.lambdas == 0:
		st.early = true
	case st.firstUse == 0:
		st.firstUse = x.item + 1
	}
}

// inherit answers the definitions that must come before nodes, the forms of b.
func (x *expander) inherit(b *block, nodes []Node) []Node {
	var first []Node
	for _, g := range b.env.globals {
		st := &g.state
		if st.shadows == nil {
			continue
		}
		if !st.early && st.firstUse > 0 {
			for i := min(st.firstUse, st.index); i <= st.index && i < len(nodes); i++ {
				st.early = st.early || runs(nodes[i])
			}
		}
		if st.early {
			span := b.items[0].span
			if st.index < len(b.items) {
				span = b.items[st.index].span
			}
			st.defs++
			first = append(first, &GlobalDefine{Span: span, Global: g, Value: &GlobalRef{Span: span, Global: st.shadows}})
		}
		st.shadows, st.early, st.firstUse = nil, false, 0
	}
	return first
}

// runs tells whether a top-level form may call a procedure.
func runs(n Node) bool {
	switch n := n.(type) {
	case *GlobalDefine:
		return runs(n.Value)
	case *Letrec:
		for _, m := range n.Inits {
			if runs(m) {
				return true
			}
		}
		return runs(n.Body)
	case *LocalRef, *Lambda, *CaseLambda, *Const, *Unspecified, *GlobalRef:
		return false
	}
	return true
}
