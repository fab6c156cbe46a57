package check

import (
	"fmt"
	"strings"

	"caper/interp/expand"
	"caper/interp/number"
	"caper/interp/syntax"
	"caper/runtime/graph"
	"caper/runtime/program/bind"
)

// value is what is known of the value of an expression: one of alts, or anything when top. The zero value is none: the
// expression does not return.
type value struct {
	alts []any // literal, *pair, *list, *closure, primitive, *box
	top  bool
}

type (
	// literal is a datum that is no pair and no vector.
	literal struct {
		key   string
		datum graph.Datum
	}
	pair struct{ car, cdr *value }
	// list is a proper list of any length, of items of one value.
	list struct{ item *value }
	// closure is a procedure of the program or of a library.
	closure struct {
		clauses []*expand.Lambda
		env     *scope
	}
	primitive string
	// box is a record or a vector whose parts are known at its making.
	box struct {
		parts  []*value
		record bool
	}
)

// scope holds the variables of one activation.
type scope struct {
	up   *scope
	id   int
	vars map[*expand.Var]*value
}

func (s *scope) find(v *expand.Var) *value {
	for ; s != nil; s = s.up {
		if x, ok := s.vars[v]; ok {
			return x
		}
	}
	return anything
}

// mostAlts bounds what is kept of a value.
const mostAlts = 12

var (
	anything = &value{top: true}
	none     = &value{}
	truth    = lit(true)
	falsity  = lit(false)
	empty    = lit(graph.List{})
	some     = &value{alts: []any{truth.alts[0], falsity.alts[0]}} // a truth value
)

func lit(d graph.Datum) *value {
	return of(literal{fmt.Sprintf("%T", d) + graph.Write(d), d})
}

func of(alt any) *value { return &value{alts: []any{alt}} }

// quoted is the value of a literal in the text. A long list is one of items that are alike.
func quoted(s *syntax.Syntax, depth int) *value {
	switch d := s.Datum.(type) {
	case *syntax.List:
		if depth > 50 {
			return anything
		}
		tail := empty
		if d.Tail != nil {
			tail = quoted(d.Tail, depth+1)
		}
		if len(d.Items) > 64 {
			item := none
			for _, x := range d.Items[:64] {
				item = join(item, quoted(x, depth+1))
			}
			return of(&list{join(item, anything)})
		}
		for i := len(d.Items) - 1; i >= 0; i-- {
			tail = of(&pair{quoted(d.Items[i], depth+1), tail})
		}
		return tail
	case *syntax.Vector:
		if depth > 50 || len(d.Items) > 64 {
			return anything
		}
		b := &box{}
		for _, x := range d.Items {
			b.parts = append(b.parts, quoted(x, depth+1))
		}
		return of(b)
	}
	d, err := bind.DatumOf(s)
	if err != nil {
		return anything
	}
	return lit(d)
}

// same reports whether two alternatives are one.
func same(a, b any) bool {
	switch a := a.(type) {
	case literal:
		b, ok := b.(literal)
		return ok && a.key == b.key
	case *closure:
		b, ok := b.(*closure)
		return ok && a.env == b.env && a.clauses[0] == b.clauses[0]
	case *list:
		b, ok := b.(*list)
		return ok && a.item == b.item
	}
	return a == b
}

// callable reports whether an alternative leads to procedures, which are never forgotten.
func callable(alt any, depth int) bool {
	in := func(v *value) bool {
		for _, x := range v.alts {
			if callable(x, depth+1) {
				return true
			}
		}
		return false
	}
	if depth > 6 {
		return false
	}
	switch x := alt.(type) {
	case *closure, primitive:
		return true
	case *pair:
		return in(x.car) || in(x.cdr)
	case *list:
		return in(x.item)
	case *box:
		for _, p := range x.parts {
			if in(p) {
				return true
			}
		}
	}
	return false
}

func join(a, b *value) *value {
	switch {
	case a == b || len(b.alts) == 0 && !b.top:
		return a
	case len(a.alts) == 0 && !a.top:
		return b
	}
	out := &value{top: a.top || b.top, alts: a.alts[:len(a.alts):len(a.alts)]}
next:
	for _, y := range b.alts {
		for _, x := range out.alts {
			if same(x, y) {
				continue next
			}
		}
		out.alts = append(out.alts, y)
	}
	if len(out.alts) > mostAlts {
		return vague(out)
	}
	return out
}

// vague is a value of which only procedures are still known.
func vague(v *value) *value {
	out := &value{top: true}
	for _, x := range v.alts {
		if callable(x, 0) && len(out.alts) < 4*mostAlts {
			out.alts = append(out.alts, x)
		}
	}
	return out
}

// widen is what stands for an argument that a procedure gives itself in a loop: lists become lists of any length.
func widen(before, now *value) *value {
	if key(before, 0) == key(now, 0) {
		return now
	}
	item, lists, others := none, false, &value{top: before.top || now.top}
	for _, v := range []*value{before, now} {
		for _, x := range v.alts {
			switch x := x.(type) {
			case *pair:
				i, proper := items(x, 0)
				if !proper {
					return vague(join(before, now))
				}
				item, lists = join(item, i), true
			case *list:
				item, lists = join(item, x.item), true
			case literal:
				if x.key == empty.alts[0].(literal).key {
					lists = true
					continue
				}
				others.top = true
			default:
				others = join(others, of(x))
			}
		}
	}
	if lists {
		return join(of(&list{item}), others)
	}
	return vague(join(before, now))
}

// items is the value of all items of a list.
func items(p *pair, depth int) (*value, bool) {
	item, ok := p.car, true
	for _, x := range p.cdr.alts {
		switch x := x.(type) {
		case *pair:
			if depth > 100 {
				return anything, true
			}
			more, proper := items(x, depth+1)
			item, ok = join(item, more), ok && proper
		case *list:
			item = join(item, x.item)
		case literal:
			ok = ok && x.key == empty.alts[0].(literal).key
		default:
			ok = false
		}
	}
	return item, ok && !p.cdr.top
}

// listed is the value of the items of what should be a list.
func listed(v *value) *value {
	item := none
	for _, x := range v.alts {
		switch x := x.(type) {
		case *pair:
			i, _ := items(x, 0)
			item = join(item, i)
		case *list:
			item = join(item, x.item)
		}
	}
	if v.top {
		item = join(item, anything)
	}
	return item
}

// key names what is known of a value; equal keys mean the same.
func key(v *value, depth int) string {
	if depth > 8 {
		return "…"
	}
	var b strings.Builder
	if v.top {
		b.WriteByte('_')
	}
	for _, x := range v.alts {
		switch x := x.(type) {
		case literal:
			b.WriteString(x.key)
		case *pair:
			b.WriteString("(" + key(x.car, depth+1) + "." + key(x.cdr, depth+1) + ")")
		case *list:
			b.WriteString("[" + key(x.item, depth+1) + "]")
		case *closure:
			fmt.Fprintf(&b, "λ%p/%d", x.clauses[0], x.env.id)
		case primitive:
			b.WriteString("#" + string(x))
		case *box:
			fmt.Fprintf(&b, "b%p", x)
		}
		b.WriteByte('|')
		if b.Len() > 2000 {
			return b.String()
		}
	}
	return b.String()
}

// only is the one datum that a scalar value can be.
func (v *value) only() (graph.Datum, bool) {
	if v.top || len(v.alts) != 1 {
		return nil, false
	}
	l, ok := v.alts[0].(literal)
	return l.datum, ok
}

// truthy says whether a value can be true and whether it can be false.
func (v *value) truthy() (yes, no bool) {
	yes, no = v.top, v.top
	for _, x := range v.alts {
		if l, ok := x.(literal); ok && l.datum == false {
			no = true
		} else {
			yes = true
		}
	}
	return yes, no
}

// datum is the datum that a value can only be, lists whole.
func (v *value) datum(depth int) (graph.Datum, bool) {
	if v.top || len(v.alts) != 1 || depth > 50 {
		return nil, false
	}
	switch x := v.alts[0].(type) {
	case literal:
		return x.datum, true
	case *pair:
		out := graph.List{}
		for {
			d, ok := x.car.datum(depth + 1)
			if !ok || len(x.cdr.alts) != 1 || x.cdr.top || len(out) > 1000 {
				return nil, false
			}
			out = append(out, d)
			switch next := x.cdr.alts[0].(type) {
			case *pair:
				x = next
				continue
			case literal:
				if l, ok := next.datum.(graph.List); ok && len(l) == 0 {
					return out, true
				}
				return &graph.Dotted{Items: out, Tail: next.datum}, true
			}
			return nil, false
		}
	}
	return nil, false
}

func isNumber(d graph.Datum) bool { return number.IsNumber(d) }
