package pair

import (
	"caper/builtins/equal"
	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines searching and association lists. Names with % take no predicate; stdlib adds that.

func searchRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("memq", 2, 2, "value list", "The first tail whose car is eq? to value, or #f.", member(byWord)),
		prim.Row("memv", 2, 2, "value list", "The first tail whose car is eqv? to value, or #f.", member(byEqv)),
		prim.Row("%member", 2, 2, "value list", "The first tail whose car is equal? to value, or #f.", member(byValue)),
		prim.Row("assq", 2, 2, "key alist", "The first entry whose car is eq? to key, or #f.", assoc(byWord)),
		prim.Row("assv", 2, 2, "key alist", "The first entry whose car is eqv? to key, or #f.", assoc(byEqv)),
		prim.Row("%assoc", 2, 2, "key alist", "The first entry whose car is equal? to key, or #f.", assoc(byValue)),
		prim.Row("%delete", 2, 2, "value list", "The list without the elements equal? to value.", deleteItem),
		prim.Row("assoc-ref", 2, 2, "alist key", "The value at key (equal?) in the alist, or #f.", assocRef),
		prim.Row("assq-ref", 2, 2, "alist key", "The value at key in the alist, or #f.", assocRef),
		prim.Row("assv-ref", 2, 2, "alist key", "The value at key in the alist, or #f.", assocRef),
		prim.Row("assoc-set!", 3, 3, "alist key value", "The alist with key set to value, changed in place where the key is there.", assocSet),
		prim.Row("assq-set!", 3, 3, "alist key value", "The alist with key set to value, changed in place where the key is there.", assocSet),
		prim.Row("assv-set!", 3, 3, "alist key value", "The alist with key set to value, changed in place where the key is there.", assocSet),
		prim.Row("assoc-remove!", 2, 2, "alist key", "The alist without key.", assocRemove),
		prim.Row("assq-remove!", 2, 2, "alist key", "The alist without key.", assocRemove),
		prim.Row("assv-remove!", 2, 2, "alist key", "The alist without key.", assocRemove),
		prim.Row("acons", 3, 3, "key value alist", "The alist with an entry in front.", acons),
		prim.Row("alist-cons", 3, 3, "key value alist", "The alist with an entry in front (SRFI 1).", acons),
		prim.Row("alist-copy", 1, 1, "alist", "A copy of the alist and its entries (SRFI 1).", alistCopy),
	}
}

type same func(c *prim.Ctx, x, y heap.Word) bool

func eq(_ *prim.Ctx, x, y heap.Word) bool  { return x == y }
func eqv(c *prim.Ctx, x, y heap.Word) bool { return equal.Eqv(c.Arena, x, y) }
func equals(c *prim.Ctx, x, y heap.Word) bool {
	if x == y {
		return true
	}
	same, steps := equal.Equal(c.Arena, x, y)
	c.Charge(steps)
	return same
}

// pick answers the cheapest test that equals the given one for key.
func pick(c *prim.Ctx, test same, key heap.Word) same {
	if !heap.IsRef(key) || c.IsSymbol(key) {
		return eq
	}
	return test
}

// each visits the pairs of a list until visit answers false; it reports whether the list ended properly or was left.
func each(c *prim.Ctx, list heap.Word, visit func(p heap.Word) bool) bool {
	slow := list
	for n := uint64(1); heap.IsPair(list); n++ {
		if !visit(list) {
			c.Charge(n)
			return true
		}
		list = c.Cdr(list)
		if n&1 == 0 {
			if slow = c.Cdr(slow); slow == list && heap.IsPair(list) {
				c.Charge(n)
				return false
			}
		}
		if n&1023 == 0 {
			c.Charge(1024)
		}
	}
	return list == heap.Null
}

// nearby is how far a search goes without looking out for circles.
const nearby = 4096

// search looks for key among the first elements of a list, or among the cars of them: by the word alone, or by text where key
// is a string. done is false when somebody else must look: the list is long or not proper, or an element is no entry.
func search(c *prim.Ctx, list, key heap.Word, entries, text bool) (found heap.Word, done bool) {
	for n := uint64(0); n < nearby; n++ {
		if !heap.IsPair(list) {
			c.Charge(n)
			return heap.False, list == heap.Null
		}
		x := c.Car(list)
		k, hit := x, list
		if entries {
			if !heap.IsPair(x) {
				return heap.False, false
			}
			k, hit = c.Car(x), x
		}
		if k == key || text && c.IsString(k) && c.StringEqual(k, key) {
			c.Charge(n)
			return hit, true
		}
		list = c.Cdr(list)
	}
	return heap.False, false
}

// searches reports whether search finds key as the test would, and whether by text.
func searches(c *prim.Ctx, test kind, key heap.Word) (can, text bool) {
	if test == byWord || !heap.IsRef(key) || c.IsSymbol(key) {
		return true, false
	}
	return test == byValue && c.IsString(key), true
}

// kind names a test that search may know.
type kind uint8

const (
	byWord  kind = iota // eq?
	byEqv               // eqv?
	byValue             // equal?
)

var tests = [...]same{byWord: eq, byEqv: eqv, byValue: equals}

func member(k kind) prim.Func {
	test := tests[k]
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if can, text := searches(c, k, a[0]); can {
			if found, done := search(c, a[1], a[0], false, text); done {
				return found
			}
		}
		t := pick(c, test, a[0])
		found := heap.False
		if !each(c, a[1], func(p heap.Word) bool {
			if t(c, a[0], c.Car(p)) {
				found = p
			}
			return found == heap.False
		}) {
			return c.WrongType(a, 1, "a proper list")
		}
		return found
	}
}

// entry finds the entry of key in list argument i. bad is set when the failure is recorded.
func entry(c *prim.Ctx, a []heap.Word, i int, key heap.Word, test same) (e heap.Word, ok bool) {
	t := pick(c, test, key)
	e, ok = heap.False, true
	proper := each(c, a[i], func(p heap.Word) bool {
		x := c.Car(p)
		if !heap.IsPair(x) {
			c.Fail("type-error", c.Prim.Name+": every element of the alist must be a pair", x)
			ok = false
		} else if t(c, key, c.Car(x)) {
			e = x
		}
		return ok && e == heap.False
	})
	if ok && !proper {
		c.WrongType(a, i, "an association list")
		ok = false
	}
	return e, ok
}

func assoc(k kind) prim.Func {
	test := tests[k]
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if can, text := searches(c, k, a[0]); can {
			if found, done := search(c, a[1], a[0], true, text); done {
				return found
			}
		}
		e, ok := entry(c, a, 1, a[0], test)
		if !ok {
			return heap.Raised
		}
		return e
	}
}

func assocRef(c *prim.Ctx, a []heap.Word) heap.Word {
	e, ok := entry(c, a, 0, a[1], equals)
	switch {
	case !ok:
		return heap.Raised
	case e == heap.False:
		return heap.False
	}
	return c.Cdr(e)
}

func assocSet(c *prim.Ctx, a []heap.Word) heap.Word {
	e, ok := entry(c, a, 0, a[1], equals)
	switch {
	case !ok:
		return heap.Raised
	case e == heap.False:
		return c.Cons(c.Cons(a[1], a[2]), a[0])
	case !c.Mutable([]heap.Word{e}, 0):
		return heap.Raised
	}
	c.SetCdr(e, a[2])
	return a[0]
}

func assocRemove(c *prim.Ctx, a []heap.Word) heap.Word {
	if _, ok := c.ListArg(a, 0); !ok {
		return heap.Raised
	}
	b := newBuilder(c)
	for l := a[0]; heap.IsPair(l); l = c.Cdr(l) {
		e := c.Car(l)
		if !heap.IsPair(e) || !equals(c, c.Car(e), a[1]) {
			b.add(e)
		}
	}
	return b.end(heap.Null)
}

func deleteItem(c *prim.Ctx, a []heap.Word) heap.Word {
	if _, ok := c.ListArg(a, 1); !ok {
		return heap.Raised
	}
	t := pick(c, equals, a[0])
	b := newBuilder(c)
	for l := a[1]; heap.IsPair(l); l = c.Cdr(l) {
		if !t(c, a[0], c.Car(l)) {
			b.add(c.Car(l))
		}
	}
	return b.end(heap.Null)
}

func acons(c *prim.Ctx, a []heap.Word) heap.Word { return c.Cons(c.Cons(a[0], a[1]), a[2]) }

func alistCopy(c *prim.Ctx, a []heap.Word) heap.Word {
	if _, ok := c.ListArg(a, 0); !ok {
		return heap.Raised
	}
	b := newBuilder(c)
	for l := a[0]; heap.IsPair(l); l = c.Cdr(l) {
		e := c.Car(l)
		if heap.IsPair(e) {
			e = c.Cons(c.Car(e), c.Cdr(e))
		}
		b.add(e)
	}
	return b.end(heap.Null)
}
