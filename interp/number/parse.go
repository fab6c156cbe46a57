package number

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// MaxText is the longest text that Parse looks at: reading digits costs more than linear time.
const MaxText = 1 << 20

// maxExactExponent bounds the exponent of an exact decimal such as #e1e400, which is written out in full.
const maxExactExponent = 20_000

// Parse reads one numeric literal (R7RS 7.1.1) whose radix is the given one unless a prefix says otherwise. It is not
// ok for anything else: a complex literal in a radix where i is a digit, a zero denominator, an exact infinity, an exact
// decimal with an exponent beyond 20,000, a text longer than MaxText.
func Parse(text string, radix int) (n Number, ok bool) {
	if len(text) > MaxText {
		return nil, false
	}
	exactness := byte(0)
	for seenRadix := false; len(text) >= 2 && text[0] == '#'; text = text[2:] {
		letter := text[1] | 0x20
		switch r := prefixRadix(letter); {
		case r != 0 && !seenRadix:
			radix, seenRadix = r, true
		case (letter == 'e' || letter == 'i') && exactness == 0:
			exactness = letter
		default:
			return nil, false
		}
	}
	if text == "" || radix < 2 || radix > 36 {
		return nil, false
	}
	if n, ok := realOf(text, radix, exactness); ok {
		return n, true
	}
	return complexOf(text, radix, exactness)
}

func realOf(text string, radix int, exactness byte) (n Number, ok bool) {
	if f, ok := special(text); ok {
		return f, exactness != 'e'
	}
	if text == "" {
		return nil, false
	}
	negative := text[0] == '-'
	if negative || text[0] == '+' {
		text = text[1:]
	}
	if n, ok = unsigned(text, radix, exactness); !ok {
		return nil, false
	}
	if negative {
		n = Negate(n)
	}
	return n, true
}

// complexOf reads real@real, or an imaginary part with a sign, after a real part or not.
func complexOf(text string, radix int, exactness byte) (n Number, ok bool) {
	if magnitude, angle, polar := strings.Cut(text, "@"); polar {
		m, ok1 := realOf(magnitude, radix, exactness)
		a, ok2 := realOf(angle, radix, exactness)
		if !ok1 || !ok2 {
			return nil, false
		}
		return exactly(Polar(m, a), exactness)
	}
	end := len(text) - 1
	if radix > 18 || end < 1 || text[end]|0x20 != 'i' {
		return nil, false
	}
	sign := strings.LastIndexAny(text[:end], "+-")
	if radix == 10 && sign > 0 && text[sign-1]|0x20 == 'e' { // the sign of an exponent
		sign = strings.LastIndexAny(text[:sign], "+-")
	}
	if sign < 0 {
		return nil, false
	}
	re, im := Number(int64(0)), Number(int64(1))
	if sign > 0 {
		if re, ok = realOf(text[:sign], radix, exactness); !ok {
			return nil, false
		}
	}
	if sign+1 == end {
		if text[sign] == '-' {
			im = int64(-1)
		}
	} else if im, ok = realOf(text[sign:end], radix, exactness); !ok {
		return nil, false
	}
	return exactly(Rectangular(re, im), exactness)
}

// exactly is n as the prefix wants it.
func exactly(n Number, exactness byte) (Number, bool) {
	switch exactness {
	case 'e':
		n, err := ToExact(n)
		return n, err == nil
	case 'i':
		return Inexact(n), true
	}
	return n, true
}

func prefixRadix(letter byte) int {
	switch letter {
	case 'b':
		return 2
	case 'o':
		return 8
	case 'd':
		return 10
	case 'x':
		return 16
	}
	return 0
}

func special(text string) (float64, bool) {
	if len(text) != 6 || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	switch {
	case strings.EqualFold(text, "+inf.0"):
		return math.Inf(1), true
	case strings.EqualFold(text, "-inf.0"):
		return math.Inf(-1), true
	case strings.EqualFold(text[1:], "nan.0"):
		return math.NaN(), true
	}
	return 0, false
}

// unsigned reads digits, digits/digits or a decimal.
func unsigned(text string, radix int, exactness byte) (Number, bool) {
	whole := digits(text, radix)
	if whole == len(text) {
		if whole == 0 {
			return nil, false
		}
		n := integerOf(text, radix)
		if exactness == 'i' {
			return ToInexact(n), true
		}
		return n, true
	}
	if text[whole] == '/' {
		bottom := text[whole+1:]
		if whole == 0 || bottom == "" || digits(bottom, radix) != len(bottom) {
			return nil, false
		}
		n, err := Div(integerOf(text[:whole], radix), integerOf(bottom, radix))
		if err != nil {
			return nil, false
		}
		return as(exactness == 'i', n), true
	}
	return decimal(text, radix, exactness, whole)
}

// digits is the length of the run of digits that text starts with.
func digits(text string, radix int) int {
	for i := range len(text) {
		if int(digitValue(text[i])) >= radix {
			return i
		}
	}
	return len(text)
}

func digitValue(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'z' && c < 0x80:
		return c | 0x20 - 'a' + 10
	}
	return 255
}

// integerOf turns digits into a number, halving long texts: big.Int.SetString alone takes quadratic time.
func integerOf(text string, radix int) Number {
	if len(text) <= 11 { // fits an int64 in any radix up to 36
		n, _ := strconv.ParseInt(text, radix, 64)
		return n
	}
	powers := map[int]*big.Int{}
	return Normalize(bigOf(text, radix, powers))
}

func bigOf(text string, radix int, powers map[int]*big.Int) *big.Int {
	const short = 1024
	if len(text) <= short {
		n, _ := new(big.Int).SetString(text, radix)
		return n
	}
	// The lower part has a length of short·2^k, so that few different powers are needed.
	low := short
	for low*2 < len(text) {
		low *= 2
	}
	cut := len(text) - low
	high := bigOf(text[:cut], radix, powers)
	return high.Mul(high, power(radix, low, powers)).Add(high, bigOf(text[cut:], radix, powers))
}

func power(radix, n int, powers map[int]*big.Int) *big.Int {
	if p := powers[n]; p != nil {
		return p
	}
	p := new(big.Int).Exp(big.NewInt(int64(radix)), big.NewInt(int64(n)), nil)
	powers[n] = p
	return p
}

// decimal reads text whose first whole bytes are digits and whose next is none. In a radix other than ten an "e" is a
// digit or foreign, so there only the point is known.
func decimal(text string, radix int, exactness byte, whole int) (Number, bool) {
	end, fraction := whole, ""
	if text[end] == '.' {
		n := digits(text[end+1:], radix)
		fraction = text[end+1 : end+1+n]
		end += 1 + n
	}
	if whole == 0 && fraction == "" {
		return nil, false
	}
	exponent := ""
	if end < len(text) {
		if radix != 10 || text[end]|0x20 != 'e' {
			return nil, false
		}
		exponent = text[end+1:]
		unsigned := strings.TrimLeft(exponent, "+-")
		if len(exponent)-len(unsigned) > 1 || unsigned == "" || digits(unsigned, 10) != len(unsigned) {
			return nil, false
		}
	}
	if radix == 10 && exactness != 'e' {
		f, _ := strconv.ParseFloat(text, 64) // the only error left is the range, answered by 0 or an infinity
		return f, true
	}
	n, ok := exactDecimal(text[:whole]+fraction, len(fraction), exponent, radix)
	if ok && exactness != 'e' {
		return ToInexact(n), true
	}
	return n, ok
}

// exactDecimal is mantissa · radix^(exponent - places).
func exactDecimal(mantissa string, places int, exponent string, radix int) (Number, bool) {
	n := integerOf(mantissa, radix)
	if n == Number(int64(0)) {
		return n, true
	}
	shift := 0
	if exponent != "" {
		e, err := strconv.Atoi(exponent)
		if err != nil || e > maxExactExponent || e < -maxExactExponent {
			return nil, false
		}
		shift = e
	}
	shift -= places
	scale := new(big.Int).Exp(big.NewInt(int64(radix)), big.NewInt(int64(max(shift, -shift))), nil)
	if shift >= 0 {
		return Mul(n, Normalize(scale)), true
	}
	q, err := Div(n, Normalize(scale))
	return q, err == nil
}
