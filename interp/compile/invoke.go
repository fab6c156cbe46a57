package compile

import (
	"caper/interp/code"
)

// target is where jumps to a label, or to the start of a procedure that calls itself in tail position, go.
// A loop that begins with a plain test is inverted: its back edges repeat the test and jump past it.
type target struct {
	emitted bool
	start   *label
	yes, no *label // the parts of the test
	test    node   // nil: not inverted
	top     int    // first register free in the body
	where   where
}

// enter gives labels their parameter registers. The code of each follows at the first jump to it.
func (a *assembler) enter(f *fix, w where) {
	for _, m := range f.lams {
		for _, v := range m.params {
			v.reg = a.temp()
		}
	}
	for _, m := range f.lams {
		m.jump = target{start: newLabel(), top: a.top, where: w}
	}
}

// call emits a call; of one that is no call at all it answers the code to go on with.
func (a *assembler) call(n *call, w where) (node, where) {
	switch f := n.fn.(type) {
	case *lambda:
		a.bind(f.params, n.args)
		return f.body, w
	case *ref:
		m := f.v.known
		if m == nil {
			break
		}
		if m.label {
			return a.label(m, n.args)
		}
		if w.tail && m == a.lam && m.takes(len(n.args)) {
			return a.again(m, n)
		}
	case *globalRef:
		if w.tail && a.lam.global == f.g && f.g != nil && a.lam.takes(len(n.args)) {
			return a.again(a.lam, n)
		}
	}
	a.invoke(n, w)
	return nil, w
}

// again turns a procedure's call of itself into a jump.
func (a *assembler) again(m *lambda, n *call) (node, where) {
	a.arguments(m, n.args)
	a.back(m)
	return nil, where{}
}

// label jumps to a label, or lets its code follow.
func (a *assembler) label(m *lambda, args []node) (node, where) {
	a.arguments(m, args)
	if a.dead {
		return nil, where{}
	}
	if m.jump.emitted {
		a.back(m)
		return nil, where{}
	}
	a.top = m.jump.top
	return a.body(m)
}

// body begins the code that m's target stands for.
func (a *assembler) body(m *lambda) (node, where) {
	t := &m.jump
	t.emitted = true
	a.place(t.start)
	boxed := false
	for _, v := range m.params {
		a.box(v)
		boxed = boxed || v.boxed
	}
	if b, ok := m.body.(*branch); ok && !boxed && repeatable(b.test) {
		t.test, t.yes, t.no = b.test, newLabel(), newLabel()
		return a.branch(b, t.where, t.yes, t.no)
	}
	return m.body, t.where
}

// back jumps to code that has been placed already.
func (a *assembler) back(m *lambda) {
	t := &m.jump
	switch {
	case a.dead:
	case t.test == nil || t.yes.pos < 0:
		a.jump(t.start)
	case t.no.pos < 0:
		a.test(t.test, true, t.yes)
		a.jump(t.no)
	default:
		a.test(t.test, false, t.no)
		a.jump(t.yes)
	}
}

// repeatable reports whether a test is so cheap that a loop may hold it twice.
func repeatable(n node) bool {
	p, ok := n.(*primitive)
	if !ok {
		return false
	}
	switch p.kind {
	case primNot:
		if _, ok := p.args[0].(*ref); ok {
			return repeatable2(p.args)
		}
		return repeatable(p.args[0])
	case primType, primOrder, primEq:
		return repeatable2(p.args)
	}
	return false
}

func repeatable2(args []node) bool {
	for _, x := range args {
		switch x := x.(type) {
		case *constant:
		case *ref:
			if x.v.boxed || x.v.assigned {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// arguments puts the arguments of a jump into the target's parameters as if all at once.
func (a *assembler) arguments(m *lambda, args []node) {
	type move struct{ to, from int }
	var moves []move
	top := a.top
	for i, n := range args {
		v := m.params[i]
		if r, ok := n.(*ref); ok && r.v == v && !v.boxed {
			continue
		}
		if !m.jump.emitted || !v.boxed && !mentioned(v, args[i+1:]) {
			a.generate(n, where{dst: v.reg})
			continue
		}
		t := a.temp()
		a.generate(n, where{dst: t})
		moves = append(moves, move{v.reg, t})
	}
	for _, m := range moves {
		a.move(m.to, m.from)
	}
	a.top = top
}

func mentioned(v *local, in []node) bool {
	for _, n := range in {
		if mentions(n, v) {
			return true
		}
	}
	return false
}

// mentions reports whether n may read v; the shapes that arguments rarely have count as reading everything.
func mentions(n node, v *local) bool {
	switch n := n.(type) {
	case *ref:
		return n.v == v
	case *constant, *globalRef:
		return false
	case *primitive:
		return mentioned(v, n.args)
	case *call:
		return mentions(n.fn, v) || mentioned(v, n.args)
	case *branch:
		return mentions(n.test, v) || mentions(n.then, v) || mentions(n.els, v)
	case *let:
		return mentioned(v, n.inits) || mentions(n.body, v)
	case *lambda:
		return n.captures(v)
	}
	return true
}

// invoke emits a true call. The window lies above every live register; when the value goes to the topmost one, that
// is the window.
func (a *assembler) invoke(n *call, w where) {
	base := a.top
	if !w.tail && w.dst >= 2 && w.dst == a.top-1 {
		base = w.dst
	}
	a.need(base + 2)
	for i, x := range n.args {
		a.top = base + 2 + i
		t := a.temp()
		a.generate(x, where{dst: t})
	}
	a.top = base + 2 + len(n.args)
	if g, ok := n.fn.(*globalRef); ok {
		op := code.CALLG
		if w.tail {
			op = code.TCALLG
		}
		a.callGlobal(op, base, len(n.args), g.g.Slot, n.span)
	} else {
		a.generate(n.fn, where{dst: base})
		op := code.CALL
		if w.tail {
			op = code.TCALL
		}
		a.at(n.span)
		a.emit(word(op, 0, reg(base), len(n.args), 0))
	}
	if w.tail {
		return
	}
	if w.dst >= 0 {
		a.move(w.dst, base)
	}
	a.finish(w)
}
