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
		return prim.Row(name, 1, 1, "number", doc, test(any, f))
	}
	isNumber := func(c *prim.Ctx, a []heap.Word) heap.Word { return heap.Bool(c.IsNumber(a[0])) }
	part := func(name, doc string, f func(num.Number) num.Number) prim.Prim {
		return prim.Row(name, 1, 1, "number", doc, unary(any, f))
	}
	return []prim.Prim{
		prim.Row("number?", 1, 1, "value", "Is it a number?", isNumber),
		prim.Row("complex?", 1, 1, "value", "Is it a number? All are complex.", isNumber),
		is("real?", "Is it a number without an imaginary part? 1.0+0.0i has one.", num.IsReal),
		is("rational?", "Is it a number other than an infinity or NaN?", num.IsRational),
		is("integer?", "Is it a number without a fraction? 3.0 is.", num.IsInteger),
		is("exact-integer?", "Is it an exact integer?", num.IsExactInteger),
		is("exact-rational?", "Is it an exact real number?", num.IsExact),
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
		is("flonum?", "Is it an inexact real number?", func(n num.Number) bool { return !num.IsExact(n) }),
		of("exact?", "Is the number exact?", num.IsExact),
		of("inexact?", "Is the number inexact?", func(n num.Number) bool { return !num.IsExact(n) }),
		of("finite?", "Is the number neither an infinity nor NaN?", num.IsFinite),
		of("infinite?", "Is the number an infinity?", num.IsInfinite),
		of("nan?", "Is the number NaN?", num.IsNaN),
		prim.Row("exact", 1, 1, "number", "The exact number closest to it.", exact),
		prim.Row("inexact->exact", 1, 1, "number", "The exact number closest to it.", exact),
		prim.Row("inexact", 1, 1, "number", "The inexact number closest to it.", inexact),
		prim.Row("exact->inexact", 1, 1, "number", "The inexact number closest to it.", inexact),
		prim.Row("numerator", 1, 1, "number", "The numerator in lowest terms.", partial(real, num.Numerator)),
		prim.Row("denominator", 1, 1, "number", "The denominator in lowest terms.", partial(real, num.Denominator)),
		part("real-part", "The real part.", func(n num.Number) num.Number { re, _ := num.Parts(n); return re }),
		part("imag-part", "The imaginary part: 0 of a real number.", func(n num.Number) num.Number { _, im := num.Parts(n); return im }),
		part("angle", "The angle in radians: 0 of a positive number, π of a negative one.", num.Angle),
		prim.Row("make-rectangular", 2, 2, "real imaginary", "The number with these parts.", binary(real, func(x, y num.Number) (num.Number, error) { return num.Rectangular(x, y), nil })),
		prim.Row("make-polar", 2, 2, "magnitude angle", "The number at that distance and angle in radians.", binary(real, func(x, y num.Number) (num.Number, error) { return num.Polar(x, y), nil })),
	}
}

func inexact(c *prim.Ctx, a []heap.Word) heap.Word {
	if heap.IsFixnum(a[0]) {
		return c.Flonum(float64(heap.FixnumValue(a[0])))
	}
	if _, ok := c.FlonumValue(a[0]); ok {
		return a[0]
	}
	n, ok := any(c, a, 0)
	if !ok {
		return heap.Raised
	}
	return c.FromNumber(num.Inexact(n))
}
