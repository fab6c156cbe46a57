package pair

import (
	"caper/builtins/equal"
	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines the equivalences and the predicates that hold for any datum.

func datumRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("eq?", 2, 2, "a b", "Are both the same object?", func(_ *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(a[0] == a[1])
		}),
		prim.Row("eqv?", 2, 2, "a b", "The same object, or equal numbers of one exactness?", func(c *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(equal.Eqv(c.Arena, a[0], a[1]))
		}),
		prim.Row("equal?", 2, 2, "a b", "The same structure and contents? Ends for circular data too.", func(c *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(equals(c, a[0], a[1]))
		}),
		prim.Row("not", 1, 1, "value", "Is it #f?", func(_ *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(a[0] == heap.False)
		}),
		prim.Row("boolean?", 1, 1, "value", "Is it #t or #f?", func(_ *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(isBoolean(a[0]))
		}),
		prim.Row("boolean=?", 2, -1, "boolean boolean …", "Are all the same boolean?", booleanEqual),
		prim.Row("default-object?", 1, 1, "value", "Is it the mark of an optional argument that was not given?", func(_ *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(a[0] == heap.Default)
		}),
		prim.Row("%default", 0, 0, "", "The mark of an optional argument that was not given.", func(*prim.Ctx, []heap.Word) heap.Word {
			return heap.Default
		}),
		prim.Row("void", 0, -1, "value …", "The unspecified value.", func(*prim.Ctx, []heap.Word) heap.Word {
			return heap.Unspecified
		}),
		prim.Row("void?", 1, 1, "value", "Is it the unspecified value?", func(_ *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(a[0] == heap.Unspecified)
		}),
	}
}

func isBoolean(w heap.Word) bool { return w == heap.True || w == heap.False }

func booleanEqual(c *prim.Ctx, a []heap.Word) heap.Word {
	same := true
	for i := range a {
		if !isBoolean(a[i]) {
			return c.WrongType(a, i, "a boolean")
		}
		same = same && a[i] == a[0]
	}
	return heap.Bool(same)
}
