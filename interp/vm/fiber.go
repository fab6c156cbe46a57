package vm

import (
	"slices"
	"strconv"

	"caper/interp/heap"
)

// This file defines fibers: stacks of one machine, switched only where a fiber waits. A fiber that does not run is an
// object in the arena.

// Payload of a fiber.
const (
	fiberLink    = iota // its continuation, #f: none
	fiberValue          // what it goes on with: a value; of a new one (procedure argument …); the arguments of a host call
	fiberStatus         // one of the statuses below
	fiberParent         // the fiber that spawned it, #f: the main one
	fiberIndex          // how many its parent had spawned before
	fiberSpawned        // how many it has spawned
	fiberCalls          // how many host calls it has made
	fiberCall           // number of the host call that it waits for
	fiberName           // name of that call
	fiberWinds          // dynamic state while it does not run, in the order of the roots
	fiberHandlers
	fiberParameters
	fiberSpare
	fiberSize
)

// FiberSize is the number of words of a fiber.
const FiberSize = fiberSize

// Statuses, as fixnums.
const (
	fiberNew     heap.Word = iota << 3
	fiberReady             // goes on with its value
	fiberRaise             // goes on by raising its value
	fiberRunning           //
	fiberWaiting           // for the host
	fiberParked            // for another fiber
	fiberDone
	fiberKilled
)

func (m *Machine) newFiber(parent, value heap.Word, index int64) heap.Word {
	f := m.New(heap.KindFiber, fiberSize, heap.Fixnum(0))
	m.SetField(f, fiberLink, heap.False)
	m.SetField(f, fiberValue, value)
	m.SetField(f, fiberParent, parent)
	m.SetField(f, fiberIndex, heap.Fixnum(index))
	m.SetField(f, fiberName, heap.False)
	m.SetField(f, fiberWinds, heap.Null)
	m.SetField(f, fiberHandlers, heap.Null)
	m.SetField(f, fiberParameters, m.root[rootParameters])
	m.SetField(f, fiberSpare, heap.False)
	return f
}

// maxFiberDepth bounds the chain of parents, which is walked to see whether a fiber is alive.
const maxFiberDepth = 1000

func (m *Machine) depth(f heap.Word) (n int) {
	for ; m.Is(f, heap.KindFiber); n++ {
		f = m.Field(f, fiberParent)
	}
	return n
}

// spawn makes a fiber that starts with its spawner's parameters and without winds or handlers: those are the library's
// business, which knows how an error in a fiber reaches the spawner.
func (m *Machine) spawn(call heap.Word) heap.Word {
	self := m.root[rootFiber]
	n := heap.FixnumValue(m.Field(self, fiberSpawned))
	m.SetField(self, fiberSpawned, heap.Fixnum(n+1))
	f := m.newFiber(self, call, n)
	m.ready = append(m.ready, f)
	return f
}

// saveFiber puts the running fiber's state into its object.
func (m *Machine) saveFiber(status, value heap.Word) {
	f := m.root[rootFiber]
	m.SetField(f, fiberLink, m.root[rootLink])
	m.SetField(f, fiberStatus, status)
	m.SetField(f, fiberValue, value)
	for i := range 4 {
		m.SetField(f, fiberWinds+i, m.root[rootWinds+i])
	}
}

// hostCall parks the fiber until the host answers.
func (m *Machine) hostCall(fp up, argc, fuel int) (up, up, int, int) {
	name := *rg(fp, 16)
	if !m.IsSymbol(name) && !m.IsString(name) {
		return m.nativeFault(fp, fuel, "type-error", "%host: argument 1 must be a symbol", name)
	}
	if m.leaving() {
		return m.nativeFault(fp, fuel, "cancelled", "a branch that was ended makes no calls", name)
	}
	args := heap.Null
	for i := argc; i > 1; i-- {
		args = m.Cons(*rg(fp, uint64(i+1)*8), args)
	}
	m.capture(fp, 2)
	m.saveFiber(fiberWaiting, args)
	f := m.root[rootFiber]
	m.nextCall++
	m.SetField(f, fiberCall, heap.Fixnum(int64(m.nextCall)))
	m.SetField(f, fiberName, name)
	m.SetField(f, fiberCalls, m.Field(f, fiberCalls)+heap.Fixnum(1))
	m.addPending(f, m.nextCall)
	m.fresh = append(m.fresh, m.nextCall)
	return notNext(m.schedule(fuel))
}

func (m *Machine) addPending(f heap.Word, id uint64) {
	if m.pendingIndex == nil {
		m.pendingIndex = map[uint64]int{}
	}
	m.pendingIndex[id] = len(m.pending)
	m.pending = append(m.pending, f)
}

func (m *Machine) removePending(id uint64) {
	i, last := m.pendingIndex[id], len(m.pending)-1
	delete(m.pendingIndex, id)
	if i != last {
		m.pending[i] = m.pending[last]
		m.pendingIndex[m.callOf(m.pending[i])] = i
	}
	m.pending = m.pending[:last]
}

func (m *Machine) callOf(f heap.Word) uint64 { return m.Field(f, fiberCall) >> 3 }

// schedule goes on with the next fiber that can run; without one the machine waits for its host.
func (m *Machine) schedule(fuel int) (up, up, int) {
	for m.readyHead < len(m.ready) {
		f := m.ready[m.readyHead]
		m.readyHead++
		if m.readyHead == len(m.ready) {
			m.ready, m.readyHead = m.ready[:0], 0
		}
		if m.alive(f) || m.Field(f, fiberStatus) == fiberReady && m.leaves(m.Field(f, fiberSpare)) {
			return m.resumeFiber(f, fuel)
		}
	}
	if len(m.pending) == 0 {
		return m.die(m.newCondition("deadlock", "every fiber waits for another", heap.Null, heap.Null), fuel)
	}
	return m.stop(Step{Kind: Suspended}, fuel)
}

// resumeFiber makes f the running fiber.
func (m *Machine) resumeFiber(f heap.Word, fuel int) (up, up, int) {
	status, v := m.Field(f, fiberStatus), m.Field(f, fiberValue)
	own := m.account() != heap.False || m.accountOf(m.Field(f, fiberSpare)) != heap.False
	if own {
		m.settle(fuel)
	}
	m.root[rootFiber] = f
	m.root[rootLink] = m.Field(f, fiberLink)
	for i := range 4 {
		m.root[rootWinds+i] = m.Field(f, fiberWinds+i)
	}
	if own {
		fuel = m.nextSlice()
	}
	m.SetField(f, fiberStatus, fiberRunning)
	m.SetField(f, fiberValue, heap.False)
	m.SetField(f, fiberLink, heap.False)
	fp := ca(m.mem, stackBase)
	*rg(fp, 8) = baseReturn
	switch status {
	case fiberNew:
		args, _ := m.Slice(m.Cdr(v), 1<<30)
		*rg(fp, 0) = m.Car(v)
		fp, ip, fuel, argc := m.spread(fp, args, fuel)
		if argc >= 0 {
			return m.enter(fp, argc, fuel)
		}
		return fp, ip, fuel
	case fiberRaise:
		*rg(fp, 0) = heap.False
		if m.IsType(v, heap.TypeCondition) && m.Field(v, heap.CondTrace) == heap.False && heap.Mutable(v) {
			m.SetField(v, heap.CondTrace, m.traceVector(m.traceFiber(m.traced[:0])))
		}
		return m.callHandler(fp, fuel, v)
	}
	return m.underflow(v, fuel, 0)
}

// fiberEnd is the return of a fiber's thunk.
func (m *Machine) fiberEnd(v heap.Word, fuel int) (up, up, int) {
	f := m.root[rootFiber]
	if f == m.root[rootMain] {
		m.ended = true
		m.root[rootResult] = v
		return m.stop(Step{Kind: Done, Value: v}, fuel)
	}
	m.SetField(f, fiberStatus, fiberDone)
	m.SetField(f, fiberValue, heap.False)
	return m.schedule(fuel)
}

// wake makes a parked fiber runnable.
func (m *Machine) wake(f, v heap.Word) bool {
	if m.Field(f, fiberStatus) != fiberParked || !m.alive(f) {
		return false
	}
	m.SetField(f, fiberStatus, fiberReady)
	m.SetField(f, fiberValue, v)
	m.ready = append(m.ready, f)
	return true
}

// alive reports whether neither the fiber nor one that it descends from was killed.
func (m *Machine) alive(f heap.Word) bool {
	for m.Is(f, heap.KindFiber) {
		if m.Field(f, fiberStatus) == fiberKilled {
			return false
		}
		f = m.Field(f, fiberParent)
	}
	return true
}

// kill ends fibers with all their descendants, and answers the winds that they were in, those of descendants first. Those
// that can run are skipped when their turn comes.
func (m *Machine) kill(list heap.Word) (winds heap.Word, ok bool) {
	for l := list; heap.IsPair(l); l = m.Cdr(l) {
		if !m.Is(m.Car(l), heap.KindFiber) {
			return 0, false
		}
	}
	before := map[heap.Word]bool{} // fibers that were alive
	var living []heap.Word
	note := func(f heap.Word) {
		for ; m.Is(f, heap.KindFiber) && !before[f]; f = m.Field(f, fiberParent) {
			before[f] = true
			living = append(living, f)
		}
	}
	self := m.root[rootFiber]
	note(self)
	for _, f := range m.pending {
		note(f)
	}
	for _, f := range m.ready[m.readyHead:] {
		if m.alive(f) {
			note(f)
		}
	}
	for l := list; heap.IsPair(l); l = m.Cdr(l) {
		if f := m.Car(l); m.Field(f, fiberStatus) != fiberDone {
			m.SetField(f, fiberStatus, fiberKilled)
			m.SetField(f, fiberLink, heap.False)
			m.SetField(f, fiberValue, heap.False)
		}
	}
	m.ctx.Charge(uint64(len(living)))
	var calls []uint64
	for _, p := range m.pending {
		if !m.alive(p) {
			calls = append(calls, m.callOf(p))
		}
	}
	for _, id := range calls {
		m.removePending(id)
	}
	m.cancelled = append(m.cancelled, calls...)

	left := slices.DeleteFunc(living, func(f heap.Word) bool {
		return f == self || m.Field(f, fiberWinds) == heap.Null || m.alive(f)
	})
	slices.SortFunc(left, func(a, b heap.Word) int { return m.compareFibers(a, b) })
	winds = heap.Null
	for _, f := range left {
		winds = m.Cons(m.Field(f, fiberWinds), winds)
	}
	return winds, true
}

// compareFibers orders fibers as they were spawned, parents before their children.
func (m *Machine) compareFibers(a, b heap.Word) int { return slices.Compare(m.pathOf(a), m.pathOf(b)) }

// pathOf is a fiber's number among its siblings, behind those of the fibers that it descends from.
func (m *Machine) pathOf(f heap.Word) (path []int64) {
	for ; m.Is(f, heap.KindFiber); f = m.Field(f, fiberParent) {
		path = append(path, heap.FixnumValue(m.Field(f, fiberIndex)))
	}
	slices.Reverse(path)
	return path
}

// nameOf is a fiber's name: its parent's name, a point, its number.
func (m *Machine) nameOf(f heap.Word) string {
	var name []byte
	for _, n := range m.pathOf(f) {
		if len(name) > 0 {
			name = append(name, '.')
		}
		name = strconv.AppendInt(name, n, 10)
	}
	return string(name)
}
