package number

import (
	"caper/interp/heap"
	num "caper/interp/number"
	"caper/interp/prim"
)

func compareRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("=", 1, -1, "number number …", "Are all equal?", chain(false, func(o int) bool { return o == 0 })),
		prim.Row("<", 1, -1, "number number …", "Is each less than the next?", chain(true, func(o int) bool { return o < 0 })),
		prim.Row(">", 1, -1, "number number …", "Is each greater than the next?", chain(true, func(o int) bool { return o > 0 })),
		prim.Row("<=", 1, -1, "number number …", "Is none greater than the next?", chain(true, func(o int) bool { return o <= 0 })),
		prim.Row(">=", 1, -1, "number number …", "Is none less than the next?", chain(true, func(o int) bool { return o >= 0 })),
		prim.Row("max", 1, -1, "number number …", "The greatest; inexact when one of them is.", extreme(1)),
		prim.Row("min", 1, -1, "number number …", "The least; inexact when one of them is.", extreme(-1)),
		prim.Row("zero?", 1, 1, "number", "Is it 0?", test(any, num.IsZero)),
		prim.Row("positive?", 1, 1, "number", "Is it greater than 0?", test(real, func(n num.Number) bool { return num.Sign(n) > 0 })),
		prim.Row("negative?", 1, 1, "number", "Is it less than 0?", test(real, func(n num.Number) bool { return num.Sign(n) < 0 })),
		prim.Row("odd?", 1, 1, "integer", "Does 2 not divide it?", parity(true)),
		prim.Row("even?", 1, 1, "integer", "Does 2 divide it?", parity(false)),
	}
}

// order compares two words; ordered is false when one is a NaN or no real number, ok is false when one is no number.
func order(c *prim.Ctx, x, y heap.Word) (o int, ordered, ok bool) {
	if heap.IsFixnum(x) && heap.IsFixnum(y) {
		switch {
		case int64(x) < int64(y):
			return -1, true, true
		case x == y:
			return 0, true, true
		}
		return 1, true, true
	}
	if f, ok := c.FlonumValue(x); ok {
		if g, ok := c.FlonumValue(y); ok {
			o, ordered = compareFlonums(f, g)
			return o, ordered, true
		}
	}
	p, ok := c.Complex(x)
	if !ok {
		notNumber(c, x)
		return 0, false, false
	}
	q, ok := c.Complex(y)
	if !ok {
		notNumber(c, y)
		return 0, false, false
	}
	if !num.IsReal(p) || !num.IsReal(q) {
		return 0, num.Equal(p, q), true
	}
	if b := num.BitLen(p) + num.BitLen(q); b > 256 {
		c.Charge(uint64(b) / 64)
	}
	o, ordered = num.Compare(p, q)
	return o, ordered, true
}

// chain compares each argument with the next; reals says that only real numbers may be asked.
func chain(reals bool, holds func(order int) bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if len(a) == 1 && !c.IsNumber(a[0]) {
			return notNumber(c, a[0])
		}
		if reals {
			for _, w := range a {
				if c.IsComplex(w) {
					return c.Fail("type-error", c.Prim.Name+": every argument must be a real number", w)
				}
			}
		}
		all := true
		for i := 1; i < len(a); i++ {
			o, ordered, ok := order(c, a[i-1], a[i])
			if !ok {
				return heap.Raised
			}
			all = all && ordered && holds(o)
		}
		return heap.Bool(all)
	}
}

// extreme is max (side 1) or min (side -1). A NaN among the arguments is the answer.
func extreme(side int) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if len(a) == 2 && heap.IsFixnum(a[0]) && heap.IsFixnum(a[1]) {
			if int64(a[0]) < int64(a[1]) == (side > 0) {
				return a[1]
			}
			return a[0]
		}
		best, inexact := a[0], false
		for i, w := range a {
			n, ok := real(c, a, i)
			if !ok {
				return heap.Raised
			}
			inexact = inexact || !num.IsExact(n)
			if o, ordered, _ := order(c, w, best); !ordered {
				if num.IsNaN(n) {
					best = w
				}
			} else if o == side {
				best = w
			}
		}
		if inexact {
			n, _ := c.Number(best)
			return c.Flonum(num.ToInexact(n))
		}
		return best
	}
}

func test(read reader, holds func(num.Number) bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		n, ok := read(c, a, 0)
		if !ok {
			return heap.Raised
		}
		return heap.Bool(holds(n))
	}
}

func parity(odd bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if heap.IsFixnum(a[0]) {
			return heap.Bool(heap.FixnumValue(a[0])&1 == 1 == odd)
		}
		n, ok := real(c, a, 0)
		if !ok {
			return heap.Raised
		}
		is, err := num.IsOdd(n)
		if err != nil {
			return failed(c, err, a)
		}
		return heap.Bool(is == odd)
	}
}
