package vm

import (
	"unsafe"

	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines continuations as programs see them. The chain below the stack is made of KindCont objects of four
// words; what call/cc hands out is a KindCont of reifiedSize words that points into that chain and keeps the dynamic
// state, so that leaving through it costs no library code unless winds must run or another fiber is meant.
const (
	reifiedLink = iota // the chain, #f at the bottom of a fiber
	reifiedWinds
	reifiedHandlers
	reifiedParameters
	reifiedFiber
	reifiedSize
)

// reify makes a procedure of the continuation below the base frame.
func (m *Machine) reify() heap.Word {
	return m.reifyAt(m.Alloc(1 + reifiedSize))
}

func (m *Machine) reifyAt(k uint64) heap.Word {
	*rg(m.mem, k) = heap.Header(heap.KindCont, reifiedSize)
	*rg(m.mem, k+8), *rg(m.mem, k+16) = m.root[rootLink], m.root[rootWinds]
	*rg(m.mem, k+24), *rg(m.mem, k+32), *rg(m.mem, k+40) = m.root[rootHandlers], m.root[rootParameters], m.root[rootFiber]
	return k + heap.TagObject
}

func (m *Machine) isReified(w heap.Word) bool {
	return w&heap.TagMask == heap.TagObject && *ld(m.mem, w, -heap.TagObject) == heap.Header(heap.KindCont, reifiedSize)
}

// near reports whether a continuation is the running fiber's and no winds lie between.
func (m *Machine) near(k heap.Word) bool {
	p := ca(m.mem, k-heap.TagObject+8)
	return *rg(p, 8*reifiedFiber) == m.root[rootFiber] && *rg(p, 8*reifiedWinds) == m.root[rootWinds]
}

// goCallCC is a call of call/cc, as the call instruction in says.
func (m *Machine) goCallCC(fp, ip up, fuel int, in uint64, a uint64) (up, up, int) {
	f := *rg(fp, a+16)
	if op := code.Op(uint8(in)); op != code.TCALL && op != code.TCALLG {
		fp = unsafe.Add(fp, a)
		*rg(fp, 8) = m.off(ip)<<16 | a
	}
	// capture and reify with one allocation
	n := (m.off(fp) - stackBase) / 8
	var k uint64
	if n > 0 {
		k = m.captureTo(m.Alloc(n+1+contWords+1+reifiedSize), fp, n)
	} else {
		k = m.Alloc(1 + reifiedSize)
	}
	fp = ca(m.mem, stackBase)
	*rg(fp, 0), *rg(fp, 8), *rg(fp, 16) = f, baseReturn, m.reifyAt(k)
	if fuel--; heap.IsClosure(f) && fuel >= 0 {
		if e := *ld(m.mem, f, 8-heap.TagClosure); e>>48 == 1 {
			return fp, ca(m.mem, e), fuel
		}
	}
	if fp, ip, fuel = m.enter(fp, 1, fuel); fuel < 0 && !m.stopped {
		return m.poll(fp, ip, fuel, in)
	}
	return fp, ip, fuel
}

// doCont is call/cc where the procedure ends with what was passed to it: that goes on in the same frame.
//
//go:noinline
//go:norace
func (m *Machine) doCont(fp, ip up, fuel int, in uint64) (up, up, int) {
	if m.HP > m.Limit || everySafepoint && m.everyOther() {
		return m.collectRetry(fp, ip, fuel, in)
	}
	var k uint64
	if n := (m.off(fp) - stackBase) / 8; n > 0 {
		regs := uint64(m.info(fp).Regs())
		k = m.captureTo(m.Alloc(n+1+contWords+1+reifiedSize), fp, n)
		base := ca(m.mem, stackBase)
		copyWords(base, fp, regs)
		*rg(base, 8) = baseReturn
		fp = base
	} else {
		k = m.Alloc(1 + reifiedSize)
	}
	*rg(fp, in>>code.ShiftA&0xffff) = m.reifyAt(k)
	if fuel--; fuel < 0 {
		return m.poll(fp, ip, fuel, in)
	}
	return fp, ip, fuel
}

// throw is the call of continuation k in the frame at fp.
func (m *Machine) throw(fp up, k heap.Word, args []heap.Word, fuel int) (up, up, int) {
	if !m.isReified(k) {
		panic(heap.ErrCorrupt)
	}
	if m.near(k) {
		return m.goOn(k, m.join(args), fuel)
	}
	hook := m.root[rootThrow]
	if !heap.IsClosure(hook) || !m.accepts(hook, 2) {
		return m.replaceByFault(fp, fuel, m.newCondition("error", "a continuation cannot be entered from here", heap.Null, heap.Null))
	}
	list := m.List(args...)
	*rg(fp, 0), *rg(fp, 16), *rg(fp, 24) = hook, k, list
	return m.enter(fp, 2, fuel)
}

// goOn returns v to continuation k.
func (m *Machine) goOn(k, v heap.Word, fuel int) (up, up, int) {
	m.adoptState(k)
	return m.underflow(v, fuel, 0)
}

// adoptState makes a continuation's chain and dynamic state the current ones.
func (m *Machine) adoptState(k heap.Word) {
	p := ca(m.mem, k-heap.TagObject+8)
	m.root[rootLink], m.root[rootWinds] = *rg(p, 8*reifiedLink), *rg(p, 8*reifiedWinds)
	m.root[rootHandlers], m.root[rootParameters] = *rg(p, 8*reifiedHandlers), *rg(p, 8*reifiedParameters)
}
