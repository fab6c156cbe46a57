package number

import (
	"caper/interp/heap"
	num "caper/interp/number"
	"caper/interp/prim"
)

func divideRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("quotient", 2, 2, "n d", "The quotient rounded towards 0.", quotient),
		prim.Row("truncate-quotient", 2, 2, "n d", "The quotient rounded towards 0.", quotient),
		prim.Row("remainder", 2, 2, "n d", "The remainder with the sign of n.", remainder),
		prim.Row("truncate-remainder", 2, 2, "n d", "The remainder with the sign of n.", remainder),
		prim.Row("modulo", 2, 2, "n d", "The remainder with the sign of d.", modulo),
		prim.Row("floor-remainder", 2, 2, "n d", "The remainder with the sign of d.", modulo),
		prim.Row("floor-quotient", 2, 2, "n d", "The quotient rounded down.", binary(real, num.FloorQuotient)),
		prim.Row("floor/", 2, 2, "n d", "Two values: floor-quotient and floor-remainder.", both(num.FloorDivide)),
		prim.Row("truncate/", 2, 2, "n d", "Two values: truncate-quotient and truncate-remainder.", both(num.TruncateDivide)),
		prim.Row("quotient/remainder", 2, 2, "n d", "Two values: quotient and remainder.", both(num.TruncateDivide)),
		prim.Row("gcd", 0, -1, "n …", "The greatest common divisor.", divisors(num.GCD, 0)),
		prim.Row("lcm", 0, -1, "n …", "The least common multiple.", divisors(num.LCM, 1)),
		prim.Row("exact-integer-sqrt", 1, 1, "k", "Two values: the largest root with root² <= k, and k - root².", integerRoot),
		prim.Row("integer-sqrt", 1, 1, "k", "The largest root with root² <= k.", integerRootOnly),
	}
}

// small is the fast path of division: two fixnums, the divisor neither 0 nor -1.
func small(a []heap.Word) (x, y int64, ok bool) {
	if heap.IsFixnum(a[0]) && heap.IsFixnum(a[1]) {
		x, y = heap.FixnumValue(a[0]), heap.FixnumValue(a[1])
		return x, y, y != 0 && y != -1
	}
	return 0, 0, false
}

func quotient(c *prim.Ctx, a []heap.Word) heap.Word {
	if x, y, ok := small(a); ok {
		return heap.Fixnum(x / y)
	}
	return binary(real, num.Quotient)(c, a)
}

func remainder(c *prim.Ctx, a []heap.Word) heap.Word {
	if x, y, ok := small(a); ok {
		return heap.Fixnum(x % y)
	}
	return binary(real, num.Remainder)(c, a)
}

func modulo(c *prim.Ctx, a []heap.Word) heap.Word {
	if x, y, ok := small(a); ok {
		m := x % y
		if m != 0 && (m < 0) != (y < 0) {
			m += y
		}
		return heap.Fixnum(m)
	}
	return binary(real, num.Modulo)(c, a)
}

func both(f func(a, b num.Number) (q, r num.Number, err error)) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		x, y, ok := reader(real).two(c, a)
		if !ok {
			return heap.Raised
		}
		q, r, err := f(x, y)
		if err != nil {
			return failed(c, err, a)
		}
		return pairOf(c, q, r)
	}
}

func pairOf(c *prim.Ctx, x, y num.Number) heap.Word {
	p, q := answer(c, x), answer(c, y)
	if p == heap.Raised || q == heap.Raised {
		return heap.Raised
	}
	return c.Values(p, q)
}

func divisors(f func(a, b num.Number) (num.Number, error), none int64) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		r := num.Number(none)
		for i := range a {
			n, ok := real(c, a, i)
			if !ok {
				return heap.Raised
			}
			if num.BitLen(r)+num.BitLen(n) > min(limitBits(c), 2*maxRatioBits) {
				return c.TooLarge("the result")
			}
			chargeFor(c, num.BitLen(r), num.BitLen(n))
			var err error
			if r, err = f(r, n); err != nil {
				return failed(c, err, a)
			}
		}
		return answer(c, r)
	}
}

func integerRoot(c *prim.Ctx, a []heap.Word) heap.Word {
	root, rest, ok := rootOf(c, a)
	if !ok {
		return heap.Raised
	}
	return pairOf(c, root, rest)
}

func integerRootOnly(c *prim.Ctx, a []heap.Word) heap.Word {
	root, _, ok := rootOf(c, a)
	if !ok {
		return heap.Raised
	}
	return answer(c, root)
}

func rootOf(c *prim.Ctx, a []heap.Word) (root, rest num.Number, ok bool) {
	n, ok := real(c, a, 0)
	if !ok {
		return nil, nil, false
	}
	chargeFor(c, num.BitLen(n), num.BitLen(n))
	root, rest, err := num.ExactIntegerSqrt(n)
	if err != nil {
		failed(c, err, a)
		return nil, nil, false
	}
	return root, rest, true
}
