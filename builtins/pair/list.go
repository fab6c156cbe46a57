package pair

import (
	"fmt"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines what makes, cuts and joins lists.

func listRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("list", 0, -1, "value …", "A list of the arguments.", list),
		prim.Row("cons*", 1, -1, "value … tail", "The values in front of the last argument (SRFI 1).", consStar),
		prim.Row("list*", 1, -1, "value … tail", "The values in front of the last argument.", consStar),
		prim.Row("make-list", 1, 2, "k [fill]", "A list of k elements.", makeList),
		prim.Row("iota", 1, 3, "count [start [step]]", "The numbers start, start+step, … (SRFI 1).", countUp),
		prim.Row("length", 1, 1, "list", "The number of elements of a proper list.", length),
		prim.Row("length+", 1, 1, "list", "The number of elements, #f for a circular list (SRFI 1).", lengthPlus),
		prim.Row("append", 0, -1, "list …", "The elements of all lists; the last is shared.", appendLists),
		prim.Row("append!", 0, -1, "list …", "append that may reuse its arguments' pairs.", appendInPlace),
		prim.Row("concatenate", 1, 1, "lists", "append of a list of lists (SRFI 1).", concatenate),
		prim.Row("append*", 1, -1, "list … lists", "append of the lists and of those in the last argument.", appendStar),
		prim.Row("reverse", 1, 1, "list", "The elements last to first.", reverse),
		prim.Row("reverse!", 1, 1, "list", "reverse that may reuse its argument's pairs.", reverseInPlace),
		prim.Row("append-reverse", 2, 2, "list tail", "The list reversed in front of tail (SRFI 1).", appendReverse),
		prim.Row("append-reverse!", 2, 2, "list tail", "append-reverse that may reuse pairs.", appendReverse),
		prim.Row("list-tail", 2, 2, "list k", "The list without its first k elements.", listTail),
		prim.Row("drop", 2, 2, "list k", "The list without its first k elements (SRFI 1).", listTail),
		prim.Row("list-head", 2, 2, "list k", "The first k elements.", listHead),
		prim.Row("take", 2, 2, "list k", "The first k elements (SRFI 1).", listHead),
		prim.Row("take!", 2, 2, "list k", "The first k elements (SRFI 1).", listHead),
		prim.Row("take-right", 2, 2, "list k", "The last k elements (SRFI 1).", takeRight),
		prim.Row("drop-right", 2, 2, "list k", "All but the last k elements (SRFI 1).", dropRight),
		prim.Row("drop-right!", 2, 2, "list k", "All but the last k elements (SRFI 1).", dropRight),
		prim.Row("split-at", 2, 2, "list k", "Two values: the first k elements and the others (SRFI 1).", splitAt),
		prim.Row("sublist", 3, 3, "list start end", "The elements from start up to end.", sublist),
		prim.Row("list-ref", 2, 2, "list k", "Element k, counted from 0.", listRef),
		prim.Row("list-set!", 3, 3, "list k value", "Replaces element k.", listSet),
		prim.Row("list-copy", 1, 1, "list", "A copy of the list's pairs.", listCopy),
		prim.Row("last-pair", 1, 1, "list", "The last pair.", lastPair),
		prim.Row("last", 1, 1, "list", "The last element.", last),
		prim.Row("flatten", 1, 1, "tree", "The leaves of nested lists in one list.", flatten),
	}
}

func list(c *prim.Ctx, a []heap.Word) heap.Word     { return c.List(a...) }
func consStar(c *prim.Ctx, a []heap.Word) heap.Word { return c.ListTail(a[len(a)-1], a[:len(a)-1]...) }

// maxList keeps sizes far from overflow; Room knows the real limit.
const maxList = 1 << 40

const pairBytes = 16

// builder makes a list front to back.
type builder struct {
	c           *prim.Ctx
	first, last heap.Word
}

func newBuilder(c *prim.Ctx) builder { return builder{c, heap.Null, heap.Null} }

func (b *builder) add(w heap.Word) { b.pair(b.c.Cons(w, heap.Null)) }

func (b *builder) pair(p heap.Word) {
	if b.first == heap.Null {
		b.first = p
	} else {
		b.c.SetCdr(b.last, p)
	}
	b.last = p
}

// end closes the list with tail.
func (b *builder) end(tail heap.Word) heap.Word {
	if b.first == heap.Null {
		return tail
	}
	b.c.SetCdr(b.last, tail)
	return b.first
}

func makeList(c *prim.Ctx, a []heap.Word) heap.Word {
	n, ok := c.Index(a, 0, 0, maxList)
	if !ok {
		return heap.Raised
	}
	if !c.Room(uint64(n) * pairBytes) {
		return c.TooLarge(fmt.Sprintf("a list of %d elements", n))
	}
	fill := heap.Unspecified
	if prim.Given(a, 1) {
		fill = a[1]
	}
	l := heap.Null
	for range n {
		l = c.Cons(fill, l)
	}
	return l
}

func length(c *prim.Ctx, a []heap.Word) heap.Word {
	n, ok := c.ListArg(a, 0)
	if !ok {
		return heap.Raised
	}
	return heap.Fixnum(int64(n))
}

func lengthPlus(c *prim.Ctx, a []heap.Word) heap.Word {
	n, ok := c.ListLen(a[0])
	c.Charge(uint64(n))
	if !ok {
		return heap.False
	}
	return heap.Fixnum(int64(n))
}

// copyOnto adds the elements of argument i, a proper list, to b.
func copyOnto(c *prim.Ctx, b *builder, a []heap.Word, i int) bool {
	n, ok := c.ListArg(a, i)
	if !ok {
		return false
	}
	if !c.Room(uint64(n) * pairBytes) {
		c.TooLarge(fmt.Sprintf("a list of %d elements more", n))
		return false
	}
	for l := a[i]; heap.IsPair(l); l = c.Cdr(l) {
		b.add(c.Car(l))
	}
	return true
}

func appendLists(c *prim.Ctx, a []heap.Word) heap.Word {
	if len(a) == 0 {
		return heap.Null
	}
	b := newBuilder(c)
	for i := range len(a) - 1 {
		if a[i] != heap.Null && !copyOnto(c, &b, a, i) {
			return heap.Raised
		}
	}
	return b.end(a[len(a)-1])
}

func appendInPlace(c *prim.Ctx, a []heap.Word) heap.Word {
	if len(a) == 0 {
		return heap.Null
	}
	b := newBuilder(c)
	for i := range len(a) - 1 {
		if a[i] == heap.Null {
			continue
		}
		if !heap.Mutable(a[i]) {
			if !copyOnto(c, &b, a, i) {
				return heap.Raised
			}
			continue
		}
		if _, ok := c.ListArg(a, i); !ok {
			return heap.Raised
		}
		p := a[i]
		b.pair(p)
		for heap.IsPair(c.Cdr(p)) {
			p = c.Cdr(p)
		}
		if !heap.Mutable(p) { // a fresh front with a literal tail
			return appendLists(c, a)
		}
		b.last = p
	}
	return b.end(a[len(a)-1])
}

func concatenate(c *prim.Ctx, a []heap.Word) heap.Word {
	lists, ok := c.Items(a, 0)
	if !ok {
		return heap.Raised
	}
	return appendLists(c, lists)
}

func appendStar(c *prim.Ctx, a []heap.Word) heap.Word {
	n := len(a) - 1
	lists, ok := c.Items(a, n)
	if !ok {
		return heap.Raised
	}
	return appendLists(c, append(append([]heap.Word{}, a[:n]...), lists...))
}

// onto puts the elements of argument 0 reversed in front of tail.
func onto(c *prim.Ctx, a []heap.Word, tail heap.Word) heap.Word {
	n, ok := c.ListArg(a, 0)
	if !ok {
		return heap.Raised
	}
	if !c.Room(uint64(n) * pairBytes) {
		return c.TooLarge(fmt.Sprintf("a list of %d elements", n))
	}
	for l := a[0]; heap.IsPair(l); l = c.Cdr(l) {
		tail = c.Cons(c.Car(l), tail)
	}
	return tail
}

func reverse(c *prim.Ctx, a []heap.Word) heap.Word       { return onto(c, a, heap.Null) }
func appendReverse(c *prim.Ctx, a []heap.Word) heap.Word { return onto(c, a, a[1]) }

func reverseInPlace(c *prim.Ctx, a []heap.Word) heap.Word {
	if _, ok := c.ListArg(a, 0); !ok {
		return heap.Raised
	}
	done := heap.Null
	for l := a[0]; heap.IsPair(l); {
		next := c.Cdr(l)
		if heap.Mutable(l) {
			c.SetCdr(l, done)
			done = l
		} else {
			done = c.Cons(c.Car(l), done)
		}
		l = next
	}
	return done
}
