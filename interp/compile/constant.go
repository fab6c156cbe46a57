package compile

import (
	"caper/interp/code"
	"caper/interp/syntax"
)

// constants builds the unit's objects. The same datum is the same object; symbols and keywords are shared by name.
type constants struct {
	unit     *code.Unit
	symbols  map[string]int
	keywords map[string]int
	done     map[*syntax.Syntax]int
	open     map[*syntax.Syntax]bool // being built, children first: met again, the datum is circular
	knotted  bool                    // reserve places before children
	atoms    map[any]int             // #t, small numbers and the like inside lists
	depth    int
	span     syntax.Span
}

func (c *constants) init(u *code.Unit) {
	*c = constants{unit: u, symbols: map[string]int{}, keywords: map[string]int{}, done: map[*syntax.Syntax]int{}, open: map[*syntax.Syntax]bool{}, atoms: map[any]int{}}
}

func (b *builder) object(d *syntax.Syntax, span syntax.Span) int {
	c := &b.objects
	if i, ok := c.done[d]; ok {
		return i
	}
	c.span = span
	consts := len(c.unit.Consts)
	if i, ok := c.build(d); ok {
		return i
	}
	// Circular: once more, with places reserved before the children are built.
	c.unit.Consts = c.unit.Consts[:consts]
	symbols, keywords, atoms := prune(c.symbols, consts), prune(c.keywords, consts), prune(c.atoms, consts)
	done := prune(c.done, consts)
	c.symbols, c.keywords, c.atoms, c.done = symbols, keywords, atoms, done
	clear(c.open)
	c.depth, c.knotted = 0, true
	i, _ := c.build(d)
	c.knotted = false
	return i
}

func prune[K comparable](m map[K]int, limit int) map[K]int {
	for k, v := range m {
		if v >= limit {
			delete(m, k)
		}
	}
	return m
}

func (c *constants) add(datum any) int {
	c.unit.Consts = append(c.unit.Consts, code.Const{Datum: datum})
	return len(c.unit.Consts) - 1
}

func (c *constants) shared(m map[string]int, name string, datum any) int {
	i, ok := m[name]
	if !ok {
		i = c.add(datum)
		m[name] = i
	}
	return i
}

// build answers the constant of d; ok is false when d turned out to be circular and no places were reserved.
func (c *constants) build(d *syntax.Syntax) (index int, ok bool) {
	if d == nil {
		return c.atom(code.Void{}), true
	}
	switch x := d.Datum.(type) {
	case *syntax.Symbol:
		return c.shared(c.symbols, x.Name, code.Symbol(x.Name)), true
	case syntax.Keyword:
		return c.shared(c.keywords, string(x), code.Keyword(x)), true
	case bool, int64:
		return c.atom(x), true
	case syntax.Char:
		return c.atom(rune(x)), true
	}
	if i, ok := c.done[d]; ok {
		return i, true
	}
	if c.open[d] {
		return 0, false
	}
	if c.depth++; c.depth > maxDepth {
		panic(&Error{c.span, "a constant is nested too deeply"})
	}
	c.open[d] = true
	i, ok := c.compound(d)
	delete(c.open, d)
	c.depth--
	if ok {
		c.done[d] = i
	}
	return i, ok
}

func (c *constants) atom(x any) int {
	i, ok := c.atoms[x]
	if !ok {
		i = c.add(x)
		c.atoms[x] = i
	}
	return i
}

func (c *constants) compound(d *syntax.Syntax) (int, bool) {
	switch x := d.Datum.(type) {
	case syntax.String:
		return c.add(string(x)), true
	case syntax.Bytes:
		return c.add([]byte(x)), true
	case *syntax.List:
		if len(x.Items) == 0 && x.Tail == nil {
			return c.atom(code.Null{}), true
		}
		if c.knotted {
			return c.reservedList(d, x)
		}
		return c.list(x)
	case *syntax.Vector:
		return c.vector(d, x)
	}
	return c.add(d.Datum), true // a number
}

func (c *constants) list(x *syntax.List) (int, bool) {
	items := make([]int, len(x.Items))
	for i, s := range x.Items {
		var ok bool
		if items[i], ok = c.build(s); !ok {
			return 0, false
		}
	}
	tail, ok := 0, true
	if x.Tail == nil {
		tail = c.atom(code.Null{})
	} else if tail, ok = c.build(x.Tail); !ok {
		return 0, false
	}
	for i := len(items) - 1; i >= 0; i-- {
		tail = c.add(code.Pair{Car: items[i], Cdr: tail})
	}
	return tail, true
}

func (c *constants) reservedList(d *syntax.Syntax, x *syntax.List) (int, bool) {
	first := len(c.unit.Consts)
	for range x.Items {
		c.add(code.Pair{})
	}
	c.done[d] = first
	for i, s := range x.Items {
		car, _ := c.build(s)
		cdr := first + i + 1
		if i == len(x.Items)-1 {
			if x.Tail != nil {
				cdr, _ = c.build(x.Tail)
			} else {
				cdr = c.atom(code.Null{})
			}
		}
		c.unit.Consts[first+i].Datum = code.Pair{Car: car, Cdr: cdr}
	}
	return first, true
}

func (c *constants) vector(d *syntax.Syntax, x *syntax.Vector) (int, bool) {
	index := -1
	if c.knotted {
		index = c.add(code.Vector{})
		c.done[d] = index
	}
	items := make([]int, len(x.Items))
	for i, s := range x.Items {
		var ok bool
		if items[i], ok = c.build(s); !ok {
			return 0, false
		}
	}
	if index < 0 {
		return c.add(code.Vector{Items: items}), true
	}
	c.unit.Consts[index].Datum = code.Vector{Items: items}
	return index, true
}
