package number_test

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"caper/interp/number"

	"pgregory.net/rapid"
)

// exact draws exact numbers of all sizes, near the borders of int64 more often than chance would.
func exact(t *rapid.T, name string) number.Number {
	switch rapid.IntRange(0, 4).Draw(t, name+" kind") {
	case 0:
		return rapid.Int64().Draw(t, name)
	case 1:
		return rapid.Int64Range(-9, 9).Draw(t, name)
	case 2:
		border := rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64, 1 << 53, -1 << 53, 1<<53 + 1}).Draw(t, name)
		return number.Add(border, rapid.Int64Range(-2, 2).Draw(t, name+" off"))
	case 3:
		return number.Normalize(bigInt(t, name))
	}
	den := bigInt(t, name+" den")
	if den.Sign() == 0 {
		den.SetInt64(1)
	}
	return number.Normalize(new(big.Rat).SetFrac(bigInt(t, name), den))
}

func bigInt(t *rapid.T, name string) *big.Int {
	n := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, name+" bytes"))
	if rapid.Bool().Draw(t, name+" negative") {
		n.Neg(n)
	}
	return n
}

func anyReal(t *rapid.T, name string) number.Number {
	if rapid.Bool().Draw(t, name+" inexact") {
		return rapid.Float64().Draw(t, name)
	}
	return exact(t, name)
}

func rat(n number.Number) *big.Rat {
	switch n := n.(type) {
	case int64:
		return new(big.Rat).SetInt64(n)
	case *big.Int:
		return new(big.Rat).SetInt(n)
	case *big.Rat:
		return n
	}
	return new(big.Rat).SetFloat64(n.(float64))
}

func normal(t *rapid.T, n number.Number) {
	switch v := n.(type) {
	case *big.Int:
		if v.IsInt64() {
			t.Fatalf("%v should be an int64", v)
		}
	case *big.Rat:
		if v.IsInt() {
			t.Fatalf("%v should be an integer", v)
		}
	case int64, float64:
	default:
		t.Fatalf("%T is no number", n)
	}
}

func TestExactArithmeticAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := exact(t, "a"), exact(t, "b")
		want := new(big.Rat)
		check := func(op string, got number.Number, want *big.Rat) {
			normal(t, got)
			if rat(got).Cmp(want) != 0 {
				t.Fatalf("%v %s %v = %v, want %v", a, op, b, got, want)
			}
		}
		before := rat(a).String() + rat(b).String()
		check("+", number.Add(a, b), want.Add(rat(a), rat(b)))
		check("-", number.Sub(a, b), want.Sub(rat(a), rat(b)))
		check("*", number.Mul(a, b), want.Mul(rat(a), rat(b)))
		check("negate", number.Negate(a), want.Neg(rat(a)))
		check("abs", number.Abs(a), want.Abs(rat(a)))
		q, err := number.Div(a, b)
		if number.IsZero(b) {
			if !errors.Is(err, number.ErrDivideByZero) {
				t.Fatalf("%v / 0: %v", a, err)
			}
		} else {
			check("/", q, want.Quo(rat(a), rat(b)))
		}
		if rat(a).String()+rat(b).String() != before {
			t.Fatal("an operand was changed")
		}
	})
}

func TestCompareIsExactAcrossRepresentations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyReal(t, "a"), anyReal(t, "b")
		if rapid.Bool().Draw(t, "near") && number.IsFinite(a) {
			b = number.ToInexact(a)
		}
		if !number.IsFinite(a) || !number.IsFinite(b) {
			return
		}
		got, ok := number.Compare(a, b)
		if want := rat(a).Cmp(rat(b)); !ok || got != want {
			t.Fatalf("compare %v %v: %d %v, want %d", a, b, got, ok, want)
		}
		if number.Equal(a, b) != (got == 0) || number.Sign(a) != rat(a).Sign() {
			t.Fatalf("equal or sign of %v %v", a, b)
		}
	})
}

func TestCompareAtTheEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	huge := number.Normalize(new(big.Int).Lsh(big.NewInt(1), 2000))
	for _, c := range []struct {
		a, b  number.Number
		order int
		ok    bool
	}{
		{int64(1<<53 + 1), float64(1 << 53), 1, true},
		{int64(math.MaxInt64), 0x1p63, -1, true},
		{int64(math.MinInt64), -0x1p63, 0, true},
		{huge, inf, -1, true}, {inf, huge, 1, true}, {number.Negate(huge), -inf, 1, true},
		{huge, math.MaxFloat64, 1, true},
		{big.NewRat(1, 3), 1.0 / 3, 1, true},
		{0.0, math.Copysign(0, -1), 0, true},
		{nan, int64(0), 0, false}, {int64(0), nan, 0, false}, {nan, nan, 0, false}, {big.NewRat(1, 2), nan, 0, false},
	} {
		if order, ok := number.Compare(c.a, c.b); ok != c.ok || ok && order != c.order {
			t.Errorf("compare %v %v: %d %v, want %d %v", c.a, c.b, order, ok, c.order, c.ok)
		}
	}
}

func TestEqv(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, c := range []struct {
		a, b number.Number
		want bool
	}{
		{int64(2), int64(2), true}, {int64(2), 2.0, false}, {2.0, 2.0, true}, {0.0, minus, false},
		{math.NaN(), -math.NaN(), true}, {big.NewRat(1, 2), big.NewRat(1, 2), true}, {big.NewRat(1, 2), 0.5, false},
	} {
		if got := number.Eqv(c.a, c.b); got != c.want {
			t.Errorf("eqv %v %v: %v", c.a, c.b, got)
		}
	}
}

func TestMaxAndMin(t *testing.T) {
	for _, c := range []struct{ a, b, max, min number.Number }{
		{int64(1), int64(2), int64(2), int64(1)}, {int64(3), 2.5, 3.0, 2.5}, {big.NewRat(1, 2), int64(0), big.NewRat(1, 2), int64(0)},
		{int64(1), math.NaN(), math.NaN(), math.NaN()}, {int64(1), math.Inf(-1), 1.0, math.Inf(-1)},
	} {
		for _, p := range [][2]number.Number{{c.a, c.b}, {c.b, c.a}} {
			if high, low := number.Max(p[0], p[1]), number.Min(p[0], p[1]); !number.Eqv(high, c.max) || !number.Eqv(low, c.min) {
				t.Errorf("%v: max %v min %v, want %v %v", p, high, low, c.max, c.min)
			}
		}
	}
}

func TestInexactIsContagious(t *testing.T) {
	half := big.NewRat(1, 2)
	quotient, err := number.Div(int64(1), 0.0)
	if err != nil || quotient != number.Number(math.Inf(1)) {
		t.Errorf("1 / 0.0 = %v %v", quotient, err)
	}
	for _, c := range []struct{ got, want number.Number }{
		{number.Add(int64(1), 0.5), 1.5}, {number.Sub(half, 0.25), 0.25}, {number.Mul(half, 4.0), 2.0},
		{number.Add(0.5, half), 1.0},
	} {
		if c.got != c.want {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}

func TestIntegerDivision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := number.Truncate(exact(t, "a")), number.Truncate(exact(t, "b"))
		if number.IsZero(b) {
			return
		}
		for _, d := range []struct {
			name   string
			divide func(a, b number.Number) (q, r number.Number, err error)
			sign   int
		}{{"truncate", number.TruncateDivide, number.Sign(a)}, {"floor", number.FloorDivide, number.Sign(b)}} {
			q, r, err := d.divide(a, b)
			if err != nil {
				t.Fatal(err)
			}
			normal(t, q)
			normal(t, r)
			less, _ := number.Compare(number.Abs(r), number.Abs(b))
			if !number.Equal(number.Add(number.Mul(q, b), r), a) || less >= 0 || number.Sign(r)*d.sign < 0 {
				t.Fatalf("%s %v %v: %v %v", d.name, a, b, q, r)
			}
		}
		g, _ := number.GCD(a, b)
		x, y := rat(a).Num(), rat(b).Num()
		want := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
		if rat(g).Num().Cmp(want) != 0 {
			t.Fatalf("gcd %v %v: %v", a, b, g)
		}
		l, _ := number.LCM(a, b)
		if !number.Equal(number.Mul(g, l), number.Abs(number.Mul(a, b))) {
			t.Fatalf("lcm %v %v: %v", a, b, l)
		}
	})
}

func TestIntegerDivisionOfFlonums(t *testing.T) {
	for _, c := range []struct {
		f    func(a, b number.Number) (number.Number, error)
		a, b number.Number
		want any
	}{
		{number.Quotient, 7.0, int64(2), 3.0},
		{number.Remainder, -7.0, 2.0, -1.0},
		{number.Modulo, -7.0, int64(2), 1.0},
		{number.FloorQuotient, int64(-7), 2.0, -4.0},
		{number.Quotient, 1e300, 1e-300, number.ErrNotInteger},
		{number.Modulo, 1e300, int64(7), 1.0},
		{number.Quotient, 1.5, int64(2), number.ErrNotInteger},
		{number.Quotient, math.Inf(1), int64(2), number.ErrNotInteger},
		{number.Quotient, int64(1), int64(0), number.ErrDivideByZero},
		{number.Modulo, 1.0, 0.0, number.ErrDivideByZero},
		{number.Quotient, int64(math.MinInt64), int64(-1), new(big.Int).Lsh(big.NewInt(1), 63)},
		{number.GCD, 12.0, int64(-18), 6.0},
		{number.GCD, int64(math.MinInt64), int64(0), new(big.Int).Lsh(big.NewInt(1), 63)},
		{number.LCM, int64(0), int64(5), int64(0)},
		{number.LCM, int64(-4), 6.0, 12.0},
	} {
		got, err := c.f(c.a, c.b)
		switch want := c.want.(type) {
		case error:
			if !errors.Is(err, want) {
				t.Errorf("%v %v: %v %v, want %v", c.a, c.b, got, err, want)
			}
		default:
			if err != nil || !number.Eqv(got, want) {
				t.Errorf("%v %v: %v %v, want %v", c.a, c.b, got, err, want)
			}
		}
	}
}
