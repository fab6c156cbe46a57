package number_test

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"caper/interp/number"

	"pgregory.net/rapid"
)

func bigOf(text string) number.Number {
	n, _ := new(big.Int).SetString(text, 0)
	return number.Normalize(n)
}

func complexOf(re, im int64) number.Number { return number.Complex{Re: re, Im: im} }

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want number.Number // nil: not a number
	}{
		{"0", int64(0)}, {"-0", int64(0)}, {"+7", int64(7)}, {"007", int64(7)},
		{"9223372036854775807", int64(math.MaxInt64)}, {"-9223372036854775808", int64(math.MinInt64)},
		{"9223372036854775808", bigOf("9223372036854775808")},
		{"1/2", big.NewRat(1, 2)}, {"-6/4", big.NewRat(-3, 2)}, {"4/2", int64(2)}, {"0/5", int64(0)},
		{"1.", 1.0}, {".5", 0.5}, {"-.5e1", -5.0}, {"1.e2", 100.0}, {"1e10", 1e10}, {"1E-2", 0.01}, {"+1e+2", 100.0},
		{"-0.0", math.Copysign(0, -1)}, {"1e400", math.Inf(1)}, {"-1e400", math.Inf(-1)}, {"1e-400", 0.0},
		{"1e99999999999999999999", math.Inf(1)}, {"0e99999999999999999999", 0.0},
		{"+inf.0", math.Inf(1)}, {"-inf.0", math.Inf(-1)}, {"+nan.0", math.NaN()}, {"-nan.0", math.NaN()}, {"+INF.0", math.Inf(1)},
		{"#xFf", int64(255)}, {"#XfF", int64(255)}, {"#b-101", int64(-5)}, {"#o17", int64(15)}, {"#d10", int64(10)},
		{"#x1/F", big.NewRat(1, 15)}, {"#e1.5", big.NewRat(3, 2)}, {"#e1e3", int64(1000)}, {"#e1.25e1", big.NewRat(25, 2)},
		{"#i1/4", 0.25}, {"#i3", 3.0}, {"#x#i10", 16.0}, {"#i#x10", 16.0}, {"#E#D.5", big.NewRat(1, 2)}, {"#i1.5", 1.5},
		{"#e1e20", bigOf("100000000000000000000")}, {"#e1e-2", big.NewRat(1, 100)}, {"#i-0", math.Copysign(0, -1)},
		{"#e0e99999999", int64(0)}, {"#i+inf.0", math.Inf(1)}, {"#b1.1", 1.5},
		{"#x1e2", int64(0x1e2)}, {"#xe", int64(14)},

		{"", nil}, {"+", nil}, {"-", nil}, {".", nil}, {"...", nil}, {"+.", nil}, {"e5", nil}, {".e5", nil}, {"1e", nil}, {"1e+", nil},
		{"1e+-2", nil}, {"1 ", nil}, {" 1", nil}, {"1_000", nil}, {"0x10", nil}, {"1+", nil}, {"-1+", nil}, {"--1", nil}, {"+-1", nil},
		{"1/0", nil}, {"#i1/0", nil}, {"/2", nil}, {"1/", nil}, {"1/-2", nil}, {"1/2/3", nil}, {"1.5/2", nil}, {"1/2.5", nil}, {"1/2e3", nil},
		{"1.2.3", nil}, {"inf.0", nil}, {"+inf", nil}, {"+inf.00", nil}, {"infinity", nil}, {"NaN", nil}, {"#e+inf.0", nil}, {"#e+nan.0", nil},
		{"#b2", nil}, {"#o8", nil}, {"#xg", nil}, {"#", nil}, {"#x", nil}, {"#x#x1", nil}, {"#e#i1", nil}, {"#e#e1", nil}, {"#z1", nil}, {"1#x", nil},
		{"1+2i", complexOf(1, 2)}, {"+i", complexOf(0, 1)}, {"-i", complexOf(0, -1)}, {"1-i", complexOf(1, -1)}, {"#x1+Ai", complexOf(1, 10)},
		{"-1/2+3/4i", number.Complex{Re: big.NewRat(-1, 2), Im: big.NewRat(3, 4)}}, {"1+0i", int64(1)}, {"1.5+0i", 1.5}, {"1+0.0i", number.Complex{Re: 1.0, Im: 0.0}},
		{"1.5+2i", number.Complex{Re: 1.5, Im: 2.0}}, {"+1.5i", number.Complex{Re: int64(0), Im: 1.5}}, {"#e1.5+2.5i", number.Complex{Re: big.NewRat(3, 2), Im: big.NewRat(5, 2)}},
		{"#i1+2i", number.Complex{Re: 1.0, Im: 2.0}}, {"1e2-1e-2i", number.Complex{Re: 100.0, Im: -0.01}}, {"+inf.0i", number.Complex{Re: int64(0), Im: math.Inf(1)}},
		{"-inf.0+nan.0I", number.Complex{Re: math.Inf(-1), Im: math.NaN()}}, {"+1e-2i", number.Complex{Re: int64(0), Im: 0.01}},
		{"1@0", int64(1)}, {"0@2", int64(0)}, {"1@2", number.Complex{Re: math.Cos(2), Im: math.Sin(2)}}, {"-2@+1", number.Complex{Re: -2 * math.Cos(1), Im: -2 * math.Sin(1)}},
		{"i", nil}, {"1i", nil}, {"1e+2i", nil}, {"1+2", nil}, {"1+2ii", nil}, {"+2i+1", nil}, {"1+2i+3i", nil}, {"1@", nil}, {"@1", nil}, {"1@2i", nil}, {"1@2@3", nil}, {"1+/2i", nil},
		{"1+1/0i", nil}, {"#e1+inf.0i", nil}, {"1--i", nil}, {"1+inf.0", nil}, {"1+.i", nil}, {"#b1e1", nil}, {"1s2", nil}, {"1d2", nil}, {"١", nil}, {"1\x00", nil},
		{"#e1e999999999", nil}, {"#e1e-999999999", nil}, {"#e1e99999999999999999999", nil},
	} {
		got, ok := number.Parse(c.text, 10)
		if ok != (c.want != nil) || ok && !number.Eqv(got, c.want) {
			t.Errorf("%q reads as %v (%T) %v, want %v", c.text, got, got, ok, c.want)
		}
	}
}

func TestParseInAnotherRadix(t *testing.T) {
	for _, c := range []struct {
		text  string
		radix int
		want  number.Number
	}{
		{"ff", 16, int64(255)}, {"#d10", 16, int64(10)}, {"z", 36, int64(35)}, {"z", 35, nil}, {"-101", 2, int64(-5)}, {"1e2", 16, int64(0x1e2)},
		{"1.8", 16, 1.5}, {"1", 1, nil}, {"1", 37, nil}, {"+inf.0", 36, math.Inf(1)},
	} {
		if got, ok := number.Parse(c.text, c.radix); ok != (c.want != nil) || ok && !number.Eqv(got, c.want) {
			t.Errorf("%q in radix %d reads as %v %v, want %v", c.text, c.radix, got, ok, c.want)
		}
	}
}

func TestLongLiteralsAreReadFastAndBounded(t *testing.T) {
	digits := strings.Repeat("1234567890", number.MaxText/10)
	n, ok := number.Parse(digits, 10)
	if !ok {
		t.Fatal("a long literal is a number")
	}
	if r, _ := number.Remainder(n, int64(1_000_000_007)); r == nil || !number.Equal(r, remainderOf(digits, 1_000_000_007)) {
		t.Error("a long literal lost digits")
	}
	if _, ok := number.Parse(strings.Repeat("1", number.MaxText+1), 10); ok {
		t.Error("no limit on the length")
	}
}

// remainderOf is the remainder by long division, digit by digit.
func remainderOf(digits string, by int64) int64 {
	r := int64(0)
	for _, d := range digits {
		r = (r*10 + int64(d-'0')) % by
	}
	return r
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		n     number.Number
		radix int
		want  string
	}{
		{int64(-255), 16, "-ff"}, {int64(math.MinInt64), 10, "-9223372036854775808"}, {big.NewRat(-1, 255), 16, "-1/ff"},
		{bigOf("100000000000000000000"), 10, "100000000000000000000"}, {int64(35), 36, "z"},
		{0.0, 10, "0.0"}, {math.Copysign(0, -1), 10, "-0.0"}, {1.0, 10, "1.0"}, {100.0, 10, "100.0"}, {0.5, 10, "0.5"}, {-1.5, 10, "-1.5"},
		{1e20, 10, "100000000000000000000.0"}, {1e21, 10, "1e21"}, {1.5e21, 10, "1.5e21"}, {1.5e-7, 10, "1.5e-7"}, {1e-6, 10, "0.000001"},
		{-1e-10, 10, "-1e-10"}, {1e100, 10, "1e100"}, {0.1, 10, "0.1"}, {1.0 / 3, 10, "0.3333333333333333"},
		{math.MaxFloat64, 10, "1.7976931348623157e308"}, {math.SmallestNonzeroFloat64, 10, "5e-324"},
		{math.Inf(1), 10, "+inf.0"}, {math.Inf(-1), 2, "-inf.0"}, {math.NaN(), 10, "+nan.0"},
		{1.5, 2, "1.1"}, {-0.75, 16, "-0.c"}, {255.0, 16, "ff.0"}, {1.0 / 3, 3, "0.1"}, {math.Copysign(0, -1), 2, "-0.0"},
	} {
		if got := number.Format(c.n, c.radix); got != c.want {
			t.Errorf("%v in radix %d: %s, want %s", c.n, c.radix, got, c.want)
		}
	}
}

func TestFormatThenParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyReal(t, "n")
		radix := rapid.IntRange(2, 36).Draw(t, "radix")
		text := number.Format(n, radix)
		if got, ok := number.Parse(text, radix); !ok || !number.Eqv(got, n) {
			t.Fatalf("%v in radix %d: %s reads as %v %v", n, radix, text, got, ok)
		}
	})
}

func TestDecimalsAgreeWithStrconv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[+-]?([0-9]{1,25}\.[0-9]{0,25}|\.[0-9]{1,25})(e[+-]?[0-9]{1,3})?`).Draw(t, "text")
		want, _ := strconv.ParseFloat(text, 64)
		got, ok := number.Parse(text, 10)
		if !ok || !number.Eqv(got, want) {
			t.Fatalf("%s: %v %v, want %v", text, got, ok, want)
		}
		exact, ok := number.Parse("#e"+text, 10)
		if !ok || number.Sign(exact) != 0 && !number.Eqv(number.ToInexact(exact), want) {
			t.Fatalf("#e%s: %v %v, want %v", text, exact, ok, want)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1", "-1/2", "#e1.5e3", "#x-ff", "+inf.0", "1e400", "#i#b101", "1.5e-7", "#e1e999999", "9223372036854775808", "#b1.01"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, text string, radix int) {
		n, ok := number.Parse(text, radix)
		if !ok {
			return
		}
		if number.BitLen(n) > 1<<20 {
			return // printing it in full would only be slow
		}
		written := number.Format(n, 10)
		if again, ok := number.Parse(written, 10); !ok || !number.Eqv(again, n) {
			t.Fatalf("%q reads as %v, is written %s, reads as %v", text, n, written, again)
		}
	})
}
