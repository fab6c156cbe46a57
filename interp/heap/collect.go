package heap

import "unsafe"

// Collect copies all that the roots reach into the other semispace and updates the roots in place. Every word in roots
// must be a value (fixnums, immediates and offsets outside the spaces are left alone). It reports false, with everything
// still in order, when what is live comes within a whisker of the limit: the program is then out of memory.
func (a *Arena) Collect(roots ...[]Word) bool {
	a.Settle()
	used := a.HP - a.spaceLo()
	old := a.Limit - a.spaceLo()
	k := 1 - a.cur
	to := HeapLo + uint64(k)*semiMax
	a.openOld()
	if a.cage.ensure(k, to+used+4096) != nil {
		panic(ErrMemory)
	}
	a.high[a.cur] = max(a.high[a.cur], a.HP)
	from, end := a.spaceLo(), a.HP
	a.HP = a.copyLive(to, roots)
	a.cur = k
	a.Epoch++
	a.Collections++
	live := a.HP - to
	want := max(old, initialSemi)
	for want < live*2 {
		want *= 2
	}
	if want > initialSemi && live*8 < want {
		want /= 2
	}
	want = min(want, a.max)
	if used > want+want/2 { // pages of a space that grew large once should not stay resident for ever
		a.cage.giveBack(from+want, end)
	}
	if a.cage.ensure(k, to+want) != nil {
		panic(ErrMemory)
	}
	a.Limit = to + want
	if checked {
		a.closeOld(1 - k)
		a.soon()
	}
	return live <= a.max-a.max/32
}

// copyLive is Cheney's algorithm from the current space to offset to; it returns the end of the copies.
//
//go:norace
func (a *Arena) copyLive(to uint64, roots [][]Word) uint64 {
	g := gc{base: a.base, lo: a.spaceLo(), n: a.HP - a.spaceLo(), hp: to, live: a.Live}
	for _, r := range roots {
		for i, w := range r {
			if IsRef(w) {
				r[i] = g.forward(w)
			}
		}
	}
	for scan := to; scan < g.hp; {
		w := g.load(scan)
		if IsRef(w) {
			if w-g.lo < g.n || checked {
				*g.at(scan) = g.forward(w)
			}
		} else if w&TagMask == TagImm {
			switch k := w & 0xff; {
			case k&rawBit != 0, k == uint64(KindSegment): // the frames of a segment are copied for their continuations
				scan += HeaderLen(w) * 8
			case k == uint64(KindClosure):
				scan += 8 // the entry word is raw
			case w == Header(KindCont, chainSize):
				g.frames(scan)
				scan += 8
			}
		}
		scan += 8
	}
	return g.hp
}

type gc struct {
	base      unsafe.Pointer
	lo, n, hp uint64
	live      func(ret Word) []uint64
}

func (g *gc) at(off uint64) *Word  { return (*Word)(unsafe.Add(g.base, uintptr(uint32(off)))) }
func (g *gc) load(off uint64) Word { return *g.at(off) }

//go:norace
func (g *gc) forward(w Word) Word {
	if checked {
		g.check(w)
	}
	t := w & TagMask
	o := w - t
	if o-g.lo >= g.n { // image, static area: never moved
		return w
	}
	h := g.load(o)
	if h&0xff == uint64(kindForward) {
		return h>>8 + t
	}
	p := g.hp
	if t == TagPair {
		*g.at(p) = h
		*g.at(p + 8) = g.load(o + 8)
		g.hp = p + 16
	} else {
		k := HeaderLen(h)
		if o-g.lo+k*8 >= g.n {
			panic(ErrCorrupt)
		}
		*g.at(p) = h
		if k < 16 {
			for i := uint64(8); i <= k*8; i += 8 {
				*g.at(p + i) = g.load(o + i)
			}
		} else {
			copy(unsafe.Slice(g.at(p+8), k), unsafe.Slice(g.at(o+8), k))
		}
		g.hp = p + 8 + k*8
	}
	*g.at(o) = uint64(kindForward) | p<<8
	return p + t
}

// A continuation of the chain: its segment, how many words of frames it has with all below it, as a fixnum, the return
// word of the frame above, the continuation below or #f.
const chainSize = 4

// frames copies what the continuation at offset k of to-space has of its segment: of each frame the words that are
// still read. Continuations may share a segment; the rest of it, which none of them has, becomes #f.
//
//go:norace
func (g *gc) frames(k uint64) {
	w, size, ret := g.load(k+8), (g.load(k+16)-g.depth(g.load(k+32)))>>3, g.load(k+24)
	if checked && IsRef(w) {
		g.check(w)
	}
	o := w - TagObject
	if w&TagMask != TagObject || o-g.lo >= g.n {
		return
	}
	h := g.load(o)
	p := h >> 8
	if h&0xff != uint64(kindForward) {
		n := HeaderLen(h)
		if h != Header(KindSegment, n) || o-g.lo+n*8 >= g.n || n < 2 {
			panic(ErrCorrupt)
		}
		p = g.hp
		g.hp = p + 8 + n*8
		*g.at(p) = h
		for i := p + 8 + min(size, n)*8; i < g.hp; i += 8 {
			*g.at(i) = False
		}
		first := g.load(o + 8)
		*g.at(o) = uint64(kindForward) | p<<8
		*g.at(o + 8) = 0 // from here on: how many words have been copied
		*g.at(p + 8) = g.keep(first)
	}
	*g.at(k + 8) = p + TagObject
	n, done := HeaderLen(g.load(p)), g.load(o+8)
	if size > n {
		panic(ErrCorrupt)
	}
	var live []uint64
	for end, last := size, Word(0); end > done; {
		window := ret & 0xffff / 8
		if window < 2 || window > end {
			panic(ErrCorrupt)
		}
		if ret != last && g.live != nil {
			live, last = g.live(ret), ret
		}
		end -= window
		from, to := o+8+end*8, p+8+end*8
		if end > 0 {
			*g.at(to) = g.keep(g.load(from))
		}
		ret = g.load(from + 8)
		*g.at(to + 8) = ret
		for i := uint64(2); i < window; i++ {
			w := False
			if live == nil || live[i/64]>>(i%64)&1 != 0 {
				w = g.keep(g.load(from + i*8))
			}
			*g.at(to + i*8) = w
		}
	}
	if size > done {
		*g.at(o + 8) = size
	}
}

// depth is the second word of the continuation w, which may have been copied.
func (g *gc) depth(w Word) Word {
	if w == False {
		return 0
	}
	o := w - TagObject
	if h := g.load(o); h&0xff == uint64(kindForward) {
		o = h >> 8
	}
	return g.load(o + 16)
}

func (g *gc) keep(w Word) Word {
	if IsRef(w) && (w-g.lo < g.n || checked) {
		return g.forward(w)
	}
	return w
}

// SealTo copies all that roots reach to the end of the static area of a builder, making it part of the image.
func (a *Arena) SealTo(roots ...[]Word) (end uint64) {
	end = a.copyLive(a.static, roots)
	if end > GlobalBase {
		panic(ErrMemory)
	}
	a.static = end
	return end
}
