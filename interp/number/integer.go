package number

import (
	"math"
	"math/big"
)

// This file defines integer division, divisors and roots, for exact integers and for flonums without a fraction.
// Flonums are divided as the exact integers they are and the result is rounded once.

// TruncateDivide is the quotient rounded towards zero and the remainder, which has the sign of a.
func TruncateDivide(a, b Number) (quotient, remainder Number, err error) { return divide(a, b, false) }

// FloorDivide is the quotient rounded down and the remainder, which has the sign of b.
func FloorDivide(a, b Number) (quotient, remainder Number, err error) { return divide(a, b, true) }

// Quotient is truncate-quotient.
func Quotient(a, b Number) (Number, error) { q, _, err := divide(a, b, false); return q, err }

// Remainder is truncate-remainder.
func Remainder(a, b Number) (Number, error) { _, r, err := divide(a, b, false); return r, err }

// FloorQuotient is floor-quotient.
func FloorQuotient(a, b Number) (Number, error) { q, _, err := divide(a, b, true); return q, err }

// Modulo is floor-remainder.
func Modulo(a, b Number) (Number, error) { _, r, err := divide(a, b, true); return r, err }

func divide(a, b Number, floor bool) (q, r Number, err error) {
	x, y, inexact, err := integers(a, b)
	if err != nil {
		return nil, nil, err
	}
	if Sign(y) == 0 {
		return nil, nil, ErrDivideByZero
	}
	q, r = divideExact(x, y, floor)
	if inexact {
		return ToInexact(q), ToInexact(r), nil
	}
	return q, r, nil
}

func divideExact(a, b Number, floor bool) (q, r Number) {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok && y != -1 {
			q, r := x/y, x%y
			if floor && r != 0 && (r < 0) != (y < 0) {
				return q - 1, r + y
			}
			return q, r
		}
	}
	x, y := toBig(a), toBig(b)
	quo, rem := new(big.Int).QuoRem(x, y, new(big.Int))
	if floor && rem.Sign() != 0 && rem.Sign() != y.Sign() {
		quo.Sub(quo, big.NewInt(1))
		rem.Add(rem, y)
	}
	return Normalize(quo), Normalize(rem)
}

// integers is both operands as exact integers, and whether one was a flonum.
func integers(a, b Number) (x, y Number, inexact bool, err error) {
	x, fx, err := integer(a)
	if err != nil {
		return nil, nil, false, err
	}
	y, fy, err := integer(b)
	return x, y, fx || fy, err
}

func integer(n Number) (exact Number, inexact bool, err error) {
	switch n := n.(type) {
	case int64, *big.Int:
		return n, false, nil
	case float64:
		if IsInteger(n) {
			return exactFloat(n), true, nil
		}
	}
	return nil, false, ErrNotInteger
}

// GCD is the greatest common divisor, never negative; (gcd 0 n) is |n|.
func GCD(a, b Number) (Number, error) {
	x, y, inexact, err := integers(a, b)
	if err != nil {
		return nil, err
	}
	return as(inexact, gcd(x, y)), nil
}

func gcd(a, b Number) Number {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			u, v := magnitude(x), magnitude(y)
			for v != 0 {
				u, v = v, u%v
			}
			return Normalize(new(big.Int).SetUint64(u))
		}
	}
	return Normalize(new(big.Int).GCD(nil, nil, new(big.Int).Abs(toBig(a)), new(big.Int).Abs(toBig(b))))
}

// LCM is the least common multiple, never negative; 0 if an operand is.
func LCM(a, b Number) (Number, error) {
	x, y, inexact, err := integers(a, b)
	if err != nil {
		return nil, err
	}
	if Sign(x) == 0 || Sign(y) == 0 {
		return as(inexact, int64(0)), nil
	}
	q, _ := divideExact(x, gcd(x, y), false)
	return as(inexact, Abs(Mul(q, y))), nil
}

// as turns an exact result into a flonum when an operand was one.
func as(inexact bool, n Number) Number {
	if inexact {
		return ToInexact(n)
	}
	return n
}

// ExactIntegerSqrt is the largest root with root² <= n, and n - root², for an exact n that is not negative.
func ExactIntegerSqrt(n Number) (root, rest Number, err error) {
	if !IsExactInteger(n) {
		return nil, nil, ErrNotExact
	}
	if Sign(n) < 0 {
		return nil, nil, ErrNotReal
	}
	if n, ok := n.(int64); ok {
		r := int64(math.Sqrt(float64(n)))
		// The flonum root is off by one at most; 3037000499² is the last square that fits.
		for r > 3037000499 || r*r > n {
			r--
		}
		for r < 3037000499 && (r+1)*(r+1) <= n {
			r++
		}
		return r, n - r*r, nil
	}
	b := n.(*big.Int)
	r := new(big.Int).Sqrt(b)
	return Normalize(r), Normalize(new(big.Int).Sub(b, new(big.Int).Mul(r, r))), nil
}
