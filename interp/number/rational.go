package number

import (
	"math"
	"math/big"
)

// Numerator of n in lowest terms.
func Numerator(n Number) (Number, error) {
	switch n := n.(type) {
	case *big.Rat:
		return Normalize(n.Num()), nil
	case float64:
		return inParts(n, Numerator)
	}
	return n, nil
}

// Denominator of n in lowest terms, always positive.
func Denominator(n Number) (Number, error) {
	switch n := n.(type) {
	case *big.Rat:
		return Normalize(n.Denom()), nil
	case float64:
		return inParts(n, Denominator)
	}
	return int64(1), nil
}

func inParts(f float64, part func(Number) (Number, error)) (Number, error) {
	exact, err := ToExact(f)
	if err != nil {
		return nil, err
	}
	n, err := part(exact)
	if err != nil {
		return nil, err
	}
	return ToInexact(n), nil
}

// Floor is the largest integer not above n, as exact as n.
func Floor(n Number) Number {
	switch n := n.(type) {
	case *big.Rat:
		return Normalize(floorRat(n))
	case float64:
		return math.Floor(n)
	}
	return n
}

// Ceiling is the least integer not below n, as exact as n.
func Ceiling(n Number) Number {
	switch n := n.(type) {
	case *big.Rat: // never integral, so the ceiling is one above the floor
		f := floorRat(n)
		return Normalize(f.Add(f, big.NewInt(1)))
	case float64:
		return math.Ceil(n)
	}
	return n
}

// Truncate drops the fraction of n.
func Truncate(n Number) Number {
	switch n := n.(type) {
	case *big.Rat:
		return Normalize(new(big.Int).Quo(n.Num(), n.Denom()))
	case float64:
		return math.Trunc(n)
	}
	return n
}

// Round is the integer nearest to n, the even one of two.
func Round(n Number) Number {
	switch n := n.(type) {
	case *big.Rat:
		f := floorRat(n)
		// Twice the fraction against one: 2·num - 2·floor·den ? den.
		twice := new(big.Int).Mul(f, n.Denom())
		twice.Sub(n.Num(), twice).Lsh(twice, 1)
		if c := twice.Cmp(n.Denom()); c > 0 || c == 0 && f.Bit(0) == 1 {
			f.Add(f, big.NewInt(1))
		}
		return Normalize(f)
	case float64:
		return math.RoundToEven(n)
	}
	return n
}

// floorRat is a new integer: denominators are positive, so Euclidean division is floor division.
func floorRat(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) }

// Rationalize is the simplest rational that differs from x by no more than |y|: of those the one with the least
// denominator, then the least numerator (R7RS 6.2.6).
func Rationalize(x, y Number) (Number, error) {
	if IsNaN(x) || IsNaN(y) {
		return math.NaN(), nil
	}
	if IsInfinite(y) {
		if IsInfinite(x) {
			return math.NaN(), nil
		}
		return 0.0, nil
	}
	if IsInfinite(x) {
		return x, nil
	}
	a, _ := ToExact(x)
	d, _ := ToExact(Abs(y))
	lo, hi := toRat(Sub(a, d)), toRat(Add(a, d))
	return as(inexact(x, y), Normalize(simplest(lo, hi))), nil
}

// simplest walks the continued fractions of both ends as long as they agree. The number of steps is bounded by the
// logarithm of the denominators, as in Euclid's algorithm.
func simplest(lo, hi *big.Rat) *big.Rat {
	if lo.Sign() <= 0 && hi.Sign() >= 0 {
		return new(big.Rat)
	}
	if hi.Sign() < 0 {
		r := simplest(new(big.Rat).Neg(hi), new(big.Rat).Neg(lo))
		return r.Neg(r)
	}
	var whole []*big.Int
	last := new(big.Int)
	for {
		f := floorRat(lo)
		part := new(big.Rat).SetInt(f)
		if part.Cmp(lo) == 0 {
			last = f
			break
		}
		if floorRat(hi).Cmp(f) > 0 {
			last.Add(f, big.NewInt(1))
			break
		}
		whole = append(whole, f)
		lo, hi = new(big.Rat).Inv(new(big.Rat).Sub(hi, part)), new(big.Rat).Inv(new(big.Rat).Sub(lo, part))
	}
	r := new(big.Rat).SetInt(last)
	for i := len(whole) - 1; i >= 0; i-- {
		r.Inv(r).Add(r, new(big.Rat).SetInt(whole[i]))
	}
	return r
}
