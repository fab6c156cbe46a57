package compile

import (
	"slices"

	"caper/interp/code"
)

// noCapture fills the unused places of a CAPTURE word.
const noCapture = 0xffff

const maxCaptures = 3 * 255

func tooManyCaptures(m *lambda) *Error {
	return &Error{m.span, "a procedure that captures more than 765 variables; split it"}
}

// fix emits closures, or labels with the code of the body; what remains to be emitted is answered.
func (a *assembler) fix(f *fix, w where) (node, where) {
	if f.lams[0].label {
		if !w.tail && w.end == nil { // labels may stand behind the end of the body
			end := newLabel()
			inner := w
			inner.end = end
			a.enter(f, inner)
			a.generate(f.body, inner)
			a.place(end)
			return nil, w
		}
		a.enter(f, w)
		return f.body, w
	}
	for i, v := range f.vars {
		v.fix, v.index = f, i
	}
	if a.constants(f) {
		return f.body, w
	}
	for _, v := range f.vars {
		v.reg = a.temp()
	}
	for i, m := range f.lams {
		a.closure(m, f.vars[i].reg)
	}
	for i, m := range f.lams {
		for j, v := range m.free {
			if v.fix == f && v.index > i {
				a.emit(word(code.PATCH, 0, reg(f.vars[i].reg), reg(v.reg), 16+8*j))
			}
		}
	}
	a.see(f.vars)
	return f.body, w
}

// constants makes static closures of a fix whose members capture nothing but each other.
func (a *assembler) constants(f *fix) bool {
	for _, m := range f.lams {
		for _, v := range m.captured() {
			if v.fix != f {
				return false
			}
		}
	}
	for i, v := range f.vars {
		v.static = true
		v.constant = a.b.closure(f.lams[i], a.order)
	}
	for _, m := range f.lams {
		m.captured()
	}
	return true
}

// captured drops from the free variables those that have become constants since.
func (m *lambda) captured() []*local {
	m.free = slices.DeleteFunc(m.free, func(v *local) bool { return v.static })
	return m.free
}

// closure puts a closure of m into dst.
func (a *assembler) closure(m *lambda, dst int) {
	if a.dead {
		return
	}
	free := m.captured()
	if len(free) == 0 {
		a.static(a.b.closure(m, a.order), dst)
		return
	}
	if len(free) > maxCaptures {
		panic(tooManyCaptures(m))
	}
	a.b.entry(m, a.order)
	a.emit(wordD(code.CLOSURE, (len(free)+2)/3, reg(dst), 0))
	for i := 0; i < len(free); i += 3 {
		x, at := 0, [3]int{noCapture, noCapture, noCapture}
		for j, v := range free[i:min(i+3, len(free))] {
			switch {
			case v == a.lam.self:
				at[j] = 0
			case v.owner == a.lam:
				at[j] = reg(v.reg)
			default:
				at[j] = a.free(v)
				x |= 1 << j
			}
		}
		a.emit(word(code.CAPTURE, x, at[0], at[1], at[2]))
	}
	a.placed = a.here() // a CAPTURE is no instruction to fuse with
}

func (a *assembler) caseLambda(c *caseLambda, dst int) {
	if len(c.clauses) > 255 {
		panic(&Error{c.span, "a case-lambda with more than 255 clauses"})
	}
	top := a.top
	for _, m := range c.clauses {
		a.closure(m, a.temp())
	}
	a.emit(word(code.MKCASE, len(c.clauses), reg(dst), reg(top), 0))
	a.top = top
}
