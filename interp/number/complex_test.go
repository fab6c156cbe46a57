package number_test

import (
	"errors"
	"math"
	"math/big"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"caper/interp/number"
)

// exactComplex draws a number with small exact parts, ratios among them.
func exactComplex(g *rand.Rand) number.Number {
	part := func() number.Number { return number.Normalize(big.NewRat(g.Int64N(41)-20, 1+g.Int64N(1+g.Int64N(6)))) }
	return number.Rectangular(part(), part())
}

// TestFieldLaws compares the operations with each other: what was added is subtracted, what was multiplied is divided.
func TestFieldLaws(t *testing.T) {
	g := rand.New(rand.NewPCG(0, 4))
	for range 3_000 {
		a, b, c := exactComplex(g), exactComplex(g), exactComplex(g)
		laws := map[string][2]number.Number{
			"+ commutes":    {number.Add(a, b), number.Add(b, a)},
			"* commutes":    {number.Mul(a, b), number.Mul(b, a)},
			"* distributes": {number.Mul(a, number.Add(b, c)), number.Add(number.Mul(a, b), number.Mul(a, c))},
			"- undoes +":    {number.Sub(number.Add(a, b), b), a},
			"- is +":        {number.Sub(a, b), number.Add(a, number.Negate(b))},
			"sqrt":          {number.Mul(root(a), root(a)), a},
		}
		if !number.IsZero(b) {
			q, err := number.Div(number.Mul(a, b), b)
			if err != nil {
				t.Fatal(err)
			}
			laws["/ undoes *"] = [2]number.Number{q, a}
			inverse, _ := number.Expt(b, int64(-3), math.MaxInt64)
			cube, _ := number.Expt(b, int64(3), math.MaxInt64)
			laws["expt"] = [2]number.Number{number.Mul(number.Mul(b, b), b), cube}
			laws["expt -"] = [2]number.Number{number.Mul(inverse, cube), int64(1)}
		}
		for law, sides := range laws {
			if law == "sqrt" && !number.IsExact(sides[0]) {
				continue
			}
			if !number.Eqv(sides[0], sides[1]) {
				t.Fatalf("%s: %v %v %v: %v and %v", law, a, b, c, sides[0], sides[1])
			}
		}
		square := number.Mul(a, a)
		if r := root(square); !number.IsExact(r) || !number.Eqv(number.Mul(r, r), square) {
			t.Fatalf("the root of %v² is %v", a, r)
		}
		for radix := 2; radix <= 18; radix++ {
			text := number.Format(a, radix)
			if n, ok := number.Parse(text, radix); !ok || !number.Eqv(n, a) {
				t.Fatalf("%v in radix %d is written %s", a, radix, text)
			}
		}
	}
}

func root(n number.Number) number.Number {
	r, _ := number.Sqrt(n)
	return r
}

// near reports whether two numbers differ by little, measured by the greater.
func near(a, b complex128) bool {
	if cmplx.IsNaN(a) || cmplx.IsInf(a) {
		return cmplx.IsNaN(b) || cmplx.IsInf(b)
	}
	return cmplx.Abs(a-b) <= 1e-9*max(cmplx.Abs(a), cmplx.Abs(b), 1e-3)
}

func complexOfNumber(n number.Number) complex128 {
	re, im := number.Parts(n)
	return complex(number.ToInexact(re), number.ToInexact(im))
}

// TestComplexFunctionsInvertEachOther asks each function of what its inverse answered, and cmplx of the same.
func TestComplexFunctionsInvertEachOther(t *testing.T) {
	g := rand.New(rand.NewPCG(0, 5))
	total := func(f func(number.Number) number.Number) func(number.Number) (number.Number, error) {
		return func(n number.Number) (number.Number, error) { return f(n), nil }
	}
	functions := []struct {
		name      string
		f, back   func(number.Number) (number.Number, error)
		reference func(complex128) complex128
	}{
		{"log", number.Log, total(number.Exp), cmplx.Log},
		{"sqrt", number.Sqrt, func(n number.Number) (number.Number, error) { return number.Mul(n, n), nil }, cmplx.Sqrt},
		{"asin", total(number.Asin), total(number.Sin), cmplx.Asin},
		{"acos", total(number.Acos), total(number.Cos), cmplx.Acos},
		{"atan", number.Atan, total(number.Tan), cmplx.Atan},
	}
	for range 5_000 {
		var n number.Number
		switch re, im := g.NormFloat64()*3, g.NormFloat64()*3; g.IntN(4) {
		case 0:
			n = exactComplex(g)
		case 1:
			n = -math.Abs(re)
		case 2:
			n = number.Rectangular(int64(0), im)
		default:
			n = number.Rectangular(re, im)
		}
		for _, f := range functions {
			there, err := f.f(n)
			if errors.Is(err, number.ErrDivideByZero) || number.IsZero(n) {
				continue
			}
			back, _ := f.back(there)
			want := f.reference(complexOfNumber(n))
			if f.name[0] == 'a' && number.IsReal(n) && number.ToInexact(n) > 1 {
				want = complexOfNumber(there) // cmplx has the cut above 1 on its other side
			}
			if z := complexOfNumber(there); err != nil || !near(complexOfNumber(back), complexOfNumber(n)) || !near(z, want) {
				t.Fatalf("%s %v: %v, and back %v, want %v", f.name, n, there, back, want)
			}
		}
	}
}

func TestComplexEdges(t *testing.T) {
	inf, i := math.Inf(1), complexOf(0, 1)
	expt := func(base, exp number.Number) func() (number.Number, error) {
		return func() (number.Number, error) { return number.Expt(base, exp, 10_000) }
	}
	value := func(n number.Number) func() (number.Number, error) {
		return func() (number.Number, error) { return n, nil }
	}
	huge := bigOf("0x100000000000000000001")
	checkRows(t, []row{
		ask("i^huge", i, expt(i, huge)), ask("i^-1", complexOf(0, -1), expt(i, int64(-1))), ask("(1+i)^huge", number.ErrTooLarge, expt(complexOf(1, 1), huge)),
		ask("(1+i)^100000", number.ErrTooLarge, expt(complexOf(1, 1), int64(100_000))), ask("(1+i)^4", int64(-4), expt(complexOf(1, 1), int64(4))),
		ask("i^0", int64(1), expt(i, int64(0))), ask("0^i", number.ErrDivideByZero, expt(int64(0), i)), ask("0^(1+i)", int64(0), expt(int64(0), complexOf(1, 1))),
		ask("0.0^i", math.NaN(), expt(0.0, i)), ask("0^nan", math.NaN(), expt(number.Complex{Re: 0.0, Im: 0.0}, number.Complex{Re: math.NaN(), Im: 1.0})),
		ask("(-3-4i)^1/2", complexOf(1, -2), expt(complexOf(-3, -4), big.NewRat(1, 2))), ask("(-4)^1/2", complexOf(0, 2), expt(int64(-4), big.NewRat(1, 2))),
		ask("|3+4i|", int64(5), value(number.Magnitude(complexOf(3, 4)))), ask("|3.0+4.0i|", 5.0, value(number.Magnitude(number.Complex{Re: 3.0, Im: 4.0}))),
		ask("angle -1", math.Pi, value(number.Angle(int64(-1)))), ask("angle i", math.Pi/2, value(number.Angle(i))), ask("angle 5", int64(0), value(number.Angle(int64(5)))),
		ask("0 * z", 0.0, value(number.Mul(int64(0), number.Complex{Re: 0.0, Im: inf}).(number.Complex).Re)),
		ask("inf * i", number.Complex{Re: int64(0), Im: inf}, value(number.Mul(inf, i))),
		ask("polar", int64(2), value(number.Polar(int64(2), int64(0)))),
	})
	for _, c := range []struct {
		n          number.Number
		exact, nan bool
	}{{i, true, false}, {number.Complex{Re: int64(0), Im: 1.0}, false, false}, {number.Complex{Re: math.NaN(), Im: 1.0}, false, true}} {
		if number.IsExact(c.n) != c.exact || number.IsNaN(c.n) != c.nan || number.IsReal(c.n) || number.IsRational(c.n) || number.IsInteger(c.n) || number.IsExactInteger(c.n) || !number.IsNumber(c.n) {
			t.Errorf("predicates of %v", c.n)
		}
	}
}
