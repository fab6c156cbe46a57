package compile

import (
	"slices"

	"caper/interp/code"
)

// target is where jumps to a label, or to the start of a procedure that calls itself in tail position, go.
// A loop that begins with a plain test is inverted: its back edges repeat the test and jump past it.
type target struct {
	emitted bool
	start   *label
	again   *label // after what is loaded once, nil if nothing is
	boxed   bool   // parameters get boxes at start
	yes, no *label // the parts of the test
	test    node   // nil: not inverted
	top     int    // first register free in the body
	alone   bool   // nothing but its own body jumps to it
	hoisted int    // captured variables in registers around it
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
		m.jump = target{start: newLabel(), top: a.top, where: w, alone: len(f.lams) == 1, hoisted: len(a.hoisted)}
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
			return a.label(m, n)
		}
		if w.tail && m == a.lam && m.takes(len(n.args)) {
			return a.again(m, n)
		}
	case *globalRef:
		if w.tail && a.lam.global == f.g && f.g != nil && a.lam.takes(len(n.args)) {
			return a.again(a.lam, n)
		}
	}
	if w.tail {
		if c, ok := a.b.callee(n.fn, len(n.args), a.order); ok {
			a.enterKnown(c, n)
			return nil, w
		}
	}
	a.invoke(n, w)
	return nil, w
}

// enterKnown ends the procedure with a call of a known one: the arguments go where that has its parameters.
func (a *assembler) enterKnown(c knownCall, n *call) {
	top := a.top
	a.top = max(top, 2+len(n.args))
	a.need(a.top)
	f := -1
	if v := c.closed(); v != nil {
		if f = a.temp(); v == a.lam.self {
			f = 0
		} else {
			a.read(v, f)
		}
	}
	to := make([]seat, len(n.args))
	for i := range to {
		// Registers beyond the parameters may hold what a loop around has loaded.
		to[i] = seat{reg: 2 + i, held: 2+i >= 2+len(a.lam.params) && len(a.hoisted) > 0}
	}
	a.seated(to, n.args)
	if !a.dead {
		a.at(n.span)
		a.b.call(c)
		if f >= 0 {
			a.emit(word(code.TCALLC, len(n.args), reg(f), 0, 0))
		} else {
			a.emit(word(code.TCALLK, len(n.args), 0, 0, 0))
		}
	}
	a.top = top
}

// closed is the variable whose value, a closure with captured variables, must be there for the call; nil: none.
func (c knownCall) closed() *local {
	if c.g != nil || c.m.self.static {
		return nil
	}
	return c.m.self
}

// again turns a procedure's call of itself into a jump.
func (a *assembler) again(m *lambda, n *call) (node, where) {
	a.arguments(m, n.args)
	a.back(m)
	return nil, where{}
}

// label jumps to a label, or lets its code follow.
func (a *assembler) label(m *lambda, n *call) (node, where) {
	a.arguments(m, n.args)
	switch {
	case a.dead:
		return nil, where{}
	case m.jump.emitted && (n.inner || !m.jump.alone):
		a.back(m)
		return nil, where{}
	case m.jump.emitted: // past what the loop loads
		a.jump(m.jump.start)
		return nil, where{}
	}
	a.top, a.hoisted = m.jump.top, a.hoisted[:m.jump.hoisted]
	a.hide(a.top - len(m.params))
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
	a.see(m.params)
	t.boxed = boxed
	if t.alone && m.loops {
		a.hoistConstants(m.body)
		t.again = newLabel()
		a.place(t.again)
	}
	b, ok := m.body.(*branch)
	if !ok || boxed {
		return m.body, t.where
	}
	p, ok := b.test.(*primitive)
	if !ok || !repeatable(p, m) {
		return m.body, t.where
	}
	if t.alone {
		p = a.hoist(p)
	}
	t.test, t.yes, t.no = p, newLabel(), newLabel()
	return a.branch(&branch{p, b.then, b.els}, t.where, t.yes, t.no)
}

// back jumps to code that has been placed already.
func (a *assembler) back(m *lambda) {
	t := &m.jump
	switch {
	case a.dead:
	case t.test == nil && t.again != nil && !t.boxed:
		a.jump(t.again)
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

// repeatable reports whether a test is so cheap that the loop m may hold it twice.
func repeatable(p *primitive, m *lambda) bool {
	if p.kind != primType && p.kind != primOrder && p.kind != primEq {
		return false
	}
	for _, x := range p.args {
		switch x := x.(type) {
		case *constant:
		case *ref:
			if x.v.boxed || x.v.assigned {
				return false
			}
		case *primitive:
			if !m.jump.alone || !steady(x, m) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// steady reports whether p is the length of a string or vector that stays the same while m loops: it is taken once.
func steady(p *primitive, m *lambda) bool {
	if p.kind != primUnary || p.op != code.SLEN && p.op != code.VLEN {
		return false
	}
	r, ok := p.args[0].(*ref)
	return ok && !r.v.assigned && !r.v.boxed && !r.v.letrec && !slices.Contains(m.params, r.v)
}

// Bounds on the search for an order of arguments that needs no copies.
const (
	maxReordered  = 12
	mentionBudget = 2000
)

// arguments puts the arguments of a jump into the target's parameters as if all at once.
func (a *assembler) arguments(m *lambda, args []node) {
	to := make([]seat, len(args))
	for i, v := range m.params {
		to[i] = seat{reg: v.reg, fresh: !m.jump.emitted, held: m.jump.emitted && v.boxed}
	}
	a.seated(to, args)
}

// seat is the register of a parameter.
type seat struct {
	reg   int
	fresh bool // nobody has read it yet
	held  bool // it must keep its value until all arguments are there
}

// seated puts arguments into their seats as if all at once.
func (a *assembler) seated(to []seat, args []node) {
	type move struct{ to, from int }
	var moves []move
	top := a.top
	left := make([]int, 0, 8)
	free := true // any order will do
	for i, n := range args {
		if r, ok := n.(*ref); ok && a.stands(r.v, to[i].reg) && !r.v.boxed {
			continue
		}
		left = append(left, i)
		free = free && pure(n)
	}
	free = free && len(left) <= maxReordered
	slices.SortStableFunc(left, func(i, j int) int { return last(counts(args[i]), counts(args[j])) })
	budget := mentionBudget
	for len(left) > 0 {
		pick, direct := 0, false
		for j, i := range left {
			if direct = a.settled(to[i], args, left, i, &budget); direct || !free {
				pick = j
				break
			}
		}
		i := left[pick]
		left = slices.Delete(left, pick, pick+1)
		if direct {
			a.over(args[i], to[i].reg)
			continue
		}
		t := a.temp()
		a.generate(args[i], where{dst: t})
		moves = append(moves, move{to[i].reg, t})
	}
	for _, m := range moves {
		a.move(m.to, m.from)
	}
	a.top = top
}

// over puts n into the register of a variable that n may read.
func (a *assembler) over(n node, dst int) {
	top := a.top
	if c, ok := n.(*call); !ok || c.inPlace() {
		a.top = max(a.top, dst+2) // no scratch register: see first
	}
	a.generate(n, where{dst: dst})
	a.top = top
}

// inPlace reports whether the call is no call.
func (c *call) inPlace() bool {
	switch f := c.fn.(type) {
	case *lambda:
		return true
	case *ref:
		return f.v.known != nil && f.v.known.label
	}
	return false
}

// stands reports whether a register is the one that v has in the present frame.
func (a *assembler) stands(v *local, reg int) bool {
	return v.owner == a.lam && v.reg == reg && !v.static && v != a.lam.self
}

// settled reports whether argument i may go to its seat at once: none of the others left reads the old value.
func (a *assembler) settled(s seat, args []node, left []int, i int, budget *int) bool {
	if s.fresh || s.held {
		return s.fresh
	}
	for _, j := range left {
		if j != i && a.mentions(args[j], s.reg, budget) {
			return false
		}
	}
	return true
}

// last orders what is to come last behind the rest.
func last(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return 1
	}
	return -1
}

// counts reports whether n is a variable and a constant added, which can wait: nothing but the variable's own register
// decides it, and next to the loop's test both become one instruction.
func counts(n node) bool {
	p, ok := n.(*primitive)
	if !ok || p.kind != primBinary || p.op != code.ADD && p.op != code.SUB {
		return false
	}
	for i, x := range p.args {
		if r, ok := x.(*ref); ok && !r.v.assigned && !r.v.boxed && !r.v.letrec {
			_, ok := small(p.args[1-i])
			return ok
		}
	}
	return false
}

// pure reports whether n has no effect and sees none, faults aside.
func pure(n node) bool {
	switch n := n.(type) {
	case *constant:
		return true
	case *ref:
		return !n.v.assigned
	case *primitive:
		switch n.kind {
		case primUnary, primBinary, primNot, primType, primOrder, primEq, primList:
			for _, x := range n.args {
				if !pure(x) {
					return false
				}
			}
			return true
		}
	}
	return false
}

func (a *assembler) mentioned(reg int, in []node, budget *int) bool {
	for _, n := range in {
		if a.mentions(n, reg, budget) {
			return true
		}
	}
	return false
}

// mentions reports whether n may read the variable in a register; the shapes that arguments rarely have, and all when the
// budget of nodes is spent, count as reading everything.
func (a *assembler) mentions(n node, reg int, budget *int) bool {
	if *budget--; *budget < 0 {
		return true
	}
	switch n := n.(type) {
	case *ref:
		return a.stands(n.v, reg)
	case *constant, *globalRef:
		return false
	case *primitive:
		return a.mentioned(reg, n.args, budget)
	case *call:
		if m, ok := n.fn.(*lambda); ok { // in place: it captures nothing
			return a.mentioned(reg, n.args, budget) || a.mentions(m.body, reg, budget)
		}
		return a.mentions(n.fn, reg, budget) || a.mentioned(reg, n.args, budget)
	case *branch:
		return a.mentions(n.test, reg, budget) || a.mentions(n.then, reg, budget) || a.mentions(n.els, reg, budget)
	case *let:
		return a.mentioned(reg, n.inits, budget) || a.mentions(n.body, reg, budget)
	case *lambda:
		return slices.ContainsFunc(n.free, func(v *local) bool { return a.stands(v, reg) })
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
	if len(n.args) == 0 {
		a.top = base + 1 // the operator's own window is this one
	}
	if c, ok := a.b.callee(n.fn, len(n.args), a.order); ok { // not a tail call: see call
		if v := c.closed(); v == nil {
			a.callKnown(c, base, len(n.args), n.span)
		} else if a.generate(n.fn, where{dst: base}); !a.dead {
			a.at(n.span)
			a.b.call(c)
			a.emit(word(code.CALLC, len(n.args), reg(base), 0, 0))
		}
	} else if g, ok := n.fn.(*globalRef); ok {
		op, x := code.CALLG, 0
		if w.tail {
			op = code.TCALLG
			if a.lam.handsOn(n.args) {
				x = 1
			}
		}
		a.callGlobal(op, x, base, len(n.args), g.g.Slot, n.span)
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
