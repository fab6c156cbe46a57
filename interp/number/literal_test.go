package number_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"caper/interp/number"
)

// This file compares Parse with a reader made of regular expressions, math/big and strconv.

// reals are the literals of R7RS 7.1.1 without a prefix, by radix.
func reals(radix int) *regexp.Regexp {
	digits := fmt.Sprintf("0-%d", min(radix, 10)-1)
	if radix > 10 {
		digits += fmt.Sprintf("a-%c", 'a'+radix-11)
	}
	exponent := ""
	if radix == 10 {
		exponent = "(e[-+]?[0-9]+)?"
	}
	d := "[" + digits + "]"
	return regexp.MustCompile(fmt.Sprintf(`^(?:[-+](?:inf|nan)\.0|[-+]?(?:%[1]s+(?:/%[1]s+)?|(?:%[1]s+\.?%[1]s*|\.%[1]s+)%[2]s))$`, d, exponent))
}

var realsOf = map[int]*regexp.Regexp{2: reals(2), 8: reals(8), 10: reals(10), 16: reals(16), 36: reals(36)}

// slowComplex tries every place at which a text may be two.
func slowComplex(text string, radix int, exactness string) number.Number {
	if n := slowReal(text, radix, exactness); n != nil {
		return n
	}
	for i := range text {
		switch {
		case text[i] == '@':
			m, a := slowReal(text[:i], radix, exactness), slowReal(text[i+1:], radix, exactness)
			if m == nil || a == nil {
				continue
			}
			n := number.Polar(m, a)
			if exactness == "e" {
				n, _ = number.ToExact(n)
			}
			return n
		case (text[i] == '+' || text[i] == '-') && strings.HasSuffix(text, "i") && radix < 19:
			re, unit := number.Number(int64(0)), strings.TrimSuffix(text[i:], "i")
			if len(unit) == 1 {
				unit += "1"
			}
			if i > 0 {
				re = slowReal(text[:i], radix, exactness)
			}
			if im := slowReal(unit, radix, exactness); re != nil && im != nil {
				if exactness == "i" {
					return number.Complex{Re: number.ToInexact(re), Im: number.ToInexact(im)}
				}
				return number.Rectangular(re, im)
			}
		}
	}
	return nil
}

var infinite = regexp.MustCompile(`^[-+](inf|nan)\.0$`)

// readSlowly is what Parse has to answer; nil for what is no number.
func readSlowly(text string, radix int) number.Number {
	text = strings.ToLower(text)
	exactness := ""
	for seen := false; strings.HasPrefix(text, "#") && len(text) > 1; text = text[2:] {
		switch p := text[1:2]; {
		case strings.Contains("bodx", p) && !seen:
			radix, seen = map[string]int{"b": 2, "o": 8, "d": 10, "x": 16}[p], true
		case strings.Contains("ei", p) && exactness == "":
			exactness = p
		default:
			return nil
		}
	}
	return slowComplex(text, radix, exactness)
}

func slowReal(text string, radix int, exactness string) number.Number {
	if !realsOf[radix].MatchString(text) {
		return nil
	}
	if infinite.MatchString(text) {
		switch {
		case exactness == "e":
			return nil
		case text[1] == 'n':
			return math.NaN()
		}
		f, _ := strconv.ParseFloat(text[:4], 64)
		return f
	}
	decimal := strings.Contains(text, ".") || radix == 10 && strings.Contains(text, "e")
	if decimal && radix == 10 && exactness != "e" {
		f, _ := strconv.ParseFloat(text, 64)
		return f
	}
	r, ok := exactly(text, radix)
	switch {
	case !ok:
		return nil
	case exactness == "e" || exactness == "" && !decimal:
		return number.Normalize(r)
	}
	f, _ := r.Float64()
	if f == 0 && text[0] == '-' {
		f = math.Copysign(0, -1)
	}
	return f
}

// exactly is a literal's value; not ok with a zero denominator or an exponent that is too large to be written out.
func exactly(text string, radix int) (*big.Rat, bool) {
	if top, bottom, ok := strings.Cut(text, "/"); ok {
		p, _ := new(big.Int).SetString(top, radix)
		q, _ := new(big.Int).SetString(bottom, radix)
		if q.Sign() == 0 {
			return nil, false
		}
		return new(big.Rat).SetFrac(p, q), true
	}
	exponent := 0
	if radix == 10 {
		mantissa, e, _ := strings.Cut(text, "e")
		var err error
		if exponent, err = strconv.Atoi(e); e != "" && (err != nil || max(exponent, -exponent) > 20_000) {
			return new(big.Rat), strings.Trim(mantissa, "+-0.") == ""
		}
		text = mantissa
	}
	whole, fraction, _ := strings.Cut(text, ".")
	n, _ := new(big.Int).SetString(whole+fraction, radix)
	r := new(big.Rat).SetInt(n)
	scale := func(e int) *big.Rat {
		return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(int64(radix)), big.NewInt(int64(e)), nil))
	}
	r.Quo(r, scale(len(fraction)))
	if exponent < 0 {
		return r.Quo(r, scale(-exponent)), true
	}
	return r.Mul(r, scale(exponent)), true
}

// literal draws a text that is a number, or nearly one.
func literal(g *rand.Rand) string {
	radix := []int{2, 8, 10, 10, 10, 16}[g.IntN(6)]
	digits := func() string {
		var b strings.Builder
		for range 1 + g.IntN(1+g.IntN(30)) {
			b.WriteByte("0123456789abcdef"[g.IntN(radix)])
		}
		return b.String()
	}
	var prefix []string
	if radix != 10 || g.IntN(4) == 0 {
		prefix = append(prefix, map[int]string{2: "#b", 8: "#o", 10: "#d", 16: "#x"}[radix])
	}
	if g.IntN(3) == 0 {
		prefix = append(prefix, []string{"#e", "#i"}[g.IntN(2)])
	}
	g.Shuffle(len(prefix), func(i, j int) { prefix[i], prefix[j] = prefix[j], prefix[i] })
	real := func() string {
		if g.IntN(12) == 0 {
			return []string{"+inf.0", "-inf.0", "+nan.0", "-nan.0"}[g.IntN(4)]
		}
		text := []string{"", "+", "-"}[g.IntN(3)] + digits()
		switch g.IntN(4) {
		case 0:
			text += "/" + digits()
		case 1:
			text += "." + digits()
		case 2:
			text += []string{".", "." + digits(), ""}[g.IntN(3)]
			if radix == 10 {
				text += fmt.Sprintf("e%s%d", []string{"", "+", "-"}[g.IntN(3)], g.IntN(1+g.IntN(400)))
			}
		}
		return text
	}
	text := strings.Join(prefix, "") + real()
	switch g.IntN(4) {
	case 0:
		text += []string{"+", "-"}[g.IntN(2)] + strings.TrimLeft(real(), "+-") + "i"
	case 1:
		if g.IntN(3) == 0 {
			text += "@" + real()
		}
	}
	if g.IntN(3) == 0 { // one mistake, or none
		at := g.IntN(len(text) + 1)
		text = text[:at] + string("0123456789abefinx#+-./@_ "[g.IntN(25)]) + text[min(len(text), at+g.IntN(3)):]
	}
	if g.IntN(4) == 0 {
		text = strings.ToUpper(text)
	}
	return text
}

func TestLiterals(t *testing.T) {
	cases := 20_000
	if os.Getenv("CAPER_FULL") != "" {
		cases = 1_000_000
	}
	g := rand.New(rand.NewPCG(0, 1))
	numbers := 0
	for range cases {
		text := literal(g)
		radix := []int{10, 10, 10, 10, 2, 8, 16, 36}[g.IntN(8)]
		got, ok := number.Parse(text, radix)
		want := readSlowly(text, radix)
		if ok != (want != nil) || ok && !number.Eqv(got, want) {
			t.Fatalf("%s in radix %d: %v %v, want %v", text, radix, got, ok, want)
		}
		if !ok {
			continue
		}
		numbers++
		if !number.IsReal(got) && radix > 18 {
			continue // where i is a digit there is no way to write it
		}
		if again, ok := number.Parse(number.Format(got, radix), radix); !ok || !number.Eqv(got, again) {
			t.Fatalf("%s in radix %d is written %s", text, radix, number.Format(got, radix))
		}
	}
	if numbers < cases/3 || numbers > cases*9/10 {
		t.Errorf("%d of %d texts are numbers: too few or too many", numbers, cases)
	}
}

// TestRationalizeFindsTheSimplest looks through all denominators from 1 on.
func TestRationalizeFindsTheSimplest(t *testing.T) {
	g := rand.New(rand.NewPCG(0, 2))
	for range 3_000 {
		x, y := big.NewRat(g.Int64N(401)-200, 1+g.Int64N(60)), big.NewRat(g.Int64N(40), 1+g.Int64N(80))
		low, high := new(big.Rat).Sub(x, y), new(big.Rat).Add(x, y)
		var want *big.Rat
		for q := int64(1); want == nil; q++ {
			// The numerators between both ends, of which the least in magnitude is the simplest.
			scaled := big.NewRat(q, 1)
			first, last := number.Ceiling(number.Normalize(new(big.Rat).Mul(low, scaled))), number.Floor(number.Normalize(new(big.Rat).Mul(high, scaled)))
			switch p, end := first.(int64), last.(int64); {
			case p > end:
			case p <= 0 && end >= 0:
				want = new(big.Rat)
			case p > 0:
				want = big.NewRat(p, q)
			default:
				want = big.NewRat(end, q)
			}
		}
		got, err := number.Rationalize(number.Normalize(x), number.Normalize(y))
		if err != nil || !number.Eqv(got, number.Normalize(want)) {
			t.Fatalf("rationalize %v %v: %v %v, want %v", x, y, got, err, want)
		}
	}
}

// TestSqrtIsTheNearestFlonum asks for roots that lie just beside the middle of two flonums.
func TestSqrtIsTheNearestFlonum(t *testing.T) {
	g := rand.New(rand.NewPCG(0, 3))
	for range 2_000 {
		mid := new(big.Int).SetUint64(1<<53 | g.Uint64N(1<<53) | 1) // 54 bits, the last one set
		shift := uint(g.IntN(300))
		low, _ := new(big.Rat).SetInt(new(big.Int).Sub(mid, big.NewInt(1))).Float64()
		high, _ := new(big.Rat).SetInt(new(big.Int).Add(mid, big.NewInt(1))).Float64()
		square := new(big.Int).Lsh(new(big.Int).Mul(mid, mid), 2*shift)
		for _, c := range []struct {
			off  int64
			want float64
		}{{-1, low}, {1, high}} {
			got, err := number.Sqrt(number.Normalize(new(big.Int).Add(square, big.NewInt(c.off))))
			if want := math.Ldexp(c.want, int(shift)); err != nil || !number.Eqv(got, want) {
				t.Fatalf("sqrt of (%v·2^%d)² %+d: %v %v, want %v", mid, shift, c.off, got, err, want)
			}
		}
	}
}
