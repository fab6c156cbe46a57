package snapshot

import (
	"caper/interp/heap"
	"caper/interp/vm"
)

// This file checks continuations and fibers.

// cont checks a continuation: one of the chain (segment, depth, return word, link) with every frame of its segment, or
// one that programs hold (link, winds, handlers, parameters, fiber).
func (c *checker) cont(body []heap.Word) bool {
	switch len(body) {
	case 4:
		below, depth := heap.Fixnum(0), body[1]
		if body[3] != heap.False {
			if !c.chain(body[3]) {
				return false
			}
			below = c.a.Field(body[3], 1)
		}
		// Depths grow, so that a chain ends.
		return heap.IsFixnum(depth) && heap.IsFixnum(below) && int64(below) >= 0 && int64(depth) > int64(below) && c.frames(body[0], (depth-below)>>3, body[2])
	case 5:
		return (body[0] == heap.False || c.chain(body[0])) && c.is(body[4], heap.KindFiber)
	}
	return false
}

// chain reports whether w is a continuation of the chain.
func (c *checker) chain(w heap.Word) bool { return c.is(w, heap.KindCont) && c.a.Size(w) == 4 }

// frames walks the frames of a segment from the top: each return word must lead behind a call whose window is where the
// frame above begins, in the procedure whose closure is the frame's first word.
func (c *checker) frames(segment, n, ret heap.Word) bool {
	if !c.is(segment, heap.KindSegment) || segment < heap.HeapLo {
		return false
	}
	first := index(segment) + 1
	if n < 2 || n > c.a.Size(segment) {
		return false
	}
	w := c.heap[first : first+int(n)]
	for end := n; ; {
		entry, ok := c.l.Return(ret)
		window := ret & 0xffff / 8
		if !ok || window < 2 || window > end {
			return false
		}
		lo := end - window
		f := w[lo]
		if !heap.IsClosure(f) || !c.ref(f) || c.a.Field(f, 0)&0xffffffff != entry {
			return false
		}
		ret = w[lo+1]
		if lo == 0 {
			return ret == c.l.BaseReturn()
		}
		end = lo
	}
}

// most bounds counters, so that counting on does not overflow a fixnum.
const most = 1 << 56

// fibers checks the fibers' fields, that the chain of parents ends, and that the lists hold what they should.
func (c *checker) fibers(s *vm.State) error {
	for i := 0; i < len(c.heap); i += c.size(i) {
		if h := c.heap[i]; uint8(h) == heap.KindFiber && isHeader(h) {
			if !c.l.SoundFiber(heap.HeapLo+uint64(i)*8+heap.TagObject, c.is) {
				return bad("fiber at word %d", i)
			}
		}
	}
	if !c.is(s.Main, heap.KindFiber) || s.Main < heap.HeapLo {
		return bad("main fiber")
	}
	seen := map[heap.Word]bool{}
	for _, f := range s.Ready {
		if !c.is(f, heap.KindFiber) || seen[f] || !c.l.Runnable(f) {
			return bad("ready fiber")
		}
		seen[f] = true
	}
	if s.NextCall > most || s.Spent < 0 || s.Spent > most {
		return bad("counters")
	}
	calls := map[uint64]bool{}
	for _, f := range s.Pending {
		if !c.is(f, heap.KindFiber) || seen[f] || !c.l.Waiting(f) {
			return bad("waiting fiber")
		}
		seen[f] = true
		id := c.l.CallOf(f)
		if id == 0 || id > s.NextCall || calls[id] {
			return bad("call of a waiting fiber")
		}
		calls[id] = true
	}
	for _, id := range s.Fresh {
		if id == 0 || id > s.NextCall {
			return bad("fresh call")
		}
	}
	return nil
}
