//go:build caperdebug

package heap

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// This file makes the memory strict: every access through an Arena is checked against what lies there, a collection comes
// every few words, and the space that it left cannot be touched, also by the run loop, until it is needed again.

const checked = true

// lock is the space that is closed, and when the next collection comes.
type lock struct {
	closed bool
	space  int
	slack  uint64
	hp     uint64 // after the last collection
	idle   bool   // nothing was allocated since
}

func fail(format string, args ...any) {
	panic(fmt.Errorf("%w: "+format, append([]any{ErrCorrupt}, args...)...))
}

// checkOffset fails when no word lies at the offset.
func (a *Arena) checkOffset(off uint64) {
	o := uint64(uint32(off))
	if off&7 != 0 || o < ImageLo || o >= HeapLo && (o < a.spaceLo() || o >= a.HP) {
		fail("access at %#x", off)
	}
}

// checkRange fails when [lo, hi) is not part of what is in use.
func (a *Arena) checkRange(lo, hi uint64) {
	if lo < ImageLo || hi > HeapLo && hi > lo && (lo < a.spaceLo() || hi > a.HP) {
		fail("access at [%#x, %#x)", lo, hi)
	}
}

// checkValue fails when w is a reference that leads to no object.
func (a *Arena) checkValue(w Word) {
	if !IsRef(w) {
		return
	}
	o := w - w&TagMask
	if w>>32 != 0 || o < ImageLo || o >= StackLo && o < HeapLo {
		fail("the reference %#x", w)
	}
	a.checkOffset(o)
	checkHead(w, *(*Word)(a.at(o)))
}

// checkHead fails when the first word of an object is none for the tag of a reference to it.
func checkHead(w, h Word) {
	header := h&TagMask == TagImm && h&0xff != ImmByte && h&0xff != CharByte
	ok := header && uint8(h) != KindClosure && uint8(h) != kindForward
	switch w & TagMask {
	case TagPair:
		ok = !header
	case TagClosure:
		ok = header && uint8(h) == KindClosure
	}
	if !ok {
		fail("the reference %#x leads to %#x", w, h)
	}
}

func (a *Arena) checkPair(w Word) {
	if !IsPair(w) {
		fail("%#x is no pair", w)
	}
	a.checkValue(w)
}

func (a *Arena) checkKind(w Word, k Kind) {
	if !a.Is(w, k) {
		fail("%#x is not of kind %#x", w, k)
	}
	a.checkValue(w)
}

// checkChange fails when w must not be changed.
func (a *Arena) checkChange(w Word) {
	if !Mutable(w) && !a.building {
		fail("a change of the constant %#x", w)
	}
}

// closeOld makes a space inaccessible, openOld accessible again.
func (a *Arena) closeOld(space int) {
	a.lock.closed, a.lock.space = true, space
	a.protectOld(unix.PROT_NONE)
}

func (a *Arena) openOld() {
	a.lock.idle = a.lock.hp == a.HP
	if a.lock.closed {
		a.lock.closed = false
		a.protectOld(unix.PROT_READ | unix.PROT_WRITE)
	}
}

func (a *Arena) protectOld(mode int) {
	lo := (HeapLo + uint64(a.lock.space)*semiMax) &^ (page - 1)
	if err := unix.Mprotect(a.cage.bytes(lo, a.cage.rw[a.lock.space]), mode); err != nil {
		panic(err)
	}
}

// soon lowers the limit, so that the next collection comes when a little was allocated: more and more, lest long programs
// take for ever. Where nothing could be allocated since the last one, more is needed.
func (a *Arena) soon() {
	if a.lock.slack *= 2; !a.lock.idle || a.lock.slack == 0 {
		a.lock.slack = max(256, a.Used()/4, uint64(a.Collections)*4)
	}
	a.lock.hp = a.HP
	a.Limit = min(a.Limit, a.HP+a.lock.slack)
}

func (g *gc) check(w Word) {
	o := w - w&TagMask
	if w>>32 != 0 || o < ImageLo || o >= StackLo && o < HeapLo || o >= HeapLo && o-g.lo >= g.n {
		fail("a collection meets the reference %#x", w)
	}
	if h := g.load(o); h&0xff != uint64(kindForward) {
		checkHead(w, h)
	}
}
