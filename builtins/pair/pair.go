// Package pair holds the primitives on pairs and lists, and the predicates that every datum answers (eq?, not, boolean?).
// Procedures that call their arguments (map, filter, member with a predicate) are Scheme and live in stdlib.
// Only package builtins imports it.
package pair

import (
	"fmt"

	"caper/interp/heap"
	"caper/interp/prim"
)

// Prims are the rows of this room.
func Prims() []prim.Prim {
	rows := []prim.Prim{
		prim.Row("cons", 2, 2, "a b", "A new pair of a and b.", cons),
		prim.Row("xcons", 2, 2, "b a", "A new pair of a and b (SRFI 1).", xcons),
		prim.Row("car", 1, 1, "pair", "The first part of a pair.", car),
		prim.Row("cdr", 1, 1, "pair", "The second part of a pair.", cdr),
		prim.Row("set-car!", 2, 2, "pair value", "Replaces the first part.", setCar),
		prim.Row("set-cdr!", 2, 2, "pair value", "Replaces the second part.", setCdr),
		prim.Row("pair?", 1, 1, "value", "Is it a pair?", isPair),
		prim.Row("null?", 1, 1, "value", "Is it the empty list?", isNull),
		prim.Row("list?", 1, 1, "value", "Is it a proper list?", isList),
		prim.Row("circular-list?", 1, 1, "value", "Does following its cdrs never end? (SRFI 1)", isCircular),
		prim.Row("dotted-list?", 1, 1, "value", "Does following its cdrs end in something else than ()? (SRFI 1)", isDotted),
	}
	rows = append(rows, paths()...)
	rows = append(rows, positions()...)
	rows = append(rows, listRows()...)
	rows = append(rows, searchRows()...)
	return append(rows, datumRows()...)
}

func cons(c *prim.Ctx, a []heap.Word) heap.Word  { return c.Cons(a[0], a[1]) }
func xcons(c *prim.Ctx, a []heap.Word) heap.Word { return c.Cons(a[1], a[0]) }

func car(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Pair(a, 0) {
		return heap.Raised
	}
	return c.Car(a[0])
}

func cdr(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Pair(a, 0) {
		return heap.Raised
	}
	return c.Cdr(a[0])
}

func setCar(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Pair(a, 0) || !c.Mutable(a, 0) {
		return heap.Raised
	}
	c.SetCar(a[0], a[1])
	return heap.Unspecified
}

func setCdr(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Pair(a, 0) || !c.Mutable(a, 0) {
		return heap.Raised
	}
	c.SetCdr(a[0], a[1])
	return heap.Unspecified
}

func isPair(_ *prim.Ctx, a []heap.Word) heap.Word { return heap.Bool(heap.IsPair(a[0])) }
func isNull(_ *prim.Ctx, a []heap.Word) heap.Word { return heap.Bool(a[0] == heap.Null) }

func isList(c *prim.Ctx, a []heap.Word) heap.Word {
	n, ok := c.ListLen(a[0])
	c.Charge(uint64(n))
	return heap.Bool(ok)
}

// end follows cdrs to what is no pair; ok is false when there is no end.
func end(c *prim.Ctx, l heap.Word) (tail heap.Word, ok bool) {
	slow := l
	for n := uint64(1); heap.IsPair(l); n++ {
		l = c.Cdr(l)
		if n&1 == 0 {
			slow = c.Cdr(slow)
			if slow == l && heap.IsPair(l) {
				return l, false
			}
		}
		c.Charge(1)
	}
	return l, true
}

func isCircular(c *prim.Ctx, a []heap.Word) heap.Word {
	_, ok := end(c, a[0])
	return heap.Bool(!ok)
}

func isDotted(c *prim.Ctx, a []heap.Word) heap.Word {
	tail, ok := end(c, a[0])
	return heap.Bool(ok && tail != heap.Null)
}

// paths are cadr, cddr, … to four letters.
func paths() []prim.Prim {
	var rows []prim.Prim
	for n := 2; n <= 4; n++ {
		for bits := range 1 << n {
			path := make([]byte, n)
			for i := range path {
				path[i] = "ad"[bits>>i&1]
			}
			rows = append(rows, pathRow(string(path)))
		}
	}
	return rows
}

func pathRow(path string) prim.Prim {
	doc := "The c" + path[:1] + "r of"
	for i := 1; i < len(path); i++ {
		doc += " the c" + path[i:i+1] + "r of"
	}
	return prim.Row("c"+path+"r", 1, 1, "pair", doc+" its argument.", func(c *prim.Ctx, a []heap.Word) heap.Word {
		w := a[0]
		for i := len(path) - 1; i >= 0; i-- {
			if !heap.IsPair(w) {
				return c.WrongType(a, 0, fmt.Sprintf("a value that has a c%sr", path))
			}
			if path[i] == 'a' {
				w = c.Car(w)
			} else {
				w = c.Cdr(w)
			}
		}
		return w
	})
}

// positions are first to tenth (SRFI 1).
func positions() []prim.Prim {
	var rows []prim.Prim
	for n, name := range []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"} {
		want := fmt.Sprintf("a list of at least %d elements", n+1)
		if n == 0 {
			want = "a list that is not empty"
		}
		rows = append(rows, prim.Row(name, 1, 1, "list", "The "+name+" element.", func(c *prim.Ctx, a []heap.Word) heap.Word {
			l := a[0]
			for i := 0; i < n && heap.IsPair(l); i++ {
				l = c.Cdr(l)
			}
			if !heap.IsPair(l) {
				return c.WrongType(a, 0, want)
			}
			return c.Car(l)
		}))
	}
	return rows
}
