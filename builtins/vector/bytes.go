package vector

import (
	"fmt"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines bytevectors.

func byteRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("bytevector?", 1, 1, "value", "Is it a bytevector?", func(c *prim.Ctx, a []heap.Word) heap.Word { return heap.Bool(c.Is(a[0], heap.KindBytes)) }),
		prim.Row("make-bytevector", 1, 2, "k [byte]", "A bytevector of k bytes.", makeBytes),
		prim.Row("bytevector", 0, -1, "byte …", "A bytevector of the arguments.", bytesOf),
		prim.Row("bytevector-length", 1, 1, "bytevector", "The number of bytes.", bytesLength),
		prim.Row("bytevector-u8-ref", 2, 2, "bytevector k", "Byte k, counted from 0.", byteRef),
		prim.Row("bytevector-u8-set!", 3, 3, "bytevector k byte", "Replaces byte k.", byteSet),
		prim.Row("bytevector-copy", 1, 3, "bytevector [start [end]]", "A new bytevector of those bytes.", bytesCopy),
		prim.Row("bytevector-copy!", 3, 5, "to at from [start [end]]", "Copies bytes of from into to, from at on.", bytesCopyInto),
		prim.Row("bytevector-append", 0, -1, "bytevector …", "A new bytevector of the bytes of all.", bytesAppend),
		prim.Row("bytevector-fill!", 2, 4, "bytevector byte [start [end]]", "Replaces those bytes.", bytesFill),
		prim.Row("bytevector->list", 1, 3, "bytevector [start [end]]", "The bytes in a list.", bytesToList),
		prim.Row("u8-list->bytevector", 1, 1, "list", "A bytevector of the bytes in a list.", listToBytes),
		prim.Row("list->bytevector", 1, 1, "list", "A bytevector of the bytes in a list.", listToBytes),
	}
}

func freshBytes(c *prim.Ctx, n int) (w heap.Word, ok bool) {
	if !c.Room(uint64(n) + 16) {
		c.TooLarge(fmt.Sprintf("a bytevector of %d bytes", n))
		return heap.Raised, false
	}
	return c.NewBytes(n), true
}

func makeBytes(c *prim.Ctx, a []heap.Word) heap.Word {
	n, ok := c.Index(a, 0, 0, maxLength)
	if !ok {
		return heap.Raised
	}
	fill := byte(0)
	if prim.Given(a, 1) {
		if fill, ok = c.Byte(a, 1); !ok {
			return heap.Raised
		}
	}
	w, ok := freshBytes(c, n)
	if ok && fill != 0 {
		b := c.Bytes(w)
		for i := range b {
			b[i] = fill
		}
	}
	return w
}

func bytesOf(c *prim.Ctx, a []heap.Word) heap.Word {
	b := make([]byte, len(a))
	for i := range a {
		var ok bool
		if b[i], ok = c.Byte(a, i); !ok {
			return heap.Raised
		}
	}
	return c.FromBytes(b)
}

func bytesLength(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Bytevector(a, 0) {
		return heap.Raised
	}
	return heap.Fixnum(int64(len(c.Bytes(a[0]))))
}

func byteRef(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Bytevector(a, 0) {
		return heap.Raised
	}
	b := c.Bytes(a[0])
	k, ok := index(c, a, 1, len(b), "bytevector")
	if !ok {
		return heap.Raised
	}
	return heap.Fixnum(int64(b[k]))
}

func byteSet(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Bytevector(a, 0) || !c.Mutable(a, 0) {
		return heap.Raised
	}
	b := c.Bytes(a[0])
	k, ok := index(c, a, 1, len(b), "bytevector")
	if !ok {
		return heap.Raised
	}
	v, ok := c.Byte(a, 2)
	if !ok {
		return heap.Raised
	}
	b[k] = v
	return heap.Unspecified
}

// bytesPart is a view of the bytes of argument i between start and end at argument j.
func bytesPart(c *prim.Ctx, a []heap.Word, i, j int) (b []byte, ok bool) {
	if !c.Bytevector(a, i) {
		return nil, false
	}
	b = c.Bytes(a[i])
	start, end, ok := c.Span(a, j, len(b))
	if !ok {
		return nil, false
	}
	c.Charge(uint64(end-start) / 64)
	return b[start:end], true
}

func bytesCopy(c *prim.Ctx, a []heap.Word) heap.Word {
	b, ok := bytesPart(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	w, ok := freshBytes(c, len(b))
	if ok {
		copy(c.Bytes(w), b)
	}
	return w
}

func bytesCopyInto(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Bytevector(a, 0) || !c.Mutable(a, 0) {
		return heap.Raised
	}
	to := c.Bytes(a[0])
	at, ok := c.Index(a, 1, 0, len(to))
	if !ok {
		return heap.Raised
	}
	b, ok := bytesPart(c, a, 2, 3)
	if !ok {
		return heap.Raised
	}
	if len(b) > len(to)-at {
		return c.Fail("range-error", fmt.Sprintf("bytevector-copy!: %d bytes do not fit in the %d from position %d on", len(b), len(to)-at, at), a[0])
	}
	copy(to[at:], b)
	return heap.Unspecified
}

func bytesAppend(c *prim.Ctx, a []heap.Word) heap.Word {
	n := 0
	for i := range a {
		if !c.Bytevector(a, i) {
			return heap.Raised
		}
		n += len(c.Bytes(a[i]))
	}
	w, ok := freshBytes(c, n)
	if !ok {
		return heap.Raised
	}
	to := c.Bytes(w)
	for _, v := range a {
		to = to[copy(to, c.Bytes(v)):]
	}
	return w
}

func bytesFill(c *prim.Ctx, a []heap.Word) heap.Word {
	b, ok := bytesPart(c, a, 0, 2)
	if !ok || !c.Mutable(a, 0) {
		return heap.Raised
	}
	v, ok := c.Byte(a, 1)
	if !ok {
		return heap.Raised
	}
	for i := range b {
		b[i] = v
	}
	return heap.Unspecified
}

func bytesToList(c *prim.Ctx, a []heap.Word) heap.Word {
	b, ok := bytesPart(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	if !c.Room(uint64(len(b)) * 16) {
		return c.TooLarge("the list")
	}
	l := heap.Null
	for i := len(b) - 1; i >= 0; i-- {
		l = c.Cons(heap.Fixnum(int64(b[i])), l)
	}
	return l
}

func listToBytes(c *prim.Ctx, a []heap.Word) heap.Word {
	items, ok := c.Items(a, 0)
	if !ok {
		return heap.Raised
	}
	w, ok := freshBytes(c, len(items))
	if !ok {
		return heap.Raised
	}
	b := c.Bytes(w)
	for i := range items {
		if b[i], ok = c.Byte(items, i); !ok {
			return c.Fail("type-error", c.Prim.Name+": every element must be a byte", items[i])
		}
	}
	return w
}
