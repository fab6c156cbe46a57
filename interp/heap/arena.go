package heap

import (
	"errors"
	"runtime/debug"
	"unsafe"

	"caper/interp/frozen"
)

// Arena is the memory of one machine. Allocation never collects: it grows the current semispace within the limit, so
// Go code may hold words across allocations and needs no rooting. Collections happen only when the machine asks for one
// at a safepoint. An Arena belongs to one goroutine at a time.
type Arena struct {
	base  unsafe.Pointer // cage offset 0
	HP    uint64         // next free offset of the current semispace
	Limit uint64         // the machine should collect at its next safepoint when HP passes this

	// Live answers which words of a frame are read once the frame above it has returned with that return word: a set, nil
	// for all. The collector keeps nothing else of the frames of segments.
	Live func(ret Word) []uint64

	cage     *Cage
	cur      int       // current semispace
	high     [2]uint64 // highest offset ever used in each, for wiping
	max      uint64    // bytes a semispace may hold
	static   uint64    // next free offset of the static area
	top      uint64    // where it ends; 0: at its usual end
	symbols  map[string]Word
	image    frozen.Index    // the image's symbols
	adopted  map[string]Word // symbols of adopted static words, shared, read only
	building bool

	Epoch       uint64 // counts collections and restores: a table that hashed by address rebuilds when it changed
	Collections int
	scratch     scratch
	lent        uint64 // bytes of Go's memory that were lent since the last collection
	lock        lock   //lint:ignore U1000 only the build with caperdebug fills it
}

// ErrCorrupt is what accessors panic with when an object is not what it claims to be: memory was damaged, or a primitive
// did not check its argument. The machine catches it.
var ErrCorrupt = errors.New("heap: reference out of range")

// ErrMemory is what allocation panics with, as a value for the cage of the run loop, when even the reserve beyond the
// limit is spent; builtins that may ask for much call Reserve first and answer with a condition.
var ErrMemory = errors.New("memory limit reached")

// reserve is what a single primitive may allocate beyond the limit, as a fraction of it.
const reserveShare = 16

// Init puts a fresh arena on a cage that is all zero above the image. limit is in bytes, both spaces counted.
func (a *Arena) Init(c *Cage, limit uint64, image frozen.Index) {
	half := min(max(limit/2, 2*initialSemi), semiMax-semiMax/reserveShare-4096)
	*a = Arena{base: c.base, cage: c, HP: HeapLo, Limit: HeapLo + initialSemi, high: [2]uint64{HeapLo, heap1},
		max: half, static: StaticLo, image: image, Epoch: 1}
}

// InitBuilder puts an arena on a cage whose image area is to be built: static allocation starts at ImageLo.
func (a *Arena) InitBuilder(c *Cage) {
	a.Init(c, 1<<30, frozen.Index{})
	a.static, a.building = ImageLo, true
}

// Cage is where the arena lives.
func (a *Arena) Cage() *Cage { return a.cage }

// Release wipes all that the machine used and forgets the cage, which may then serve another machine.
func (a *Arena) Release(globals int, stackUsed uint64) *Cage {
	a.openOld()
	a.high[a.cur] = max(a.high[a.cur], a.HP)
	c := a.cage
	c.wipe(PrivateLo, PrivateLo+uint64(globals)*8)
	c.wipe(StaticLo, a.static)
	c.wipe(StackLo, min(StackLo+stackUsed, StackHi))
	c.wipe(HeapLo, a.high[0])
	c.wipe(heap1, a.high[1])
	*a = Arena{}
	return c
}

// Load and Store reach any word of the cage; the offset is taken modulo the cage's size.
func (a *Arena) Load(off uint64) Word {
	if checked {
		a.checkOffset(off)
	}
	return *(*Word)(a.at(off))
}

func (a *Arena) Store(off uint64, w Word) {
	if checked {
		a.checkOffset(off)
	}
	*(*Word)(a.at(off)) = w
}

func (a *Arena) at(off uint64) unsafe.Pointer { return unsafe.Add(a.base, uintptr(uint32(off))) }

// Words is a view of [lo, hi), bounds checked against the cage.
func (a *Arena) Words(lo, hi uint64) []Word {
	if checked {
		a.checkRange(lo, hi)
	}
	return a.cage.words(lo, hi)
}

func (a *Arena) spaceLo() uint64 { return HeapLo + uint64(a.cur)*semiMax }

// Alloc returns the offset of n fresh words of the current semispace, not cleared.
func (a *Arena) Alloc(n uint64) uint64 {
	p := a.HP
	end := p + n*8
	if end > a.cage.rw[a.cur] {
		a.grow(end)
	}
	a.HP = end
	return p
}

// Retreat gives back what was allocated last, from offset hp on: nothing refers to it.
func (a *Arena) Retreat(hp uint64) {
	if hp > a.HP || hp < a.spaceLo() {
		panic(ErrCorrupt)
	}
	a.high[a.cur] = max(a.high[a.cur], a.HP)
	a.HP = hp
}

func (a *Arena) grow(end uint64) {
	lo := a.spaceLo()
	if end < a.HP || end > lo+a.max+a.max/reserveShare || a.cage.ensure(a.cur, min(max(end, a.HP+(a.HP-lo)/2), lo+a.max+a.max/reserveShare)) != nil {
		panic(ErrMemory)
	}
}

// Reserve reports whether n bytes more fit within the limit: to be asked before work whose size the program chose.
func (a *Arena) Reserve(n uint64) bool { return n <= a.max && a.HP-a.spaceLo()+n <= a.max }

// Lend reports whether work for this machine may take about n bytes of Go's memory until it ends. They stand in the place of
// the semispace that lies idle until the next collection: its pages go back to the system, and what was lent does
// before it is needed again. So both together stay within the limit.
func (a *Arena) Lend(n uint64) bool {
	if n < lendFree {
		return true
	}
	if n > a.max {
		return false
	}
	if a.lent+n > a.max {
		a.Settle()
	}
	if a.lent == 0 {
		idle := HeapLo + uint64(1-a.cur)*semiMax
		a.cage.giveBack(idle, max(idle, a.high[1-a.cur]))
	}
	a.lent += n
	return true
}

// lendFree is how little need not be asked for.
const lendFree = 256 << 10

// Settle says that the work for which memory was lent has ended: Go's collector gives back what it left, if that is much.
func (a *Arena) Settle() {
	if a.lent > a.max/16 {
		debug.FreeOSMemory()
	}
	a.lent = 0
}

// Used is the number of bytes in use in the current semispace, garbage included.
func (a *Arena) Used() uint64 { return a.HP - a.spaceLo() }

// Max is the number of bytes that a semispace may hold.
func (a *Arena) Max() uint64 { return a.max }

// Static allocates n words that are never moved, scanned or freed: code, constants, symbols. It panics with ErrMemory
// when the area is full; callers that serve programs ask StaticRoom first.
func (a *Arena) Static(n uint64) uint64 {
	if !a.StaticRoom(n) {
		panic(ErrMemory)
	}
	p := a.static
	a.static += n * 8
	return p
}

// StaticRoom reports whether n words of static space are left.
func (a *Arena) StaticRoom(n uint64) bool {
	hi := uint64(StaticHi)
	if a.building {
		hi = GlobalBase
	}
	if a.top != 0 {
		hi = a.top
	}
	return n <= (hi-a.static)/8
}

// StaticEnd is the end of the static area in use.
func (a *Arena) StaticEnd() uint64 { return a.static }

// Within makes [lo, hi), a part of the static area that nothing is in, the place of what f allocates there.
func (a *Arena) Within(lo, hi uint64, f func()) {
	end := a.static
	defer func() { a.static, a.top = end, 0 }()
	a.static, a.top = lo, hi
	clear(a.Words(lo, hi))
	f()
}

// CutStatic ends the static area at an offset: nothing is behind it.
func (a *Arena) CutStatic(end uint64) {
	clear(a.Words(end, a.static))
	a.static = end
}

// Mutable reports whether a reference points at something the program made itself: literals and library data lie below.
func Mutable(w Word) bool { return uint32(w) >= HeapLo }
