package expand

import "caper/interp/syntax"

// This file turns syntax back into plain data.

// Strip answers s with every renamed identifier replaced by the symbol that it stands for. It shares what needs no
// change and follows datum labels; s itself is never changed.
func Strip(s *syntax.Syntax) *syntax.Syntax {
	budget := smallDatum
	switch hasAlias(s, 0, &budget) {
	case no:
		return s
	case yes:
		return copyPlain(s)
	}
	m := &stripper{done: map[*syntax.Syntax]*syntax.Syntax{}}
	return m.strip(s)
}

type answer int8

const (
	no answer = iota
	yes
	unknown
)

const (
	smallDatum = 20_000 // data looked at before labels and sharing are reckoned with
	flatDatum  = 1_000  // nesting likewise
)

// hasAlias looks for aliases; data that is too large, too deep or circular answers unknown.
func hasAlias(s *syntax.Syntax, depth int, budget *int) answer {
	*budget--
	var items []*syntax.Syntax
	var tail *syntax.Syntax
	switch d := s.Datum.(type) {
	case *Alias:
		return yes
	case *syntax.List:
		items, tail = d.Items, d.Tail
	case *syntax.Vector:
		items = d.Items
	default:
		return no
	}
	if *budget < 0 || depth > flatDatum {
		return unknown
	}
	result := no
	for _, it := range items {
		switch hasAlias(it, depth+1, budget) {
		case yes:
			result = yes
		case unknown:
			return unknown
		}
	}
	if tail != nil {
		switch hasAlias(tail, depth+1, budget) {
		case yes:
			result = yes
		case unknown:
			return unknown
		}
	}
	return result
}

// copyPlain copies a datum that is known to be small.
func copyPlain(s *syntax.Syntax) *syntax.Syntax {
	switch d := s.Datum.(type) {
	case *Alias:
		return &syntax.Syntax{Datum: ident{alias: d}.symbol(), Span: s.Span}
	case *syntax.List:
		l := &syntax.List{Items: make([]*syntax.Syntax, len(d.Items))}
		for i, it := range d.Items {
			l.Items[i] = copyPlain(it)
		}
		if d.Tail != nil {
			l.Tail = copyPlain(d.Tail)
		}
		return &syntax.Syntax{Datum: l, Span: s.Span}
	case *syntax.Vector:
		v := &syntax.Vector{Items: make([]*syntax.Syntax, len(d.Items))}
		for i, it := range d.Items {
			v.Items[i] = copyPlain(it)
		}
		return &syntax.Syntax{Datum: v, Span: s.Span}
	}
	return s
}

// stripper copies large and circular data, with a list of work in place of the Go stack.
type stripper struct {
	done map[*syntax.Syntax]*syntax.Syntax
	work []*syntax.Syntax
}

func (m *stripper) strip(s *syntax.Syntax) *syntax.Syntax {
	result := m.shell(s)
	for len(m.work) > 0 {
		s := m.work[len(m.work)-1]
		m.work = m.work[:len(m.work)-1]
		switch d := s.Datum.(type) {
		case *syntax.List:
			l := m.done[s].Datum.(*syntax.List)
			for i, it := range d.Items {
				l.Items[i] = m.shell(it)
			}
			if d.Tail != nil {
				l.Tail = m.shell(d.Tail)
			}
		case *syntax.Vector:
			v := m.done[s].Datum.(*syntax.Vector)
			for i, it := range d.Items {
				v.Items[i] = m.shell(it)
			}
		}
	}
	return result
}

// shell answers the copy of s, whose parts may still have to be filled in.
func (m *stripper) shell(s *syntax.Syntax) *syntax.Syntax {
	if c := m.done[s]; c != nil {
		return c
	}
	c := s
	switch d := s.Datum.(type) {
	case *Alias:
		c = &syntax.Syntax{Datum: ident{alias: d}.symbol(), Span: s.Span}
	case *syntax.List:
		c = &syntax.Syntax{Datum: &syntax.List{Items: make([]*syntax.Syntax, len(d.Items))}, Span: s.Span}
		m.work = append(m.work, s)
	case *syntax.Vector:
		c = &syntax.Syntax{Datum: &syntax.Vector{Items: make([]*syntax.Syntax, len(d.Items))}, Span: s.Span}
		m.work = append(m.work, s)
	default:
		return s
	}
	m.done[s] = c
	return c
}

// constant quotes s, having counted what it costs those who walk it: a macro can build data that are exponentially
// larger as a tree than in memory.
func (x *expander) constant(s *syntax.Syntax, span syntax.Span) *Const {
	plain := s
	switch s.Datum.(type) {
	case *syntax.List, *syntax.Vector, *Alias:
		plain = Strip(s)
		x.weigh(plain)
	}
	return &Const{Span: span, Datum: plain}
}

// weigh charges for a datum as a tree, each labelled part once, and refuses depth that others would recurse into.
func (x *expander) weigh(s *syntax.Syntax) {
	budget := smallDatum
	if hasAlias(s, 0, &budget) == no {
		x.charge(smallDatum - budget)
		return
	}
	type visit struct {
		s     *syntax.Syntax
		depth int
		leave bool
	}
	open := map[*syntax.Syntax]bool{}
	stack := []visit{{s: s}}
	push := func(it *syntax.Syntax, depth int) {
		switch it.Datum.(type) {
		case *syntax.List, *syntax.Vector:
			if !open[it] {
				stack = append(stack, visit{s: it, depth: depth})
			}
		}
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.leave {
			delete(open, v.s)
			continue
		}
		if v.depth > x.limits.Depth {
			x.tooDeep(s)
		}
		open[v.s] = true
		stack = append(stack, visit{s: v.s, leave: true})
		switch d := v.s.Datum.(type) {
		case *syntax.List:
			x.charge(1 + len(d.Items))
			for _, it := range d.Items {
				push(it, v.depth+1)
			}
			if d.Tail != nil {
				push(d.Tail, v.depth+1)
			}
		case *syntax.Vector:
			x.charge(1 + len(d.Items))
			for _, it := range d.Items {
				push(it, v.depth+1)
			}
		}
	}
}
