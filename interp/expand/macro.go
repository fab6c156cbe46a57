package expand

import "caper/interp/syntax"

// This file matches uses of syntax-rules macros against their patterns.

// macro is one syntax-rules transformer.
type macro struct {
	name  string
	rules []*rule
	env   *scope // where it was defined
	span  syntax.Span
}

type rule struct {
	pattern  *pattern // of the arguments: a list pattern
	template *template
	vars     int // pattern variables
	inserted []ident
	text     *syntax.Syntax // the pattern as written, for messages
}

type patternKind uint8

const (
	anything patternKind = iota
	variable
	literal
	datum
	listOf
	vectorOf
)

type pattern struct {
	kind   patternKind
	slot   int // of a variable
	id     ident
	datum  any
	before []*pattern
	repeat *pattern // what an ellipsis follows, or nil
	vars   []repeated
	after  []*pattern
	tail   *pattern // behind a dot, or nil
}

// repeated is a variable inside a repeated pattern, with its depth there.
type repeated struct{ slot, depth int }

// match is what a pattern variable stands for: one datum, or at depth one items, deeper subs.
type match struct {
	one   *syntax.Syntax
	items []*syntax.Syntax
	subs  []match
}

// expandMacro rewrites one use. The result carries the position of the use where the template made it.
func (x *expander) expandMacro(m *macro, s *syntax.Syntax, sc *scope) *syntax.Syntax {
	x.step(m, s)
	saved := x.trail
	x.pushTrail(s.Span, m)
	l := s.Datum.(*syntax.List)
	for _, r := range m.rules {
		found := make([]match, r.vars)
		if x.matchList(r.pattern, l.Items[1:], l.Tail, found, sc, m.env) {
			in := instance{x: x, rule: r, env: m.env, span: s.Span, found: found}
			return in.make(r.template)
		}
	}
	inner := m
	if m.ofLibrary() && saved != nil { // one library macro uses another: the program knows only the first
		m = saved.seen()
	}
	var hints []string
	if shape := shapes[m.name]; shape != "" {
		x.trail = saved
		x.failAt(s.Span, []string{write(shape)}, "%s: no rule of this macro matches", m.name)
	}
	for i, r := range m.rules {
		if i == 4 {
			hints = append(hints, "…")
			break
		}
		hints = append(hints, "it accepts "+show(r.text))
	}
	x.trail = saved
	if inner != m {
		x.failAt(s.Span, nil, "%s: no rule of this macro matches", m.name)
	}
	x.failAt(s.Span, hints, "%s: no rule of this macro matches %s", m.name, show(s))
	return nil
}

func (x *expander) match(p *pattern, s *syntax.Syntax, found []match, sc, env *scope) bool {
	switch p.kind {
	case anything:
		return true
	case variable:
		found[p.slot].one = s
		return true
	case literal:
		id, ok := identOf(s)
		return ok && x.sameIdentifier(id, sc, p.id, env)
	case datum:
		return sameDatum(p.datum, s.Datum)
	case listOf:
		l, ok := s.Datum.(*syntax.List)
		return ok && x.matchList(p, l.Items, l.Tail, found, sc, env)
	case vectorOf:
		v, ok := s.Datum.(*syntax.Vector)
		return ok && x.matchList(p, v.Items, nil, found, sc, env)
	}
	return false
}

func (x *expander) matchList(p *pattern, items []*syntax.Syntax, tail *syntax.Syntax, found []match, sc, env *scope) bool {
	if len(items) < len(p.before)+len(p.after) {
		return false
	}
	for i, q := range p.before {
		if !x.match(q, items[i], found, sc, env) {
			return false
		}
	}
	items = items[len(p.before):]
	if p.repeat != nil {
		n := len(items) - len(p.after)
		if !x.matchRepeat(p, items[:n], found, sc, env) {
			return false
		}
		items = items[n:]
		for i, q := range p.after {
			if !x.match(q, items[i], found, sc, env) {
				return false
			}
		}
		items = items[len(p.after):]
	}
	if p.tail == nil {
		return len(items) == 0 && tail == nil
	}
	var s *syntax.Syntax
	switch {
	case len(items) > 0:
		span := items[0].Span
		if last := items[len(items)-1].Span; last.Source == span.Source && last.End > span.Start {
			span.End = last.End
		}
		s = &syntax.Syntax{Datum: &syntax.List{Items: items, Tail: tail}, Span: span}
	case tail != nil:
		s = tail
	default:
		s = &syntax.Syntax{Datum: &syntax.List{}, Span: x.trail.span}
	}
	return x.match(p.tail, s, found, sc, env)
}

func (x *expander) matchRepeat(p *pattern, items []*syntax.Syntax, found []match, sc, env *scope) bool {
	switch p.repeat.kind {
	case anything:
		return true
	case variable:
		found[p.repeat.slot] = match{items: items}
		return true
	}
	all := make([]match, len(p.vars))
	for _, it := range items {
		if !x.match(p.repeat, it, found, sc, env) {
			return false
		}
		x.charge(1 + len(p.vars))
		for i, v := range p.vars {
			if v.depth == 0 {
				all[i].items = append(all[i].items, found[v.slot].one)
			} else {
				all[i].subs = append(all[i].subs, found[v.slot])
			}
		}
	}
	for i, v := range p.vars {
		found[v.slot] = all[i]
	}
	return true
}
