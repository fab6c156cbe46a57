package stdlib_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A real is a number as the other side computes it.
type real struct {
	r *big.Rat // nil of a flonum
	f float64
}

func flo(f float64) real    { return real{f: f} }
func rat(r *big.Rat) real   { return real{r: r} }
func whole(i *big.Int) real { return real{r: new(big.Rat).SetInt(i)} }

func (x real) exact() bool { return x.r != nil }

func (x real) finite() bool { return x.exact() || !math.IsInf(x.f, 0) && !math.IsNaN(x.f) }

// value is the finite x exactly.
func (x real) value() *big.Rat {
	if x.exact() {
		return x.r
	}
	return new(big.Rat).SetFloat64(x.f)
}

func (x real) float() float64 {
	if x.exact() {
		return nearest(x.r)
	}
	return x.f
}

func (x real) integer() bool { return x.finite() && x.value().IsInt() }

func (x real) String() string {
	switch {
	case x.exact():
		return x.r.RatString()
	case math.IsNaN(x.f):
		return "+nan.0"
	case math.IsInf(x.f, 0):
		return fmt.Sprintf("%+g.0", x.f)[:1] + "inf.0"
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x.f, 'e', -1, 64), "e")
	if e, _ := strconv.Atoi(exponent); x.f != 0 && (e < -6 || e > 20) {
		return mantissa + "e" + strconv.Itoa(e)
	}
	s := strconv.FormatFloat(x.f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// nearest is the flonum nearest to r: 64 bits or more of the quotient, the last one set when something is left.
func nearest(r *big.Rat) float64 {
	shift := 66 - r.Num().BitLen() + r.Denom().BitLen()
	shift = min(shift, 1200) // below the least flonum no bit counts
	num, den := new(big.Int).Abs(r.Num()), new(big.Int).Set(r.Denom())
	if shift > 0 {
		num.Lsh(num, uint(shift))
	} else {
		den.Lsh(den, uint(-shift))
	}
	q, rest := num.QuoRem(num, den, new(big.Int))
	if rest.Sign() != 0 {
		q.SetBit(q, 0, 1)
	}
	// strconv rounds a hexadecimal literal correctly.
	f, _ := strconv.ParseFloat(fmt.Sprintf("0x%xp%d", q, -shift), 64)
	if r.Sign() < 0 {
		f = -f
	}
	return f
}

// A generator draws numbers, those near an edge of a representation more often than chance would.
type generator struct{ *rand.Rand }

func (g generator) bits(n int) *big.Int {
	z := new(big.Int)
	for range n/32 + 1 {
		z.Lsh(z, 32).Or(z, big.NewInt(int64(g.Uint32())))
	}
	z.Rsh(z, uint(z.BitLen()-min(n, z.BitLen())))
	if g.IntN(2) == 0 {
		z.Neg(z)
	}
	return z
}

func (g generator) whole() *big.Int {
	switch g.IntN(5) {
	case 0:
		return big.NewInt(g.Int64N(21) - 10)
	case 1: // by a power of two: 2^31, 2^53, 2^60, 2^61, 2^63, 2^64 are edges
		edge := []uint{31, 32, 52, 53, 54, 59, 60, 61, 62, 63, 64, 120, 128}[g.IntN(13)]
		z := new(big.Int).Lsh(big.NewInt(1), edge)
		z.Add(z, big.NewInt(g.Int64N(5)-2))
		if g.IntN(2) == 0 {
			z.Neg(z)
		}
		return z
	case 2:
		return big.NewInt(int64(g.Uint64()))
	case 3:
		return g.bits(1 + g.IntN(64))
	}
	return g.bits(1 + g.IntN(1<<g.IntN(11)))
}

func (g generator) ratio() *big.Rat {
	den := g.whole()
	if den.Sign() == 0 {
		den.SetInt64(3)
	}
	return new(big.Rat).SetFrac(g.whole(), den)
}

func (g generator) float() float64 {
	switch g.IntN(6) {
	case 0:
		return []float64{0, math.Copysign(0, -1), 1, -1, 0.5, math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-1023, 0x1p53, 0x1p60, -0x1p60, 0x1p63,
			math.Inf(1), math.Inf(-1), math.NaN(), 1e21, 1e-7, 1e22, 0x1p256, 0x1p-256}[g.IntN(21)]
	case 1:
		return math.Float64frombits(g.Uint64()) // every exponent, subnormals and NaNs
	case 2:
		return math.Float64frombits(g.Uint64() &^ (0x7ff << 52)) // subnormals
	case 3:
		return float64(g.Int64N(2001)-1000) / 8
	case 4:
		return nearest(new(big.Rat).SetInt(g.whole()))
	}
	return g.NormFloat64() * math.Pow(10, float64(g.IntN(41)-20))
}

func (g generator) real() real {
	switch g.IntN(4) {
	case 0, 1:
		return whole(g.whole())
	case 2:
		return rat(g.ratio())
	}
	return flo(g.float())
}

// pair draws two operands, now and then so near to each other that rounding would make them equal.
func (g generator) pair() (a, b real) {
	a, b = g.real(), g.real()
	switch g.IntN(6) {
	case 0:
		b = flo(a.float())
	case 1:
		if a.finite() {
			b = rat(new(big.Rat).Add(a.value(), big.NewRat(g.Int64N(3)-1, 1+g.Int64N(1<<40))))
		}
	case 2:
		a, b = whole(g.whole()), whole(g.whole())
	}
	return a, b
}
