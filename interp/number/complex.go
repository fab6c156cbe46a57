package number

import (
	"math"
	"math/big"
	"math/cmplx"
)

// Complex is a number that is not real. The imaginary part is never an exact 0. Both parts are as exact as each other, but
// for the real part of a flonum that may be an exact 0: (log -1) has no other real part.
type Complex struct{ Re, Im Number }

// Rectangular is re + im·i in normal form.
func Rectangular(re, im Number) Number {
	switch {
	case im == Number(int64(0)):
		return re
	case !IsExact(im) && re != Number(int64(0)), !IsExact(re):
		return Complex{ToInexact(re), ToInexact(im)}
	}
	return Complex{re, im}
}

// Polar is the number of that magnitude and angle.
func Polar(magnitude, angle Number) Number {
	if angle == Number(int64(0)) || magnitude == Number(int64(0)) {
		return magnitude
	}
	sin, cos := math.Sincos(ToInexact(angle))
	return Rectangular(Mul(magnitude, cos), Mul(magnitude, sin))
}

// IsReal reports whether the number n is no Complex.
func IsReal(n Number) bool { _, is := n.(Complex); return !is }

// Parts are the real and the imaginary part.
func Parts(n Number) (re, im Number) {
	if z, ok := n.(Complex); ok {
		return z.Re, z.Im
	}
	return n, int64(0)
}

// Magnitude is the distance from 0.
func Magnitude(n Number) Number {
	z, ok := n.(Complex)
	switch {
	case !ok:
		return Abs(n)
	case IsExact(n):
		root, _ := Sqrt(norm(z))
		return root
	}
	return math.Hypot(ToInexact(z.Re), ToInexact(z.Im))
}

// norm is the square of the magnitude.
func norm(z Complex) Number { return Add(Mul(z.Re, z.Re), Mul(z.Im, z.Im)) }

// Angle is the angle in (-π, π]; exact 0 for a real number that is not negative.
func Angle(n Number) Number {
	z, ok := n.(Complex)
	switch {
	case ok && IsExact(n): // as a ratio to the greater part, so that no flonum overflows
		top := Max(Abs(z.Re), Abs(z.Im))
		re, _ := Div(z.Re, top)
		im, _ := Div(z.Im, top)
		return Atan2(im, re)
	case ok:
		return Atan2(z.Im, z.Re)
	case IsNaN(n):
		return n
	case Sign(n) < 0:
		return math.Pi
	}
	return int64(0)
}

// Inexact is ToInexact of any number.
func Inexact(n Number) Number {
	if z, ok := n.(Complex); ok {
		return Complex{ToInexact(z.Re), ToInexact(z.Im)}
	}
	return ToInexact(n)
}

func toComplex(n Number) complex128 {
	re, im := Parts(n)
	return complex(ToInexact(re), ToInexact(im))
}

func fromComplex(z complex128) Number { return Complex{real(z), imag(z)} }

func anyComplex(a, b Number) bool { return !IsReal(a) || !IsReal(b) }

func addComplex(a, b Number) Number {
	ar, ai := Parts(a)
	br, bi := Parts(b)
	return Rectangular(Add(ar, br), Add(ai, bi))
}

func subComplex(a, b Number) Number {
	ar, ai := Parts(a)
	br, bi := Parts(b)
	return Rectangular(Sub(ar, br), Sub(ai, bi))
}

// A real factor scales both parts: nothing is made of an imaginary part that it does not have.
func mulComplex(a, b Number) Number {
	switch {
	case IsReal(a):
		z := b.(Complex)
		if z.Re == Number(int64(0)) {
			return Rectangular(z.Re, Mul(a, z.Im))
		}
		return Rectangular(Mul(a, z.Re), Mul(a, z.Im))
	case IsReal(b):
		return mulComplex(b, a)
	}
	x, y := a.(Complex), b.(Complex)
	return Rectangular(Sub(Mul(x.Re, y.Re), Mul(x.Im, y.Im)), Add(Mul(x.Re, y.Im), Mul(x.Im, y.Re)))
}

func divComplex(a, b Number) (Number, error) {
	y, ok := b.(Complex)
	switch {
	case !ok:
		x := a.(Complex)
		re, err := Div(x.Re, b)
		if err != nil {
			return nil, err
		}
		im, err := Div(x.Im, b)
		return Rectangular(re, im), err
	case !IsExact(a) || !IsExact(b):
		return fromComplex(toComplex(a) / toComplex(b)), nil
	}
	return Div(Mul(a, Complex{y.Re, Negate(y.Im)}), norm(y))
}

// sqrtComplex is the root in the right half of the plane, exact where it can be.
func sqrtComplex(z Complex) Number {
	if IsExact(z) {
		if m := Magnitude(z); IsExact(m) {
			re, im := rootOfHalf(Add(m, z.Re)), rootOfHalf(Sub(m, z.Re))
			if IsExact(re) && IsExact(im) {
				if Sign(z.Im) < 0 {
					im = Negate(im)
				}
				return Rectangular(re, im)
			}
		}
	}
	return fromComplex(cmplx.Sqrt(toComplex(z)))
}

// rootOfHalf is the root of n/2 for an n that is not negative.
func rootOfHalf(n Number) Number {
	half, _ := Div(n, int64(2))
	root, _ := Sqrt(half)
	return root
}

// exptComplex is base to the power exp where one of them is no real number, or the power is none.
func exptComplex(base, exp Number, maxBits int64) (Number, error) {
	if IsExactInteger(exp) {
		switch e, small := exp.(int64); {
		case Sign(exp) == 0:
			return as(!IsExact(base), int64(1)), nil
		case isImaginaryUnit(base):
			turns, _ := Modulo(exp, int64(4))
			return powerComplex(base, turns.(int64)), nil
		case IsExact(base) && (!small || ExptBits(base, exp) > maxBits):
			return nil, ErrTooLarge
		case IsExact(base) || small && magnitude(e) <= 1024:
			power := powerComplex(base, max(e, -e))
			if e < 0 {
				return Div(int64(1), power)
			}
			return power, nil
		}
	}
	if r, ok := exp.(*big.Rat); ok && r.Cmp(big.NewRat(1, 2)) == 0 {
		return Sqrt(base)
	}
	if IsZero(base) { // here cmplx.Pow knows no answer for some exponents
		switch re, _ := Parts(exp); {
		case Sign(re) > 0:
			return base, nil
		case IsExact(base):
			return nil, ErrDivideByZero
		}
		return math.NaN(), nil
	}
	return fromComplex(cmplx.Pow(toComplex(base), toComplex(exp))), nil
}

// isImaginaryUnit reports whether n is i or -i: its powers do not grow.
func isImaginaryUnit(n Number) bool {
	z, ok := n.(Complex)
	return ok && z.Re == Number(int64(0)) && isUnit(z.Im)
}

// powerComplex multiplies by squaring.
func powerComplex(base Number, e int64) Number {
	power := Number(int64(1))
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			power = Mul(power, base)
		}
		if e > 1 {
			base = Mul(base, base)
		}
	}
	return power
}

// logComplex is the principal logarithm of a number that is not real, or negative.
func logComplex(n Number) (Number, error) {
	if z, ok := n.(Complex); ok && !IsExact(n) {
		return fromComplex(cmplx.Log(toComplex(z))), nil
	}
	re, err := Log(Magnitude(n))
	if err != nil {
		return nil, err
	}
	return Rectangular(re, Angle(n)), nil
}
