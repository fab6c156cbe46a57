package compile

import (
	"math"

	"caper/interp/code"
	"caper/interp/syntax"
)

// This file is the assembler of one procedure: instruction words, labels, positions, registers. It fuses neighbours and
// drops what cannot be reached.

// maxRegisters is the frame limit.
const maxRegisters = 4000

// label is a place in the procedure being generated, counted in words from its start.
type label struct {
	pos  int // -1: not placed yet
	refs []int
}

func newLabel() *label { return &label{pos: -1} }

// assembler generates one procedure at the end of the unit's words.
type assembler struct {
	b       *builder
	lam     *lambda
	start   int  // its entry in the unit's words
	top     int  // first free register
	regs    int  // registers used
	dead    bool // the last instruction does not fall through and no label stands here
	far     bool // a jump of this procedure did not fit 16 bits: use the long forms
	placed  int  // where the last label stands: nothing before it may be fused with what follows
	order   int  // of the top-level form that it belongs to
	hoisted []hoisted
	lines   []code.Line
	last    syntax.Span // of lines' end
	note    int         // for the conditional jump to be emitted
	scope   []scoped    // the variables in sight, the outermost first
	hidden  []int       // those of them that a label's code does not see
	vars    []code.Var  // those that went out of sight
}

func (a *assembler) here() int { return len(a.b.unit.Words) - a.start }

func word(op code.Op, x, ra, rb, rc int) uint64 {
	return uint64(op) | uint64(uint8(x))<<code.ShiftX | uint64(uint16(ra))<<code.ShiftA | uint64(uint16(rb))<<code.ShiftB | uint64(uint16(rc))<<code.ShiftC
}
func wordD(op code.Op, x, ra, d int) uint64 {
	return uint64(op) | uint64(uint8(x))<<code.ShiftX | uint64(uint16(ra))<<code.ShiftA | uint64(uint32(d))<<code.ShiftD
}

// reg is the operand of a register.
func reg(i int) int { return i * 8 }

// emit adds a word unless it cannot be reached.
func (a *assembler) emit(w uint64) {
	if a.dead {
		return
	}
	a.b.unit.Words = append(a.b.unit.Words, w)
	switch code.Op(uint8(w)) {
	case code.JMP, code.LOOP, code.RET, code.RETI, code.RETW, code.TCALL, code.TCALLG, code.TCALLK, code.TCALLC, code.ADDRET, code.ADDIRET:
		a.dead = true
	}
}

func (a *assembler) op3(op code.Op, d, x, y int) { a.emit(word(op, 0, reg(d), reg(x), reg(y))) }
func (a *assembler) op2(op code.Op, d, x int)    { a.emit(word(op, 0, reg(d), reg(x), 0)) }

func (a *assembler) move(d, s int) {
	if d == s {
		return
	}
	if p, ok := a.previous(); ok && code.Op(uint8(*p)) == code.MOVE && d <= maxByteRegister {
		*p = *p&^0xff | uint64(code.MOVE2) | uint64(d)<<code.ShiftX | uint64(reg(s))<<code.ShiftC
		return
	}
	a.op2(code.MOVE, d, s)
}

// previous answers the last word when an instruction that follows may be fused with it.
func (a *assembler) previous() (*uint64, bool) {
	if n := a.here(); n > 0 && a.placed != n && !a.dead {
		return &a.b.unit.Words[a.start+n-1], true
	}
	return nil, false
}

func (a *assembler) ret(r int) {
	if p, ok := a.previous(); ok && int(*p>>code.ShiftA&0xffff) == reg(r) && r >= 2 && !a.chained() {
		switch code.Op(uint8(*p)) {
		case code.ADD:
			*p, a.dead = *p&^0xff|uint64(code.ADDRET), true
			return
		case code.ADDI:
			*p, a.dead = *p&^0xff|uint64(code.ADDIRET), true
			return
		}
	}
	a.emit(word(code.RET, 0, reg(r), 0, 0))
}

// chain lets the value that the last instruction computes go from it to the one that follows, op on the operands x and y,
// when it is a temporary. It answers the operands in the order to be used.
func (a *assembler) chain(op code.Op, xn node, x int, yn node, y int) (int, int, bool) {
	p, ok := a.previous()
	if !ok || !code.BeginsChain(code.Op(uint8(*p))) {
		return x, y, false
	}
	t := int(*p >> code.ShiftA & 0xffff)
	if t == reg(y) {
		xn = yn
	}
	if _, variable := xn.(*ref); variable {
		return x, y, false
	}
	c, swap := code.Chain(op, t, reg(x), reg(y))
	*p = *p&^0xff | uint64(code.Paired(code.Op(uint8(*p)), c)) | uint64(c)<<code.ShiftChain
	if swap {
		return y, x, true
	}
	return x, y, false
}

// chained reports whether the last instruction ends a chain.
func (a *assembler) chained() bool {
	n := a.here()
	return n >= 2 && code.Chained(a.b.unit.Words[a.start+n-2]) != code.ChainNone
}

// added takes back an ADDI of a small constant, emitted last, that makes the only argument in the window w.
func (a *assembler) added(w, n int) (r, i int, ok bool) {
	p, ok := a.previous()
	if !ok || n != 1 || code.Op(uint8(*p)) != code.ADDI || int(*p>>code.ShiftA&0xffff) != reg(w+2) {
		return 0, 0, false
	}
	r, i = int(*p>>code.ShiftB&0xffff), int(int16(*p>>code.ShiftC))
	if i < math.MinInt8 || i > math.MaxInt8 {
		return 0, 0, false
	}
	a.b.unit.Words = a.b.unit.Words[:a.start+a.here()-1]
	return r, i, true
}

// callGlobal calls the procedure of a global slot with n arguments in the window w.
func (a *assembler) callGlobal(op code.Op, x, w, n, slot int, span syntax.Span) {
	if op == code.CALLG {
		if r, i, ok := a.added(w, n); ok {
			a.at(span)
			a.emit(word(code.CALLGADDI, i, reg(w), r, slot))
			return
		}
	}
	a.at(span)
	a.emit(word(op, x, reg(w), n, slot))
}

// callKnown calls the procedure c, which captures nothing, with n arguments in the window w.
func (a *assembler) callKnown(c knownCall, w, n int, span syntax.Span) {
	in := word(code.CALLK, n, reg(w), 0, 0)
	if c.g != nil || c.m == a.lam && a.here() < math.MaxInt16 { // the distance fits 16 bits, or CALLGADDI does it
		if r, i, ok := a.added(w, n); ok {
			in = word(code.CALLKADDI, i, reg(w), r, 0)
		}
	}
	if a.dead {
		return
	}
	a.at(span)
	a.b.call(c)
	a.emit(in)
}

// place puts l here. A jump to it that has just been emitted is taken back.
func (a *assembler) place(l *label) {
	for len(l.refs) > 0 {
		n := a.here()
		r := l.refs[len(l.refs)-1]
		if r != n-1 || a.placed == n || code.Op(uint8(a.b.unit.Words[a.start+r])) != code.JMP {
			break
		}
		a.b.unit.Words = a.b.unit.Words[:a.start+r]
		l.refs = l.refs[:len(l.refs)-1]
		a.dead = false
	}
	l.pos = a.here()
	if len(l.refs) > 0 {
		a.dead = false
	}
	for _, r := range l.refs {
		a.patch(r, l.pos)
	}
	l.refs = nil
	if !a.dead {
		a.placed = l.pos
	}
}

// errFar restarts a procedure with long jumps.
type errFar struct{}

// patch gives the jump at word r the target pos.
func (a *assembler) patch(r, pos int) {
	p := &a.b.unit.Words[a.start+r]
	d := pos - (r + 1)
	switch code.Table[code.Op(uint8(*p))].Format {
	case code.FABJ, code.FAIJ:
		if d < math.MinInt16 || d > math.MaxInt16 {
			panic(errFar{})
		}
		*p = *p&^(0xffff<<code.ShiftC) | uint64(uint16(d))<<code.ShiftC
	default:
		*p = *p&(1<<code.ShiftD-1) | uint64(uint32(d))<<code.ShiftD
	}
}

func (a *assembler) refer(l *label) {
	if a.dead {
		return
	}
	r := a.here() - 1
	if l.pos >= 0 {
		a.patch(r, l.pos)
	} else {
		l.refs = append(l.refs, r)
	}
}

// jump goes to l, polling when that is backwards.
func (a *assembler) jump(l *label) {
	if a.dead {
		return
	}
	op := code.JMP
	if l.pos >= 0 {
		op = code.LOOP
	}
	a.emit(wordD(op, 0, 0, 0))
	a.dead = false
	a.refer(l)
	a.dead = true
}

// jumpIf emits the conditional jump op on the operands x and y (already scaled) to l.
func (a *assembler) jumpIf(op code.Op, x, y int, l *label) {
	if a.dead {
		return
	}
	short := code.Table[op].Format == code.FABJ || code.Table[op].Format == code.FAIJ
	if short && a.far || l.pos >= 0 && !code.Pollable(op) { // over a long jump, or one that is polled
		over := newLabel()
		a.emit(word(negate(op), a.note, x, y, 0))
		a.refer(over)
		a.jump(l)
		a.place(over)
		return
	}
	if l.pos >= 0 {
		op = code.Polled(op)
		if add, counter, ok := code.Counting(op); ok {
			r := x
			if counter == code.ShiftB {
				r = y
			}
			if p, ok := a.previous(); ok && code.Op(uint8(*p)) == code.ADDI && int(*p>>code.ShiftA&0xffff) == r {
				*p = *p&^0xff | uint64(add)
			}
		}
	}
	if short {
		a.emit(word(op, a.note, x, y, 0))
	} else {
		a.emit(wordD(op, 0, x, 0))
	}
	a.refer(l)
}

// negate answers the jump on the opposite condition: they come in pairs from JF on.
func negate(op code.Op) code.Op {
	if op >= code.JCLT && op <= code.JNREC {
		return code.JCLT + ((op - code.JCLT) ^ 1)
	}
	return code.JF + ((op - code.JF) ^ 1)
}

// temp takes the next register.
func (a *assembler) temp() int {
	r := a.top
	a.top++
	a.need(a.top)
	return r
}

func (a *assembler) need(n int) {
	if n > a.regs {
		a.regs = n
		if n > maxRegisters {
			span := a.lam.span
			if span.Source == nil {
				span = a.last
			}
			panic(&Error{span, "a procedure that needs more than 4000 registers; split it"})
		}
	}
}

// at notes the place of the next instruction.
func (a *assembler) at(s syntax.Span) {
	if s.Source == nil || a.dead || s.Start == a.last.Start && s.Source == a.last.Source {
		return
	}
	a.last = s
	file, line, col := a.b.position(s)
	w := int32(a.start + a.here())
	if n := len(a.lines); n > 0 && a.lines[n-1].Word == w {
		a.lines = a.lines[:n-1]
	}
	a.lines = append(a.lines, code.Line{Word: w, Line: line, Column: col, File: file})
}
