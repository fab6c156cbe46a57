package number

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Format writes n in radix 2 to 36 so that Parse reads the same number back. Flonums are the shortest digits that do
// so, with an exponent from 1e21 upwards and below 1e-6; in another radix than ten always positional.
func Format(n Number, radix int) string {
	switch n := n.(type) {
	case int64:
		return strconv.FormatInt(n, radix)
	case *big.Int:
		return n.Text(radix)
	case *big.Rat:
		return n.Num().Text(radix) + "/" + n.Denom().Text(radix)
	case float64:
		return formatFloat(n, radix)
	case Complex:
		return formatComplex(n, radix)
	}
	panic(notNumber(n))
}

func formatComplex(z Complex, radix int) string {
	re, im := "", Format(z.Im, radix)
	if z.Re != Number(int64(0)) {
		re = Format(z.Re, radix)
	}
	if im[0] != '+' && im[0] != '-' {
		im = "+" + im
	}
	if isUnit(z.Im) {
		im = im[:1]
	}
	return re + im + "i"
}

func formatFloat(f float64, radix int) string {
	switch {
	case math.IsNaN(f):
		return "+nan.0"
	case math.IsInf(f, 1):
		return "+inf.0"
	case math.IsInf(f, -1):
		return "-inf.0"
	}
	if radix != 10 {
		return positional(f, radix)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		s := strconv.FormatFloat(f, 'e', -1, 64)
		mantissa, exponent, _ := strings.Cut(s, "e")
		sign := ""
		if exponent[0] == '-' {
			sign = "-"
		}
		return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// positional writes the whole part exactly and then the fewest digits of the fraction that tell f from its
// neighbours (Steele and White 1990, fixed point with a free format).
func positional(f float64, radix int) string {
	var out strings.Builder
	if math.Signbit(f) {
		out.WriteByte('-')
	}
	f = math.Abs(f)
	whole, fraction := math.Modf(f)
	out.WriteString(toBig(exactFloat(whole)).Text(radix))
	out.WriteByte('.')
	if fraction == 0 {
		out.WriteByte('0')
		if text := out.String(); isSpecial(text) { // "inf" and "nan" may be digits
			return "-0" + text[1:]
		}
		return out.String()
	}
	// Everything over the common denominator 2^1075, where half a unit in the last place of any flonum is an integer.
	const scale = 1075
	ulp := f - math.Nextafter(f, 0) // below a power of two the neighbour is nearer
	rest := scaled(fraction, scale)
	half := new(big.Int).Rsh(scaled(ulp, scale), 1)
	one := new(big.Int).Lsh(big.NewInt(1), scale)
	base := big.NewInt(int64(radix))
	var digits []byte
	for digit := new(big.Int); ; {
		rest.Mul(rest, base)
		half.Mul(half, base)
		digit.QuoRem(rest, one, rest)
		d := digit.Int64()
		low := rest.Cmp(half) < 0
		high := new(big.Int).Sub(one, rest).Cmp(half) < 0
		if !low && !high {
			digits = append(digits, byte(d))
			continue
		}
		if high && (!low || new(big.Int).Lsh(rest, 1).Cmp(one) > 0) && d < int64(radix)-1 {
			d++
		}
		digits = append(digits, byte(d))
		break
	}
	for _, d := range digits {
		out.WriteByte("0123456789abcdefghijklmnopqrstuvwxyz"[d])
	}
	return out.String()
}

func isSpecial(text string) bool { _, is := special(text); return is }

// scaled is f · 2^shift for an f that makes it an integer.
func scaled(f float64, shift int) *big.Int {
	x := new(big.Float).SetFloat64(f)
	n, _ := x.SetMantExp(x, shift).Int(nil)
	return n
}
