// Package vector holds the primitives on vectors, bytevectors and boxes. What takes a procedure is Scheme and lives in
// stdlib. Only package builtins imports it.
package vector

import (
	"fmt"

	"caper/interp/heap"
	"caper/interp/prim"
)

// Prims are the rows of this room.
func Prims() []prim.Prim {
	rows := []prim.Prim{
		prim.Row("vector?", 1, 1, "value", "Is it a vector?", func(c *prim.Ctx, a []heap.Word) heap.Word { return heap.Bool(c.IsVector(a[0])) }),
		prim.Row("make-vector", 1, 2, "k [fill]", "A vector of k elements.", makeVector),
		prim.Row("vector", 0, -1, "value …", "A vector of the arguments.", func(c *prim.Ctx, a []heap.Word) heap.Word { return c.NewOf(heap.KindVector, a...) }),
		prim.Row("vector-length", 1, 1, "vector", "The number of elements.", length),
		prim.Row("vector-ref", 2, 2, "vector k", "Element k, counted from 0.", ref),
		prim.Row("vector-set!", 3, 3, "vector k value", "Replaces element k.", set),
		prim.Row("vector-first", 1, 1, "vector", "The first element.", first),
		prim.Row("vector-last", 1, 1, "vector", "The last element.", last),
		prim.Row("vector->list", 1, 3, "vector [start [end]]", "The elements in a list.", toList),
		prim.Row("list->vector", 1, 1, "list", "A vector of the elements.", fromList),
		prim.Row("reverse-list->vector", 1, 1, "list", "A vector of the elements, last to first.", fromReverseList),
		prim.Row("reverse-vector->list", 1, 3, "vector [start [end]]", "The elements in a list, last to first.", toReverseList),
		prim.Row("vector-fill!", 2, 4, "vector value [start [end]]", "Replaces those elements.", fill),
		prim.Row("vector-copy", 1, 3, "vector [start [end]]", "A new vector of those elements.", copyPart),
		prim.Row("subvector", 3, 3, "vector start end", "A new vector of those elements.", copyPart),
		prim.Row("vector-head", 2, 2, "vector end", "A new vector of the elements up to end.", func(c *prim.Ctx, a []heap.Word) heap.Word {
			return copyPart(c, []heap.Word{a[0], heap.Fixnum(0), a[1]})
		}),
		prim.Row("vector-tail", 2, 2, "vector start", "A new vector of the elements from start on.", copyPart),
		prim.Row("vector-copy!", 3, 5, "to at from [start [end]]", "Copies elements of from into to, from at on.", copyInto),
		prim.Row("vector-append", 0, -1, "vector …", "A new vector of the elements of all.", appendAll),
		prim.Row("vector-concatenate", 1, 1, "vectors", "vector-append of a list of vectors.", concatenate),
		prim.Row("vector-grow", 2, 2, "vector k", "A vector of k elements that starts with those of the vector.", grow),
		prim.Row("vector-reverse!", 1, 3, "vector [start [end]]", "Turns those elements round.", reverseInPlace),
		prim.Row("vector-swap!", 3, 3, "vector i j", "Exchanges two elements.", swap),
		prim.Row("box", 1, 1, "value", "A new box that holds the value.", func(c *prim.Ctx, a []heap.Word) heap.Word { return c.NewOf(heap.KindBox, a[0]) }),
		prim.Row("box?", 1, 1, "value", "Is it a box?", func(c *prim.Ctx, a []heap.Word) heap.Word { return heap.Bool(c.Is(a[0], heap.KindBox)) }),
		prim.Row("unbox", 1, 1, "box", "What the box holds.", unbox),
		prim.Row("set-box!", 2, 2, "box value", "Replaces what the box holds.", setBox),
	}
	return append(rows, byteRows()...)
}

const maxLength = 1 << 40

// fresh makes a vector of n elements, charged before it is allocated.
func fresh(c *prim.Ctx, n int, fill heap.Word) (w heap.Word, ok bool) {
	if !c.Room(uint64(n)*8 + 16) {
		c.TooLarge(fmt.Sprintf("a vector of %d elements", n))
		return heap.Raised, false
	}
	return c.New(heap.KindVector, n, fill), true
}

func makeVector(c *prim.Ctx, a []heap.Word) heap.Word {
	n, ok := c.Index(a, 0, 0, maxLength)
	if !ok {
		return heap.Raised
	}
	fill := heap.Unspecified
	if prim.Given(a, 1) {
		fill = a[1]
	}
	w, _ := fresh(c, n, fill)
	return w
}

func length(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Vector(a, 0) {
		return heap.Raised
	}
	return heap.Fixnum(int64(c.Size(a[0])))
}

// index reads argument i as the position of one of n elements.
func index(c *prim.Ctx, a []heap.Word, i, n int, what string) (k int, ok bool) {
	if n == 0 && heap.IsFixnum(a[i]) {
		c.Fail("range-error", fmt.Sprintf("%s: the %s is empty", c.Prim.Name, what), a[i])
		return 0, false
	}
	return c.Index(a, i, 0, n-1)
}

func ref(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Vector(a, 0) {
		return heap.Raised
	}
	k, ok := index(c, a, 1, int(c.Size(a[0])), "vector")
	if !ok {
		return heap.Raised
	}
	return c.Field(a[0], k)
}

func set(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Vector(a, 0) || !c.Mutable(a, 0) {
		return heap.Raised
	}
	k, ok := index(c, a, 1, int(c.Size(a[0])), "vector")
	if !ok {
		return heap.Raised
	}
	c.SetField(a[0], k, a[2])
	return heap.Unspecified
}

func first(c *prim.Ctx, a []heap.Word) heap.Word {
	return ref(c, []heap.Word{a[0], heap.Fixnum(0)})
}

func last(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Vector(a, 0) {
		return heap.Raised
	}
	return ref(c, []heap.Word{a[0], heap.Fixnum(max(0, int64(c.Size(a[0]))-1))})
}

// part is a view of the elements of argument i between start and end at argument j.
func part(c *prim.Ctx, a []heap.Word, i, j int) (items []heap.Word, ok bool) {
	if !c.Vector(a, i) {
		return nil, false
	}
	start, end, ok := c.Span(a, j, int(c.Size(a[i])))
	if !ok {
		return nil, false
	}
	c.Charge(uint64(end-start) / 8)
	return c.Fields(a[i])[start:end], true
}

func toList(c *prim.Ctx, a []heap.Word) heap.Word {
	items, ok := part(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	if !c.Room(uint64(len(items)) * 16) {
		return c.TooLarge("the list")
	}
	return c.List(items...)
}

func toReverseList(c *prim.Ctx, a []heap.Word) heap.Word {
	items, ok := part(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	if !c.Room(uint64(len(items)) * 16) {
		return c.TooLarge("the list")
	}
	l := heap.Null
	for _, w := range items {
		l = c.Cons(w, l)
	}
	return l
}

func fromList(c *prim.Ctx, a []heap.Word) heap.Word {
	n, ok := c.ListArg(a, 0)
	if !ok {
		return heap.Raised
	}
	w, ok := fresh(c, n, heap.Null)
	if !ok {
		return heap.Raised
	}
	f := c.Fields(w)
	for i, l := 0, a[0]; heap.IsPair(l); i, l = i+1, c.Cdr(l) {
		f[i] = c.Car(l)
	}
	return w
}

func fromReverseList(c *prim.Ctx, a []heap.Word) heap.Word {
	w := fromList(c, a)
	if w != heap.Raised {
		turn(c.Fields(w))
	}
	return w
}

func turn(f []heap.Word) {
	for i, j := 0, len(f)-1; i < j; i, j = i+1, j-1 {
		f[i], f[j] = f[j], f[i]
	}
}

func fill(c *prim.Ctx, a []heap.Word) heap.Word {
	items, ok := part(c, a, 0, 2)
	if !ok || !c.Mutable(a, 0) {
		return heap.Raised
	}
	for i := range items {
		items[i] = a[1]
	}
	return heap.Unspecified
}

func copyPart(c *prim.Ctx, a []heap.Word) heap.Word {
	items, ok := part(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	w, ok := fresh(c, len(items), heap.Null)
	if ok {
		copy(c.Fields(w), items)
	}
	return w
}

func copyInto(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Vector(a, 0) || !c.Mutable(a, 0) {
		return heap.Raised
	}
	to := c.Fields(a[0])
	at, ok := c.Index(a, 1, 0, len(to))
	if !ok {
		return heap.Raised
	}
	items, ok := part(c, a, 2, 3)
	if !ok {
		return heap.Raised
	}
	if len(items) > len(to)-at {
		return c.Fail("range-error", fmt.Sprintf("vector-copy!: %d elements do not fit in the %d from position %d on", len(items), len(to)-at, at), a[0])
	}
	copy(to[at:], items)
	return heap.Unspecified
}

func appendAll(c *prim.Ctx, a []heap.Word) heap.Word {
	n := 0
	for i := range a {
		if !c.Vector(a, i) {
			return heap.Raised
		}
		n += int(c.Size(a[i]))
	}
	w, ok := fresh(c, n, heap.Null)
	if !ok {
		return heap.Raised
	}
	f := c.Fields(w)
	for _, v := range a {
		f = f[copy(f, c.Fields(v)):]
	}
	return w
}

func concatenate(c *prim.Ctx, a []heap.Word) heap.Word {
	items, ok := c.Items(a, 0)
	if !ok {
		return heap.Raised
	}
	return appendAll(c, items)
}

func grow(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Vector(a, 0) {
		return heap.Raised
	}
	k, ok := c.Index(a, 1, int(c.Size(a[0])), maxLength)
	if !ok {
		return heap.Raised
	}
	w, ok := fresh(c, k, heap.Unspecified)
	if ok {
		copy(c.Fields(w), c.Fields(a[0]))
	}
	return w
}

func reverseInPlace(c *prim.Ctx, a []heap.Word) heap.Word {
	items, ok := part(c, a, 0, 1)
	if !ok || !c.Mutable(a, 0) {
		return heap.Raised
	}
	turn(items)
	return heap.Unspecified
}

func swap(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Vector(a, 0) || !c.Mutable(a, 0) {
		return heap.Raised
	}
	f := c.Fields(a[0])
	i, ok := index(c, a, 1, len(f), "vector")
	if !ok {
		return heap.Raised
	}
	j, ok := index(c, a, 2, len(f), "vector")
	if !ok {
		return heap.Raised
	}
	f[i], f[j] = f[j], f[i]
	return heap.Unspecified
}

func unbox(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Is(a[0], heap.KindBox) {
		return c.WrongType(a, 0, "a box")
	}
	return c.Field(a[0], 0)
}

func setBox(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Is(a[0], heap.KindBox) {
		return c.WrongType(a, 0, "a box")
	}
	if !c.Mutable(a, 0) {
		return heap.Raised
	}
	c.SetField(a[0], 0, a[1])
	return heap.Unspecified
}
