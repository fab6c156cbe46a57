package compile

import (
	"caper/interp/code"
	"caper/interp/heap"
)

// where says what happens to a value: it is returned (tail), put into register dst, or dropped (dst < 0); then control
// goes to end, or falls through when that is nil.
type where struct {
	tail bool
	dst  int
	end  *label
}

func (a *assembler) finish(w where) {
	if !w.tail && w.end != nil {
		a.jump(w.end)
	}
}

// generate emits n. It iterates over parts in tail position; nested procedures wait in the unit's queue.
func (a *assembler) generate(n node, w where) {
	top, kept, seen := a.top, len(a.hoisted), a.seen()
	for n != nil && !a.dead {
		n, w = a.step(n, w)
	}
	a.leave(seen)
	a.top = top
	a.hoisted = a.hoisted[:kept]
}

// step emits n, or its beginning and answers the rest.
func (a *assembler) step(n node, w where) (node, where) {
	switch n := n.(type) {
	case *branch:
		return a.branch(n, w, newLabel(), newLabel())
	case *let:
		if b := n.or(); b != nil && logical(b.test) {
			return b, w
		}
		a.bind(n.vars, n.inits)
		return n.body, w
	case *fix:
		return a.fix(n, w)
	case *seq:
		for _, m := range n.nodes[:len(n.nodes)-1] {
			a.generate(m, where{dst: -1})
		}
		return n.nodes[len(n.nodes)-1], w
	case *call:
		return a.call(n, w)
	}
	switch {
	case w.tail:
		a.value(n)
	case w.dst < 0:
		a.effect(n)
		a.finish(w)
	default:
		a.into(n, w.dst)
		a.finish(w)
	}
	return nil, w
}

// branch emits a conditional; yes and no are placed at its parts.
func (a *assembler) branch(n *branch, w where, yes, no *label) (node, where) {
	a.test(n.test, false, no)
	if !a.dead {
		a.place(yes)
	}
	if w.tail || w.end != nil {
		a.generate(n.then, w)
		a.place(no)
		return n.els, w
	}
	inner := w
	inner.end = newLabel()
	a.generate(n.then, inner)
	a.place(no)
	a.generate(n.els, where{dst: w.dst})
	a.place(inner.end)
	return nil, w
}

// value returns n.
func (a *assembler) value(n node) {
	if i, ok := fixed(n); ok && i >= -1<<31 && i < 1<<31 {
		a.emit(wordD(code.RETI, 0, 0, int(i)))
		return
	}
	if c, ok := n.(*constant); ok && c.kind == constImm {
		a.emit(wordD(code.RETW, 0, 0, int(c.word)))
		return
	}
	if p, ok := n.(*primitive); ok && p.boolean() {
		no := newLabel()
		a.test(p, false, no)
		for _, v := range []heap.Word{heap.True, heap.False} {
			a.emit(wordD(code.RETW, 0, 0, int(v)))
			a.place(no)
		}
		return
	}
	a.ret(a.final(n))
}

// effect emits n for its effect.
func (a *assembler) effect(n node) {
	switch n := n.(type) {
	case *set:
		a.assign(n)
	case *globalSet:
		a.setGlobal(n)
	case *constant, *lambda, *caseLambda:
	case *ref:
		if n.v.letrec {
			a.any(n)
		}
	case *primitive:
		switch {
		case n.kind == primStore2 || n.kind == primStore3:
			a.store(n)
		case n.kind == primField && n.op == code.RSET:
			a.field(n, a.temp())
		default:
			a.primitive(n, a.temp())
		}
	default:
		t := a.temp()
		a.into(n, t)
	}
}

// first is any for an operand whose value may stand in dst until the instruction that reads it: dst must be a new
// temporary, which is so when it is the topmost register in use.
func (a *assembler) first(n node, dst int) int {
	switch n := n.(type) {
	case *ref:
		if !n.v.assigned {
			return a.any(n)
		}
	case *constant:
		if r := a.constantIn(n); r >= 0 {
			return r
		}
	case *globalRef:
		if r := a.globalIn(n.g); r >= 0 {
			return r
		}
	}
	if dst != a.top-1 {
		return a.any(n)
	}
	a.generate(n, where{dst: dst})
	return dst
}

// final is any for an operand after which no other is evaluated: an assigned variable need not be copied.
func (a *assembler) final(n node) int {
	if r, ok := n.(*ref); ok && r.v.assigned && !r.v.boxed && r.v.owner == a.lam {
		return r.v.reg
	}
	return a.any(n)
}

// any answers a register that holds the value of n: a new temporary, or the variable's own.
func (a *assembler) any(n node) int {
	switch n := n.(type) {
	case *constant:
		if r := a.constantIn(n); r >= 0 {
			return r
		}
	case *globalRef:
		if r := a.globalIn(n.g); r >= 0 {
			return r
		}
	}
	if r, ok := n.(*ref); ok {
		v := r.v
		switch {
		case v.static || v.boxed || v.assigned:
		case v == a.lam.self:
			return 0
		case v.owner == a.lam:
			return v.reg
		default:
			if r := a.hoistedIn(v); r >= 0 {
				return r
			}
		}
	}
	t := a.temp()
	a.generate(n, where{dst: t})
	return t
}

// into puts the value of n, which is none of the forms that step takes apart, into dst.
func (a *assembler) into(n node, dst int) {
	switch n := n.(type) {
	case *constant:
		a.load(n, dst)
	case *ref:
		a.read(n.v, dst)
	case *globalRef:
		op := code.GREFC
		if a.b.defined(n.g, a.order) {
			op = code.GREF
		} else {
			a.at(n.span)
		}
		a.emit(wordD(op, 0, reg(dst), int(heap.GlobalOffset(n.g.Slot))))
	case *set:
		a.assign(n)
		a.emit(wordD(code.LOADW, 0, reg(dst), int(heap.Unspecified)))
	case *globalSet:
		a.setGlobal(n)
		a.emit(wordD(code.LOADW, 0, reg(dst), int(heap.Unspecified)))
	case *lambda:
		a.closure(n, dst)
	case *caseLambda:
		a.caseLambda(n, dst)
	case *primitive:
		a.primitive(n, dst)
	}
}

func (a *assembler) load(c *constant, dst int) {
	switch c.kind {
	case constFix:
		if i := heap.FixnumValue(c.word); i >= -1<<31 && i < 1<<31 {
			a.emit(wordD(code.LOADI, 0, reg(dst), int(i)))
			return
		}
		fallthrough
	case constRaw:
		if a.dead {
			return
		}
		a.b.cell(c.word)
		a.emit(wordD(code.LOADM, 0, reg(dst), 0))
	case constImm:
		a.emit(wordD(code.LOADW, 0, reg(dst), int(c.word)))
	case constObj:
		a.static(a.b.object(c.datum, c.span), dst)
	}
}

// static loads a constant of the unit.
func (a *assembler) static(index, dst int) {
	if a.dead {
		return
	}
	a.b.reloc(code.RelocConst, index)
	a.emit(wordD(code.LOADW, 0, reg(dst), 0))
}

// read loads a variable.
func (a *assembler) read(v *local, dst int) {
	switch {
	case v.static:
		a.static(v.constant, dst)
	case v == a.lam.self:
		a.move(dst, 0)
	case v.owner == a.lam && v.boxed:
		a.op2(code.BOXREF, dst, v.reg)
	case v.owner == a.lam:
		a.move(dst, v.reg)
	case v.boxed:
		a.emit(word(code.FREEBOX, 0, reg(dst), a.free(v), 0))
	case a.hoistedIn(v) >= 0:
		a.move(dst, a.hoistedIn(v))
	default:
		a.emit(word(code.FREE, 0, reg(dst), a.free(v), 0))
	}
}

// free is the offset of a captured variable in the running closure.
func (a *assembler) free(v *local) int {
	for i, f := range a.lam.free {
		if f == v {
			return 16 + 8*i
		}
	}
	panic(&Error{a.lam.span, "the variable " + v.name + " is not captured (a fault of the compiler)"})
}

func (a *assembler) assign(n *set) {
	v := n.v
	top := a.top
	if v.owner == a.lam && !v.boxed {
		a.over(n.value, v.reg)
		return
	}
	checked := 0
	if v.letrec && !n.init {
		checked = 1
	}
	r := a.final(n.value)
	a.at(n.span)
	if v.owner == a.lam {
		a.emit(word(code.BOXSET, checked, reg(v.reg), reg(r), 0))
	} else {
		a.emit(word(code.FREEBOXSET, checked, reg(r), a.free(v), 0))
	}
	a.top = top
}

func (a *assembler) setGlobal(n *globalSet) {
	top := a.top
	r := a.final(n.value)
	op := code.GSET
	if n.define {
		op = code.GDEF
	}
	a.at(n.span)
	a.emit(wordD(op, 0, reg(r), int(heap.GlobalOffset(n.g.Slot))))
	a.top = top
}

// bind puts the values of new variables into registers of theirs, which stay taken.
func (a *assembler) bind(vars []*local, inits []node) {
	base := a.top
	for _, n := range inits {
		t := a.temp()
		a.generate(n, where{dst: t})
	}
	for i, v := range vars {
		v.reg = base + i
		a.box(v)
	}
	a.see(vars)
}

func (a *assembler) box(v *local) {
	if v.boxed {
		a.op2(code.MKBOX, v.reg, v.reg)
	}
}
