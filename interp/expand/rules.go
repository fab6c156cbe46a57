package expand

import (
	"math/big"

	"caper/interp/number"
	"caper/interp/syntax"
)

// This file compiles syntax-rules.

func exprSyntaxRules(x *expander, u use) Node {
	x.failAt(u.s.Span, []string{"use define-syntax or let-syntax"}, "%s: a transformer is not a value", u.form.name)
	return nil
}

// rulesCompiler compiles the rules of one macro.
type rulesCompiler struct {
	x        *expander
	u        use
	sc       *scope
	name     string
	dots     *syntax.Syntax // the ellipsis; nil when it is one of the literals
	custom   bool
	literals []ident

	vars     []patternVar // of the present rule
	inserted []ident
	slots    map[ident]int // when vars are many
	places   map[ident]int // when inserted are many
	groups   []*ellipses   // around the present part of the template, outermost first
}

type patternVar struct {
	id    ident
	depth int
}

// ellipses is a row of ellipses behind one part of a template.
type ellipses struct {
	loops [][]int
}

func (x *expander) syntaxRules(u use, name string) *macro {
	c := &rulesCompiler{x: x, u: u, sc: u.sc, name: name}
	args := u.args
	if len(args) > 0 {
		if _, ok := identOf(args[0]); ok {
			c.dots, c.custom = args[0], true
			args = args[1:]
		}
	}
	if len(args) == 0 {
		x.shape(u, "(syntax-rules (literal ...) (pattern template) ...)")
	}
	if c.dots == nil {
		c.dots = &syntax.Syntax{Datum: syntax.Intern("..."), Span: u.s.Span}
	}
	for _, s := range x.clauses(u, args[0], "the literals are a list of identifiers") {
		id := x.identifier(u, s, "each literal is an identifier")
		if c.isDots(s) {
			c.dots = nil
		}
		c.literals = append(c.literals, id)
	}
	m := &macro{name: name, env: u.sc, span: u.s.Span}
	for _, s := range args[1:] {
		l, ok := s.Datum.(*syntax.List)
		if !ok || len(l.Items) != 2 || l.Tail != nil {
			x.found(u, s, "each rule is (pattern template)")
		}
		m.rules = append(m.rules, c.rule(l.Items[0], l.Items[1]))
	}
	return m
}

func (c *rulesCompiler) isDots(s *syntax.Syntax) bool {
	if c.dots == nil {
		return false
	}
	id, ok := identOf(s)
	if !ok {
		return false
	}
	if c.custom {
		mine, _ := identOf(c.dots)
		return id == mine
	}
	return c.x.isAux(s, "...", c.sc)
}

func (c *rulesCompiler) rule(p, t *syntax.Syntax) *rule {
	c.vars, c.inserted, c.slots, c.places, c.groups = nil, nil, nil, nil, nil
	l, ok := p.Datum.(*syntax.List)
	if !ok || len(l.Items) == 0 {
		c.x.found(c.u, p, "a pattern is a list that starts with the name of the macro")
	}
	if _, ok := identOf(l.Items[0]); !ok || c.isDots(l.Items[0]) {
		c.x.found(c.u, l.Items[0], "a pattern starts with the name of the macro")
	}
	r := &rule{text: p}
	r.pattern = c.list(p, l.Items[1:], l.Tail, 0)
	r.template = c.template(t)
	r.vars = len(c.vars)
	r.inserted = c.inserted
	return r
}

// Patterns

func (c *rulesCompiler) pattern(s *syntax.Syntax, depth int) *pattern {
	c.x.enter(s)
	defer func() { c.x.depth-- }()
	switch d := s.Datum.(type) {
	case *syntax.Symbol, *Alias:
		id, _ := identOf(s)
		for _, l := range c.literals {
			if l == id {
				return &pattern{kind: literal, id: id}
			}
		}
		if c.isDots(s) {
			c.x.failAt(s.Span, nil, "%s: an ellipsis must follow a pattern", c.u.form.name)
		}
		if c.x.isAux(s, "_", c.sc) {
			return &pattern{kind: anything}
		}
		if c.slot(id) >= 0 {
			c.x.failAt(s.Span, nil, "%s: the pattern variable %s occurs twice", c.u.form.name, id.name())
		}
		return &pattern{kind: variable, slot: c.addVar(id, depth)}
	case *syntax.List:
		return c.list(s, d.Items, d.Tail, depth)
	case *syntax.Vector:
		p := c.list(s, d.Items, nil, depth)
		p.kind = vectorOf
		return p
	}
	return &pattern{kind: datum, datum: s.Datum}
}

func (c *rulesCompiler) list(s *syntax.Syntax, items []*syntax.Syntax, tail *syntax.Syntax, depth int) *pattern {
	p := &pattern{kind: listOf}
	for i := 0; i < len(items); i++ {
		if i+1 < len(items) && c.isDots(items[i+1]) {
			if p.repeat != nil {
				c.x.failAt(items[i+1].Span, nil, "%s: a list pattern has two ellipses", c.u.form.name)
			}
			first := len(c.vars)
			p.repeat = c.pattern(items[i], depth+1)
			for v := first; v < len(c.vars); v++ {
				p.vars = append(p.vars, repeated{v, c.vars[v].depth - depth - 1})
			}
			i++
			continue
		}
		q := c.pattern(items[i], depth)
		if p.repeat == nil {
			p.before = append(p.before, q)
		} else {
			p.after = append(p.after, q)
		}
	}
	if tail != nil {
		p.tail = c.pattern(tail, depth)
	}
	return p
}

func (c *rulesCompiler) addVar(id ident, depth int) int {
	c.vars = append(c.vars, patternVar{id, depth})
	n := len(c.vars) - 1
	if c.slots == nil && n > largeFrame {
		c.slots = map[ident]int{}
		for i, v := range c.vars {
			c.slots[v.id] = i
		}
	}
	if c.slots != nil {
		c.slots[id] = n
	}
	return n
}

func (c *rulesCompiler) slot(id ident) int {
	if c.slots != nil {
		if n, ok := c.slots[id]; ok {
			return n
		}
		return -1
	}
	for i := range c.vars {
		if c.vars[i].id == id {
			return i
		}
	}
	return -1
}

// Templates

func (c *rulesCompiler) template(s *syntax.Syntax) *template {
	c.x.enter(s)
	defer func() { c.x.depth-- }()
	switch d := s.Datum.(type) {
	case *syntax.Symbol, *Alias:
		return c.identTemplate(s)
	case *syntax.List:
		if len(d.Items) == 2 && d.Tail == nil && c.isDots(d.Items[0]) {
			saved := c.dots
			c.dots = nil
			t := c.template(d.Items[1])
			c.dots = saved
			return t
		}
		c.noteAssignment(d)
		t := &template{kind: listWith, parts: c.parts(d.Items)}
		if d.Tail != nil {
			t.tail = c.template(d.Tail)
		}
		return t
	case *syntax.Vector:
		return &template{kind: vectorWith, parts: c.parts(d.Items)}
	}
	return &template{kind: fixed, datum: s.Datum}
}

func (c *rulesCompiler) identTemplate(s *syntax.Syntax) *template {
	id, _ := identOf(s)
	if n := c.slot(id); n >= 0 {
		c.drive(s, n)
		return &template{kind: substituted, slot: n}
	}
	if c.isDots(s) {
		c.x.failAt(s.Span, []string{"to insert an ellipsis write (... ...)"}, "%s: an ellipsis must follow a part of the template", c.u.form.name)
	}
	if n, ok := c.places[id]; ok {
		return &template{kind: insertion, slot: n}
	}
	if c.places == nil {
		c.places = map[ident]int{}
	}
	n := len(c.inserted)
	c.places[id] = n
	if env := c.x.env; env.name != "" {
		if env.inserts == nil {
			env.inserts = map[*syntax.Symbol]bool{}
		}
		env.inserts[id.symbol()] = true
	}
	c.inserted = append(c.inserted, id)
	return &template{kind: insertion, slot: n}
}

// drive enters a variable in the loops that run through it: of the rows of ellipses around it the innermost first,
// within a row the outermost loop first.
func (c *rulesCompiler) drive(s *syntax.Syntax, slot int) {
	left := c.vars[slot].depth
	for i := len(c.groups) - 1; i >= 0 && left > 0; i-- {
		loops := c.groups[i].loops
		for j := 0; j < len(loops) && left > 0; j++ {
			known := false
			for _, v := range loops[j] {
				known = known || v == slot
			}
			if !known {
				loops[j] = append(loops[j], slot)
			}
			left--
		}
	}
	if left > 0 {
		c.x.failAt(s.Span, nil, "%s: the pattern variable %s needs %d more ellipsis in the template", c.u.form.name, show(s), left)
	}
}

func (c *rulesCompiler) parts(items []*syntax.Syntax) []part {
	parts := make([]part, 0, len(items))
	for i := 0; i < len(items); i++ {
		n := 0
		for i+1+n < len(items) && c.isDots(items[i+1+n]) {
			n++
		}
		if n == 0 {
			parts = append(parts, part{template: c.template(items[i])})
			continue
		}
		g := &ellipses{loops: make([][]int, n)}
		c.groups = append(c.groups, g)
		t := c.template(items[i])
		c.groups = c.groups[:len(c.groups)-1]
		for _, vars := range g.loops {
			if len(vars) == 0 {
				c.x.failAt(items[i].Span, nil, "%s: %s has no pattern variable for an ellipsis to repeat", c.u.form.name, show(items[i]))
			}
		}
		parts = append(parts, part{template: t, loops: g.loops})
		i += n
	}
	return parts
}

// noteAssignment remembers that users of the macro may assign a variable of its library, which then is no constant.
func (c *rulesCompiler) noteAssignment(l *syntax.List) {
	if len(l.Items) < 2 {
		return
	}
	head, ok := identOf(l.Items[0])
	if !ok || head.symbol().Name != "set!" {
		return
	}
	id, ok := identOf(l.Items[1])
	if !ok || c.slot(id) >= 0 {
		return
	}
	env := c.x.env
	if env.assigns == nil {
		env.assigns = map[*syntax.Symbol]bool{}
	}
	env.assigns[id.symbol()] = true
}

// sameDatum is equality of atoms.
func sameDatum(a, b any) bool {
	switch a := a.(type) {
	case *big.Int:
		b, ok := b.(*big.Int)
		return ok && a.Cmp(b) == 0
	case *big.Rat:
		b, ok := b.(*big.Rat)
		return ok && a.Cmp(b) == 0
	case number.Complex:
		b, ok := b.(number.Complex)
		return ok && number.Eqv(a, b)
	case syntax.Bytes:
		b, ok := b.(syntax.Bytes)
		return ok && string(a) == string(b)
	case *syntax.List, *syntax.Vector:
		return false
	}
	if _, ok := b.(syntax.Bytes); ok {
		return false
	}
	return a == b
}
