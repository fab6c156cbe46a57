package number

import (
	"math"
	"math/big"
	"math/bits"
)

// This file defines the four operations and what needs no more than them. One flonum operand makes the result a flonum.

// Add is a + b.
func Add(a, b Number) Number {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			if s := x + y; (s > x) == (y > 0) {
				return s
			}
		}
	}
	if anyComplex(a, b) {
		return addComplex(a, b)
	}
	if inexact(a, b) {
		return ToInexact(a) + ToInexact(b)
	}
	if ratio(a, b) {
		return Normalize(new(big.Rat).Add(toRat(a), toRat(b)))
	}
	return Normalize(new(big.Int).Add(toBig(a), toBig(b)))
}

// Sub is a - b.
func Sub(a, b Number) Number {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			if d := x - y; (d < x) == (y > 0) {
				return d
			}
		}
	}
	if anyComplex(a, b) {
		return subComplex(a, b)
	}
	if inexact(a, b) {
		return ToInexact(a) - ToInexact(b)
	}
	if ratio(a, b) {
		return Normalize(new(big.Rat).Sub(toRat(a), toRat(b)))
	}
	return Normalize(new(big.Int).Sub(toBig(a), toBig(b)))
}

// Mul is a * b. Its size is at most BitLen(a) + BitLen(b).
func Mul(a, b Number) Number {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			hi, lo := bits.Mul64(magnitude(x), magnitude(y))
			if hi == 0 && lo < 1<<63 {
				return x * y
			}
		}
	}
	if anyComplex(a, b) {
		return mulComplex(a, b)
	}
	if inexact(a, b) {
		return ToInexact(a) * ToInexact(b)
	}
	if ratio(a, b) {
		return Normalize(new(big.Rat).Mul(toRat(a), toRat(b)))
	}
	return Normalize(new(big.Int).Mul(toBig(a), toBig(b)))
}

// Div is a / b. An exact zero divisor is ErrDivideByZero, 0.0 divides as IEEE 754 says.
func Div(a, b Number) (Number, error) {
	if b == Number(int64(0)) {
		return nil, ErrDivideByZero
	}
	if anyComplex(a, b) {
		return divComplex(a, b)
	}
	if inexact(a, b) {
		return ToInexact(a) / ToInexact(b), nil
	}
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok && y != -1 {
			if x%y == 0 {
				return x / y, nil
			}
			return big.NewRat(x, y), nil
		}
	}
	if ratio(a, b) {
		return Normalize(new(big.Rat).Quo(toRat(a), toRat(b))), nil
	}
	return Normalize(new(big.Rat).SetFrac(toBig(a), toBig(b))), nil
}

// Negate is -n.
func Negate(n Number) Number {
	switch n := n.(type) {
	case int64:
		if n != math.MinInt64 {
			return -n
		}
		return new(big.Int).Neg(big.NewInt(n))
	case *big.Int:
		return Normalize(new(big.Int).Neg(n))
	case *big.Rat:
		return new(big.Rat).Neg(n)
	case float64:
		return -n
	case Complex:
		return Complex{Negate(n.Re), Negate(n.Im)}
	}
	panic(notNumber(n))
}

// Abs is |n|.
func Abs(n Number) Number {
	if f, ok := n.(float64); ok {
		return math.Abs(f)
	}
	if Sign(n) < 0 {
		return Negate(n)
	}
	return n
}

// Equal is numerical equality, exact across representations: (= 1/3 .3333333333333333) is false. NaN equals nothing.
func Equal(a, b Number) bool {
	if anyComplex(a, b) {
		ar, ai := Parts(a)
		br, bi := Parts(b)
		return Equal(ar, br) && Equal(ai, bi)
	}
	c, ok := Compare(a, b)
	return ok && c == 0
}

// Eqv is Equal between numbers of the same exactness, and for flonums the same bits but for NaNs: 0.0 and -0.0
// differ, a NaN is eqv to a NaN.
func Eqv(a, b Number) bool {
	if anyComplex(a, b) {
		ar, ai := Parts(a)
		br, bi := Parts(b)
		return Eqv(ar, br) && Eqv(ai, bi)
	}
	x, xf := a.(float64)
	y, yf := b.(float64)
	if xf && yf {
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	}
	return xf == yf && Equal(a, b)
}

// Compare, of real numbers, is -1, 0 or 1 as a is less than, equal to or greater than b; !ok when one is a NaN. Flonums count as the
// exact numbers they are, so the order is transitive.
func Compare(a, b Number) (order int, ok bool) {
	switch x := a.(type) {
	case int64:
		switch y := b.(type) {
		case int64:
			return three(x < y, x > y), true
		case *big.Int:
			return -y.Sign(), true
		}
	case float64:
		switch y := b.(type) {
		case float64:
			return three(x < y, x > y), x == x && y == y
		default:
			return compareFloat(x, y)
		}
	case *big.Int:
		switch y := b.(type) {
		case int64:
			return x.Sign(), true
		case *big.Int:
			return x.Cmp(y), true
		}
	}
	if y, ok := b.(float64); ok {
		order, ok = compareFloat(y, a)
		return -order, ok
	}
	return toRat(a).Cmp(toRat(b)), true
}

// Max is the greater of both, inexact if one of them is; NaN if one of them is.
func Max(a, b Number) Number { return choose(a, b, -1) }

// Min is the less of both, inexact if one of them is; NaN if one of them is.
func Min(a, b Number) Number { return choose(a, b, 1) }

// choose answers b when a compares to it in the given order, else a.
func choose(a, b Number, order int) Number {
	c, ok := Compare(a, b)
	if !ok {
		return math.NaN()
	}
	if c == order {
		a, b = b, a
	}
	return as(inexact(a, b), a)
}

// compareFloat compares a flonum with an exact number.
func compareFloat(x float64, y Number) (int, bool) {
	switch {
	case math.IsNaN(x):
		return 0, false
	case math.IsInf(x, 0):
		return Sign(x), true
	}
	// An exact integer below 2^53 is its flonum; others meet as exact numbers.
	if y, ok := y.(int64); ok && magnitude(y) <= 1<<53 {
		f := float64(y)
		return three(x < f, x > f), true
	}
	return Compare(exactFloat(x), y)
}

func three(less, greater bool) int {
	switch {
	case less:
		return -1
	case greater:
		return 1
	}
	return 0
}

func inexact(a, b Number) bool {
	_, x := a.(float64)
	_, y := b.(float64)
	return x || y
}

func ratio(a, b Number) bool {
	_, x := a.(*big.Rat)
	_, y := b.(*big.Rat)
	return x || y
}
