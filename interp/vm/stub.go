package vm

import (
	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines the code that every image starts with: the few instruction sequences that the machine itself needs.
// They lie at fixed offsets.

// Sub-operations of ENTER. The first five appear inside stub procedures and are executed by the loop; the others
// are the whole body of a native procedure, which the slow call path recognises by its first instruction.
const (
	subUnderflow  = iota // the base frame returns here
	subNextTop           // the driver of top-level procedures: next closure, or the end
	subSpread            // call-with-values: tail call with the values of r[4]
	subGuard             // %guard: makes its body guarded
	subUnguard           // and ends that
	subPrim              // a primitive's procedure, its number in field C; B of natives: 1 + most arguments, 0 any number
	subCaseLambda        // marks the body shared by all case-lambda closures
	subApply             // from here on those of Control
	subValues
	subCallCC
	subContFiber
	subContWinds
	subContinue
	subWithin
	subSetThrow
	subHost
	subSpawn
	subPark
	subWake
	subSelf
	subKill
	subFiberDone
	subFiberParent
	subFiberWaiting
	subState
	subSetState
	subFailedCall
	subHolds
	subDeliver
	subDie
	subBacktrace
	subCatch
	subCollect
)

const (
	stubHalt      = heap.ImageLo
	stubUnderflow = heap.ImageLo + 8
	stubDriver    = heap.ImageLo + 24 // its info word lies before it
	stubCase      = heap.ImageLo + 24 + 48
	stubValues    = heap.ImageLo + 24 + 48 + 24
	stubGuard     = heap.ImageLo + 24 + 48 + 24 + 40

	driverClosure = heap.ImageLo + 184 + heap.TagClosure

	stackBase  = heap.StackLo + 16
	baseReturn = stubUnderflow<<16 | 16
)

// ins assembles an instruction.
func ins(op code.Op, x, a, b, c uint64) uint64 {
	return uint64(op) | (x&0xff)<<code.ShiftX | (a&0xffff)<<code.ShiftA | (b&0xffff)<<code.ShiftB | (c&0xffff)<<code.ShiftC
}

// insD assembles an instruction with a D operand.
func insD(op code.Op, a uint64, d int64) uint64 {
	return uint64(op) | (a&0xffff)<<code.ShiftA | uint64(d)<<code.ShiftD
}

const (
	driverRegs = 7
	valuesRegs = 7
	guardRegs  = 7
)

// bootStubs writes the stubs at the start of a builder's image.
func (m *Machine) bootStubs() {
	words := []uint64{
		ins(code.HALT, 0, 0, 0, 0),
		ins(code.ENTER, subUnderflow, 0, 0, 0),

		// The driver: r[2] the list of closures to run, r[3] the last value.
		uint64(code.NewInfo(driverRegs, 1, 0, false, false)),
		ins(code.ENTER, subNextTop, 0, 0, 0), // r[4] = car, r[2] = cdr, or return r[3]
		ins(code.CALL, 0, 32, 0, 0),
		ins(code.MOVE, 0, 24, 32, 0),
		insD(code.LOOP, 0, -4),
		ins(code.HALT, 0, 0, 0, 0),

		// What case-lambda closures enter: never executed, the slow call path chooses the clause.
		uint64(code.NewInfo(2, 0, 0, false, true)),
		ins(code.ENTER, subCaseLambda, 0, 0, 0),
		ins(code.HALT, 0, 0, 0, 0),

		// call-with-values: r[2] the producer, r[3] the consumer.
		uint64(code.NewInfo(valuesRegs, 2, 0, false, false)),
		ins(code.MOVE, 0, 32, 16, 0),
		ins(code.CALL, 0, 32, 0, 0),
		ins(code.ENTER, subSpread, 0, 0, 0),
		ins(code.HALT, 0, 0, 0, 0),

		// %guard: r[2] the body, r[3] the handler.
		uint64(code.NewInfo(guardRegs, 2, 0, false, false)),
		ins(code.MOVE, 0, 32, 16, 0),
		ins(code.ENTER, subGuard, 0, 0, 0), // r[2] = the outer handlers
		ins(code.CALL, 0, 32, 0, 0),
		ins(code.ENTER, subUnguard, 0, 0, 0),
		ins(code.RET, 0, 32, 0, 0),
		ins(code.HALT, 0, 0, 0, 0),
	}
	o := m.Static(uint64(len(words)))
	copy(m.Words(o, o+uint64(len(words))*8), words)
	if m.staticClosure(stubDriver, code.NewInfo(driverRegs, 1, 0, false, false)) != driverClosure {
		panic("the stubs moved")
	}
	m.maxRegs = max(driverRegs, valuesRegs, guardRegs)
	u := &placed{base: heap.ImageLo, end: heap.ImageLo + uint64(len(words))*8, unit: &code.Unit{
		Name: "machine",
		Procs: []code.Proc{
			{Name: "top level", Start: (stubDriver - heap.ImageLo) / 8, End: (stubDriver-heap.ImageLo)/8 + 5, Info: code.NewInfo(driverRegs, 1, 0, false, false)},
			{Name: "case-lambda", Start: (stubCase - heap.ImageLo) / 8, End: (stubCase-heap.ImageLo)/8 + 2, Info: code.NewInfo(2, 0, 0, false, true)},
			{Name: "call-with-values", Start: (stubValues - heap.ImageLo) / 8, End: (stubValues-heap.ImageLo)/8 + 4, Info: code.NewInfo(valuesRegs, 2, 0, false, false), Params: []string{"producer", "consumer"}},
			{Name: "guard", Start: (stubGuard - heap.ImageLo) / 8, End: (stubGuard-heap.ImageLo)/8 + 6, Info: code.NewInfo(guardRegs, 2, 0, false, false), Params: []string{"body", "handler"}},
		},
	}}
	m.units = append(m.units, u)
}

// staticClosure makes a closure without free variables in the static area.
func (m *Machine) staticClosure(entry uint64, info code.Info) heap.Word {
	o := m.Static(2)
	m.Store(o, heap.Header(heap.KindClosure, 1))
	m.Store(o+8, code.Entry(entry, info))
	return o + heap.TagClosure
}

// BindPrimitives makes the procedures of every primitive and of Control and stores each in the global slot that slot
// names; those it does not know are left out. It belongs to the builder of an image.
func (m *Machine) BindPrimitives(slot func(name string) (int, bool)) {
	u := &code.Unit{Name: "machine"}
	n := len(Control)
	if m.cfg.Prims != nil {
		n += len(m.cfg.Prims.Rows)
	}
	u.Words, u.Procs = make([]uint64, 0, 3*n), make([]code.Proc, 0, n)
	m.names = make(map[int]string, 2*n) // and the library's
	slots := make([]int, 0, n)
	add := func(name string, sub, number, least, most int) {
		s, ok := slot(name)
		if !ok {
			return
		}
		info := code.NewInfo(2, least, 0, true, false)
		u.Words = append(u.Words, uint64(info), ins(code.ENTER, uint64(sub), 0, uint64(most+1), uint64(number)), ins(code.HALT, 0, 0, 0, 0))
		n := len(u.Words)
		u.Procs = append(u.Procs, code.Proc{Name: name, Start: n - 2, End: n, Info: info})
		slots = append(slots, s)
		m.NameGlobal(s, name)
	}
	if m.cfg.Prims != nil {
		for i, p := range m.cfg.Prims.Rows {
			add(p.Name, subPrim, i, p.Min, p.Max)
		}
	}
	for _, c := range Control {
		stub, regs := uint64(stubValues), valuesRegs
		switch c.sub {
		case subGuard:
			stub, regs = stubGuard, guardRegs
		case subSpread:
		default:
			add(c.Name, c.sub, 0, c.Min, c.Max)
			continue
		}
		if s, ok := slot(c.Name); ok {
			m.useSlot(s)
			m.NameGlobal(s, c.Name)
			m.Store(heap.GlobalOffset(s), m.staticClosure(stub, code.NewInfo(regs, 2, 0, false, false)))
		}
	}
	base := m.Static(uint64(len(u.Words)))
	p := &placed{base: base, end: base + uint64(len(u.Words))*8, unit: u}
	p.limit = p.end
	copy(m.Words(p.base, p.end), u.Words)
	m.units = append(m.units, p)
	for i, q := range u.Procs {
		m.useSlot(slots[i])
		m.Store(heap.GlobalOffset(slots[i]), m.staticClosure(base+uint64(q.Start)*8, q.Info))
	}
}

// NameGlobal says what a global slot is called, for messages about it. It belongs to the builder of an image.
func (m *Machine) NameGlobal(slot int, name string) {
	if m.names == nil {
		m.names = map[int]string{}
	}
	m.names[slot] = name
}
