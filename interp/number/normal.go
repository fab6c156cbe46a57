package number

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
)

// The errors of this room. Operations wrap none of them: the caller knows the procedure's name and the operands.
var (
	// ErrDivideByZero is an exact division by zero, or an integer division whose divisor is 0.0.
	ErrDivideByZero = errors.New("division by zero")
	// ErrTooLarge says that the result would exceed the caller's limit; nothing of it was computed.
	ErrTooLarge = errors.New("the result would be too large")
	// ErrNotInteger is an operand that had to be an integer (3 and 3.0 are, 1/2 and +inf.0 are not).
	ErrNotInteger = errors.New("not an integer")
	// ErrNotExact is an operand that had to be an exact integer.
	ErrNotExact = errors.New("not an exact integer")
	// ErrNotFinite is an infinity or a NaN where a rational number is needed.
	ErrNotFinite = errors.New("not a finite number")
	// ErrNotReal is a function that is real only, asked outside of where it has a value: (exact-integer-sqrt -1).
	ErrNotReal = errors.New("the result is not a real number")
)

// IsNumber reports whether v is one of the five representations.
func IsNumber(v any) bool {
	switch v.(type) {
	case int64, *big.Int, *big.Rat, float64, Complex:
		return true
	}
	return false
}

// Normalize brings an int64, a *big.Int, a *big.Rat or a float64 into the normal form described at Number.
// The argument is kept, not copied: it must not be changed afterwards.
func Normalize(n any) Number {
	switch n := n.(type) {
	case *big.Int:
		if n.IsInt64() {
			return n.Int64()
		}
	case *big.Rat:
		if n.IsInt() {
			return Normalize(n.Num())
		}
	case int64, float64:
	default:
		panic(notNumber(n))
	}
	return n
}

// notNumber describes a caller's mistake: every function here takes numbers only, checked by the primitives.
func notNumber(v any) string { return fmt.Sprintf("number: %T is not a number", v) }

// BitLen is the size of n in bits, what callers charge before they multiply, divide or print it: the length of the
// magnitude of an integer, the sum of both parts of a ratio or a complex number, 64 for a flonum.
func BitLen(n Number) int64 {
	switch n := n.(type) {
	case int64:
		return int64(bits.Len64(magnitude(n)))
	case *big.Int:
		return int64(n.BitLen())
	case *big.Rat:
		return int64(n.Num().BitLen()) + int64(n.Denom().BitLen())
	case Complex:
		return BitLen(n.Re) + BitLen(n.Im)
	}
	return 64
}

// magnitude is |n|, right for the least int64 too.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// toBig is an exact integer as a big.Int that the caller must not change.
func toBig(n Number) *big.Int {
	switch n := n.(type) {
	case int64:
		return big.NewInt(n)
	case *big.Int:
		return n
	}
	panic(notNumber(n))
}

// toRat is an exact number as a big.Rat that the caller must not change.
func toRat(n Number) *big.Rat {
	switch n := n.(type) {
	case int64:
		return new(big.Rat).SetInt64(n)
	case *big.Int:
		return new(big.Rat).SetInt(n)
	case *big.Rat:
		return n
	}
	panic(notNumber(n))
}

// ToInexact is the flonum nearest to n, ties to even; beyond the largest it is an infinity.
func ToInexact(n Number) float64 {
	switch n := n.(type) {
	case int64:
		return float64(n)
	case float64:
		return n
	case *big.Int:
		f, _ := n.Float64()
		return f
	case *big.Rat:
		f, _ := n.Float64()
		return f
	}
	panic(notNumber(n))
}

// ToExact is the number that n stands for exactly, or ErrNotFinite.
func ToExact(n Number) (Number, error) {
	if z, ok := n.(Complex); ok {
		re, err := ToExact(z.Re)
		if err != nil {
			return nil, err
		}
		im, err := ToExact(z.Im)
		return Rectangular(re, im), err
	}
	f, ok := n.(float64)
	if !ok {
		return n, nil
	}
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, ErrNotFinite
	}
	return exactFloat(f), nil
}

// exactFloat is ToExact of a finite flonum.
func exactFloat(f float64) Number {
	if f == math.Trunc(f) {
		if f >= -1<<63 && f < 1<<63 {
			return int64(f)
		}
		n, _ := new(big.Float).SetFloat64(f).Int(nil)
		return n
	}
	return new(big.Rat).SetFloat64(f)
}

// IsExact reports whether n is no flonum and has none for a part.
func IsExact(n Number) bool {
	if z, ok := n.(Complex); ok {
		n = z.Im
	}
	_, inexact := n.(float64)
	return !inexact
}

// IsExactInteger reports whether n is an int64 or a *big.Int.
func IsExactInteger(n Number) bool {
	switch n.(type) {
	case int64, *big.Int:
		return true
	}
	return false
}

// IsInteger reports whether n has no fraction; 3.0 has none.
func IsInteger(n Number) bool {
	switch n := n.(type) {
	case int64, *big.Int:
		return true
	case float64:
		return n == math.Trunc(n) && !math.IsInf(n, 0)
	}
	return false
}

// IsRational reports whether n is real and neither an infinity nor NaN.
func IsRational(n Number) bool { return IsReal(n) && IsFinite(n) }

// IsFinite reports whether n is neither an infinity nor NaN.
func IsFinite(n Number) bool {
	if z, ok := n.(Complex); ok {
		return IsFinite(z.Re) && IsFinite(z.Im)
	}
	f, inexact := n.(float64)
	return !inexact || !math.IsInf(f, 0) && !math.IsNaN(f)
}

// IsInfinite reports whether n is +inf.0 or -inf.0.
func IsInfinite(n Number) bool {
	if z, ok := n.(Complex); ok {
		return IsInfinite(z.Re) || IsInfinite(z.Im)
	}
	f, inexact := n.(float64)
	return inexact && math.IsInf(f, 0)
}

// IsNaN reports whether n is a NaN.
func IsNaN(n Number) bool {
	if z, ok := n.(Complex); ok {
		return IsNaN(z.Re) || IsNaN(z.Im)
	}
	f, inexact := n.(float64)
	return inexact && math.IsNaN(f)
}

// IsZero reports whether n is 0, 0.0 or -0.0.
func IsZero(n Number) bool {
	if z, ok := n.(Complex); ok {
		return IsZero(z.Re) && IsZero(z.Im)
	}
	return Sign(n) == 0 && !IsNaN(n)
}

// IsOdd reports whether the integer n is odd; ErrNotInteger for others.
func IsOdd(n Number) (bool, error) {
	switch n := n.(type) {
	case int64:
		return n&1 != 0, nil
	case *big.Int:
		return n.Bit(0) != 0, nil
	case float64:
		if IsInteger(n) {
			return math.Mod(n, 2) != 0, nil
		}
	}
	return false, ErrNotInteger
}

// Sign is -1, 0 or 1; 0 for NaN.
func Sign(n Number) int {
	switch n := n.(type) {
	case int64:
		switch {
		case n < 0:
			return -1
		case n > 0:
			return 1
		}
		return 0
	case *big.Int:
		return n.Sign()
	case *big.Rat:
		return n.Sign()
	case float64:
		switch {
		case n < 0:
			return -1
		case n > 0:
			return 1
		}
		return 0
	}
	panic(notNumber(n))
}
