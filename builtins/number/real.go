package number

import (
	"math"

	"caper/interp/heap"
	num "caper/interp/number"
	"caper/interp/prim"
)

// This file defines rounding, powers, roots and the transcendental functions.

func realRows() []prim.Prim {
	toExact := func(round func(num.Number) num.Number) prim.Func {
		return partial(real, func(n num.Number) (num.Number, error) { return num.ToExact(round(n)) })
	}
	return []prim.Prim{
		prim.Row("floor", 1, 1, "number", "The largest integer not above it.", flonum(math.Floor, anywhere, rounded(num.Floor))),
		prim.Row("ceiling", 1, 1, "number", "The least integer not below it.", flonum(math.Ceil, anywhere, rounded(num.Ceiling))),
		prim.Row("truncate", 1, 1, "number", "The integer without the fraction.", flonum(math.Trunc, anywhere, rounded(num.Truncate))),
		prim.Row("round", 1, 1, "number", "The nearest integer, the even one of two.", flonum(math.RoundToEven, anywhere, rounded(num.Round))),
		prim.Row("exact-floor", 1, 1, "number", "floor as an exact integer.", toExact(num.Floor)),
		prim.Row("exact-ceiling", 1, 1, "number", "ceiling as an exact integer.", toExact(num.Ceiling)),
		prim.Row("exact-truncate", 1, 1, "number", "truncate as an exact integer.", toExact(num.Truncate)),
		prim.Row("exact-round", 1, 1, "number", "round as an exact integer.", toExact(num.Round)),
		prim.Row("floor->exact", 1, 1, "number", "floor as an exact integer.", toExact(num.Floor)),
		prim.Row("round->exact", 1, 1, "number", "round as an exact integer.", toExact(num.Round)),
		prim.Row("rationalize", 2, 2, "x y", "The simplest number that differs from x by at most y.", binary(real, num.Rationalize)),
		prim.Row("sqrt", 1, 1, "number", "The square root, exact where it can be.", flonum(math.Sqrt, notNegative, partial(any, num.Sqrt))),
		prim.Row("expt", 2, 2, "base exponent", "base to the power exponent.", expt),
		prim.Row("exp", 1, 1, "number", "e to the power of the number.", flonum(math.Exp, anywhere, unary(any, num.Exp))),
		prim.Row("log", 1, 2, "number [base]", "The logarithm, natural or to the base.", logarithm),
		prim.Row("sin", 1, 1, "number", "The sine of radians.", flonum(math.Sin, anywhere, unary(any, num.Sin))),
		prim.Row("cos", 1, 1, "number", "The cosine of radians.", flonum(math.Cos, anywhere, unary(any, num.Cos))),
		prim.Row("tan", 1, 1, "number", "The tangent of radians.", flonum(math.Tan, anywhere, unary(any, num.Tan))),
		prim.Row("asin", 1, 1, "number", "The arc sine in radians.", flonum(math.Asin, upToOne, unary(any, num.Asin))),
		prim.Row("acos", 1, 1, "number", "The arc cosine in radians.", flonum(math.Acos, upToOne, unary(any, num.Acos))),
		prim.Row("atan", 1, 2, "y [x]", "The arc tangent, of two numbers the angle of the point (x, y).", arcTangent),
		prim.Row("sgn", 1, 1, "number", "-1, 0 or 1, as exact as the number.", unary(real, func(n num.Number) num.Number {
			s := num.Number(int64(num.Sign(n)))
			if num.IsNaN(n) {
				return n
			}
			if !num.IsExact(n) {
				return num.ToInexact(s)
			}
			return s
		})),
	}
}

func rounded(f func(num.Number) num.Number) prim.Func {
	slow := unary(real, f)
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if heap.IsFixnum(a[0]) {
			return a[0]
		}
		return slow(c, a)
	}
}

func expt(c *prim.Ctx, a []heap.Word) heap.Word {
	x, y, ok := reader(any).two(c, a)
	if !ok {
		return heap.Raised
	}
	if bits := num.ExptBits(x, y); bits > 64 {
		if bits > limitBits(c) || bits > maxRatioBits && ratios(x) {
			return c.TooLarge("the result")
		}
		chargeFor(c, bits, bits)
	}
	r, err := num.Expt(x, y, limitBits(c))
	if err != nil {
		return failed(c, err, a)
	}
	return answer(c, r)
}

func logarithm(c *prim.Ctx, a []heap.Word) heap.Word {
	if prim.Given(a, 1) {
		return binary(any, num.LogBase)(c, a)
	}
	return partial(any, num.Log)(c, a)
}

func arcTangent(c *prim.Ctx, a []heap.Word) heap.Word {
	if prim.Given(a, 1) {
		return binary(real, func(y, x num.Number) (num.Number, error) { return num.Atan2(y, x), nil })(c, a)
	}
	return partial(any, num.Atan)(c, a)
}
