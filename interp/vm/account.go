package vm

import (
	"math"

	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines accounts: what a part of a program may still use of fuel. The library makes them, as vectors in the
// joins that fibers work for, and is called where one is spent. They are charged where fibers change places and at the
// ends of slices, which are cut to what is left. Where an account ends must not depend on anything but the program: not on
// slices, not on how often the host collected, parked or restored the machine. So what these cost is not charged, and a
// branch is left only behind instructions that look up wherever the frames lie.

// What the library keeps in a join, and in an account.
const (
	joinOwner   = 0
	joinAccount = 6 // #f: none
	joinSize    = 7

	accountFuel  = 0 // left, negative: spent; #f: any
	accountOuter = 1
	accountSize  = 6
)

// account is the innermost account that the running fiber is charged to, or #f.
func (m *Machine) account() heap.Word { return m.accountOf(m.root[rootSpare]) }

func (m *Machine) accountOf(spare heap.Word) heap.Word {
	if !m.Is(spare, heap.KindVector) || m.Size(spare) != joinSize {
		return heap.False
	}
	return m.soundAccount(m.Field(spare, joinAccount))
}

// soundAccount is a when it is an account, else #f.
func (m *Machine) soundAccount(a heap.Word) heap.Word {
	if !m.Is(a, heap.KindVector) || m.Size(a) != accountSize {
		return heap.False
	}
	return a
}

func (m *Machine) outerAccount(a heap.Word) heap.Word {
	return m.soundAccount(m.Field(a, accountOuter))
}

// leaving reports whether the running fiber runs the winds of fibers that were ended.
func (m *Machine) leaving() bool { return m.leaves(m.root[rootSpare]) }

func (m *Machine) leaves(spare heap.Word) bool {
	return m.Is(spare, heap.KindVector) && m.Size(spare) == joinSize && m.Field(spare, joinOwner) == heap.EOF
}

// charge takes used from an account and those around it. One is in force for a fiber's children only, so that no chain of
// them is longer than one of fibers.
func (m *Machine) charge(a heap.Word, used int64) {
	used = max(used, 0)
	for n := 0; a != heap.False && n <= maxFiberDepth; n++ {
		if left := m.Field(a, accountFuel); heap.IsFixnum(left) {
			m.SetField(a, accountFuel, heap.Fixnum(max(heap.FixnumValue(left)-used, -1)))
		}
		a = m.outerAccount(a)
	}
}

// fuelLeft is the least that is left in an account and those around it.
func (m *Machine) fuelLeft(a heap.Word) (least int64) {
	least = math.MaxInt64
	for n := 0; a != heap.False && n <= maxFiberDepth; n++ {
		if left := m.Field(a, accountFuel); heap.IsFixnum(left) {
			least = min(least, max(heap.FixnumValue(left), 0))
		}
		a = m.outerAccount(a)
	}
	return least
}

// spentAccount is the outermost account of the running fiber that is spent, or #f.
func (m *Machine) spentAccount() heap.Word {
	spent, a := heap.False, m.account()
	for n := 0; a != heap.False && n <= maxFiberDepth; n++ {
		if left := m.Field(a, accountFuel); heap.IsFixnum(left) && heap.FixnumValue(left) < 0 {
			spent = a
		}
		a = m.outerAccount(a)
	}
	return spent
}

// setSpare sets the running fiber's spare cell, which says what it is charged to.
func (m *Machine) setSpare(w heap.Word, fuel int) int {
	m.settle(fuel)
	m.root[rootSpare] = w
	return m.nextSlice()
}

// mayLeave reports whether the running fiber may be made to leave its branch behind the instruction in, for ip. Returns do
// not look up unless the stack was moved away, and what the library does at forks, joins and winds is done whole.
func (m *Machine) mayLeave(fp, ip up, in uint64) bool {
	switch op := code.Op(uint8(in)); op {
	case code.TCALL, code.TCALLG, code.TCALLK, code.TCALLC:
		if f := *rg(fp, 0); !heap.IsClosure(f) || ca(m.mem, *ld(m.mem, f, 8-heap.TagClosure)) != ip {
			return false // back from a procedure of the machine's own
		}
	case code.CALL, code.CALLG, code.CALLGADDI, code.CALLW, code.CALLK, code.CALLC, code.CALLKADDI:
	default:
		if !code.Loops(op) {
			return false
		}
	}
	return m.unitAt(m.off(ip)) != m.unitAt(uint64(uint32(*ld(m.mem, *rg(m.mem, heap.GlobalOffset(m.handler)), 8-heap.TagClosure))))
}

// leave calls the library's fault procedure with a spent account, above the frame at fp; nothing comes back from there.
func (m *Machine) leave(fp, ip up, account heap.Word) (up, up, int) {
	window := uint64(m.info(fp).Regs()) * 8
	top := up(rg(fp, window))
	*rg(top, 0) = heap.False
	*rg(top, 8) = m.off(ip)<<16 | window
	return m.callHandler(top, m.nextSlice(), account)
}

// paid takes what an instruction charged, where an account must see it before the loop looks up again; else that waits for
// the next primitive or the end of the slice.
func (m *Machine) paid() int {
	if m.account() == heap.False {
		return 0
	}
	n := int(m.ctx.Fuel)
	m.ctx.Fuel = 0
	return n
}

// sweeping takes what the collector is to be paid. Accounts do not pay it.
func (m *Machine) sweeping() int64 {
	n := m.swept
	m.swept = 0
	m.uncounted += n
	return n
}

// collectAfterTry is collect where something is done again for which there was no room. Accounts pay for one of the two.
func (m *Machine) collectAfterTry(fp, ip up) bool {
	m.uncounted += m.ctx.Fuel
	return m.collect(fp, ip)
}

// FuelLeft is the most that a call's fiber may use of fuel, where an account says so.
func (m *Machine) FuelLeft(call uint64) (int64, bool) {
	i, ok := m.pendingIndex[call]
	if !ok || m.mem == nil {
		return 0, false
	}
	left := m.fuelLeft(m.accountOf(m.Field(m.pending[i], fiberSpare)))
	return left, left < math.MaxInt64
}

// ChargeCall charges the accounts of a call's fiber with what its host did for it.
func (m *Machine) ChargeCall(call uint64, fuel int64) {
	if i, ok := m.pendingIndex[call]; ok && m.mem != nil {
		m.charge(m.accountOf(m.Field(m.pending[i], fiberSpare)), fuel)
	}
}
