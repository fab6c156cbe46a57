package compile

import (
	"caper/interp/code"
	"caper/interp/heap"
	"caper/interp/syntax"
)

// boolean reports whether the value of p comes out of conditional jumps.
func (p *primitive) boolean() bool {
	return p.kind == primType || p.kind == primOrder || p.kind == primChar || p.kind == primParity
}

// or answers (let ((t x)) (if t t y)) as (if x #t y), which is the same to a test, else nil.
func (n *let) or() *branch {
	if len(n.vars) != 1 || n.vars[0].uses != 2 || n.vars[0].assigned {
		return nil
	}
	b, ok := n.body.(*branch)
	t := &n.vars[0].self
	if !ok || b.test != node(t) || b.then != node(t) {
		return nil
	}
	return &branch{n.inits[0], immediate(heap.True, syntax.Span{}), b.els}
}

// logical reports whether the value of n is #t or #f.
func logical(n node) bool {
	p, ok := n.(*primitive)
	return ok && (p.boolean() || p.kind == primNot || p.kind == primEq || p.kind == primRecord)
}

// test jumps to l when n is true (sense) or false (not sense), else falls through.
func (a *assembler) test(n node, sense bool, l *label) {
	top := a.top
	for n != nil && !a.dead {
		if v, known := truth(n); known {
			if v == sense {
				a.jump(l)
			}
			break
		}
		switch x := n.(type) {
		case *let:
			if b := x.or(); b != nil {
				n = b
				continue
			}
			a.bind(x.vars, x.inits)
			n = x.body
		case *seq:
			for _, m := range x.nodes[:len(x.nodes)-1] {
				a.generate(m, where{dst: -1})
			}
			n = x.nodes[len(x.nodes)-1]
		case *branch:
			n = a.testBranch(x, sense, l)
		case *primitive:
			if x.kind == primNot {
				n, sense = x.args[0], !sense
				continue
			}
			a.testPrimitive(x, sense, l)
			n = nil
		default:
			a.jumpOn(code.JT, sense, reg(a.final(n)), 0, l)
			n = nil
		}
	}
	a.top = top
}

// testBranch tests a conditional and answers the part still to be tested.
func (a *assembler) testBranch(n *branch, sense bool, l *label) node {
	then := n.then
	if r, ok := n.test.(*ref); ok && then == node(r) {
		then = immediate(heap.True, a.lam.span)
	}
	tv, tk := truth(then)
	ev, ek := truth(n.els)
	switch {
	case tk && ek && tv == ev:
		a.generate(n.test, where{dst: -1})
		return n.els
	case tk && tv == sense: // or
		a.test(n.test, true, l)
		return n.els
	case ek && ev == sense:
		a.test(n.test, false, l)
		return then
	case ek: // and: the rest is false
		out := newLabel()
		a.test(n.test, false, out)
		a.test(then, sense, l)
		a.place(out)
		return nil
	case tk:
		out := newLabel()
		a.test(n.test, true, out)
		a.test(n.els, sense, l)
		a.place(out)
		return nil
	}
	no, out := newLabel(), newLabel()
	a.test(n.test, false, no)
	a.test(then, sense, l)
	a.jump(out)
	a.place(no)
	a.test(n.els, sense, l)
	a.place(out)
	return nil
}

// jumpOn emits op, or its opposite when sense is false.
func (a *assembler) jumpOn(op code.Op, sense bool, x, y int, l *label) {
	if op == code.JT { // JF comes first in its pair
		op, sense = code.JF, !sense
	}
	if !sense {
		op = negate(op)
	}
	a.jumpIf(op, x, y, l)
}

func (a *assembler) testPrimitive(p *primitive, sense bool, l *label) {
	switch p.kind {
	case primType:
		a.jumpOn(p.op, sense, reg(a.final(p.args[0])), 0, l)
	case primParity:
		x := a.final(p.args[0])
		a.at(p.span)
		a.jumpOn(p.op, sense, reg(x), 0, l)
	case primEq:
		x := a.any(p.args[0])
		a.jumpOn(code.JEQP, sense, reg(x), reg(a.final(p.args[1])), l)
	case primChar:
		x := a.any(p.args[0])
		y := a.final(p.args[1])
		a.at(p.span)
		a.jumpOn(p.op, sense, reg(x), reg(y), l)
	case primOrder:
		a.testOrder(p, sense, l)
	case primRecord:
		x := a.any(p.args[0])
		a.jumpOn(code.JREC, sense, reg(x), reg(a.any(p.args[1])), l)
	case primStore2, primStore3:
		a.effect(p)
		if sense { // no useful value, but true
			a.jump(l)
		}
	default:
		a.jumpOn(code.JT, sense, reg(a.any(p)), 0, l)
	}
}

// orderForms are the ways to compare: with a small constant on the right, on the left, and two registers.
var orderForms = map[code.Op]struct {
	right, left, regs code.Op
	swap              bool
}{
	code.JLT:  {code.JLTI, code.JGTI, code.JLT, false},
	code.JLE:  {code.JLEI, code.JGEI, code.JLE, false},
	code.JEQ:  {code.JEQI, code.JEQI, code.JEQ, false},
	code.JGTI: {code.JGTI, code.JLTI, code.JLT, true},
	code.JGEI: {code.JGEI, code.JLEI, code.JLE, true},
}

func (a *assembler) testOrder(p *primitive, sense bool, l *label) {
	f := orderForms[p.op]
	if i, ok := small(p.args[1]); ok {
		x := a.final(p.args[0])
		a.at(p.span)
		a.jumpOn(f.right, sense, reg(x), i, l)
		return
	}
	if i, ok := small(p.args[0]); ok {
		y := a.final(p.args[1])
		a.at(p.span)
		a.note = code.NoteSwapped
		a.jumpOn(f.left, sense, reg(y), i, l)
		a.note = 0
		return
	}
	x := a.any(p.args[0])
	y := a.final(p.args[1])
	a.at(p.span)
	xn, yn := p.args[0], p.args[1]
	if f.swap {
		x, y, xn, yn = y, x, yn, xn
		a.note = code.NoteSwapped
	}
	if l.pos < 0 {
		a.chain(f.regs, xn, x, yn, y)
	}
	a.jumpOn(f.regs, sense, reg(x), reg(y), l)
	a.note = 0
}
