package port

import (
	"caper/builtins/hash"
	"caper/interp/heap"
	"caper/interp/prim"
)

// This file finds what a printer must label.

// composite reports whether w has parts that the printer walks through.
func composite(c *prim.Ctx, w heap.Word) bool {
	if heap.IsPair(w) {
		return true
	}
	switch c.Kind(w) {
	case heap.KindVector:
		return c.Size(w) > 0
	case heap.KindBox, heap.KindTable, heap.KindValues:
		return true
	case heap.KindRecord:
		t := c.Field(w, 0)
		return t == heap.Fixnum(heap.TypeCondition) || !heap.IsFixnum(t)
	}
	return false
}

// parts are the values that the printer prints inside of a composite other than a pair.
func parts(c *prim.Ctx, w heap.Word) []heap.Word {
	switch c.Kind(w) {
	case heap.KindVector, heap.KindBox, heap.KindValues:
		return c.Fields(w)
	case heap.KindTable:
		var all []heap.Word
		hash.Each(c.Arena, w, func(k, v heap.Word) bool {
			all = append(all, k, v)
			return true
		})
		return all
	case heap.KindRecord:
		if c.Field(w, 0) == heap.Fixnum(heap.TypeCondition) {
			return []heap.Word{c.Field(w, heap.CondIrritants)}
		}
		return c.Fields(w)[1:]
	}
	return nil
}

// findLabels walks through everything once, depth first, and answers what needs a label: what contains itself, and with
// shared also what is reached twice. It keeps two bits a value and a word a level: data can be as deep as memory.
// It reports false when there is no room for that.
func findLabels(c *prim.Ctx, w heap.Word, shared bool) (labels prim.Labels, room bool) {
	const leave = 1 << 63 // a value whose parts have been seen; references have 32 bits
	var seen marks
	stack := []heap.Word{w}
	room = true
	push := func(x heap.Word) {
		if n := cap(stack); len(stack) == n {
			room = room && c.Lend(uint64(n)*5*8/4) // what append makes of it
		}
		stack = append(stack, x)
	}
	enter := func(x heap.Word) {
		if heap.IsRef(x) && composite(c, x) {
			push(x)
		}
	}
	if !c.Lend(c.Used() / 32) {
		return prim.Labels{}, false
	}
	for len(stack) > 0 && room {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v&leave != 0 {
			seen.set(v&^leave, closed)
			continue
		}
		switch s := seen.get(v); {
		case s == open || s == closed && shared:
			if n := labels.Add(v); n&(n-1) == 0 {
				room = room && c.Lend(uint64(n)*40)
			}
			continue
		case s == closed:
			continue
		}
		c.Charge(1)
		seen.set(v, open)
		push(v | leave)
		if heap.IsPair(v) {
			enter(c.Cdr(v))
			enter(c.Car(v))
			continue
		}
		for _, x := range parts(c, v) {
			enter(x)
		}
	}
	return labels, room
}

// marks holds two bits for each place of the arena, in pages made on first use.
type marks struct {
	pages map[heap.Word]*[pageWords]uint64
	last  *[pageWords]uint64
	at    heap.Word
}

const (
	open, closed = 1, 2
	pageWords    = 1 << 10
	perPage      = pageWords * 32 // places of eight bytes
)

func (m *marks) page(p heap.Word) *[pageWords]uint64 {
	if m.last == nil || m.at != p {
		if m.pages == nil {
			m.pages = map[heap.Word]*[pageWords]uint64{}
		}
		if m.pages[p] == nil {
			m.pages[p] = new([pageWords]uint64)
		}
		m.last, m.at = m.pages[p], p
	}
	return m.last
}

func (m *marks) get(w heap.Word) uint64 {
	n := w / 8
	return m.page(n / perPage)[n%perPage/32] >> (n % 32 * 2) & 3
}

func (m *marks) set(w heap.Word, s uint64) {
	n := w / 8
	x := &m.page(n / perPage)[n%perPage/32]
	*x = *x&^(3<<(n%32*2)) | s<<(n%32*2)
}
