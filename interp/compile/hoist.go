package compile

import (
	"caper/interp/code"
	"caper/interp/expand"
)

// This file keeps in registers, while a loop runs, constants and captured variables that its instructions read. They are
// loaded where the loop is entered; jumps back go past the loads. Only a label that nothing but its own body and its
// entry jumps to has such registers, since the code of another label would use them for its own.

// hoisted is a captured variable, a constant or a constant global in a register.
type hoisted struct {
	v   *local
	c   *constant
	g   *expand.Global
	reg int
}

// maxHoisted bounds the constants that one loop keeps.
const maxHoisted = 8

// hoist loads what the test of a loop reads and no instruction holds.
func (a *assembler) hoist(p *primitive) *primitive {
	q := *p
	q.args = append([]node(nil), p.args...)
	for i, n := range p.args {
		switch n := n.(type) {
		case *constant:
			if !p.wants(i) || a.constantIn(n) >= 0 {
				continue
			}
		case *ref:
			if n.v.owner == a.lam || n.v.static || n.v == a.lam.self || a.hoistedIn(n.v) >= 0 {
				continue
			}
		}
		t := a.temp()
		a.into(n, t)
		v := &local{owner: a.lam, reg: t}
		v.self.v = v
		q.args[i] = &v.self
		if r, ok := n.(*ref); ok {
			a.hoisted = append(a.hoisted, hoisted{v: r.v, reg: t})
		}
	}
	return &q
}

func (a *assembler) hoistedIn(v *local) int {
	for i := len(a.hoisted) - 1; i >= 0; i-- {
		if a.hoisted[i].v == v {
			return a.hoisted[i].reg
		}
	}
	return -1
}

func (a *assembler) constantIn(c *constant) int {
	for i := len(a.hoisted) - 1; i >= 0; i-- {
		if h := a.hoisted[i].c; h != nil && h.kind == c.kind && h.word == c.word && h.datum == c.datum {
			return a.hoisted[i].reg
		}
	}
	return -1
}

func (a *assembler) globalIn(g *expand.Global) int {
	for i := len(a.hoisted) - 1; i >= 0; i-- {
		if a.hoisted[i].g == g && g != nil {
			return a.hoisted[i].reg
		}
	}
	return -1
}

// wantsGlobal reports whether the instructions for p read their arguments from any register.
func (p *primitive) wantsGlobal() bool {
	switch p.kind {
	case primUnary, primBinary, primStore2, primStore3, primType, primOrder, primEq, primChar, primField, primRecord, primTable:
		return true
	}
	return false
}

// wants reports whether constant argument i must stand in a register.
func (p *primitive) wants(i int) bool {
	_, ok := small(p.args[i])
	switch p.kind {
	case primOrder:
		return !ok
	case primEq, primChar:
		return true
	case primBinary:
		return !ok || p.op != code.ADD && (p.op != code.SUB || i == 0)
	case primStore3:
		return i > 0
	case primTable:
		return i == 1
	}
	return false
}

// hoistConstants loads the constants that the body of a loop reads, inner loops and procedures apart: they load theirs.
func (a *assembler) hoistConstants(body node) {
	left := maxHoisted
	a.constantsOf(body, &left)
}

func (a *assembler) constantsOf(n node, left *int) {
	for n != nil && *left > 0 {
		switch x := n.(type) {
		case *branch:
			a.constantsOf(x.test, left)
			a.constantsOf(x.then, left)
			n = x.els
		case *let:
			for _, m := range x.inits {
				a.constantsOf(m, left)
			}
			n = x.body
		case *seq:
			for _, m := range x.nodes[:len(x.nodes)-1] {
				a.constantsOf(m, left)
			}
			n = x.nodes[len(x.nodes)-1]
		case *fix:
			n = x.body
		case *set:
			n = x.value
		case *globalSet:
			n = x.value
		case *call:
			for _, m := range x.args {
				a.constantsOf(m, left)
			}
			f, ok := x.fn.(*lambda)
			if !ok {
				return
			}
			n = f.body
		case *primitive:
			for i, m := range x.args {
				if c, ok := m.(*constant); ok && x.wants(i) && a.constantIn(c) < 0 && *left > 0 {
					*left--
					t := a.temp()
					a.load(c, t)
					a.hoisted = append(a.hoisted, hoisted{c: c, reg: t})
					continue
				}
				if g, ok := m.(*globalRef); ok && x.wantsGlobal() && *left > 0 && g.g.Constant && a.b.defined(g.g, a.order) && a.globalIn(g.g) < 0 {
					*left--
					t := a.temp()
					a.into(g, t)
					a.hoisted = append(a.hoisted, hoisted{g: g.g, reg: t})
					continue
				}
				a.constantsOf(m, left)
			}
			return
		default:
			return
		}
	}
}
