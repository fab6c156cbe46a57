package vm

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines what a machine that does not run consists of, for package snapshot.

// State is a machine as plain data. Offsets in words mean the same in every machine with the same image and units.
type State struct {
	Image    [32]byte
	Statics  []Static    // the static area, in order
	Globals  []heap.Word // private globals
	Main     heap.Word
	Ready    []heap.Word // fibers
	Pending  []heap.Word // fibers, by the number of their calls
	Fresh    []uint64    // calls not yet reported
	NextCall uint64
	Spent    int64
	MidLine  bool
	Heap     []heap.Word // from heap.HeapLo on
}

// Static is a stretch of the static area: a unit, words that the program made, or a hole.
type Static struct {
	Unit  [32]byte // zero: Words
	Words []heap.Word
	Size  uint64 // words of a unit apart, or of a hole; 0 for others
}

// aHole stands in the place of the hash of a unit.
var aHole = [32]byte{0: 1}

// Hole reports whether nothing is there.
func (s *Static) Hole() bool { return s.Unit == aHole }

// ErrNoState says that a machine cannot be saved: its program has ended, or it is parked, or it builds an image.
var ErrNoState = errors.New("the machine has no state to save")

// ErrOther says that a state belongs to another library image or to units that are not at hand.
var ErrOther = errors.New("the snapshot belongs to another program or another version of the library")

// State collects and copies out. The machine can go on. Words that the host held are stale afterwards.
func (m *Machine) State() (*State, error) {
	if m.mem == nil || m.image == nil || m.ended || m.tainted || !m.Is(m.root[rootMain], heap.KindFiber) {
		return nil, ErrNoState
	}
	m.sortPending()
	main := m.root[rootMain]
	m.clearRoots() // what the running fiber had is in its object
	m.root[rootMain] = main
	if !m.collectIdle() || !m.collectBack() {
		return nil, ErrNoState
	}
	first := heap.GlobalOffset(heap.ImageGlobals)
	_, words := m.Heap()
	s := &State{
		Image: m.image.hash, Globals: slices.Clone(m.Words(first, first+uint64(m.privates)*8)), Main: m.root[rootMain],
		Ready: slices.Clone(m.ready[m.readyHead:]), Pending: slices.Clone(m.pending), Fresh: slices.Clone(m.fresh),
		NextCall: m.nextCall, Spent: m.spent, MidLine: m.ctx.MidLine, Heap: slices.Clone(words),
	}
	at := uint64(heap.StaticLo)
	gap := func(end uint64) {
		if end > at {
			s.Statics = append(s.Statics, Static{Words: slices.Clone(m.Words(at, end))})
		}
	}
	holes := m.holes
	upTo := func(end uint64) {
		for ; len(holes) > 0 && holes[0].base < end; holes = holes[1:] {
			h := holes[0]
			gap(h.base)
			s.Statics = append(s.Statics, Static{Unit: aHole, Size: (h.end - h.base) / 8})
			at = h.end
		}
		gap(end)
	}
	for _, u := range m.units {
		if u.unit.Hash == ([32]byte{}) {
			return nil, ErrNoState
		}
		upTo(u.base)
		st := Static{Unit: u.unit.Hash}
		if u.apart {
			st.Size = (u.limit - u.base) / 8
		}
		s.Statics = append(s.Statics, st)
		at = u.limit
	}
	upTo(m.StaticEnd())
	return s, nil
}

// collectBack collects once more when the live data does not start at heap.HeapLo.
func (m *Machine) collectBack() bool {
	if lo, _ := m.Heap(); lo != heap.HeapLo {
		return m.collectIdle()
	}
	return true
}

// sortPending orders the waiting fibers by the numbers of their calls, so that equal machines have equal states.
func (m *Machine) sortPending() {
	slices.SortFunc(m.pending, func(a, b heap.Word) int { return int(int64(m.callOf(a) - m.callOf(b))) })
	for i, f := range m.pending {
		m.pendingIndex[m.callOf(f)] = i
	}
}

// Restore makes a machine of a state whose words the check that it is given has approved. units finds a unit by its hash.
// The check sees the machine with its static area, globals and heap in place, before anything uses them.
func Restore(cfg Config, units func(hash [32]byte) *code.Unit, s *State, check func(*Layout) error) (restored *Machine, err error) {
	if cfg.Image == nil || cfg.Image.hash != s.Image {
		return nil, ErrOther
	}
	m, err := New(cfg)
	if err != nil {
		return nil, err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", heap.ErrCorrupt, r)
		}
		if err != nil {
			m.Close()
			restored = nil
		}
	}()
	l := &Layout{m: m, static: map[heap.Word]struct{}{}}
	if err := m.restoreStatics(units, s, l); err != nil {
		return nil, err
	}
	if len(s.Globals) != m.privates || !m.Refill(s.Heap) {
		return nil, fmt.Errorf("%w: sizes", heap.ErrCorrupt)
	}
	first := heap.GlobalOffset(heap.ImageGlobals)
	copy(m.Words(first, first+uint64(m.privates)*8), s.Globals)
	if err := check(l); err != nil {
		return nil, err
	}
	m.root[rootMain] = s.Main
	m.ready, m.nextCall, m.spent, m.ctx.MidLine = slices.Clone(s.Ready), s.NextCall, s.Spent, s.MidLine
	for _, f := range s.Pending {
		m.addPending(f, m.callOf(f))
	}
	m.fresh = slices.Clone(s.Fresh)
	return m, nil
}

func (m *Machine) restoreStatics(units func([32]byte) *code.Unit, s *State, l *Layout) error {
	for i, st := range s.Statics {
		switch {
		case st.Size > 0:
			return m.restoreApart(units, s.Statics[i:], l)
		case st.Unit == ([32]byte{}):
			if err := m.restoreWords(st.Words, l); err != nil {
				return err
			}
		default:
			u := units(st.Unit)
			if u == nil || u.Hash != st.Unit {
				return ErrOther
			}
			if _, err := m.Load(u); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *Machine) restoreWords(words []heap.Word, l *Layout) error {
	refs, err := m.RestoreStatic(words)
	for _, w := range refs {
		l.static[w] = struct{}{}
	}
	return err
}

// Layout answers what a check of a restored machine must know: which references below the heap are objects, which
// offsets are entry points and return points. It also reads the machine's words.
type Layout struct {
	m      *Machine
	static map[heap.Word]struct{}
}

// Arena is the memory to be checked.
func (l *Layout) Arena() *heap.Arena { return &l.m.Arena }

// Known reports whether w, a reference below the heap, is one that programs can have.
func (l *Layout) Known(w heap.Word) bool {
	if w < heap.PrivateLo {
		_, ok := l.m.image.references(l.m)[w]
		return ok
	}
	if _, ok := l.static[w]; ok {
		return true
	}
	for _, u := range l.m.units {
		if w >= u.base && w < u.limit {
			_, ok := u.references(l.m)[w]
			return ok
		}
	}
	return false
}

// Entry is the info word of an entry point; ok is false when offset is none.
func (l *Layout) Entry(offset uint64) (info code.Info, ok bool) {
	u := l.m.unitAt(offset)
	if u == nil || offset&7 != 0 {
		return 0, false
	}
	q := u.procAt(offset)
	if q == nil || u.base+uint64(q.Start)*8 != offset {
		return 0, false
	}
	return q.Info, true
}

// CaseEntry is the entry point that all case-lambda closures share.
func (l *Layout) CaseEntry() uint64 { return stubCase }

// BaseReturn is the return word of a lowest frame.
func (l *Layout) BaseReturn() heap.Word { return baseReturn }

// Return is the entry point of the procedure that a return word leads into; ok is false when no call can have left it.
func (l *Layout) Return(ret heap.Word) (entry uint64, ok bool) {
	offset, window := ret>>16, ret&0xffff
	if ret>>48 != 0 || offset&7 != 0 || window&7 != 0 || window < 16 {
		return 0, false
	}
	u, q := l.m.procOfReturn(offset)
	if q == nil || u.base+uint64(q.End)*8 <= offset {
		return 0, false
	}
	entry = u.base + uint64(q.Start)*8
	if window == uint64(q.Info.Regs())*8 { // a window above the frame: a fault or a pause
		return entry, true
	}
	in := l.m.Arena.Load(offset - 8)
	switch code.Op(uint8(in)) {
	case code.CALL, code.CALLG, code.CALLGADDI, code.CALLW, code.CALLK, code.CALLC, code.CALLKADDI:
		return entry, in>>code.ShiftA&0xffff == window
	}
	return 0, false
}

// SoundFiber checks a fiber's fields; is tells whether a word is a sound reference to a kind. The words themselves are
// known to be values.
func (l *Layout) SoundFiber(f heap.Word, is func(heap.Word, heap.Kind) bool) bool {
	a := &l.m.Arena
	if k := a.Field(f, fiberLink); k != heap.False && (!is(k, heap.KindCont) || a.Size(k) != 4) {
		return false
	}
	for _, i := range []int{fiberIndex, fiberSpawned, fiberCalls, fiberCall} {
		if w := a.Field(f, i); !heap.IsFixnum(w) || w>>63 != 0 {
			return false
		}
	}
	switch status := a.Field(f, fiberStatus); status {
	case fiberNew:
		v := a.Field(f, fiberValue)
		if _, ok := a.ListLen(v); !ok || !heap.IsPair(v) {
			return false
		}
	case fiberWaiting:
		if name := a.Field(f, fiberName); !is(name, heap.KindSymbol) && !is(name, heap.KindString) {
			return false
		}
		if _, ok := a.ListLen(a.Field(f, fiberValue)); !ok {
			return false
		}
	case fiberReady, fiberRaise, fiberRunning, fiberParked, fiberDone, fiberKilled:
	default:
		return false
	}
	// A chain of parents ends: each was there before its children, so no chain is longer than there are fibers.
	for p, depth := f, 0; p != heap.False; depth++ {
		if depth > maxFiberDepth || !is(p, heap.KindFiber) || a.Size(p) != fiberSize {
			return false
		}
		p = a.Field(p, fiberParent)
	}
	return true
}

// Runnable reports whether a fiber can be in the list of those.
func (l *Layout) Runnable(f heap.Word) bool {
	switch l.m.Field(f, fiberStatus) {
	case fiberNew, fiberReady, fiberRaise, fiberKilled:
		return true
	}
	return false
}

// Waiting reports whether a fiber waits for the host.
func (l *Layout) Waiting(f heap.Word) bool { return l.m.Field(f, fiberStatus) == fiberWaiting }

// CallOf is the number of the call that a fiber waits for.
func (l *Layout) CallOf(f heap.Word) uint64 { return l.m.callOf(f) }

// references are the objects of a unit's constants.
func (p *placed) references(m *Machine) map[heap.Word]struct{} {
	p.refsOnce.Do(func() {
		p.refs = m.Reach(append(slices.Clone(p.consts), p.tops...)...)
	})
	return p.refs
}

// references are the image's objects that programs can reach.
func (i *Image) references(m *Machine) map[heap.Word]struct{} {
	i.refsOnce.Do(func() {
		roots := slices.Clone(m.Words(heap.GlobalBase, heap.GlobalBase+uint64(i.globals)*8))
		roots = append(append(roots, i.private...), i.throw, driverClosure)
		for k := range i.units {
			u := i.unit(k)
			roots = append(append(roots, u.consts...), u.tops...)
		}
		for k := range i.symbols.Len() {
			_, w := i.symbols.At(k)
			roots = append(roots, heap.Word(w))
		}
		i.refs = m.Reach(roots...)
	})
	return i.refs
}

type referenceSet struct {
	refsOnce sync.Once
	refs     map[heap.Word]struct{}
}
