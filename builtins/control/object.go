package control

import (
	"fmt"

	"caper/builtins/equal"
	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines procedures as data, hashes, fresh symbols, keyword arguments and what the machine can tell of itself.

func objectRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("procedure?", 1, 1, "value", "Can it be applied?", func(c *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(c.IsProcedure(a[0]))
		}),
		prim.Row("eq-hash", 1, 2, "value [bound]", "A hash that agrees with eq?, until the next collection.", hash(equal.HashEqv)),
		prim.Row("eqv-hash", 1, 2, "value [bound]", "A hash that agrees with eqv?, until the next collection.", hash(equal.HashEqv)),
		prim.Row("equal-hash", 1, 2, "value [bound]", "A hash that agrees with equal?.", hash(equal.HashEqual)),
		prim.Row("gensym", 0, 1, "[prefix]", "A symbol that no name reaches.", gensym),
		prim.Row("generate-uninterned-symbol", 0, 1, "[prefix]", "A symbol that no name reaches.", gensym),
		prim.Row("%keyword", 3, 3, "arguments keyword default", "The value after the keyword in an argument list, or the default.", keyword),
		prim.Row("%positional", 1, 1, "arguments", "An argument list without keywords and their values.", positional),
		prim.Row("%memory-used", 0, 0, "", "Bytes of the arena in use, garbage included.", func(c *prim.Ctx, _ []heap.Word) heap.Word {
			return heap.Fixnum(int64(c.Used()))
		}),
		prim.Row("%memory-limit", 0, 0, "", "Bytes that the arena may hold.", func(c *prim.Ctx, _ []heap.Word) heap.Word {
			return heap.Fixnum(int64(c.Max()))
		}),
		prim.Row("%collections", 0, 0, "", "How often the collector ran.", func(c *prim.Ctx, _ []heap.Word) heap.Word {
			return heap.Fixnum(int64(c.Collections))
		}),
	}
}

func hash(f func(*heap.Arena, heap.Word) (uint64, bool)) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		h, _ := f(c.Arena, a[0])
		n := int64(h >> 5)
		if prim.Given(a, 1) {
			if !heap.IsFixnum(a[1]) || heap.FixnumValue(a[1]) <= 0 {
				return c.WrongType(a, 1, "a positive exact integer")
			}
			n %= heap.FixnumValue(a[1])
		}
		return heap.Fixnum(n)
	}
}

// gensym numbers by where the symbol will lie, which grows with each and repeats in no run.
func gensym(c *prim.Ctx, a []heap.Word) heap.Word {
	prefix := "g"
	if prim.Given(a, 0) {
		switch {
		case c.IsSymbol(a[0]):
			prefix = c.SymbolName(a[0])
		case c.IsString(a[0]):
			prefix = c.Text(a[0])
		default:
			return c.WrongType(a, 0, "a symbol or a string")
		}
	}
	if !c.InternRoom(len(prefix) + 20) {
		return c.Fail("memory-error", "gensym: no room is left for new symbols")
	}
	return c.NewUninterned(fmt.Sprintf("%s%d", prefix, c.StaticEnd()/8))
}

func keyword(c *prim.Ctx, a []heap.Word) heap.Word {
	if _, ok := c.ListArg(a, 0); !ok {
		return heap.Raised
	}
	for l := a[0]; heap.IsPair(l); l = c.Cdr(l) {
		if next := c.Cdr(l); c.IsKeyword(c.Car(l)) && heap.IsPair(next) {
			if c.Car(l) == a[1] {
				return c.Car(next)
			}
			l = next
		}
	}
	return a[2]
}

func positional(c *prim.Ctx, a []heap.Word) heap.Word {
	if _, ok := c.ListArg(a, 0); !ok {
		return heap.Raised
	}
	var kept []heap.Word
	for l := a[0]; heap.IsPair(l); l = c.Cdr(l) {
		if next := c.Cdr(l); c.IsKeyword(c.Car(l)) && heap.IsPair(next) {
			l = next
			continue
		}
		kept = append(kept, c.Car(l))
	}
	return c.List(kept...)
}
