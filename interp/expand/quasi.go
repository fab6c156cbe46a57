package expand

import "caper/interp/syntax"

// This file expands quasiquotation.

func exprQuasiquote(x *expander, u use) Node {
	if len(u.args) != 1 {
		x.shape(u, "(quasiquote template)")
	}
	q := &quasi{x: x, u: u}
	n := q.template(u.args[0], 1)
	if n == nil {
		return x.constant(u.args[0], u.s.Span)
	}
	return n
}

type quasi struct {
	x *expander
	u use
}

// template answers the code that builds s, or nil when s is constant.
func (q *quasi) template(s *syntax.Syntax, level int) Node {
	x := q.x
	switch d := s.Datum.(type) {
	case *syntax.List:
		x.enter(s)
		n := q.list(s, d.Items, d.Tail, level)
		x.depth--
		return n
	case *syntax.Vector:
		x.enter(s)
		n := q.list(s, d.Items, nil, level)
		x.depth--
		if n == nil {
			return nil
		}
		return x.callSupport(s, "list->vector", n)
	}
	return nil
}

// keyword answers which of the quasiquotation keywords s is, or "".
func (q *quasi) keyword(s *syntax.Syntax) string {
	id, ok := identOf(s)
	if !ok {
		return ""
	}
	switch name := id.name(); name {
	case "unquote", "unquote-splicing", "quasiquote":
		if q.x.isAux(s, name, q.u.sc) {
			return name
		}
	}
	return ""
}

func (q *quasi) list(s *syntax.Syntax, items []*syntax.Syntax, tail *syntax.Syntax, level int) Node {
	x := q.x
	_, isVector := s.Datum.(*syntax.Vector)
	n := len(items)
	x.sink(n, s) // the conses around the tail
	defer x.lift(n)
	var built Node // of items[n:] and the tail; nil while that is constant
	if tail != nil {
		built = q.template(tail, level)
	} else if n >= 2 && !(isVector && n == 2) {
		// (a . ,b) reads as (a unquote b).
		if k := q.keyword(items[n-2]); k != "" {
			if k == "unquote-splicing" && level == 1 && n > 2 {
				k = ""
			}
			if k != "" {
				n -= 2
				x.depth -= 2
				built = q.nested(s, k, items[n:], level)
				x.depth += 2
			}
		}
	}
	outer := x.depth - len(items)
	constFrom := n // items from here on are constant, as long as built is nil
	for i := n - 1; i >= 0; i-- {
		it := items[i]
		x.depth = outer + i // the conses around it
		if spliced := q.splicing(it, level); spliced != nil {
			value := x.expr(spliced, q.u.sc)
			if built == nil && constFrom == len(items) && tail == nil {
				built = value
			} else {
				built = x.callSupport(it, "append", value, q.constantFrom(s, built, items[constFrom:], tail))
			}
			continue
		}
		node := q.template(it, level)
		if node == nil && built == nil {
			constFrom = i
			continue
		}
		if node == nil {
			node = x.constant(it, it.Span)
		}
		built = x.callSupport(s, "cons", node, q.constantFrom(s, built, items[constFrom:], tail))
	}
	x.depth = outer + len(items)
	return built
}

// constantFrom answers built, or the constant list that stands in its place.
func (q *quasi) constantFrom(s *syntax.Syntax, built Node, items []*syntax.Syntax, tail *syntax.Syntax) Node {
	if built != nil {
		return built
	}
	if len(items) == 0 && tail != nil {
		return q.x.constant(tail, s.Span)
	}
	l := &syntax.Syntax{Datum: &syntax.List{Items: items, Tail: tail}, Span: s.Span}
	return q.x.constant(l, s.Span)
}

// splicing answers e for (unquote-splicing e) at level one.
func (q *quasi) splicing(s *syntax.Syntax, level int) *syntax.Syntax {
	l, ok := s.Datum.(*syntax.List)
	if !ok || level != 1 || len(l.Items) == 0 || q.keyword(l.Items[0]) != "unquote-splicing" {
		return nil
	}
	if len(l.Items) != 2 || l.Tail != nil {
		q.x.failAt(s.Span, nil, "quasiquote: expected (unquote-splicing value), found %s", show(s))
	}
	return l.Items[1]
}

// nested treats (unquote e), (unquote-splicing e) and (quasiquote e).
func (q *quasi) nested(s *syntax.Syntax, keyword string, pair []*syntax.Syntax, level int) Node {
	x := q.x
	switch keyword {
	case "quasiquote":
		level++
	case "unquote":
		level--
		if level == 0 {
			return x.expr(pair[1], q.u.sc)
		}
	case "unquote-splicing":
		level--
		if level == 0 {
			x.failAt(s.Span, nil, "quasiquote: unquote-splicing must stand inside a list")
		}
	}
	if l, ok := pair[1].Datum.(*syntax.List); ok && keyword != "quasiquote" && level == 1 && len(l.Items) == 2 && q.keyword(l.Items[0]) == "unquote-splicing" {
		// ,,@e at the level where e is evaluated splices into the list that unquote heads.
		list := q.template(&syntax.Syntax{Datum: &syntax.List{Items: pair[1:]}, Span: s.Span}, level)
		return x.callSupport(s, "cons", x.constant(pair[0], s.Span), list)
	}
	x.sink(2, s)
	inner := q.template(pair[1], level)
	x.lift(2)
	if inner == nil {
		return nil
	}
	rest := x.callSupport(s, "cons", inner, x.constantNil(s))
	return x.callSupport(s, "cons", x.constant(pair[0], s.Span), rest)
}
