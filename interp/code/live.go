package code

import (
	"slices"

	"caper/interp/heap"
)

// This file finds out which registers of a procedure are still read: what a frame holds beyond them is garbage. It is asked
// by the collector about the procedures that it meets on the stack, so neither the compiler nor the running program
// pays for it.

// Bounds on what is looked at; in larger procedures all registers count as read.
const (
	maxLiveWords = 1 << 15 // of code
	maxLiveRows  = 1 << 15 // words of all rows

	maxLivePasses = 16 // over a procedure, a few more than loops are nested
	maxLiveBlock  = 64 // instructions of a block, for a look-up goes back from a block's end
)

// Liveness knows of every basic block of a procedure which registers are read before they are written.
type Liveness struct {
	words []heap.Word
	row   int     // words of a row
	heads []int32 // where instructions start
	block []int32 // where blocks start, as indexes of heads, and the end
	in    []uint64
}

// NewLiveness looks at the words of a procedure whose frames have so many registers. It answers nil when all registers
// are to count as read.
func NewLiveness(words []heap.Word, regs int) *Liveness {
	if len(words) > maxLiveWords {
		return nil
	}
	l := &Liveness{words: words, row: (regs + 63) / 64}
	leads := make([]bool, len(words)+1)
	for i := 0; i < len(words); {
		in := split(words[i])
		next := i + 1
		if in.op == CLOSURE {
			next += in.x
		}
		if in.op >= OpEnd || next > len(words) || !l.step(nil, i) {
			return nil
		}
		l.heads = append(l.heads, int32(i))
		d, jumps := distance(words[i])
		if jumps {
			if next+d < 0 || next+d >= len(words) {
				return nil
			}
			leads[next+d] = true
		}
		leads[next] = leads[next] || jumps || in.op.leaves()
		i = next
	}
	for k, i := range l.heads {
		if k == 0 || leads[i] || k-int(l.block[len(l.block)-1]) == maxLiveBlock {
			l.block = append(l.block, int32(k))
		}
	}
	blocks := len(l.block)
	l.block = append(l.block, int32(len(l.heads)))
	if blocks*l.row > maxLiveRows {
		return nil
	}
	l.in = make([]uint64, blocks*l.row)
	live := make([]uint64, l.row)
	passes := 0
	for again := true; again; passes++ {
		if passes == maxLivePasses {
			return nil // what was found so far is too little
		}
		again = false
		for b := blocks - 1; b >= 0; b-- {
			l.back(live, b, int(l.block[b]))
			if in := l.of(b); !slices.Equal(in, live) {
				copy(in, live)
				again = true
			}
		}
	}
	return l
}

// leaves reports whether control never falls through an instruction.
func (op Op) leaves() bool {
	switch op {
	case HALT, JMP, LOOP, RET, RETI, RETW, TCALL, TCALLG, TCALLK, TCALLC, ADDRET, ADDIRET:
		return true
	}
	return false
}

func (l *Liveness) of(block int) []uint64 { return l.in[block*l.row : (block+1)*l.row] }

// At is the set of registers that are read from the instruction at word i on; nil when no instruction starts there.
func (l *Liveness) At(i int) []uint64 {
	k, ok := slices.BinarySearch(l.heads, int32(i))
	if !ok {
		return nil
	}
	b, exact := slices.BinarySearch(l.block, int32(k))
	if !exact {
		b--
	}
	live := make([]uint64, l.row)
	l.back(live, b, k)
	return live
}

// back makes live what is read from instruction number k of a block on.
func (l *Liveness) back(live []uint64, block, k int) {
	last := int(l.block[block+1]) - 1
	clear(live)
	join := func(word int) {
		at, _ := slices.BinarySearch(l.heads, int32(word))
		if b, ok := slices.BinarySearch(l.block, int32(at)); ok && b < len(l.block)-1 {
			for i, w := range l.of(b) {
				live[i] |= w
			}
		}
	}
	end := int(l.heads[last])
	if d, ok := distance(l.words[end]); ok {
		join(end + 1 + d)
	}
	if !split(l.words[end]).op.leaves() && last+1 < len(l.heads) {
		join(int(l.heads[last+1]))
	}
	for ; last >= k; last-- {
		l.step(live, int(l.heads[last]))
	}
}

// Writes reports whether an instruction leaves its result in r[A].
func Writes(op Op) bool {
	switch First(op) {
	case GSET, GDEF, FREEBOXSET, BOXSET, PATCH, SETCAR, SETCDR, VSET, BSET, TSET, RSET, SETSTATE, RET, TCALL, TCALLG, TCALLK, TCALLC,
		ADDRET, ADDIRET, JMP, LOOP, RETI, RETW, HALT, ENTER, CAPTURE:
		return false
	}
	switch Table[op].Format {
	case FAJ, FABJ, FAIJ:
		return false
	}
	return true
}

// Affirms reports whether a conditional jump jumps when what it is named for holds; the others jump when it does not.
func Affirms(op Op) bool {
	switch op = Plain(op); {
	case op == JF:
		return false
	case op == JT:
		return true
	case op >= JCLT:
		return (op-JCLT)&1 == 0
	}
	return (op-JF)&1 == 0
}

// step goes back over the instruction at word i. It reports false when it does not know what that reads.
func (l *Liveness) step(live []uint64, i int) bool {
	in := split(l.words[i])
	read := func(offsets ...int) {
		for _, o := range offsets {
			if r := o / 8; r/64 < len(live) {
				live[r/64] |= 1 << (r % 64)
			}
		}
	}
	run := func(from, n int) {
		for j := range n {
			read(from + 8*j)
		}
	}
	write := func(o int) {
		if r := o / 8; r/64 < len(live) {
			live[r/64] &^= 1 << (r % 64)
		}
	}
	switch First(in.op) {
	case MOVE, MKBOX, BOXREF, CAR, CDR, CADR, CDDR, VLEN, NOT, SLEN, CINT, INTC, SQRT, REAL, ADDI, ADDLT, ADDLTI, ADDNEQ, ADDNEQI, ADDNLT:
		write(in.a)
		read(in.b)
	case CONT, STATE, LOADW, LOADI, LOADM, GREF, GREFC, FREE, FREEBOX:
		write(in.a)
	case SETSTATE, GSET, GDEF, FREEBOXSET, RET:
		read(in.a)
	case BOXSET, PATCH, SETCAR, SETCDR:
		read(in.a, in.b)
	case CLOSURE:
		write(in.a)
		for k := range in.x {
			c := split(l.words[i+1+k])
			for j, o := range [3]int{c.a, c.b, c.c} {
				if c.x>>j&1 == 0 && o != 0xffff {
					read(o)
				}
			}
		}
	case MKCASE, PRIM:
		write(in.a)
		run(in.b, in.x)
	case ADD, SUB, MUL, DIV, QUO, REM, MOD, CONS, VREF, EQP, SREF, BREF, RTEST:
		write(in.a)
		read(in.b, in.c)
	case VSET, BSET, TREF, TSET: // TREF leaves the default where it is
		read(in.a, in.b, in.c)
	case RREF:
		write(in.a)
		read(in.b, in.x*8)
	case RSET:
		read(in.a, in.b, in.x*8)
	case CALL, TCALL:
		read(in.a)
		run(in.a+16, in.b)
	case CALLG:
		write(in.a)
		run(in.a+16, in.b)
	case TCALLG:
		run(in.a+16, in.b)
	case CALLK, CALLW:
		write(in.a)
		run(in.a+16, in.x)
	case TCALLK:
		run(16, in.x)
	case CALLC:
		read(in.a)
		run(in.a+16, in.x)
	case TCALLC:
		read(in.a)
		run(16, in.x)
	case MOVE2:
		write(in.x * 8)
		read(in.c)
		write(in.a)
		read(in.b)
	case CALLGADDI, CALLKADDI:
		write(in.a)
		write(in.a + 16)
		read(in.b)
	case ADDRET:
		read(in.b, in.c)
	case ADDIRET:
		read(in.b)
	case JMP, LOOP, RETI, RETW, HALT:
	default: // the conditional jumps
		switch Table[in.op].Format {
		case FAJ, FAIJ:
			read(in.a)
		case FABJ:
			read(in.a, in.b)
		default:
			return false
		}
	}
	return true
}
