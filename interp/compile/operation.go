package compile

import (
	"caper/interp/code"
	"caper/interp/heap"
)

// This file emits the primitives that the machine has instructions for, and PRIM for the others.

// primitive puts the value of p into dst.
func (a *assembler) primitive(p *primitive, dst int) {
	top := a.top
	switch p.kind {
	case primUnary, primNot:
		x := a.first(p.args[0], dst)
		if a.secondOfPair(p, x, dst) {
			break
		}
		a.at(p.span)
		a.emit(word(p.op, p.num, reg(dst), reg(x), 0))
	case primBinary, primEq:
		a.binary(p, dst)
	case primType, primOrder, primChar, primParity:
		no, end := newLabel(), newLabel()
		a.test(p, false, no)
		a.emit(wordD(code.LOADW, 0, reg(dst), int(heap.True)))
		a.jump(end)
		a.place(no)
		a.emit(wordD(code.LOADW, 0, reg(dst), int(heap.False)))
		a.place(end)
	case primStore2, primStore3:
		a.store(p)
		a.emit(wordD(code.LOADW, 0, reg(dst), int(heap.Unspecified)))
	case primField:
		a.field(p, dst)
		if p.op == code.RSET {
			a.emit(wordD(code.LOADW, 0, reg(dst), int(heap.Unspecified)))
		}
	case primRecord:
		x := a.any(p.args[0])
		t := a.any(p.args[1])
		a.op3(code.RTEST, dst, x, t)
	case primList:
		a.list(p, dst)
	case primTable:
		a.lookup(p, dst)
	case primCont:
		a.at(p.span)
		a.emit(word(code.CONT, 0, reg(dst), 0, 0))
	case primState:
		if p.op == code.STATE {
			a.emit(wordD(code.STATE, 0, reg(dst), p.num))
			break
		}
		a.emit(wordD(code.SETSTATE, 0, reg(a.final(p.args[0])), p.num))
		a.emit(wordD(code.LOADW, 0, reg(dst), int(heap.Unspecified)))
	default:
		a.prim(p, dst)
	}
	a.top = top
}

// secondOfPair makes one instruction of a CDR into dst, emitted last, and the CAR or CDR p of that.
func (a *assembler) secondOfPair(p *primitive, x, dst int) bool {
	q, ok := p.args[0].(*primitive)
	if !ok || x != dst || q.span != p.span || p.op != code.CAR && p.op != code.CDR {
		return false
	}
	w, ok := a.previous()
	if !ok || *w&(0xff|0xffff<<code.ShiftA) != word(code.CDR, 0, reg(dst), 0, 0) {
		return false
	}
	op := code.CADR
	if p.op == code.CDR {
		op = code.CDDR
	}
	*w = *w&^0xff | uint64(op)
	return true
}

func (a *assembler) binary(p *primitive, dst int) {
	if p.op == code.ADD || p.op == code.SUB {
		for side := 1; side >= 0; side-- {
			i, ok := small(p.args[side])
			if p.op == code.SUB {
				i = -i
			}
			// Adding an exact zero must keep -0.0: that is the general form's business.
			if !ok || i == 0 || i > 1<<15-1 || p.op == code.SUB && side == 0 {
				continue
			}
			x := a.first(p.args[1-side], dst)
			a.at(p.span)
			note := 0
			switch {
			case p.op == code.SUB:
				note = code.NoteMinus
			case side == 0:
				note = code.NoteRight
			}
			a.emit(word(code.ADDI, note, reg(dst), reg(x), i))
			return
		}
	}
	x := a.first(p.args[0], dst)
	y := a.final(p.args[1])
	if p.op != code.EQP && p.op != code.CONS {
		a.at(p.span)
	}
	note := 0
	if code.Arith(p.op) {
		var swapped bool
		if x, y, swapped = a.chain(p.op, p.args[0], x, p.args[1], y); swapped {
			note = code.NoteSwapped
		}
	}
	a.emit(word(p.op, note, reg(dst), reg(x), reg(y)))
}

// lookup emits TREF: its default stands where the value comes.
func (a *assembler) lookup(p *primitive, dst int) {
	free := dst == a.top-1 // see first
	t := a.any(p.args[0])
	k := a.any(p.args[1])
	free = free || t != dst && k != dst && plain(p.args[2])
	d := dst
	if !free {
		d = a.temp()
	}
	a.generate(p.args[2], where{dst: d})
	a.at(p.span)
	a.emit(word(p.op, p.num, reg(d), reg(t), reg(k)))
	a.move(dst, d)
}

func (a *assembler) store(p *primitive) {
	top := a.top
	var r [3]int
	for i, x := range p.args {
		r[i] = a.any(x)
	}
	a.at(p.span)
	a.emit(word(p.op, p.num, reg(r[0]), reg(r[1]), reg(r[2])))
	a.top = top
}

func (a *assembler) list(p *primitive, dst int) {
	var r [maxListInline]int
	for i, x := range p.args {
		r[i] = a.any(x)
	}
	t := a.temp()
	a.emit(wordD(code.LOADW, 0, reg(t), int(heap.Null)))
	for i := len(p.args) - 1; i > 0; i-- {
		a.op3(code.CONS, t, r[i], t)
	}
	a.op3(code.CONS, dst, r[0], t)
}

// prim emits PRIM; its arguments stand in consecutive registers.
func (a *assembler) prim(p *primitive, dst int) {
	first, ok := a.standing(p.args)
	if !ok {
		first = a.top
		for _, x := range p.args {
			t := a.temp()
			a.generate(x, where{dst: t})
		}
	}
	if len(p.args) == 0 {
		first = dst // a register that the frame has
	}
	a.at(p.span)
	a.emit(word(code.PRIM, len(p.args), reg(dst), reg(first), p.num))
}

// standing reports whether the arguments are variables that stand in consecutive registers already.
func (a *assembler) standing(args []node) (first int, ok bool) {
	for i, x := range args {
		r, isRef := x.(*ref)
		if !isRef || r.v.owner != a.lam || r.v.boxed || r.v.assigned || r.v.static || r.v == a.lam.self {
			return 0, false
		}
		if i == 0 {
			first = r.v.reg
		} else if r.v.reg != first+i {
			return 0, false
		}
	}
	return first, len(args) > 0
}
