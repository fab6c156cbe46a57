package vm

import (
	"cmp"
	"slices"

	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines what a host may do about a condition that nothing catches, while the fiber that raised it still stands
// there: look into its frames, and have it go on with a value.

// failedCall is the native %failed-call.
func (m *Machine) failedCall(obj heap.Word) heap.Word {
	if f := m.root[rootFailed]; heap.IsPair(f) && m.Car(f) == obj && m.Car(m.Cdr(f)) == m.root[rootFiber] {
		return m.Cdr(m.Cdr(f))
	}
	return heap.Null
}

// deliver is the native %deliver, which the fault handler ends with: its frame lies at fp. Where an instruction failed, the
// value becomes what that would have come to.
func (m *Machine) deliver(fp up, v heap.Word, fuel int) (up, up, int) {
	ret, ip := *rg(fp, 8), up(nil)
	if m.off(fp) == stackBase {
		if m.root[rootLink] == heap.False {
			return m.ret(fp, v, fuel)
		}
		ret = m.Field(m.root[rootLink], contReturn/8-1)
		fp, ip, fuel = m.underflow(v, fuel, backWords)
	} else {
		fp, ip, fuel = m.ret(fp, v, fuel)
	}
	if ret&0xffff != uint64(m.info(fp).Regs())*8 {
		return fp, ip, fuel // a call failed: it has its value
	}
	in := *rg(m.mem, m.off(ip)-8)
	op := code.First(code.Op(uint8(in)))
	a := in >> code.ShiftA & 0xffff
	switch format := code.Table[op].Format; {
	case op == code.TCALL || op == code.TCALLG || op == code.TCALLK || op == code.TCALLC || op == code.ADDRET || op == code.ADDIRET || op == code.RET:
		return m.ret(fp, v, fuel)
	case format == code.FAJ || format == code.FABJ || format == code.FAIJ:
		if truth := v != heap.False; truth == code.Affirms(op) {
			d := int64(in) >> code.ShiftC
			if format == code.FAJ {
				d = int64(in) >> code.ShiftD
			}
			return fp, ca(m.mem, uint64(int64(m.off(ip))+d*8)), fuel
		}
	case op == code.CALLGADDI || op == code.CALLKADDI: // the sum failed: the call is still to be made
		f := *rg(m.mem, in>>code.ShiftC<<3+heap.GlobalBase)
		if op == code.CALLKADDI {
			f = *rg(m.mem, uint64(int64(m.off(ip))+int64(in)>>code.ShiftC*8)-16)
		}
		to := m.off(ip)<<16 | a
		fp = ca(m.mem, m.off(fp)+a)
		*rg(fp, 0), *rg(fp, 8), *rg(fp, 16) = f, to, v
		return m.enter(fp, 1, fuel)
	case code.Writes(op):
		*rg(fp, a) = v
	}
	return fp, ip, fuel
}

// Look is where a condition was made, as the fiber that waits in a host call has it on its stack: innermost first, with the
// variables of the frames that are still there.
func (m *Machine) Look(call uint64, cond heap.Word) (frames []Frame) {
	i, ok := m.pendingIndex[call]
	if !ok || m.mem == nil {
		return nil
	}
	stack := m.frames(m.Field(m.pending[i], fiberLink))
	var offsets []uint64
	made := false
	if m.IsType(cond, heap.TypeCondition) && m.Size(cond) >= heap.CondSize {
		offsets, made = m.traceOf(cond)
	}
	if !made {
		for _, s := range stack {
			offsets = append(offsets, s.offset)
		}
	}
	for _, o := range offsets {
		f, ok := m.Locate(o)
		if !ok {
			continue
		}
		for i, s := range stack {
			if s.offset == o {
				f.Kept, f.Vars = true, m.vars(s)
				stack = stack[i+1:]
				break
			}
		}
		frames = append(frames, f)
	}
	return frames
}

// stacked is a frame of a fiber that waits: where it goes on, and its words.
type stacked struct {
	offset uint64
	words  []heap.Word
}

// frames are those of a continuation, innermost first, so many as a trace has and the library may have above.
func (m *Machine) frames(link heap.Word) (all []stacked) {
	for len(all) < 2*traceDepth && m.Is(link, heap.KindCont) && m.Field(link, 0) != heap.False {
		w := m.Fields(m.Field(link, 0))
		n, ri := m.depthOf(link)-m.depthOf(m.Field(link, 3)), m.Field(link, 2)
		for len(all) < 2*traceDepth && n <= uint64(len(w)) {
			d := ri & 0xffff / 8
			if d == 0 || d > n {
				break
			}
			all = append(all, stacked{ri >> 16, w[n-d : n]})
			if n -= d; n == 0 {
				break
			}
			ri = w[n+1]
		}
		link = m.Field(link, 3)
	}
	return all
}

// mostVars bounds the variables that are shown of a frame.
const mostVars = 40

// vars are the variables in sight where a frame stands. What the program reads no more the collector may have made #f.
func (m *Machine) vars(s stacked) (all []Local) {
	u, q := m.procOfReturn(s.offset)
	if q == nil {
		return nil
	}
	word := int32((s.offset - 8 - u.base) / 8)
	vars := slices.Clone(q.Vars)
	slices.SortStableFunc(vars, func(a, b code.Var) int { return cmp.Compare(uint32(a.Reg), uint32(b.Reg)) }) // what was captured comes last
	live := m.liveAt(s.offset << 16)
	for _, v := range vars {
		if word < v.From || word >= v.To || len(all) == mostVars {
			continue
		}
		w, read := heap.Unbound, true
		if r := int(v.Reg); r < 0 {
			if c := s.words[0]; heap.IsClosure(c) && uint64(-r) < m.Size(c) {
				w = m.Fields(c)[-r]
			}
		} else if r < len(s.words) {
			w = s.words[r]
			read = live == nil || r/64 < len(live) && live[r/64]>>(r%64)&1 != 0
		}
		if m.Is(w, heap.KindBox) {
			w = m.Field(w, 0)
		}
		l := Local{v.Name, m.Describe(w)}
		switch {
		case w == heap.Unbound:
			l.Value = "not set yet"
		case w == heap.False && !read:
			l.Value = "#f, or no longer kept: nothing reads it any more"
		}
		all = append(all, l)
	}
	return all
}
