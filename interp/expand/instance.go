package expand

import "caper/interp/syntax"

// This file fills templates in.

type templateKind uint8

const (
	fixed       templateKind = iota // a datum without identifiers
	insertion                       // an identifier of the template
	substituted                     // a pattern variable
	listWith
	vectorWith
)

type template struct {
	kind  templateKind
	datum any // of a fixed one
	slot  int // of an insertion or a variable
	parts []part
	tail  *template
}

// part is one item of a list or vector template with the loops of the ellipses behind it, outermost first: each
// holds the variables that it runs through.
type part struct {
	template *template
	loops    [][]int
}

// instance is one expansion of one rule.
type instance struct {
	x        *expander
	rule     *rule
	env      *scope
	span     syntax.Span
	found    []match
	inserted []*syntax.Syntax // the renamed identifiers made so far
}

func (in *instance) make(t *template) *syntax.Syntax {
	switch t.kind {
	case substituted:
		return in.found[t.slot].one
	case insertion:
		return in.rename(t.slot)
	case fixed:
		in.x.charge(1)
		return &syntax.Syntax{Datum: t.datum, Span: in.span}
	case vectorWith:
		items := in.items(t)
		return &syntax.Syntax{Datum: &syntax.Vector{Items: items}, Span: in.span}
	}
	l := &syntax.List{Items: in.items(t)}
	if t.tail != nil {
		tail := in.make(t.tail)
		if d, ok := tail.Datum.(*syntax.List); ok {
			if len(l.Items) == 0 {
				l.Items = d.Items
			} else {
				in.x.charge(1 + len(d.Items)/2)
				l.Items = append(l.Items, d.Items...)
			}
			l.Tail = d.Tail
		} else if len(l.Items) == 0 {
			return tail
		} else {
			l.Tail = tail
		}
	}
	return &syntax.Syntax{Datum: l, Span: in.span}
}

// rename makes one alias an expansion for each identifier of the template.
func (in *instance) rename(slot int) *syntax.Syntax {
	if in.inserted == nil {
		in.inserted = make([]*syntax.Syntax, len(in.rule.inserted))
	}
	s := in.inserted[slot]
	if s == nil {
		in.x.charge(2)
		s = &syntax.Syntax{Datum: &Alias{id: in.rule.inserted[slot], env: in.env}, Span: in.span}
		in.inserted[slot] = s
	}
	return s
}

func (in *instance) items(t *template) []*syntax.Syntax {
	in.x.charge(2 + len(t.parts))
	items := make([]*syntax.Syntax, 0, len(t.parts))
	for i := range t.parts {
		p := &t.parts[i]
		if len(p.loops) == 0 {
			items = append(items, in.make(p.template))
		} else {
			items = in.loop(p.template, p.loops, items)
		}
	}
	return items
}

func (in *instance) loop(t *template, loops [][]int, items []*syntax.Syntax) []*syntax.Syntax {
	vars := loops[0]
	if len(loops) == 1 && t.kind == substituted && len(vars) == 1 && vars[0] == t.slot {
		all := in.found[t.slot].items
		in.x.charge(len(all) / 2)
		return append(items, all...)
	}
	saved := make([]match, len(vars))
	length := -1
	for i, v := range vars {
		saved[i] = in.found[v]
		n := len(saved[i].items) + len(saved[i].subs)
		if length >= 0 && n != length {
			in.x.failAt(in.span, nil, "%s: the template repeats variables of %d and of %d items together", in.x.trail.seen().name, length, n)
		}
		length = n
	}
	for n := range length {
		for i, v := range vars {
			if saved[i].items != nil {
				in.found[v] = match{one: saved[i].items[n]}
			} else {
				in.found[v] = saved[i].subs[n]
			}
		}
		in.x.charge(1)
		if len(loops) > 1 {
			items = in.loop(t, loops[1:], items)
		} else {
			items = append(items, in.make(t))
		}
	}
	for i, v := range vars {
		in.found[v] = saved[i]
	}
	return items
}
