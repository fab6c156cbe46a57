package snapshot

import (
	"fmt"

	"caper/interp/code"
	"caper/interp/heap"
	"caper/interp/vm"
)

// checker proves that every word of a restored machine is one that a machine can have: first where objects start, then
// each word by what it says of itself, then fibers and continuations by how they hang together.
type checker struct {
	l     *vm.Layout
	a     *heap.Arena
	heap  []heap.Word
	start []uint64 // bitmap: where pairs and headers lie
	owned []uint64 // bitmap: entries and indexes of tables
	seen  []uint64 // bitmap: where other words lead
}

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

func check(l *vm.Layout, s *vm.State) error {
	n := len(s.Heap)/64 + 1
	c := &checker{l: l, a: l.Arena(), heap: s.Heap, start: make([]uint64, n), owned: make([]uint64, n), seen: make([]uint64, n)}
	if err := c.starts(); err != nil {
		return err
	}
	for i := 0; i < len(c.heap); {
		n, err := c.object(i)
		if err != nil {
			return err
		}
		i += n
	}
	for i, w := range s.Globals {
		if !c.value(w) && w != heap.Unbound {
			return bad("global %d", i)
		}
	}
	if err := c.fibers(s); err != nil {
		return err
	}
	for i, w := range c.owned {
		if w&c.seen[i] != 0 {
			return bad("a table's own near word %d", i*64)
		}
	}
	return nil
}

// own marks what a table alone may lead to, and reports whether no other did.
func (c *checker) own(w heap.Word) bool {
	i := index(w)
	other := c.owned[i>>6]>>(i&63)&1 != 0
	c.owned[i>>6] |= 1 << (i & 63)
	return !other
}

// size is the number of words of the object at index i.
func (c *checker) size(i int) int {
	if isHeader(c.heap[i]) {
		return 1 + int(heap.HeaderLen(c.heap[i]))
	}
	return 2
}

func isHeader(w heap.Word) bool {
	return w&heap.TagMask == heap.TagImm && w&0xff != heap.ImmByte && w&0xff != heap.CharByte
}

func (c *checker) starts() error {
	for i := 0; i < len(c.heap); {
		n := c.size(i)
		if n > len(c.heap)-i {
			return bad("size of the object at word %d", i)
		}
		c.start[i>>6] |= 1 << (i & 63)
		i += n
	}
	return nil
}

// index is where in the heap a reference points.
func index(w heap.Word) int { return int(w&^heap.TagMask-heap.HeapLo) / 8 }

// ref reports whether w, which has the tag of a reference, leads to an object of that tag.
func (c *checker) ref(w heap.Word) bool {
	if w>>32 != 0 {
		return false
	}
	if w < heap.HeapLo {
		return c.l.Known(w)
	}
	i := index(w)
	if i >= len(c.heap) || c.start[i>>6]>>(i&63)&1 == 0 {
		return false
	}
	h := c.heap[i]
	switch w & heap.TagMask {
	case heap.TagPair:
		return !isHeader(h)
	case heap.TagClosure:
		return uint8(h) == heap.KindClosure && isHeader(h)
	}
	return isHeader(h) && uint8(h) != heap.KindClosure
}

// value reports whether w is a value that a program can have. A segment is none: the collector copies its frames for the
// continuations of the chain only.
func (c *checker) value(w heap.Word) bool {
	switch {
	case heap.IsRef(w):
		if !c.ref(w) || c.is(w, heap.KindSegment) {
			return false
		}
		if w >= heap.HeapLo {
			i := index(w)
			c.seen[i>>6] |= 1 << (i & 63)
		}
		return true
	case heap.IsFixnum(w), heap.IsInlineFlonum(w):
		return true
	}
	return w&heap.TagMask == heap.TagImm && heap.IsImmediate(w) && w != heap.Raised
}

// is reports whether w is a sound reference to an object of kind k.
func (c *checker) is(w heap.Word, k heap.Kind) bool {
	return w&heap.TagMask == heap.TagObject && c.ref(w) && c.a.Is(w, k)
}

func (c *checker) values(from int, words []heap.Word) error {
	for i, w := range words {
		if !c.value(w) && w != heap.Unbound {
			return bad("word %d", from+i)
		}
	}
	return nil
}

// object checks the object at index i and answers its size.
func (c *checker) object(i int) (int, error) {
	h := c.heap[i]
	n := c.size(i)
	body := c.heap[i+1 : i+n]
	if !isHeader(h) {
		return n, c.values(i, c.heap[i:i+n])
	}
	if h != heap.Header(uint8(h), uint64(n-1)) && uint8(h) != heap.KindBignum && h != heap.Header(heap.KindRatnum, 2)|heap.ComplexBit {
		return 0, bad("header at word %d", i)
	}
	w := heap.HeapLo + uint64(i)*8 + heap.TagObject
	switch kind := uint8(h); kind {
	case heap.KindFlonum, heap.KindBignum, heap.KindBytes:
		if !raw(kind, h, body) {
			return 0, bad("raw object at word %d", i)
		}
		return n, nil
	case heap.KindClosure:
		return n, c.closure(i, body)
	case heap.KindVector, heap.KindBox, heap.KindSegment, heap.KindCont, heap.KindFiber, heap.KindRecord, heap.KindValues, heap.KindTable, heap.KindString, heap.KindRatnum, heap.KindPort:
		of := body
		if kind == heap.KindCont && len(body) == 4 {
			of = body[1:] // the segment; shape checks it
		}
		if kind == heap.KindTable && len(body) == heap.TableSize { // nor the entries and the index
			of = body[heap.TableIndex+1:]
			if err := c.values(i+1, body[:heap.TableEntries]); err != nil {
				return 0, err
			}
		}
		if err := c.values(i+1+len(body)-len(of), of); err != nil {
			return 0, err
		}
		if !c.shape(kind, w, body) {
			return 0, bad("object of kind %#x at word %d", kind, i)
		}
		return n, nil
	}
	return 0, bad("kind %#x at word %d", uint8(h), i)
}

// raw checks objects whose payload is no words.
func raw(kind heap.Kind, h heap.Word, body []heap.Word) bool {
	switch kind {
	case heap.KindFlonum:
		return len(body) == 1
	case heap.KindBignum:
		n := len(body)
		if h&^(1<<63) != heap.Header(kind, uint64(n)) || n == 0 || body[n-1] == 0 {
			return false
		}
		return n > 1 || body[0] > heap.MaxFixnum+1 || body[0] == heap.MaxFixnum+1 && h>>63 == 0
	}
	return len(body) >= 1 && body[0] <= uint64(len(body)-1)*8
}

// recordSizes are the least payloads of the built-in record types.
var recordSizes = map[int64]int{
	heap.TypeRtd: heap.RtdParent + 1, heap.TypeCondition: heap.CondSize, heap.TypePromise: 2, heap.TypeParameter: heap.ParameterConverter + 1,
}

// shape checks what kinds promise beyond their words being values.
func (c *checker) shape(kind heap.Kind, w heap.Word, body []heap.Word) bool {
	switch kind {
	case heap.KindBox:
		return len(body) == 1
	case heap.KindString:
		return len(body) == 3 && c.is(body[1], heap.KindBytes) && (body[2] == heap.False || c.is(body[2], heap.KindBytes)) && c.a.SoundString(w)
	case heap.KindTable:
		index := heap.TableIndex
		return len(body) == heap.TableSize && c.is(body[heap.TableEntries], heap.KindVector) && (body[index] == heap.False || c.is(body[index], heap.KindBytes)) &&
			c.a.AdoptTable(w) && c.own(body[heap.TableEntries]) && (body[index] == heap.False || c.own(body[index]))
	case heap.KindRatnum:
		if c.a.IsComplex(w) {
			return c.complex(body)
		}
		return len(body) == 2 && c.integer(body[0]) && c.integer(body[1]) && body[1] != 0 && body[1] != heap.Fixnum(1) && !c.negative(body[1])
	case heap.KindRecord:
		if len(body) == 0 {
			return false
		}
		if heap.IsFixnum(body[0]) {
			return len(body) >= recordSizes[heap.FixnumValue(body[0])]
		}
		return c.is(body[0], heap.KindRecord)
	case heap.KindCont:
		return c.cont(body)
	case heap.KindFiber:
		return len(body) == vm.FiberSize
	}
	return true
}

// complex checks that both parts are real and in the form of number.Rectangular.
func (c *checker) complex(body []heap.Word) bool {
	exact := [2]bool{}
	for i, w := range body {
		switch {
		case heap.IsInlineFlonum(w), w == heap.FloZero, c.is(w, heap.KindFlonum):
		case c.integer(w), c.is(w, heap.KindRatnum) && !c.a.IsComplex(w):
			exact[i] = true
		default:
			return false
		}
	}
	return body[1] != 0 && (body[0] == 0 || exact[0] == exact[1])
}

func (c *checker) integer(w heap.Word) bool {
	return heap.IsFixnum(w) || c.is(w, heap.KindBignum)
}

func (c *checker) negative(w heap.Word) bool {
	if heap.IsFixnum(w) {
		return heap.FixnumValue(w) < 0
	}
	return c.a.Load(w-heap.TagObject)>>63 != 0
}

// closure checks an entry point and the number of captured words, then the words.
func (c *checker) closure(i int, body []heap.Word) error {
	if len(body) == 0 {
		return bad("closure at word %d", i)
	}
	entry := body[0] & 0xffffffff
	info, ok := c.l.Entry(entry)
	if !ok || body[0] != code.Entry(entry, info) {
		return bad("entry of the closure at word %d", i)
	}
	if entry == c.l.CaseEntry() {
		for _, clause := range body[1:] {
			if !heap.IsClosure(clause) || !c.ref(clause) || c.a.Field(clause, 0)&0xffffffff == entry {
				return bad("case-lambda at word %d", i)
			}
		}
		return nil
	}
	if len(body) != 1+info.Captures() {
		return bad("captures of the closure at word %d", i)
	}
	return c.values(i+2, body[1:])
}
