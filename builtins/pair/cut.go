package pair

import (
	"fmt"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines reaching into lists by position.

// skip walks k pairs along argument 0; when the list is shorter the failure says so.
func skip(c *prim.Ctx, a []heap.Word, k int) (rest heap.Word, ok bool) {
	l := a[0]
	for i := range k {
		if !heap.IsPair(l) {
			tooShort(c, a, i, k)
			return 0, false
		}
		l = c.Cdr(l)
	}
	c.Charge(uint64(k))
	return l, true
}

func tooShort(c *prim.Ctx, a []heap.Word, have, want int) heap.Word {
	if have == 0 && a[0] != heap.Null {
		return c.WrongType(a, 0, "a list")
	}
	return c.Fail("range-error", fmt.Sprintf("%s: the list has only %d elements, %d are needed", c.Prim.Name, have, want), a[0])
}

func listTail(c *prim.Ctx, a []heap.Word) heap.Word {
	k, ok := c.Index(a, 1, 0, maxList)
	if !ok {
		return heap.Raised
	}
	l, ok := skip(c, a, k)
	if !ok {
		return heap.Raised
	}
	return l
}

// front copies the first k elements of l, which has them.
func front(c *prim.Ctx, l heap.Word, k int) heap.Word {
	b := newBuilder(c)
	for range k {
		b.add(c.Car(l))
		l = c.Cdr(l)
	}
	return b.end(heap.Null)
}

// bounded is skip followed by a check that k pairs may be allocated: a circular list has any number of elements.
func bounded(c *prim.Ctx, a []heap.Word, k int) (rest heap.Word, ok bool) {
	if !c.Room(uint64(k) * pairBytes) {
		if n, proper := c.ListLen(a[0]); !proper || n >= k {
			c.TooLarge(fmt.Sprintf("a list of %d elements", k))
			return 0, false
		}
	}
	return skip(c, a, k)
}

func listHead(c *prim.Ctx, a []heap.Word) heap.Word {
	k, ok := c.Index(a, 1, 0, maxList)
	if !ok {
		return heap.Raised
	}
	if _, ok = bounded(c, a, k); !ok {
		return heap.Raised
	}
	return front(c, a[0], k)
}

func splitAt(c *prim.Ctx, a []heap.Word) heap.Word {
	k, ok := c.Index(a, 1, 0, maxList)
	if !ok {
		return heap.Raised
	}
	rest, ok := bounded(c, a, k)
	if !ok {
		return heap.Raised
	}
	return c.Values(front(c, a[0], k), rest)
}

// fromRight reads arguments list and k, counted from the end, as the number of elements before them.
func fromRight(c *prim.Ctx, a []heap.Word) (before int, ok bool) {
	n := 0
	l := a[0]
	if _, ok := end(c, l); !ok {
		c.WrongType(a, 0, "a list that ends")
		return 0, false
	}
	for ; heap.IsPair(l); l = c.Cdr(l) {
		n++
	}
	k, ok := c.Index(a, 1, 0, n)
	return n - k, ok
}

func takeRight(c *prim.Ctx, a []heap.Word) heap.Word {
	n, ok := fromRight(c, a)
	if !ok {
		return heap.Raised
	}
	l, _ := skip(c, a, n)
	return l
}

func dropRight(c *prim.Ctx, a []heap.Word) heap.Word {
	n, ok := fromRight(c, a)
	if !ok {
		return heap.Raised
	}
	return front(c, a[0], n)
}

func sublist(c *prim.Ctx, a []heap.Word) heap.Word {
	to, ok := c.Index(a, 2, 0, maxList)
	if !ok {
		return heap.Raised
	}
	from, ok := c.Index(a, 1, 0, to)
	if !ok {
		return heap.Raised
	}
	if _, ok = bounded(c, a, to); !ok {
		return heap.Raised
	}
	l, _ := skip(c, a, from)
	return front(c, l, to-from)
}

// nth is the pair that holds element k.
func nth(c *prim.Ctx, a []heap.Word) (p heap.Word, ok bool) {
	k, ok := c.Index(a, 1, 0, maxList)
	if !ok {
		return 0, false
	}
	p, ok = skip(c, a, k)
	if ok && !heap.IsPair(p) {
		tooShort(c, a, k, k+1)
		ok = false
	}
	return p, ok
}

func listRef(c *prim.Ctx, a []heap.Word) heap.Word {
	p, ok := nth(c, a)
	if !ok {
		return heap.Raised
	}
	return c.Car(p)
}

func listSet(c *prim.Ctx, a []heap.Word) heap.Word {
	p, ok := nth(c, a)
	if !ok || !c.Mutable([]heap.Word{p}, 0) {
		return heap.Raised
	}
	c.SetCar(p, a[2])
	return heap.Unspecified
}

func listCopy(c *prim.Ctx, a []heap.Word) heap.Word {
	tail, ok := end(c, a[0])
	if !ok {
		return c.WrongType(a, 0, "a list that ends")
	}
	b := newBuilder(c)
	for l := a[0]; heap.IsPair(l); l = c.Cdr(l) {
		b.add(c.Car(l))
	}
	return b.end(tail)
}

func lastPair(c *prim.Ctx, a []heap.Word) heap.Word {
	if !heap.IsPair(a[0]) {
		return c.WrongType(a, 0, "a list that is not empty")
	}
	if _, ok := end(c, a[0]); !ok {
		return c.WrongType(a, 0, "a list that ends")
	}
	l := a[0]
	for heap.IsPair(c.Cdr(l)) {
		l = c.Cdr(l)
	}
	return l
}

func last(c *prim.Ctx, a []heap.Word) heap.Word {
	p := lastPair(c, a)
	if p == heap.Raised {
		return p
	}
	return c.Car(p)
}

func flatten(c *prim.Ctx, a []heap.Word) heap.Word {
	b := newBuilder(c)
	stack := []heap.Word{a[0]}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		c.Charge(1)
		switch {
		case heap.IsPair(x):
			if len(stack) > 1<<24 || !c.Reserve(pairBytes) {
				return c.TooLarge("a tree this deep or circular")
			}
			stack = append(stack, c.Cdr(x), c.Car(x))
		case x != heap.Null:
			if !c.Reserve(pairBytes) {
				return c.TooLarge("the flat list")
			}
			b.add(x)
		}
	}
	return b.end(heap.Null)
}
