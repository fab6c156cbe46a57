package number

import (
	"math"
	"math/big"
	"math/cmplx"
)

// ExptBits is the length in bits of base to the power exp, both parts of a ratio together, before anything is
// computed: what a caller charges for Expt. It is exact to a few bits and math.MaxInt64 when it is beyond counting.
func ExptBits(base, exp Number) int64 {
	if !IsReal(base) && IsExact(base) && IsExactInteger(exp) && !isImaginaryUnit(base) {
		// Each factor adds its bits and a carry.
		if bits := math.Abs(ToInexact(exp)) * float64(BitLen(base)+2); bits < 1<<62 {
			return int64(bits)
		}
		return math.MaxInt64
	}
	if anyComplex(base, exp) {
		return 64
	}
	if inexact(base, exp) || !IsExactInteger(exp) {
		return 64
	}
	if r, ok := base.(*big.Rat); ok {
		a, b := ExptBits(Normalize(r.Num()), exp), ExptBits(Normalize(r.Denom()), exp)
		if a > math.MaxInt64-b {
			return math.MaxInt64
		}
		return a + b
	}
	if BitLen(base) <= 1 { // 0, 1 and -1
		return 1
	}
	bits := math.Abs(ToInexact(exp))*log2(base) + 1
	if bits >= 1<<62 {
		return math.MaxInt64
	}
	return int64(bits)
}

// log2 of the magnitude of an exact integer that is not 0.
func log2(n Number) float64 {
	fraction, exponent := math.Frexp(math.Abs(ToInexact(n)))
	if b, ok := n.(*big.Int); ok {
		exponent = new(big.Float).SetInt(b).MantExp(nil)
		fraction, _ = new(big.Float).SetMantExp(new(big.Float).SetInt(b), -exponent).Float64()
	}
	return float64(exponent) + math.Log2(math.Abs(fraction))
}

// Expt is base to the power exp. Exact powers longer than maxBits are ErrTooLarge, found out before the work.
func Expt(base, exp Number, maxBits int64) (Number, error) {
	if anyComplex(base, exp) {
		return exptComplex(base, exp, maxBits)
	}
	if IsExact(base) && IsExactInteger(exp) {
		return exptExact(base, exp, maxBits)
	}
	if r, ok := exp.(*big.Rat); ok && IsExact(base) && r.Cmp(big.NewRat(1, 2)) == 0 {
		return Sqrt(base)
	}
	x, y := ToInexact(base), ToInexact(exp)
	if x < 0 && !IsInteger(exp) && IsFinite(exp) {
		return exptComplex(base, exp, maxBits)
	}
	if IsExact(base) && Sign(base) == 0 && y < 0 {
		return nil, ErrDivideByZero
	}
	if math.IsInf(x, 1) && IsExact(base) { // the base is no flonum, its power may be one
		l, err := Log(base)
		if err != nil {
			return nil, err
		}
		return math.Exp(ToInexact(l) * y), nil
	}
	p := math.Pow(x, y)
	if odd, err := IsOdd(exp); err == nil && odd && x < 0 && y == math.Trunc(y) {
		return -math.Abs(p), nil // a huge exact exponent loses its oddness as a flonum
	}
	return p, nil
}

func exptExact(base, exp Number, maxBits int64) (Number, error) {
	if Sign(exp) == 0 {
		return int64(1), nil
	}
	if Sign(base) == 0 {
		if Sign(exp) < 0 {
			return nil, ErrDivideByZero
		}
		return base, nil
	}
	if isUnit(base) {
		if odd, _ := IsOdd(exp); odd {
			return base, nil
		}
		return int64(1), nil
	}
	e, small := exp.(int64)
	if !small || ExptBits(base, exp) > maxBits {
		return nil, ErrTooLarge
	}
	n := new(big.Int).SetUint64(magnitude(e))
	var power Number
	if r, ok := base.(*big.Rat); ok {
		power = Normalize(new(big.Rat).SetFrac(new(big.Int).Exp(r.Num(), n, nil), new(big.Int).Exp(r.Denom(), n, nil)))
	} else {
		power = Normalize(new(big.Int).Exp(toBig(base), n, nil))
	}
	if e < 0 {
		return Div(int64(1), power)
	}
	return power, nil
}

// isUnit reports whether n is 1 or -1.
func isUnit(n Number) bool { return n == Number(int64(1)) || n == Number(int64(-1)) }

// Sqrt is the square root of n: exact when n is exact and a square, else the nearest flonum.
func Sqrt(n Number) (Number, error) {
	if z, ok := n.(Complex); ok {
		return sqrtComplex(z), nil
	}
	if Sign(n) < 0 {
		root, err := Sqrt(Negate(n))
		return Rectangular(int64(0), root), err
	}
	switch n := n.(type) {
	case float64:
		return math.Sqrt(n), nil
	case int64:
		if root, rest, _ := ExactIntegerSqrt(n); rest == Number(int64(0)) {
			return root, nil
		}
		if n <= 1<<53 {
			return math.Sqrt(float64(n)), nil
		}
	case *big.Int:
		if root, rest, _ := ExactIntegerSqrt(n); Sign(rest) == 0 {
			return root, nil
		}
	case *big.Rat:
		num, rest, _ := ExactIntegerSqrt(Normalize(n.Num()))
		den, over, _ := ExactIntegerSqrt(Normalize(n.Denom()))
		if Sign(rest) == 0 && Sign(over) == 0 {
			return Div(num, den)
		}
	}
	return nearestRoot(toRat(n)), nil
}

// nearestRoot is the flonum nearest to the root of a positive r: the whole part of the root of r·4^k, which has more bits
// than a flonum, and one bit more that is set when something is left.
func nearestRoot(r *big.Rat) float64 {
	k := 66 - (r.Num().BitLen()-r.Denom().BitLen())/2
	num, den := new(big.Int).Set(r.Num()), new(big.Int).Set(r.Denom())
	if k > 0 {
		num.Lsh(num, uint(2*k))
	} else {
		den.Lsh(den, uint(-2*k))
	}
	q, rest := num.QuoRem(num, den, new(big.Int))
	root := new(big.Int).Sqrt(q)
	exact := rest.Sign() == 0 && new(big.Int).Mul(root, root).Cmp(q) == 0
	if root.Lsh(root, 1); !exact {
		root.SetBit(root, 0, 1)
	}
	x := new(big.Float).SetInt(root)
	f, _ := x.SetMantExp(x, -k-1).Float64()
	return f
}

// Exp is e to the power n; exact 1 for exact 0.
func Exp(n Number) Number {
	if n == Number(int64(0)) {
		return int64(1)
	}
	if !IsReal(n) {
		return fromComplex(cmplx.Exp(toComplex(n)))
	}
	return math.Exp(ToInexact(n))
}

// Log is the natural logarithm; exact 0 for exact 1, -inf.0 for a zero.
func Log(n Number) (Number, error) {
	if n == Number(int64(1)) {
		return int64(0), nil
	}
	if !IsReal(n) || Sign(n) < 0 {
		return logComplex(n)
	}
	f := ToInexact(n)
	if IsExact(n) && Sign(n) > 0 && (math.IsInf(f, 0) || f < 0x1p-1000) { // beyond the range of flonums
		x := new(big.Float).SetPrec(64).SetRat(toRat(n))
		e := x.MantExp(x)
		m, _ := x.Float64()
		// ln 2 in two parts, so that the product with the first is exact for any exponent of fewer than 21 bits.
		const high, low = 6.93147180369123816490e-01, 1.90821492927058770002e-10
		return float64(e)*high + (float64(e)*low + math.Log(m)), nil
	}
	return math.Log(f), nil
}

// LogBase is the logarithm of n to the given base, without a rounding error too many for the bases 2 and 10.
func LogBase(n, base Number) (Number, error) {
	x, err := Log(n)
	if err != nil {
		return nil, err
	}
	b, err := Log(base)
	if err != nil {
		return nil, err
	}
	if anyComplex(x, b) {
		return Div(x, b)
	}
	if f := ToInexact(n); !math.IsInf(f, 0) && f != 0 {
		switch ToInexact(base) {
		case 2:
			return math.Log2(f), nil
		case 10:
			return math.Log10(f), nil
		}
	}
	return Div(x, b)
}

// Sin of n radians.
func Sin(n Number) Number { return fromZero(n, math.Sin, cmplx.Sin) }

// Cos of n radians; exact 1 for exact 0.
func Cos(n Number) Number {
	if n == Number(int64(0)) {
		return int64(1)
	}
	if !IsReal(n) {
		return fromComplex(cmplx.Cos(toComplex(n)))
	}
	return math.Cos(ToInexact(n))
}

// Tan of n radians.
func Tan(n Number) Number { return fromZero(n, math.Tan, cmplx.Tan) }

// Atan is the angle in radians whose tangent is n; i and -i are the tangent of none.
func Atan(n Number) (Number, error) {
	if isImaginaryUnit(n) {
		return nil, ErrDivideByZero
	}
	return fromZero(n, math.Atan, cmplx.Atan), nil
}

// fromZero keeps an exact 0 exact.
func fromZero(n Number, f func(float64) float64, g func(complex128) complex128) Number {
	switch {
	case n == Number(int64(0)):
		return n
	case !IsReal(n):
		return fromComplex(g(toComplex(n)))
	}
	return f(ToInexact(n))
}

// Asin is the angle in radians whose sine is n.
func Asin(n Number) Number {
	if IsReal(n) {
		// R7RS defines it by -i·log(iz + sqrt(1-z²)): the cut above 1 belongs to the fourth quadrant, that below -1 to the second.
		switch f := ToInexact(n); {
		case f > 1:
			return Complex{math.Pi / 2, -math.Acosh(f)}
		case f < -1:
			return Complex{-math.Pi / 2, math.Acosh(-f)}
		}
	}
	return fromZero(n, math.Asin, cmplx.Asin)
}

// Acos is the angle in radians whose cosine is n.
func Acos(n Number) Number {
	switch {
	case n == Number(int64(1)):
		return int64(0)
	case !IsReal(n):
		return fromComplex(cmplx.Acos(toComplex(n)))
	}
	if f := ToInexact(n); math.Abs(f) <= 1 || f != f {
		return math.Acos(f)
	}
	return Sub(math.Pi/2, Asin(n))
}

// Atan2 is the angle of the point (x, y) in (-π, π]; exact 0 for an exact y of 0 and an exact x not below 0.
func Atan2(y, x Number) Number {
	if y == Number(int64(0)) && IsExact(x) && Sign(x) >= 0 {
		return y
	}
	return math.Atan2(ToInexact(y), ToInexact(x))
}
