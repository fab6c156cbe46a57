package number

import (
	"math"

	"caper/interp/heap"
	num "caper/interp/number"
	"caper/interp/prim"
)

// This file defines the short ways of what is computed most: fixnums and flonums without Go's heap. Whatever they do not
// know goes to package interp/number.

// flonum makes a primitive of a function on flonums; within says for which of them slow would answer just that.
func flonum(f func(float64) float64, within func(float64) bool, slow prim.Func) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if x, ok := c.FlonumValue(a[0]); ok && within(x) {
			return c.Flonum(f(x))
		}
		return slow(c, a)
	}
}

func anywhere(float64) bool      { return true }
func upToOne(x float64) bool     { return -1 <= x && x <= 1 }
func notNegative(x float64) bool { return x >= 0 }

// small53 bounds the integers that are flonums exactly.
const small53 = 1 << 53

// asFlonum is the value of a flonum, or of a fixnum that is one exactly.
func asFlonum(c *prim.Ctx, w heap.Word) (f float64, ok bool) {
	if heap.IsFixnum(w) {
		i := heap.FixnumValue(w)
		return float64(i), -small53 <= i && i <= small53
	}
	return c.FlonumValue(w)
}

// quotientOf is x / y where that is a fixnum or a flonum at once. An exact zero on either side is not so simple.
func quotientOf(c *prim.Ctx, x, y heap.Word) (heap.Word, bool) {
	if x == 0 || y == 0 {
		return 0, false
	}
	if heap.IsFixnum(x) && heap.IsFixnum(y) {
		p, q := heap.FixnumValue(x), heap.FixnumValue(y)
		if p%q != 0 {
			return 0, false
		}
		return c.FromInt(p / q), true
	}
	f, ok := asFlonum(c, x)
	if !ok {
		return 0, false
	}
	g, ok := asFlonum(c, y)
	if !ok {
		return 0, false
	}
	return c.Flonum(f / g), true
}

// exact turns a flonum that is a fixnum's value into it.
func exact(c *prim.Ctx, a []heap.Word) heap.Word {
	if heap.IsFixnum(a[0]) {
		return a[0]
	}
	if f, ok := c.FlonumValue(a[0]); ok && math.Abs(f) < small53 && f == math.Trunc(f) {
		return heap.Fixnum(int64(f))
	}
	return slowExact(c, a)
}

var slowExact = partial(any, num.ToExact)

// magnitudeOf is abs.
func magnitudeOf(c *prim.Ctx, a []heap.Word) heap.Word {
	if heap.IsFixnum(a[0]) {
		return c.FromInt(max(heap.FixnumValue(a[0]), -heap.FixnumValue(a[0])))
	}
	return slowAbs(c, a)
}

var slowAbs = unary(real, num.Abs)

// compareFlonums orders two flonums; ordered is false with a NaN.
func compareFlonums(f, g float64) (o int, ordered bool) {
	switch {
	case f < g:
		return -1, true
	case f > g:
		return 1, true
	}
	return 0, f == g
}
