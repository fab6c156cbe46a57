package vm

import (
	"slices"
	"unsafe"

	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines the stack: one contiguous run of frames from stackBase, whose base frame returns into the
// underflow stub. What lies below the base is the link: a chain of continuations in the arena. Every word of the stack in
// use is a valid word, and everything above is cleared at each collection.

const (
	firstTier = 8 << 10
	lastTier  = 64 << 10 // beyond this the stack spills: small enough to stay in the cache
	backWords = 128      // about how much an underflow brings back
)

// setLimit derives from the stack's tier where a frame may begin.
func (m *Machine) setLimit() {
	m.limit = uintptr(m.mem) + heap.StackLo + uintptr(m.stackTier)
}

// stackEnd is beyond all that frames can have touched: the last one starts at the limit, its callee or a window above it
// may be written before the limit is looked at.
func (m *Machine) stackEnd() uint64 {
	return heap.StackLo + m.stackTier + (2*m.maxRegs+16)*8
}

// off is the cage offset of a frame or instruction.
func (m *Machine) off(p up) uint64 { return uint64(uintptr(p) - uintptr(m.mem)) }

// info is the info word of the procedure that runs in a frame.
func (m *Machine) info(fp up) code.Info {
	e := *ld(m.mem, *rg(fp, 0), 8-heap.TagClosure)
	return code.Info(*ld(m.mem, e, -8))
}

// collect runs the collector with the frame at fp as the topmost, which goes on with the instruction at ip; nil: not
// known. It reports false when the program is out of memory.
func (m *Machine) collect(fp, ip up) bool {
	top := min(m.off(fp)+uint64(m.info(fp).Regs())*8, m.stackEnd())
	m.clearDead(fp, ip, top)
	return m.collectTo(top)
}

// collectTo collects with the stack ending at offset top.
func (m *Machine) collectTo(top uint64) bool {
	clear(m.Words(top, m.stackEnd()))
	image := m.Words(heap.GlobalBase, heap.GlobalBase+uint64(m.imageGlobals)*8)
	if m.image != nil {
		image = nil
	}
	first := heap.GlobalOffset(heap.ImageGlobals)
	m.swept += int64(m.Used() / 256)
	ok := m.Collect(m.Words(stackBase, top), image, m.Words(first, first+uint64(m.privates)*8), m.root[:], m.ready[m.readyHead:], m.pending)
	m.swept += int64(m.Used() / 64)
	return ok
}

// safepoint collects when it is time. It reports false when the loop must stop, with the state to go on with in fp, ip.
func (m *Machine) safepoint(fp, ip up) bool {
	if m.HP <= m.Limit && !everySafepoint {
		return true
	}
	return m.collect(fp, ip)
}

// collectRetry collects and runs the instruction again.
//
//go:noinline
//go:norace
func (m *Machine) collectRetry(fp, ip up, fuel int, in uint64) (up, up, int) {
	ip = unsafe.Add(ip, -8)
	if !m.collect(fp, ip) {
		return m.exhausted(fp, unsafe.Add(ip, 8), fuel, "memory")
	}
	return fp, ip, fuel - int(m.sweeping())
}

// poll is where the loop looks up, behind the instruction in: the stack's limit, the budget, accounts, interruption, the collector.
//
//go:noinline
//go:norace
func (m *Machine) poll(fp, ip up, fuel int, in uint64) (up, up, int) {
	if m.off(fp) < stackBase { // a native returned below the base frame: the underflow that comes next polls
		return fp, ip, fuel
	}
	if uintptr(fp) > m.limit {
		if m.stackTier < lastTier {
			m.stackTier *= 2
			m.setLimit()
		} else {
			if !m.safepoint(fp, ip) {
				return m.exhausted(fp, ip, fuel, "memory")
			}
			fp = m.capture(fp, uint64(m.info(fp).Regs()))
		}
	}
	if fuel >= 0 {
		return fp, ip, fuel
	}
	if !m.safepoint(fp, ip) {
		return m.exhausted(fp, ip, fuel, "memory")
	}
	m.settle(fuel)
	if a := m.spentAccount(); a != heap.False && m.mayLeave(fp, ip, in) {
		return m.leave(fp, ip, a)
	}
	if m.interrupted.Swap(false) {
		return m.pause(fp, ip, "interrupt")
	}
	if m.fuel <= 0 {
		return m.pause(fp, ip, "fuel")
	}
	return fp, ip, m.nextSlice()
}

// settle takes what the loop and the primitives used from the budget.
func (m *Machine) settle(fuel int) {
	used := int64(m.slice-fuel) + m.ctx.Fuel + m.sweeping()
	m.slice, m.ctx.Fuel = 0, 0
	m.fuel -= used
	m.spent += used
	m.charge(m.account(), used-m.uncounted)
	m.uncounted = 0
}

const sliceSize = 10000

func (m *Machine) nextSlice() int {
	m.slice = int(min(m.fuel, sliceSize, m.fuelLeft(m.account())))
	return m.slice
}

// capture moves all frames below fp into the arena and the first keep words of the frame to the stack's base.
//
//go:norace
func (m *Machine) capture(fp up, keep uint64) up {
	o := m.off(fp)
	if o == stackBase {
		return fp
	}
	n := (o - stackBase) / 8
	m.captureTo(m.Alloc(n+1+contWords), fp, n)
	base := ca(m.mem, stackBase)
	copyWords(base, fp, keep)
	*rg(base, 8) = baseReturn
	return base
}

// captureTo moves the n words of frames below fp to offset p, with a continuation after them which becomes the link; it
// answers where that ends.
//
//go:norace
func (m *Machine) captureTo(p uint64, fp up, n uint64) uint64 {
	if m.spilled.epoch != m.Epoch {
		m.spilled.epoch, m.spilled.from = m.Epoch, p
	}
	seg := ca(m.mem, p)
	*rg(seg, 0) = heap.Header(heap.KindSegment, n)
	copyWords(unsafe.Add(seg, 8), ca(m.mem, stackBase), n)
	k := p + (n+1)*8
	m.root[rootLink] = m.newContAt(k, p+heap.TagObject, m.depthOf(m.root[rootLink])+n, *rg(fp, 8), m.root[rootLink])
	return k + contWords*8
}

// copyWords copies n words to where they are not overwritten before they are read. Frames are small: a loop is faster than
// a call.
func copyWords(to, from up, n uint64) {
	if n > 32 {
		copy(unsafe.Slice((*uint64)(to), n), unsafe.Slice((*uint64)(from), n))
		return
	}
	for ; n > 0; n-- {
		*(*uint64)(to) = *(*uint64)(from)
		to, from = unsafe.Add(to, 8), unsafe.Add(from, 8)
	}
}

// Payload of a continuation.
const (
	contSegment = 8 * (iota + 1) // the frames, #f: none
	contDepth                    // words of all its frames, those of the link included, a fixnum
	contReturn                   // where to return to, and where in its frame
	contLink                     // the continuation of the lowest frame, or #f
)

const contWords = 5 // with the header

// depthOf is how many words of frames a continuation of the chain consists of. A frame lies at the same depth wherever it
// is copied to, so that a depth names it.
func (m *Machine) depthOf(link heap.Word) uint64 {
	if link == heap.False {
		return 0
	}
	return *rg(m.mem, link-heap.TagObject+contDepth) >> 3
}

func (m *Machine) newCont(seg, depth, ret, link heap.Word) heap.Word {
	return m.newContAt(m.Alloc(contWords), seg, depth, ret, link)
}

func (m *Machine) newContAt(k, seg, depth, ret, link heap.Word) heap.Word {
	*rg(m.mem, k) = heap.Header(heap.KindCont, 4)
	*rg(m.mem, k+contSegment), *rg(m.mem, k+contDepth) = seg, depth<<3
	*rg(m.mem, k+contReturn), *rg(m.mem, k+contLink) = ret, link
	return k + heap.TagObject
}

// spilled says which captured frames may be overwritten once they are back on the stack: those that lie last in the arena,
// allocated since the collector ran last. Whatever could refer to them was made after them, and would lie behind them.
type spilled struct {
	epoch uint64 // of the arena
	from  uint64 // the first of that epoch lie here
}

// underflow returns v into the link: its frame, and more up to about so many words, come back to the stack. With nothing
// to return to the fiber ends.
//
//go:norace
func (m *Machine) underflow(v heap.Word, fuel int, words uint64) (up, up, int) {
	link := m.root[rootLink]
	if link == heap.False {
		return m.fiberEnd(v, fuel)
	}
	k := link - heap.TagObject
	seg, ret, below := *rg(m.mem, k+contSegment), *rg(m.mem, k+contReturn), *rg(m.mem, k+contLink)
	base := m.depthOf(below)
	n := *rg(m.mem, k+contDepth)>>3 - base
	p := seg - heap.TagObject
	w := m.Words(p+8, p+8+n*8)
	if n < 2 || n > m.Size(seg) {
		panic(heap.ErrCorrupt)
	}
	last := k+contWords*8 == m.HP && p+8+n*8 == k && m.Size(seg) == n && m.spilled.epoch == m.Epoch && p >= m.spilled.from
	start := n - ret&0xffff/8
	lo := start
	for lo > 0 && n-lo < words {
		d := w[lo+1] & 0xffff / 8
		if d == 0 || d > lo {
			panic(heap.ErrCorrupt)
		}
		lo -= d
	}
	copyWords(ca(m.mem, stackBase), up(unsafe.SliceData(w[lo:])), n-lo)
	switch ret := w[lo+1]; {
	case lo == 0 && last:
		m.Retreat(p)
	case lo > 0 && last:
		k = p + 8 + lo*8
		m.Retreat(k + contWords*8)
		*rg(m.mem, p) = heap.Header(heap.KindSegment, lo)
		below = m.newContAt(k, seg, base+lo, ret, below)
	case lo > 0:
		below = m.newCont(seg, base+lo, ret, below)
	}
	m.root[rootLink] = below
	*rg(m.mem, stackBase+8) = baseReturn
	*rg(m.mem, stackBase+(n-lo)*8) = v
	return ca(m.mem, stackBase+(start-lo)*8), ca(m.mem, ret>>16), fuel
}

// pause saves the running fiber so that it can go on later, and stops the loop.
func (m *Machine) pause(fp, ip up, which string) (up, up, int) {
	m.suspendAt(fp, ip)
	m.ready = append(m.ready[:m.readyHead], append([]heap.Word{m.root[rootFiber]}, m.ready[m.readyHead:]...)...)
	return m.stop(Step{Kind: Exhausted, Which: which}, 0)
}

// suspendAt captures everything up to and including the frame at fp; going on is a return into a window above it.
func (m *Machine) suspendAt(fp, ip up) {
	window := uint64(m.info(fp).Regs()) * 8
	fp = unsafe.Add(fp, window)
	*rg(fp, 0) = heap.False
	*rg(fp, 8) = m.off(ip)<<16 | window
	m.capture(fp, 2)
	m.saveFiber(fiberReady, heap.Unspecified)
}

// stop ends the loop with a step.
func (m *Machine) stop(s Step, fuel int) (up, up, int) {
	m.step, m.stopped = s, true
	return ca(m.mem, stackBase), ca(m.mem, stubHalt), fuel
}

// exhausted ends the program because a budget that cannot be raised is spent.
func (m *Machine) exhausted(fp, ip up, fuel int, which string) (up, up, int) {
	m.deathTrace = slices.Clone(m.trace(fp, m.off(ip)))
	m.ended = true
	return m.stop(Step{Kind: Exhausted, Which: which}, fuel)
}
