package prim

import "caper/interp/heap"

// This file defines what rows and bodies of primitives share: the one place for argument errors.

// Row makes one row of a table. args and doc are for messages and documentation.
func Row(name string, min, max int, args, doc string, fn Func) Prim {
	return Prim{Name: name, Min: min, Max: max, Args: args, Doc: doc, Fn: fn}
}

// String checks that argument i is a string.
func (c *Ctx) String(args []heap.Word, i int) bool {
	return c.IsString(args[i]) || c.bad(args, i, "a string")
}

// Char reads argument i as a character.
func (c *Ctx) Char(args []heap.Word, i int) (r rune, ok bool) {
	if !heap.IsChar(args[i]) {
		return 0, c.bad(args, i, "a character")
	}
	return heap.CharValue(args[i]), true
}

// Symbol checks that argument i is a symbol.
func (c *Ctx) Symbol(args []heap.Word, i int) bool {
	return c.IsSymbol(args[i]) || c.bad(args, i, "a symbol")
}

// Vector checks that argument i is a vector.
func (c *Ctx) Vector(args []heap.Word, i int) bool {
	return c.IsVector(args[i]) || c.bad(args, i, "a vector")
}

// Bytevector checks that argument i is a bytevector.
func (c *Ctx) Bytevector(args []heap.Word, i int) bool {
	return c.Is(args[i], heap.KindBytes) || c.bad(args, i, "a bytevector")
}

// Pair checks that argument i is a pair.
func (c *Ctx) Pair(args []heap.Word, i int) bool {
	return heap.IsPair(args[i]) || c.bad(args, i, "a pair")
}

// ListArg is the length of argument i, which must be a proper list; the walk is charged.
func (c *Ctx) ListArg(args []heap.Word, i int) (n int, ok bool) {
	n, ok = c.ListLen(args[i])
	c.Charge(uint64(n))
	if !ok {
		c.bad(args, i, "a proper list")
	}
	return n, ok
}

// Items copies argument i, which must be a proper list.
func (c *Ctx) Items(args []heap.Word, i int) (items []heap.Word, ok bool) {
	n, ok := c.ListArg(args, i)
	if !ok {
		return nil, false
	}
	if !c.Lend(uint64(n) * 8) {
		c.TooLarge("a copy of the list")
		return nil, false
	}
	items = make([]heap.Word, 0, n)
	for l := args[i]; heap.IsPair(l); l = c.Cdr(l) {
		items = append(items, c.Car(l))
	}
	return items, true
}

// Byte reads argument i as an integer from 0 to 255.
func (c *Ctx) Byte(args []heap.Word, i int) (b byte, ok bool) {
	if !heap.IsFixnum(args[i]) || uint64(heap.FixnumValue(args[i])) > 255 {
		return 0, c.bad(args, i, "a byte (an exact integer from 0 to 255)")
	}
	return byte(heap.FixnumValue(args[i])), true
}

// Mutable checks that argument i was made by the program: literals and library data must not be changed.
func (c *Ctx) Mutable(args []heap.Word, i int) bool {
	if heap.Mutable(args[i]) || c.empty(args[i]) {
		return true
	}
	c.Fail("type-error", c.Prim.shown()+": argument is a literal constant, which must not be changed; copy it first", args[i])
	return false
}

// empty reports whether w is an object without contents that could change.
func (c *Ctx) empty(w heap.Word) bool {
	switch c.Kind(w) {
	case heap.KindVector:
		return c.Size(w) == 0
	case heap.KindBytes:
		return len(c.Bytes(w)) == 0
	case heap.KindString:
		return c.StringLen(w) == 0
	}
	return false
}

// Given reports whether optional argument i was given.
func Given(args []heap.Word, i int) bool { return len(args) > i && args[i] != heap.Default }

// Values answers several values at once.
func (c *Ctx) Values(vs ...heap.Word) heap.Word { return c.NewOf(heap.KindValues, vs...) }

// bad records that argument i has the wrong type and answers false.
func (c *Ctx) bad(args []heap.Word, i int, want string) bool {
	c.WrongType(args, i, want)
	return false
}
