package vm

import (
	"fmt"
	"runtime/debug"
	"slices"

	"caper/interp/heap"
)

// This file defines how a host drives a machine: Start or Apply, then Run, answering calls with Resume and Raise.

// Tops are the top-level procedures of a loaded unit, in the order in which they run. They never move.
func (m *Machine) Tops(unit int) []heap.Word { return m.units[unit].tops }

// TopsByHash is Tops of all units.
func (m *Machine) TopsByHash() map[[32]byte][]heap.Word {
	tops := map[[32]byte][]heap.Word{}
	for _, p := range m.units {
		tops[p.unit.Hash] = p.tops
	}
	return tops
}

// Start gives the machine its program: the units that Load placed, whose top-level procedures the main fiber will run in
// order. The value of the last is the program's result. A machine whose program has ended may be started again.
func (m *Machine) Start(units ...int) error {
	if m.mem == nil || m.tainted {
		return m.gone()
	}
	var tops []heap.Word
	for _, u := range units {
		if u < 0 || u >= len(m.units) {
			return fmt.Errorf("no unit %d is loaded", u)
		}
		tops = append(tops, m.units[u].tops...)
	}
	m.reset()
	list := m.List(tops...)
	// The driver's frame, as if one top-level procedure had just returned.
	seg := m.NewOf(heap.KindSegment, driverClosure, baseReturn, list, heap.Unspecified)
	main := m.newFiber(heap.False, heap.Unspecified, 0)
	m.SetField(main, fiberLink, m.newCont(seg, 4, (stubDriver+16)<<16|32, heap.False))
	m.SetField(main, fiberStatus, fiberReady)
	m.setMain(main)
	return nil
}

// Apply gives the machine a program that calls f.
func (m *Machine) Apply(f heap.Word, args ...heap.Word) error {
	if m.mem == nil || m.tainted {
		return m.gone()
	}
	m.reset()
	m.setMain(m.newFiber(heap.False, m.Cons(f, m.List(args...)), 0))
	return nil
}

func (m *Machine) setMain(f heap.Word) {
	m.root[rootMain] = f
	m.ready = append(m.ready, f)
}

// reset forgets the last program's fibers.
func (m *Machine) reset() {
	m.ended, m.stopped = false, false
	m.ready, m.readyHead = m.ready[:0], 0
	m.pending, m.pendingIndex = m.pending[:0], nil
	m.fresh, m.cancelled, m.deathTrace = nil, nil, nil
	m.clearRoots()
}

func (m *Machine) clearRoots() {
	for i := range rootThrow {
		m.root[i] = heap.False
	}
	m.root[rootWinds], m.root[rootHandlers], m.root[rootParameters] = heap.Null, heap.Null, heap.Null
}

// Run executes for about fuel calls and loop rounds at most, and says why it stopped.
func (m *Machine) Run(fuel int64) Step {
	if m.ended || m.mem == nil {
		return Step{Kind: m.step.Kind, Which: m.step.Which, Value: m.root[rootResult]}
	}
	m.fuel, m.slice, m.stopped = fuel, 0, false
	if fuel <= 0 {
		m.step = Step{Kind: Exhausted, Which: "fuel"}
		return m.finish()
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	m.guard(func() {
		fp, ip, fuel := m.schedule(m.nextSlice())
		m.loop(fp, ip, fuel)
	})
	for !m.stopped { // a primitive panicked
		m.guard(m.afterPanic)
	}
	return m.finish()
}

func (m *Machine) loop(fp, ip up, fuel int) {
	rest := m.run(fp, ip, fuel)
	if !m.stopped {
		panic(heap.ErrCorrupt) // a HALT that nobody asked for
	}
	m.settle(rest)
}

// guard runs part of a Run and contains its panics. When the machine is not stopped afterwards, a primitive panicked.
func (m *Machine) guard(body func()) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		m.stopped = true
		if r == heap.ErrMemory {
			m.settle(0)
			m.ended, m.step = true, Step{Kind: Exhausted, Which: "memory"}
			return
		}
		addressed, _ := r.(interface{ Addr() uintptr })
		inside := addressed != nil && m.Cage().Contains(addressed.Addr())
		if m.ctx.Prim != nil && r != heap.ErrCorrupt && !inside {
			m.stopped, m.panicked = false, r
			return
		}
		m.settle(0)
		m.ended, m.tainted = true, true
		m.step = Step{Kind: Raised, Which: "machine-fault", Value: m.faultCondition(r)}
	}()
	body()
}

// faultCondition describes a fault inside the machine, if the arena still allows it.
func (m *Machine) faultCondition(cause any) (c heap.Word) {
	defer func() {
		if recover() != nil {
			c = heap.False
		}
		m.root[rootResult] = c
	}()
	name := ""
	if m.ctx.Prim != nil {
		name = " in " + m.ctx.Prim.Name
	}
	return m.newCondition("machine-fault", fmt.Sprintf("the machine failed%s: %v", name, cause), heap.Null, heap.Null)
}

// afterPanic goes on with a condition where a primitive panicked. The rest of the slice is charged.
func (m *Machine) afterPanic() {
	c := m.internalError(m.ctx.Prim.Name, m.panicked)
	fp, ip := m.primFP, m.primIP
	m.ctx.Prim, m.panicked, m.ctx.Fuel = nil, nil, 0
	fuel := 0
	if ip != nil {
		fp, ip, fuel = m.faultWith(fp, ip, 0, c)
	} else {
		fp, ip, fuel = m.replaceByFault(fp, 0, c)
	}
	m.loop(fp, ip, fuel)
}

// finish completes the step with the calls made and cancelled.
func (m *Machine) finish() Step {
	s := m.step
	s.Calls, s.Cancelled = nil, nil
	for _, id := range m.cancelled {
		if !slices.Contains(m.fresh, id) {
			s.Cancelled = append(s.Cancelled, id)
		}
	}
	if m.ended {
		for id := range m.pendingIndex {
			if !slices.Contains(m.fresh, id) {
				s.Cancelled = append(s.Cancelled, id)
			}
		}
		m.pending, m.pendingIndex = m.pending[:0], nil
	}
	slices.Sort(s.Cancelled)
	for _, id := range m.fresh {
		if i, ok := m.pendingIndex[id]; ok {
			s.Calls = append(s.Calls, m.callAt(i))
		}
	}
	m.fresh, m.cancelled = m.fresh[:0], m.cancelled[:0]
	if m.ended && m.step.Kind != Exhausted {
		m.root[rootResult] = s.Value
	}
	return s
}

// callAt describes the call that pending fiber i waits for.
func (m *Machine) callAt(i int) Call {
	f := m.pending[i]
	c := Call{ID: m.callOf(f), Fiber: m.nameOf(f), Ordinal: int(heap.FixnumValue(m.Field(f, fiberCalls))) - 1, Args: m.Field(f, fiberValue)}
	if n := m.Field(f, fiberName); m.IsSymbol(n) {
		c.Name = m.SymbolName(n)
	} else {
		c.Name = m.Text(n)
	}
	return c
}

// Pending lists the calls that wait for answers, by number: what a restored machine's host needs to know. Of a parked
// machine it lists none.
func (m *Machine) Pending() []Call {
	if m.mem == nil {
		return nil
	}
	calls := make([]Call, len(m.pending))
	for i := range m.pending {
		calls[i] = m.callAt(i)
	}
	slices.SortFunc(calls, func(a, b Call) int { return int(int64(a.ID - b.ID)) })
	return calls
}

// PendingCall is the call of that number, if it still waits.
func (m *Machine) PendingCall(id uint64) (Call, bool) {
	i, ok := m.pendingIndex[id]
	if !ok || m.mem == nil {
		return Call{}, false
	}
	return m.callAt(i), true
}

// Contain runs what a host does with the machine between runs, and contains its panics as those of a run: the program ends.
func (m *Machine) Contain(body func()) {
	m.ctx.Prim = nil
	m.guard(body)
}

// Resume answers a call: its fiber goes on with the value at the next Run. Answers count in the order in which they are given.
func (m *Machine) Resume(id uint64, value heap.Word) error { return m.answer(id, fiberReady, value) }

// Raise answers a call with a condition, or any object, which is raised where the call was made.
func (m *Machine) Raise(id uint64, condition heap.Word) error {
	return m.answer(id, fiberRaise, condition)
}

func (m *Machine) answer(id uint64, status, v heap.Word) error {
	if m.mem == nil {
		return m.gone()
	}
	i, ok := m.pendingIndex[id]
	if !ok {
		return fmt.Errorf("%w: %d", ErrNoCall, id)
	}
	f := m.pending[i]
	m.removePending(id)
	if status == fiberRaise {
		m.root[rootFailed] = m.Cons(v, m.Cons(f, m.Cons(m.Field(f, fiberName), m.Field(f, fiberValue))))
	}
	m.SetField(f, fiberStatus, status)
	m.SetField(f, fiberValue, v)
	m.ready = append(m.ready, f)
	return nil
}
