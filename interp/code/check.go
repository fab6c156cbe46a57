package code

import (
	"errors"
	"fmt"

	"caper/interp/heap"
)

// This file checks single instructions for the verifier, by the formats of the instruction table.

// The parts of an instruction word.
type parts struct {
	op      Op
	x       int
	a, b, c int // unsigned
	d       int // signed
}

func split(w uint64) parts {
	return parts{
		op: Op(uint8(w)), x: int(w >> ShiftX & 0xff), a: int(w >> ShiftA & 0xffff), b: int(w >> ShiftB & 0xffff), c: int(w >> ShiftC),
		d: int(int32(w >> ShiftD)),
	}
}

// instruction checks the one at word i of the procedure.
func (v *verifier) instruction(i int) error {
	w := v.u.Words[v.p.Start+i]
	in := split(w)
	row := Table[in.op]
	if err := v.reloc(i, in); err != nil {
		return err
	}
	var err error
	switch row.Format {
	case FNone, FD, FX:
	case FA, FAD:
		err = v.regs(in.a)
	case FStatic:
		err = v.regs(in.a)
	case FAB, FABI:
		err = v.regs(in.a, in.b)
	case FABX:
		err = v.regs(in.a, in.b)
	case FABC:
		err = v.regs(in.a, in.b, in.c)
	case FAJ:
		if err = v.regs(in.a); err == nil {
			err = v.jump(i, in.op, in.d)
		}
	case FJ:
		err = v.jump(i, in.op, in.d)
	case FABJ:
		if err = v.regs(in.a, in.b); err == nil {
			err = v.jump(i, in.op, int(int16(in.c)))
		}
	case FAIJ:
		if err = v.regs(in.a); err == nil {
			err = v.jump(i, in.op, int(int16(in.c)))
		}
	case FAN:
		err = v.window(in.a, in.b)
	case FANG:
		err = v.window(in.a, in.b)
	case FABXG:
		if err = v.regs(in.b); err == nil {
			err = v.window(in.a, 1)
		}
	case FCallK:
		err = v.known(i, in, in.x, in.d)
	case FABXK:
		if err = v.regs(in.b); err == nil {
			err = v.known(i, in, 1, int(int16(in.c)))
		}
	case FMoves:
		err = v.regs(in.a, in.b, in.x*8, in.c)
	case FFree:
		if err = v.regs(in.a); err == nil {
			err = v.capture(in.b, v.p.Info.Captures())
		}
	case FClosure:
		if err = v.regs(in.a); err == nil {
			err = v.closure(i, in)
		}
	case FPrim:
		if err = v.regs(in.a); err == nil {
			err = v.primitive(in)
		}
	case FField:
		err = v.regs(in.a, in.b, in.x*8)
	case FGlobal:
		if err = v.regs(in.a); err == nil {
			err = v.global(uint64(uint32(in.d)))
		}
	case FPatch:
		if err = v.regs(in.a, in.b); err == nil {
			err = v.patch(i, in)
		}
	default:
		err = fmt.Errorf("%s cannot stand in a unit", row.Name)
	}
	if err == nil {
		err = v.special(i, in)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", row.Name, err)
	}
	return nil
}

// distance answers how far a jump goes.
func distance(w uint64) (d int, ok bool) {
	in := split(w)
	if in.op >= OpEnd {
		return 0, false
	}
	switch Table[in.op].Format {
	case FAJ, FJ:
		return in.d, true
	case FABJ, FAIJ:
		return int(int16(in.c)), true
	}
	return 0, false
}

// patch checks that a closure is completed only right after it was made: nothing else may be written into.
func (v *verifier) patch(i int, in parts) error {
	n, ok := v.made[in.a]
	if !ok || v.land[i] {
		return errors.New("no closure was made in that register just before")
	}
	return v.capture(in.c, n)
}

// closures follows which registers hold closures made in the present run of such instructions.
func (v *verifier) closures(i int) {
	in := split(v.u.Words[v.p.Start+i])
	if v.land[i] && len(v.made) > 0 {
		clear(v.made)
	}
	switch in.op {
	case CLOSURE:
		v.made[in.a] = v.u.Procs[v.entry[int(uint32(in.d))/8]].Info.Captures()
	case LOADW:
		delete(v.made, in.a)
	case PATCH:
	default:
		if len(v.made) > 0 {
			clear(v.made)
		}
	}
}

// special checks what a format alone does not say.
func (v *verifier) special(i int, in parts) error {
	switch in.op {
	case HALT:
		if v.p.Start+i != v.p.End-1 {
			return errors.New("before the end")
		}
	case ENTER, CALLW:
		return errors.New("only the machine makes these")
	case MKCASE:
		if in.x == 0 {
			return errors.New("no clauses")
		}
		return v.regs(in.b + 8*(in.x-1))
	case ADDLT, ADDLTI, ADDNEQ, ADDNEQI, ADDNLT: // HALT is last: there is a next word
		next := v.u.Words[v.p.Start+i+1]
		if add, counter, ok := Counting(Op(uint8(next))); !ok || add != in.op || int(next>>counter&0xffff) != in.a {
			return errors.New("not before its jump")
		}
	case STATE, SETSTATE: // what a fiber is charged to is set by the machine's own procedure
		if in.d < 0 || in.d > 3 || in.op == SETSTATE && in.d == 3 {
			return errors.New("no such cell")
		}
	case TREF, TSET:
		if in.x >= len(TableNames) {
			return errors.New("of no name")
		}
	case REAL:
		if in.x >= len(RealFunctions) {
			return fmt.Errorf("function %d", in.x)
		}
	case LOADW, RETW:
		if v.relocs[v.p.Start+i].Kind == noReloc {
			if w := uint64(uint32(in.d)); !heap.IsImmediate(w) && !heap.IsInlineFlonum(w) || w == heap.Raised {
				return fmt.Errorf("%#x is no immediate", w)
			}
		}
	}
	if c := Chained(v.u.Words[v.p.Start+i]); c != ChainNone || First(in.op) != in.op {
		return v.chain(i, in, c)
	}
	// Control must not run off an instruction into nothing: HALT is last, and nothing else may fall into captures.
	return nil
}

// chain checks that the instruction after word i takes its result as chain, and its own name, say.
func (v *verifier) chain(i int, in parts, chain int) error {
	next := split(v.u.Words[v.p.Start+i+1]) // HALT, which is last, begins no chain
	x, y := next.b, next.c
	if !Arith(First(next.op)) {
		x, y = next.a, next.b
	}
	c, swap := Chain(First(next.op), in.a, x, y)
	if !v.head[i+1] || c != chain || swap || Paired(First(in.op), c) != in.op && First(in.op) != in.op {
		return errors.New("the next instruction does not continue the chain")
	}
	return nil
}

// reloc checks that a word is relocated if and as its instruction wants.
func (v *verifier) reloc(i int, in parts) error {
	want := noReloc
	switch in.op {
	case CLOSURE:
		want = RelocD
	case LOADM:
		want = RelocD
		if at := uint64(uint32(in.d)); at%8 != 0 || !v.isCell(int(at/8)) {
			return fmt.Errorf("loadm: nothing to load at offset %d", at)
		}
	case LOADW:
		if v.relocs[v.p.Start+i].Kind == RelocConst {
			want = RelocConst
		}
	}
	if got := v.relocs[v.p.Start+i].Kind; got != want {
		return fmt.Errorf("%s: relocation %d where %d is wanted", Table[in.op].Name, got, want)
	}
	return nil
}

func (v *verifier) regs(offsets ...int) error {
	for _, o := range offsets {
		if o%8 != 0 || o >= v.p.Info.Regs()*8 {
			return fmt.Errorf("register offset %d in a frame of %d registers", o, v.p.Info.Regs())
		}
	}
	return nil
}

func (v *verifier) window(a, n int) error {
	if a%8 != 0 || a+16+8*n > v.p.Info.Regs()*8 {
		return fmt.Errorf("a window at %d with %d arguments in a frame of %d registers", a, n, v.p.Info.Regs())
	}
	return nil
}

// known checks a call of the procedure that begins so many words on.
func (v *verifier) known(i int, in parts, n, distance int) error {
	to, ok := v.entry[v.p.Start+i+1+distance]
	if !ok {
		return fmt.Errorf("no procedure begins %d words on", distance)
	}
	q := &v.u.Procs[to]
	if q.Info.Rest() || q.Info.Required() != n {
		return fmt.Errorf("%d arguments for a procedure that takes %d", n, q.Info.Required())
	}
	if in.op != CALLC && in.op != TCALLC {
		r := noRelocation
		if q.Start >= 2 {
			r = v.relocs[q.Start-2]
		}
		if r.Kind != RelocWhole || v.u.Consts[r.Arg].Datum != (Closure{to}) {
			return errors.New("the closure of that procedure is not before it")
		}
	}
	if in.op == TCALLK || in.op == TCALLC {
		if err := v.regs(in.a); err != nil {
			return err
		}
		return v.regs(8 + 8*n)
	}
	return v.window(in.a, n)
}

// jump checks the target of a jump; only polled ones may go backwards.
func (v *verifier) jump(i int, op Op, distance int) error {
	to := i + 1 + distance
	if to < 0 || to >= len(v.head) || !v.head[to] {
		return fmt.Errorf("jump to word %d", to)
	}
	if to <= i && op != LOOP && op < POLLED {
		return errors.New("jump backwards without a poll")
	}
	return nil
}

func (v *verifier) capture(offset, captures int) error {
	if offset < 16 || offset%8 != 0 || offset >= 16+8*captures {
		return fmt.Errorf("closure offset %d with %d captured variables", offset, captures)
	}
	return nil
}

// closure checks a CLOSURE and its CAPTURE words.
func (v *verifier) closure(i int, in parts) error {
	to, ok := v.entry[int(uint32(in.d))/8]
	if !ok || uint32(in.d)%8 != 0 {
		return fmt.Errorf("no procedure starts at offset %d", uint32(in.d))
	}
	n := 0
	for k := range in.x {
		w := v.u.Words[v.p.Start+i+1+k]
		c := split(w)
		if v.relocs[v.p.Start+i+1+k].Kind != noReloc {
			return errors.New("a capture is relocated")
		}
		if c.x > 7 {
			return fmt.Errorf("capture flags %#x", c.x)
		}
		for j, o := range [3]int{c.a, c.b, c.c} {
			if o == 0xffff {
				if c.x>>j&1 != 0 || k != in.x-1 || j == 0 {
					return errors.New("a hole among the captures")
				}
				continue
			}
			if n != k*3+j {
				return errors.New("a hole among the captures")
			}
			n++
			var err error
			if c.x>>j&1 != 0 {
				err = v.capture(o, v.p.Info.Captures())
			} else {
				err = v.regs(o)
			}
			if err != nil {
				return err
			}
		}
	}
	if want := v.u.Procs[to].Info.Captures(); n != want || n == 0 {
		return fmt.Errorf("%d captures for a procedure that wants %d", n, want)
	}
	return nil
}

func (v *verifier) primitive(in parts) error {
	if in.c >= v.prims {
		return fmt.Errorf("primitive %d of %d", in.c, v.prims)
	}
	if in.x == 0 {
		return v.regs(in.b)
	}
	return v.regs(in.b, in.b+8*(in.x-1))
}

func (v *verifier) global(offset uint64) error {
	const slots = heap.ImageGlobals + heap.PrivateGlobals
	if offset%8 != 0 || offset < heap.GlobalOffset(0) || offset >= heap.GlobalOffset(slots) {
		return fmt.Errorf("no global at offset %#x", offset)
	}
	return nil
}
