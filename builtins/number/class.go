package number

import (
	"caper/interp/heap"
	num "caper/interp/number"
	"caper/interp/prim"
)

// This file defines the predicates of the tower and the steps between exact and inexact.

func classRows() []prim.Prim {
	is := func(name, doc string, f func(num.Number) bool) prim.Prim {
		return prim.Row(name, 1, 1, "value", doc, func(c *prim.Ctx, a []heap.Word) heap.Word {
			n, ok := c.Number(a[0])
			return heap.Bool(ok && f(n))
		})
	}
	of := func(name, doc string, f func(num.Number) bool) prim.Prim {
		return prim.Row(name, 1, 1, "number", doc, sign(f))
	}
	every := func(num.Number) bool { return true }
	return []prim.Prim{
		is("number?", "Is it a number?", every),
		is("complex?", "Is it a number? All are real here.", every),
		is("real?", "Is it a number? All are real here.", every),
		is("rational?", "Is it a number other than an infinity or NaN?", num.IsRational),
		is("integer?", "Is it a number without a fraction? 3.0 is.", num.IsInteger),
		is("exact-integer?", "Is it an exact integer?", num.IsExactInteger),
		is("exact-rational?", "Is it an exact number?", num.IsExact),
		is("exact-nonnegative-integer?", "Is it an exact integer of 0 or more?", func(n num.Number) bool {
			return num.IsExactInteger(n) && num.Sign(n) >= 0
		}),
		is("exact-positive-integer?", "Is it an exact integer above 0?", func(n num.Number) bool {
			return num.IsExactInteger(n) && num.Sign(n) > 0
		}),
		is("natural?", "Is it an exact integer of 0 or more?", func(n num.Number) bool {
			return num.IsExactInteger(n) && num.Sign(n) >= 0
		}),
		is("fixnum?", "Is it an exact integer that fits one word?", func(n num.Number) bool {
			i, ok := n.(int64)
			return ok && heap.FitsFixnum(i)
		}),
		is("flonum?", "Is it an inexact number?", func(n num.Number) bool { return !num.IsExact(n) }),
		of("exact?", "Is the number exact?", num.IsExact),
		of("inexact?", "Is the number inexact?", func(n num.Number) bool { return !num.IsExact(n) }),
		of("finite?", "Is the number neither an infinity nor NaN?", num.IsFinite),
		of("infinite?", "Is the number an infinity?", num.IsInfinite),
		of("nan?", "Is the number NaN?", num.IsNaN),
		prim.Row("exact", 1, 1, "number", "The exact number closest to it.", exact),
		prim.Row("inexact->exact", 1, 1, "number", "The exact number closest to it.", exact),
		prim.Row("inexact", 1, 1, "number", "The inexact number closest to it.", inexact),
		prim.Row("exact->inexact", 1, 1, "number", "The inexact number closest to it.", inexact),
		prim.Row("numerator", 1, 1, "number", "The numerator in lowest terms.", partial(num.Numerator)),
		prim.Row("denominator", 1, 1, "number", "The denominator in lowest terms.", partial(num.Denominator)),
		prim.Row("real-part", 1, 1, "number", "The number: all are real.", unary(func(n num.Number) num.Number { return n })),
		prim.Row("imag-part", 1, 1, "number", "0: all numbers are real.", unary(func(num.Number) num.Number { return int64(0) })),
		prim.Row("angle", 1, 1, "number", "0, or π for a negative number.", unary(func(n num.Number) num.Number {
			if num.Sign(n) < 0 {
				return num.Atan2(int64(0), int64(-1))
			}
			return int64(0)
		})),
	}
}

func inexact(c *prim.Ctx, a []heap.Word) heap.Word {
	if heap.IsFixnum(a[0]) {
		return c.Flonum(float64(heap.FixnumValue(a[0])))
	}
	if _, ok := c.FlonumValue(a[0]); ok {
		return a[0]
	}
	n, ok := read(c, a, 0)
	if !ok {
		return heap.Raised
	}
	return c.Flonum(num.ToInexact(n))
}
