package number

import (
	"math/bits"

	"caper/interp/heap"
	num "caper/interp/number"
	"caper/interp/prim"
)

func arithRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("+", 0, -1, "number …", "The sum.", sum),
		prim.Row("*", 0, -1, "number …", "The product.", product),
		prim.Row("-", 1, -1, "number number …", "The first number less the others; of one number its negative.", difference),
		prim.Row("/", 1, -1, "number number …", "The first number divided by the others; of one number its inverse.", ratio),
		prim.Row("1+", 1, 1, "number", "The number and one.", add1),
		prim.Row("add1", 1, 1, "number", "The number and one.", add1),
		prim.Row("-1+", 1, 1, "number", "The number less one.", sub1),
		prim.Row("1-", 1, 1, "number", "The number less one.", sub1),
		prim.Row("sub1", 1, 1, "number", "The number less one.", sub1),
		prim.Row("abs", 1, 1, "number", "The magnitude of a real number.", magnitudeOf),
		prim.Row("magnitude", 1, 1, "number", "The magnitude.", partial(any, func(n num.Number) (num.Number, error) { return num.Magnitude(n), nil })),
		prim.Row("square", 1, 1, "number", "The number times itself.", square),
	}
}

func add(c *prim.Ctx, x, y heap.Word) heap.Word {
	if heap.IsFixnum(x) && heap.IsFixnum(y) {
		return c.FromInt(heap.FixnumValue(x) + heap.FixnumValue(y))
	}
	if f, ok := c.FlonumValue(x); ok {
		if g, ok := c.FlonumValue(y); ok {
			return c.Flonum(f + g)
		}
	}
	return slow(c, x, y, num.Add)
}

func subtract(c *prim.Ctx, x, y heap.Word) heap.Word {
	if heap.IsFixnum(x) && heap.IsFixnum(y) {
		return c.FromInt(heap.FixnumValue(x) - heap.FixnumValue(y))
	}
	if f, ok := c.FlonumValue(x); ok {
		if g, ok := c.FlonumValue(y); ok {
			return c.Flonum(f - g)
		}
	}
	return slow(c, x, y, num.Sub)
}

func multiply(c *prim.Ctx, x, y heap.Word) heap.Word {
	if heap.IsFixnum(x) && heap.IsFixnum(y) {
		p, q := heap.FixnumValue(x), heap.FixnumValue(y)
		if bits.Len64(magnitude(p))+bits.Len64(magnitude(q)) < 63 {
			return c.FromInt(p * q)
		}
	}
	if f, ok := c.FlonumValue(x); ok {
		if g, ok := c.FlonumValue(y); ok {
			return c.Flonum(f * g)
		}
	}
	return slow(c, x, y, num.Mul)
}

func magnitude(i int64) uint64 {
	if i < 0 {
		return uint64(-i)
	}
	return uint64(i)
}

// slow is an operation on any two numbers; both are known to be in the argument list, so a wrong one is found there.
func slow(c *prim.Ctx, x, y heap.Word, f func(x, y num.Number) num.Number) heap.Word {
	p, ok := c.Complex(x)
	if !ok {
		return notNumber(c, x)
	}
	q, ok := c.Complex(y)
	if !ok {
		return notNumber(c, y)
	}
	pb, qb := num.BitLen(p), num.BitLen(q)
	if pb+qb > 128 {
		if pb+qb > limitBits(c) || pb+qb > maxRatioBits && ratios(p, q) {
			return c.TooLarge("the result")
		}
		chargeFor(c, pb, qb)
	}
	return answer(c, f(p, q))
}

func notNumber(c *prim.Ctx, w heap.Word) heap.Word {
	return c.Fail("type-error", c.Prim.Name+": every argument must be a number", w)
}

func sum(c *prim.Ctx, a []heap.Word) heap.Word     { return fold(c, a, heap.Fixnum(0), add) }
func product(c *prim.Ctx, a []heap.Word) heap.Word { return fold(c, a, heap.Fixnum(1), multiply) }

func fold(c *prim.Ctx, a []heap.Word, r heap.Word, f func(c *prim.Ctx, x, y heap.Word) heap.Word) heap.Word {
	for i, w := range a {
		if i == 0 {
			if r = w; !c.IsNumber(w) {
				return notNumber(c, w)
			}
			continue
		}
		if r = f(c, r, w); r == heap.Raised {
			return r
		}
	}
	return r
}

func difference(c *prim.Ctx, a []heap.Word) heap.Word {
	if len(a) == 1 {
		n, ok := any(c, a, 0)
		if !ok {
			return heap.Raised
		}
		return answer(c, num.Negate(n))
	}
	return fold(c, a, heap.Fixnum(0), subtract)
}

func divide(c *prim.Ctx, x, y heap.Word) heap.Word {
	if r, ok := quotientOf(c, x, y); ok {
		return r
	}
	p, ok := c.Complex(x)
	if !ok {
		return notNumber(c, x)
	}
	q, ok := c.Complex(y)
	if !ok {
		return notNumber(c, y)
	}
	chargeFor(c, num.BitLen(p), num.BitLen(q))
	if num.BitLen(p)+num.BitLen(q) > maxRatioBits {
		return c.TooLarge("the result")
	}
	r, err := num.Div(p, q)
	if err != nil {
		return failed(c, err, []heap.Word{x, y})
	}
	return answer(c, r)
}

func ratio(c *prim.Ctx, a []heap.Word) heap.Word {
	if len(a) == 2 {
		return divide(c, a[0], a[1])
	}
	if len(a) == 1 {
		return divide(c, heap.Fixnum(1), a[0])
	}
	return fold(c, a, heap.Fixnum(1), divide)
}

func add1(c *prim.Ctx, a []heap.Word) heap.Word   { return add(c, a[0], heap.Fixnum(1)) }
func sub1(c *prim.Ctx, a []heap.Word) heap.Word   { return subtract(c, a[0], heap.Fixnum(1)) }
func square(c *prim.Ctx, a []heap.Word) heap.Word { return multiply(c, a[0], a[0]) }
