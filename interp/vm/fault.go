package vm

import (
	"fmt"
	"unsafe"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines faults: an instruction, a primitive or a call that failed becomes a condition, and the library's
// fault procedure is called with it as if the program had called it there, so that handlers may suspend and the frames
// hold the backtrace.

// SetFaultHandler names the global slot of the procedure of one argument that faults call. Without one, or before it is
// defined, a fault ends the program.
func (m *Machine) SetFaultHandler(slot int) { m.handler = slot }

// SetEnding names the global slot of the procedure that is called with the value of a program that ended well; its value is
// the program's then.
func (m *Machine) SetEnding(slot int) { m.ending = slot }

// endTops returns from the driver with v.
func (m *Machine) endTops(fp up, v heap.Word, fuel int) (up, up, int) {
	if m.ending >= 0 {
		if f := *rg(m.mem, heap.GlobalOffset(m.ending)); heap.IsClosure(f) {
			*rg(fp, 0), *rg(fp, 16) = f, v
			return m.enter(fp, 1, fuel)
		}
	}
	return m.ret(fp, v, fuel)
}

// fault raises a condition of a kind where the frame at fp is about to run ip.
func (m *Machine) fault(fp, ip up, fuel int, kind, message string, irritants ...heap.Word) (up, up, int) {
	return m.faultWith(fp, ip, fuel, m.newCondition(kind, message, m.List(irritants...), heap.Null))
}

// wrongArgument is the fault of an instruction that does what the procedure name does for args[i], with its hint.
func (m *Machine) wrongArgument(fp, ip up, fuel int, name, params string, args []heap.Word, i int, want string) (up, up, int) {
	data := heap.Null
	if hint := prim.Hint(m.ctx.Arena, name, params, args, i, want); hint != "" {
		data = m.hinted(hint)
	}
	message := fmt.Sprintf("%s: argument %d must be %s", name, i+1, want)
	return m.faultWith(fp, ip, fuel, m.newCondition("type-error", message, m.List(args[i]), data))
}

// hinted is the data of a condition with hints.
func (m *Machine) hinted(hints ...string) heap.Word {
	words := []heap.Word{m.SymbolOr("hints")}
	for _, h := range hints {
		words = append(words, m.NewString(h))
	}
	return m.List(m.List(words...))
}

// newCondition is a condition record; its symbol is a string where there is no room for symbols.
func (m *Machine) newCondition(kind, message string, irritants, data heap.Word) heap.Word {
	return m.NewOf(heap.KindRecord, heap.Fixnum(heap.TypeCondition), m.SymbolOr(kind), m.NewString(message), irritants, data, heap.False)
}

// faultWith opens a window above the frame at fp and calls the handler there.
func (m *Machine) faultWith(fp, ip up, fuel int, cond heap.Word) (up, up, int) {
	m.addTrace(cond, fp, m.off(ip))
	window := uint64(m.info(fp).Regs()) * 8
	top := unsafe.Add(fp, window)
	*rg(top, 0) = heap.False
	*rg(top, 8) = m.off(ip)<<16 | window
	return m.callHandler(top, fuel, cond)
}

// replaceByFault calls the handler instead of the procedure whose frame at fp was just made.
func (m *Machine) replaceByFault(fp up, fuel int, cond heap.Word) (up, up, int) {
	m.addTrace(cond, m.callerOf(fp), *rg(fp, 8)>>16)
	return m.callHandler(fp, fuel, cond)
}

// callerOf is the frame below fp; the base frame is its own.
func (m *Machine) callerOf(fp up) up {
	if m.off(fp) == stackBase {
		return fp
	}
	return unsafe.Add(fp, -int(*rg(fp, 8)&0xffff))
}

func (m *Machine) callHandler(fp up, fuel int, cond heap.Word) (up, up, int) {
	f := heap.Unbound
	if m.handler >= 0 {
		f = *rg(m.mem, heap.GlobalOffset(m.handler))
	}
	if !heap.IsClosure(f) || *ld(m.mem, f, 8-heap.TagClosure)>>48 != 1 {
		return m.die(cond, fuel)
	}
	*rg(fp, 0) = f
	*rg(fp, 16) = cond
	ip := ca(m.mem, *ld(m.mem, f, 8-heap.TagClosure))
	if uintptr(fp) > m.limit || fuel < 0 {
		return m.poll(fp, ip, fuel, 0)
	}
	return fp, ip, fuel
}

// die ends the program because of an uncaught condition.
func (m *Machine) die(cond heap.Word, fuel int) (up, up, int) {
	m.ended = true
	m.root[rootResult] = cond
	return m.stop(Step{Kind: Raised, Value: cond}, fuel)
}

// primFault makes the running program see that a primitive failed.
func (m *Machine) primFault(fp, ip up, fuel int) (up, up, int) {
	if which := m.ctx.Fault.Exhausted; which != "" {
		return m.exhausted(fp, ip, fuel, which)
	}
	return m.faultWith(fp, ip, fuel, m.primCondition(fp))
}

// again reports whether a primitive that failed is to be run once more: it wanted memory, and a collection, with so many
// words of the frame at fp in use, may have made room.
func (m *Machine) again(fp up, words int) bool {
	if !m.ctx.Fault.Room {
		return false
	}
	m.ctx.Fault.Room = false
	m.uncounted += m.ctx.Fuel
	top := min(m.off(fp)+uint64(words)*8, m.stackEnd())
	ip := m.primIP
	if ip != nil {
		ip = unsafe.Add(ip, -8)
	}
	m.clearDead(fp, ip, top)
	ok := m.collectTo(top)
	m.ctx.Fuel += m.sweeping()
	return ok
}

func (m *Machine) primCondition(fp up) heap.Word {
	f := &m.ctx.Fault
	if f.Irritants == 0 {
		f.Irritants = heap.Null
	}
	if f.Data == 0 {
		f.Data = heap.Null
	}
	if f.Hint != "" {
		f.Data = m.hinted(f.Hint)
	}
	c := m.newCondition(f.Kind, f.Message, f.Irritants, f.Data)
	m.ctx.Fault = prim.Fault{Irritants: heap.Null, Data: heap.Null}
	return c
}

const traceDepth = 64

// addTrace gives a condition the return offsets of the frames below it.
func (m *Machine) addTrace(cond heap.Word, fp up, ip uint64) {
	if m.IsType(cond, heap.TypeCondition) && m.Size(cond) >= heap.CondSize && m.Field(cond, heap.CondTrace) == heap.False {
		m.SetField(cond, heap.CondTrace, m.traceVector(m.trace(fp, ip)))
	}
}

func (m *Machine) traceVector(offsets []uint64) heap.Word {
	v := m.New(heap.KindVector, len(offsets), heap.False)
	for i, o := range offsets {
		m.SetField(v, i, heap.Fixnum(int64(o)))
	}
	return v
}

// trace is the return offsets of the frames from fp on, which is about to run ip, innermost first. The next trace
// overwrites them: a program that catches errors in a loop makes no garbage of ours.
func (m *Machine) trace(fp up, ip uint64) []uint64 {
	offsets := append(m.traced[:0], ip)
	for o := m.off(fp); o > stackBase && len(offsets) < traceDepth; {
		ri := *rg(m.mem, o+8)
		if ri&0xffff == 0 {
			break
		}
		offsets = append(offsets, ri>>16)
		o -= ri & 0xffff
	}
	return m.traceFiber(offsets)
}

// traceFiber continues a trace into the arena: with the frames of the running fiber that are there, and of its parents.
func (m *Machine) traceFiber(offsets []uint64) []uint64 {
	offsets = m.traceLink(offsets, m.root[rootLink])
	// Where a fiber began, the fibers that wait for it go on: the program's own call of par-map stands there.
	for f := m.root[rootFiber]; len(offsets) < traceDepth && m.Is(f, heap.KindFiber); {
		if f = m.Field(f, fiberParent); m.Is(f, heap.KindFiber) {
			offsets = m.traceLink(offsets, m.Field(f, fiberLink))
		}
	}
	return offsets
}

// traceLink continues a trace with the frames of a continuation.
func (m *Machine) traceLink(offsets []uint64, link heap.Word) []uint64 {
	for len(offsets) < traceDepth && m.Is(link, heap.KindCont) && m.Field(link, 0) != heap.False {
		w := m.Fields(m.Field(link, 0))
		n, ri := m.depthOf(link)-m.depthOf(m.Field(link, 3)), m.Field(link, 2)
		for len(offsets) < traceDepth {
			offsets = append(offsets, ri>>16)
			d := ri & 0xffff / 8
			if d == 0 || d >= n || n > uint64(len(w)) {
				break
			}
			n -= d
			ri = w[n+1]
		}
		link = m.Field(link, 3)
	}
	return offsets
}

// Frame is one line of a backtrace.
type Frame struct {
	Proc         string // "" for an anonymous procedure
	File         string
	Line, Column int     // from 1; 0 when unknown
	Kept         bool    // Vars are known: the frame is still there
	Vars         []Local // outermost first
}

// Local is a variable of a frame, and what write shows of its value, cut short.
type Local struct{ Name, Value string }

// Locate says which source a return offset belongs to.
func (m *Machine) Locate(offset uint64) (Frame, bool) {
	u, q := m.procOfReturn(offset)
	if q == nil {
		return Frame{}, false
	}
	f := Frame{Proc: q.Name}
	word := int32((offset - 8 - u.base) / 8)
	for _, l := range q.Lines {
		if l.Word > word {
			break
		}
		f.Line, f.Column = int(l.Line), int(l.Column)
		if int(l.File) < len(u.unit.Files) {
			f.File, f.Proc = u.unit.Files[l.File].Name, q.Name
			if in := u.unit.Files[l.File].Opened; in != "" {
				f.Proc = in
			}
		}
	}
	return f, true
}

// Begins is where the body of a compiled procedure begins.
func (m *Machine) Begins(f heap.Word) (Frame, bool) {
	if !heap.IsClosure(f) {
		return Frame{}, false
	}
	if clauses := m.Fields(f); m.closureInfo(f).Case() && len(clauses) > 1 && heap.IsClosure(clauses[1]) {
		f = clauses[1]
	}
	entry := *ld(m.mem, f, 8-heap.TagClosure) & 0xffffffff
	u := m.unitAt(entry)
	if u == nil {
		return Frame{}, false
	}
	q := u.procAt(entry)
	if q == nil {
		return Frame{}, false
	}
	for _, l := range q.Lines {
		if int(l.File) < len(u.unit.Files) && u.unit.Files[l.File].Opened == "" {
			return Frame{Proc: q.Name, File: u.unit.Files[l.File].Name, Line: int(l.Line), Column: int(l.Column)}, true
		}
	}
	return Frame{}, false
}

// Backtrace is where a condition was made, innermost first; for other words, where the program stands or ended.
func (m *Machine) Backtrace(cond heap.Word) []Frame {
	offsets := m.deathTrace
	if m.mem != nil && m.IsType(cond, heap.TypeCondition) && m.Size(cond) >= heap.CondSize {
		if t, ok := m.traceOf(cond); ok {
			offsets = t
		}
	} else if offsets == nil && m.mem != nil && m.Is(m.root[rootFiber], heap.KindFiber) {
		offsets = m.traceLink(nil, m.Field(m.root[rootFiber], fiberLink))
	}
	var frames []Frame
	for _, o := range offsets {
		if f, ok := m.Locate(o); ok {
			frames = append(frames, f)
		}
	}
	return frames
}

// traceOf is the trace that a condition was given.
func (m *Machine) traceOf(cond heap.Word) (offsets []uint64, ok bool) {
	t := m.Field(cond, heap.CondTrace)
	if !m.IsVector(t) {
		return nil, false
	}
	for _, w := range m.Fields(t) {
		offsets = append(offsets, w>>3)
	}
	return offsets, true
}

// internalError is the condition for a primitive that panicked: a mistake in it, named.
func (m *Machine) internalError(name string, cause any) heap.Word {
	return m.newCondition("internal-error", fmt.Sprintf("%s: internal error: %v", name, cause), heap.Null, heap.Null)
}
