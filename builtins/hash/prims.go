package hash

import (
	"caper/builtins/equal"
	"caper/interp/heap"
	"caper/interp/prim"
)

// Prims are the rows of this room. The names are those of SRFI 69 and 125, Racket, Guile and MIT.
func Prims() []prim.Prim {
	var rows []prim.Prim
	add := func(min, max int, args, doc string, fn prim.Func, names ...string) {
		for _, name := range names {
			row := prim.Row(name, min, max, args, doc, fn)
			if name == "%table-ref" {
				row.As = "hash-table-ref"
			}
			rows = append(rows, row)
		}
	}
	add(1, 2, "kind [size]", "An empty table; kind is eq, eqv, equal or string.", makeTable, "%make-table")
	add(1, 1, "value", "Is it a hash table?", isTable, "hash-table?", "hash?")
	add(3, 3, "table key default", "The value at key, or the default.", refDefault, "%table-ref", "hash-table-ref/default", "hash-table/get", "hashq-ref/default")
	add(3, 3, "table key default", "The value at key in a table or an alist, or the default.", refAny, "%hash-ref")
	add(3, -1, "table key value …", "Puts each value at its key.", set, "hash-table-set!", "hash-set!", "hash-table/put!", "hashq-set!", "hashv-set!", "hash-table-put!")
	add(1, -1, "table key …", "Removes the keys; answers how many there were.", remove, "hash-table-delete!", "hash-remove!", "hash-table/remove!", "hashq-remove!", "hashv-remove!", "hash-table-remove!")
	add(2, 2, "table key", "Is there an entry with the key?", has, "hash-table-contains?", "hash-table-exists?", "hash-has-key?")
	add(1, 1, "table", "The number of entries.", count, "hash-table-size", "hash-table/count", "hash-table-length")
	add(1, 1, "table", "Are there no entries?", isEmpty, "hash-table-empty?", "hash-empty?")
	add(1, 1, "table", "The keys in the order of insertion.", list(func(c *prim.Ctx, k, _ heap.Word) heap.Word { return k }), "hash-table-keys", "hash-table/key-list", "hash-keys")
	add(1, 1, "table", "The values in the order of insertion.", list(func(c *prim.Ctx, _, v heap.Word) heap.Word { return v }), "hash-table-values", "hash-table/datum-list", "hash-values")
	add(1, 1, "table", "The entries as pairs, in the order of insertion.", list(func(c *prim.Ctx, k, v heap.Word) heap.Word { return c.Cons(k, v) }), "hash-table->alist", "hash->list", "%table->alist")
	add(1, 1, "table", "The entries now: a vector of keys and values in turn.", entries, "%table-entries")
	add(1, 1, "table", "Removes all entries.", removeAll, "hash-table-clear!", "hash-clear!")
	add(1, 2, "table [mutable?]", "A new table with the same entries.", copyTable, "hash-table-copy", "hash-copy", "hash-table-clone")
	add(2, 2, "alist kind", "A table of an alist; the first entry of a key counts.", fromAlist, "%alist->table")
	add(2, 2, "table list", "An immutable table of the given kind of table's keys and values in turn.", extend, "%table-extend")
	add(2, 2, "table key", "A table without the key.", without, "hash-remove")
	add(1, 1, "table", "Makes the table immutable and answers it.", freeze, "%table-freeze!")
	add(1, 1, "table", "Can the table be changed?", isMutable, "hash-table-mutable?")
	add(1, 1, "table", "The kind of the table: eq, eqv, equal or string.", kindOf, "%table-kind")
	return rows
}

var kindNames = [...]string{ByEq: "eq", ByEqv: "eqv", ByEqual: "equal", ByString: "string"}

func kindArg(c *prim.Ctx, a []heap.Word, i int) (int, bool) {
	if c.IsSymbol(a[i]) {
		for k, name := range kindNames {
			if c.SymbolName(a[i]) == name {
				return k, true
			}
		}
	}
	c.WrongType(a, i, "eq, eqv, equal or string")
	return 0, false
}

func makeTable(c *prim.Ctx, a []heap.Word) heap.Word {
	kind, ok := kindArg(c, a, 0)
	if !ok {
		return heap.Raised
	}
	return New(c.Arena, kind, 0)
}

// table checks that argument i is a table; with change also that it may be changed.
func table(c *prim.Ctx, a []heap.Word, i int, change bool) bool {
	if !c.Is(a[i], heap.KindTable) {
		c.WrongType(a, i, "a hash table")
		return false
	}
	if change && (num(c.Arena, a[i], heap.TableKind)&frozen != 0 || !heap.Mutable(a[i])) {
		c.Fail("type-error", c.Prim.Name+": the hash table is immutable; hash-table-copy makes one that can be changed", a[i])
		return false
	}
	return true
}

func isTable(c *prim.Ctx, a []heap.Word) heap.Word { return heap.Bool(c.Is(a[0], heap.KindTable)) }

func refDefault(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, false) {
		return heap.Raised
	}
	if v, ok := Ref(c, a[0], a[1]); ok {
		return v
	}
	return a[2]
}

// refAny is refDefault of an alist too.
func refAny(c *prim.Ctx, a []heap.Word) heap.Word {
	if !heap.IsPair(a[0]) && a[0] != heap.Null {
		return refDefault(c, a)
	}
	if _, ok := c.ListArg(a, 0); !ok {
		return heap.Raised
	}
	for l := a[0]; heap.IsPair(l); l = c.Cdr(l) {
		e := c.Car(l)
		if !heap.IsPair(e) {
			return c.Fail("type-error", "every element of the alist must be a pair", e)
		}
		same, steps := equal.Equal(c.Arena, c.Car(e), a[1])
		if c.Charge(steps); same {
			return c.Cdr(e)
		}
	}
	return a[2]
}

func set(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, true) {
		return heap.Raised
	}
	if len(a)%2 == 0 {
		return c.Fail("arity-error", c.Prim.Name+": a key without its value", a[len(a)-1])
	}
	for i := 1; i < len(a); i += 2 {
		if !Set(c, a[0], a[i], a[i+1]) {
			return c.TooLarge("a larger hash table")
		}
	}
	return heap.Unspecified
}

func remove(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, true) {
		return heap.Raised
	}
	n := int64(0)
	for _, k := range a[1:] {
		if Delete(c, a[0], k) {
			n++
		}
	}
	return heap.Fixnum(n)
}

func has(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, false) {
		return heap.Raised
	}
	_, ok := Ref(c, a[0], a[1])
	return heap.Bool(ok)
}

func count(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, false) {
		return heap.Raised
	}
	return heap.Fixnum(int64(Count(c.Arena, a[0])))
}

func isEmpty(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, false) {
		return heap.Raised
	}
	return heap.Bool(Count(c.Arena, a[0]) == 0)
}

func list(item func(c *prim.Ctx, k, v heap.Word) heap.Word) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if !table(c, a, 0, false) {
			return heap.Raised
		}
		n := Count(c.Arena, a[0])
		if !c.Room(uint64(n) * 32) {
			return c.TooLarge("the list")
		}
		items := make([]heap.Word, 0, n)
		Each(c.Arena, a[0], func(k, v heap.Word) bool {
			items = append(items, item(c, k, v))
			return true
		})
		return c.List(items...)
	}
}

func entries(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, false) {
		return heap.Raised
	}
	n := Count(c.Arena, a[0])
	if !c.Room(uint64(n) * 16) {
		return c.TooLarge("the vector of entries")
	}
	w := c.New(heap.KindVector, 2*n, heap.Null)
	f := c.Fields(w)
	i := 0
	Each(c.Arena, a[0], func(k, v heap.Word) bool {
		f[i], f[i+1] = k, v
		i += 2
		return i < len(f)
	})
	return w
}

func removeAll(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, true) {
		return heap.Raised
	}
	clearTable(c.Arena, a[0])
	return heap.Unspecified
}

func copyTable(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, false) {
		return heap.Raised
	}
	t, ok := Copy(c, a[0])
	if !ok {
		return c.TooLarge("the copy")
	}
	return t
}

func fromAlist(c *prim.Ctx, a []heap.Word) heap.Word {
	items, ok := c.Items(a, 0)
	if !ok {
		return heap.Raised
	}
	kind, ok := kindArg(c, a, 1)
	if !ok {
		return heap.Raised
	}
	t := New(c.Arena, kind, 0)
	for _, e := range items {
		if !heap.IsPair(e) {
			return c.Fail("type-error", "every element of the alist must be a pair", e)
		}
		if _, there := Ref(c, t, c.Car(e)); !there && !Set(c, t, c.Car(e), c.Cdr(e)) {
			return c.TooLarge("the hash table")
		}
	}
	return t
}

func extend(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, false) {
		return heap.Raised
	}
	items, ok := c.Items(a, 1)
	if !ok {
		return heap.Raised
	}
	if len(items)%2 != 0 {
		return c.Fail("arity-error", "a key without its value", items[len(items)-1])
	}
	t, ok := Copy(c, a[0])
	if !ok {
		return c.TooLarge("the copy")
	}
	for i := 0; i < len(items); i += 2 {
		if !Set(c, t, items[i], items[i+1]) {
			return c.TooLarge("the hash table")
		}
	}
	return freeze(c, []heap.Word{t})
}

func without(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, false) {
		return heap.Raised
	}
	t, ok := Copy(c, a[0])
	if !ok {
		return c.TooLarge("the copy")
	}
	Delete(c, t, a[1])
	return freeze(c, []heap.Word{t})
}

func freeze(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Is(a[0], heap.KindTable) {
		return c.WrongType(a, 0, "a hash table")
	}
	setNum(c.Arena, a[0], heap.TableKind, num(c.Arena, a[0], heap.TableKind)|frozen)
	return a[0]
}

func isMutable(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, false) {
		return heap.Raised
	}
	return heap.Bool(num(c.Arena, a[0], heap.TableKind)&frozen == 0 && heap.Mutable(a[0]))
}

func kindOf(c *prim.Ctx, a []heap.Word) heap.Word {
	if !table(c, a, 0, false) {
		return heap.Raised
	}
	return c.Intern(kindNames[num(c.Arena, a[0], heap.TableKind)&kindMask])
}
