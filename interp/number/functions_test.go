package number_test

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"caper/interp/number"

	"pgregory.net/rapid"
)

// row is one call and what it answers: a number or an error.
type row struct {
	call string
	got  number.Number
	err  error
	want any
}

func try(call string) func(want any, got number.Number, err error) row {
	return func(want any, got number.Number, err error) row { return row{call, got, err, want} }
}

func checkRows(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		if want, ok := r.want.(error); ok {
			if !errors.Is(r.err, want) {
				t.Errorf("%s: %v %v, want %v", r.call, r.got, r.err, want)
			}
			continue
		}
		if r.err != nil || !number.Eqv(r.got, r.want) {
			t.Errorf("%s: %v (%T) %v, want %v", r.call, r.got, r.got, r.err, r.want)
		}
	}
}

func ask(call string, want any, answer func() (number.Number, error)) row {
	got, err := answer()
	return try(call)(want, got, err)
}

func TestExpt(t *testing.T) {
	const limit = 10_000
	inf := math.Inf(1)
	huge := bigOf("0x100000000000000000000")
	var rows []row
	for _, c := range []struct {
		base, exp number.Number
		want      any
	}{
		{int64(2), int64(10), int64(1024)}, {int64(2), int64(64), bigOf("0x10000000000000000")}, {int64(-2), int64(63), int64(math.MinInt64)},
		{int64(2), int64(-2), big.NewRat(1, 4)}, {big.NewRat(-2, 3), int64(3), big.NewRat(-8, 27)}, {big.NewRat(-2, 3), int64(-3), big.NewRat(-27, 8)},
		{int64(0), int64(0), int64(1)}, {int64(0), int64(5), int64(0)}, {int64(0), int64(-1), number.ErrDivideByZero},
		{int64(1), huge, int64(1)}, {int64(-1), huge, int64(1)}, {int64(-1), number.Add(huge, int64(1)), int64(-1)}, {int64(0), huge, int64(0)},
		{int64(2), huge, number.ErrTooLarge}, {int64(2), number.Negate(huge), number.ErrTooLarge}, {big.NewRat(1, 2), huge, number.ErrTooLarge},
		{int64(10), int64(100_000), number.ErrTooLarge}, {int64(2), int64(limit), number.ErrTooLarge}, {int64(10), int64(math.MinInt64), number.ErrTooLarge},
		{int64(4), big.NewRat(1, 2), int64(2)}, {int64(2), 0.5, math.Sqrt2}, {2.0, int64(3), 8.0}, {2.0, int64(0), 1.0}, {int64(0), 1.0, 0.0},
		{-2.0, int64(3), -8.0}, {-2.0, number.Add(huge, int64(1)), -inf},
		{huge, 0.5, math.Pow(2, 40)}, {0.0, int64(-1), inf}, {int64(0), -1.0, number.ErrDivideByZero},
	} {
		rows = append(rows, ask("expt "+number.Format(c.base, 10)+" "+number.Format(c.exp, 10), c.want, func() (number.Number, error) {
			return number.Expt(c.base, c.exp, limit)
		}))
	}
	checkRows(t, rows)
}

func TestExptBitsForetellsTheSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := exact(t, "base")
		exp := rapid.Int64Range(0, 200).Draw(t, "exp")
		n, err := number.Expt(base, exp, math.MaxInt64)
		if err != nil {
			t.Fatal(err)
		}
		said, is := number.ExptBits(base, exp), number.BitLen(n)
		if said < is-2 || said > is+4 {
			t.Fatalf("%v^%d: said %d bits, has %d", base, exp, said, is)
		}
	})
}

func TestSqrt(t *testing.T) {
	googol, _ := number.Expt(int64(10), int64(1000), math.MaxInt64)
	root, _ := number.Expt(int64(10), int64(500), math.MaxInt64)
	var rows []row
	for _, c := range []struct {
		n    number.Number
		want any
	}{
		{int64(16), int64(4)}, {int64(2), math.Sqrt2}, {big.NewRat(1, 4), big.NewRat(1, 2)}, {big.NewRat(1, 2), math.Sqrt(0.5)}, {int64(0), int64(0)},
		{googol, root}, {number.Add(number.Mul(int64(1<<40), int64(1<<40)), int64(1)), float64(1 << 40)}, {16.0, 4.0},
		{int64(math.MaxInt64), 3037000499.97605}, {int64(-1), number.Complex{Re: int64(0), Im: int64(1)}}, {-1.0, number.Complex{Re: int64(0), Im: 1.0}}, {math.Copysign(0, -1), math.Copysign(0, -1)}, {math.NaN(), math.NaN()},
	} {
		rows = append(rows, ask("sqrt "+number.Format(c.n, 10), c.want, func() (number.Number, error) { return number.Sqrt(c.n) }))
	}
	checkRows(t, rows)
}

func TestExactIntegerSqrt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := number.Abs(number.Truncate(exact(t, "n")))
		s, r, err := number.ExactIntegerSqrt(n)
		if err != nil {
			t.Fatal(err)
		}
		next := number.Add(s, int64(1))
		above, _ := number.Compare(number.Mul(next, next), n)
		if !number.Equal(number.Add(number.Mul(s, s), r), n) || number.Sign(r) < 0 || above <= 0 {
			t.Fatalf("%v: %v %v", n, s, r)
		}
	})
	for _, n := range []number.Number{int64(math.MaxInt64), int64(3037000499 * 3037000499), int64(3037000499*3037000499 - 1)} {
		s, r, _ := number.ExactIntegerSqrt(n)
		if !number.Equal(number.Add(number.Mul(s, s), r), n) || number.Sign(r) < 0 {
			t.Errorf("%v: %v %v", n, s, r)
		}
	}
	if _, _, err := number.ExactIntegerSqrt(4.0); !errors.Is(err, number.ErrNotExact) {
		t.Error(err)
	}
	if _, _, err := number.ExactIntegerSqrt(int64(-4)); !errors.Is(err, number.ErrNotReal) {
		t.Error(err)
	}
}

func TestTranscendentals(t *testing.T) {
	huge, _ := number.Expt(int64(10), int64(1000), math.MaxInt64)
	one := func(f func(number.Number) number.Number, n number.Number) func() (number.Number, error) {
		return func() (number.Number, error) { return f(n), nil }
	}
	two := func(f func(number.Number) (number.Number, error), n number.Number) func() (number.Number, error) {
		return func() (number.Number, error) { return f(n) }
	}
	base := func(n, b number.Number) func() (number.Number, error) {
		return func() (number.Number, error) { return number.LogBase(n, b) }
	}
	checkRows(t, []row{
		ask("exp 0", int64(1), one(number.Exp, int64(0))), ask("exp 1", math.E, one(number.Exp, int64(1))),
		ask("log 1", int64(0), two(number.Log, int64(1))), ask("log 0", math.Inf(-1), two(number.Log, int64(0))),
		ask("log -1", number.Complex{Re: int64(0), Im: math.Pi}, two(number.Log, int64(-1))), ask("log 1e1000", 2302.5850929940457, two(number.Log, huge)),
		ask("log 8 2", 3.0, base(int64(8), int64(2))), ask("log 1000 10", 3.0, base(int64(1000), int64(10))),
		ask("log 8 1", number.ErrDivideByZero, base(int64(8), int64(1))),
		ask("sin 0", int64(0), one(number.Sin, int64(0))), ask("sin 0.0", 0.0, one(number.Sin, 0.0)), ask("cos 0", int64(1), one(number.Cos, int64(0))),
		ask("tan 0", int64(0), one(number.Tan, int64(0))), ask("atan 1", math.Pi/4, two(number.Atan, int64(1))), ask("atan +i", number.ErrDivideByZero, two(number.Atan, number.Complex{Re: int64(0), Im: int64(1)})),
		ask("asin 1", math.Pi/2, one(number.Asin, int64(1))),
		ask("acos 1", int64(0), one(number.Acos, int64(1))), ask("acos -1", math.Pi, one(number.Acos, int64(-1))),
		ask("atan 0 1", int64(0), one(func(x number.Number) number.Number { return number.Atan2(int64(0), x) }, int64(1))),
		ask("atan 0 -1", math.Pi, one(func(x number.Number) number.Number { return number.Atan2(int64(0), x) }, int64(-1))),
	})
}

func TestRounding(t *testing.T) {
	half := func(n int64) number.Number { return big.NewRat(n, 2) }
	for _, c := range []struct{ n, floor, ceiling, truncate, round number.Number }{
		{half(5), int64(2), int64(3), int64(2), int64(2)}, {half(7), int64(3), int64(4), int64(3), int64(4)},
		{half(-5), int64(-3), int64(-2), int64(-2), int64(-2)}, {half(-7), int64(-4), int64(-3), int64(-3), int64(-4)},
		{big.NewRat(8, 3), int64(2), int64(3), int64(2), int64(3)}, {big.NewRat(-7, 3), int64(-3), int64(-2), int64(-2), int64(-2)},
		{2.5, 2.0, 3.0, 2.0, 2.0}, {-3.5, -4.0, -3.0, -3.0, -4.0}, {int64(7), int64(7), int64(7), int64(7), int64(7)},
	} {
		for _, f := range []struct {
			name string
			of   func(number.Number) number.Number
			want number.Number
		}{{"floor", number.Floor, c.floor}, {"ceiling", number.Ceiling, c.ceiling}, {"truncate", number.Truncate, c.truncate}, {"round", number.Round, c.round}} {
			if got := f.of(c.n); !number.Eqv(got, f.want) {
				t.Errorf("%s %v: %v, want %v", f.name, c.n, got, f.want)
			}
		}
	}
}

func TestExactness(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		if number.IsFinite(f) {
			n, err := number.ToExact(f)
			normal(t, n)
			if err != nil || rat(n).Cmp(new(big.Rat).SetFloat64(f)) != 0 || number.ToInexact(n) != f {
				t.Fatalf("%v: %v %v", f, n, err)
			}
		}
		n := exact(t, "n")
		want, _ := rat(n).Float64()
		if got := number.ToInexact(n); got != want {
			t.Fatalf("%v: %v, want %v", n, got, want)
		}
	})
	if _, err := number.ToExact(math.Inf(1)); !errors.Is(err, number.ErrNotFinite) {
		t.Error(err)
	}
}

func TestPartsOfRationals(t *testing.T) {
	checkRows(t, []row{
		ask("numerator 6/4", int64(3), func() (number.Number, error) { return number.Numerator(big.NewRat(6, 4)) }),
		ask("denominator 0.25", 4.0, func() (number.Number, error) { return number.Denominator(0.25) }),
		ask("denominator 7", int64(1), func() (number.Number, error) { return number.Denominator(int64(7)) }),
		ask("numerator +inf.0", number.ErrNotFinite, func() (number.Number, error) { return number.Numerator(math.Inf(1)) }),
		ask("rationalize 3/10 1/10", big.NewRat(1, 3), func() (number.Number, error) { return number.Rationalize(big.NewRat(3, 10), big.NewRat(1, 10)) }),
		ask("rationalize .3 1/10", 1.0/3, func() (number.Number, error) { return number.Rationalize(0.3, big.NewRat(1, 10)) }),
		ask("rationalize -5/2 1", int64(-2), func() (number.Number, error) { return number.Rationalize(big.NewRat(-5, 2), big.NewRat(1, 1)) }),
		ask("rationalize 1 2", int64(0), func() (number.Number, error) { return number.Rationalize(int64(1), int64(2)) }),
	})
}

func TestPredicates(t *testing.T) {
	for _, c := range []struct {
		n                                        number.Number
		exact, integer, rational, zero, inf, nan bool
	}{
		{int64(0), true, true, true, true, false, false}, {bigOf("0x10000000000000000"), true, true, true, false, false, false},
		{big.NewRat(1, 2), true, false, true, false, false, false}, {2.0, false, true, true, false, false, false},
		{math.Copysign(0, -1), false, true, true, true, false, false}, {0.5, false, false, true, false, false, false},
		{math.Inf(-1), false, false, false, false, true, false}, {math.NaN(), false, false, false, false, false, true},
	} {
		if number.IsExact(c.n) != c.exact || number.IsInteger(c.n) != c.integer || number.IsRational(c.n) != c.rational ||
			number.IsZero(c.n) != c.zero || number.IsInfinite(c.n) != c.inf || number.IsNaN(c.n) != c.nan || !number.IsNumber(c.n) {
			t.Errorf("predicates of %v", c.n)
		}
	}
	for _, c := range []struct {
		n   number.Number
		odd bool
		err error
	}{{int64(-3), true, nil}, {4.0, false, nil}, {3.0, true, nil}, {0.5, false, number.ErrNotInteger}, {bigOf("0x10000000000000001"), true, nil}} {
		if odd, err := number.IsOdd(c.n); odd != c.odd || !errors.Is(err, c.err) {
			t.Errorf("odd %v: %v %v", c.n, odd, err)
		}
	}
	if number.IsNumber("1") || number.IsNumber(1) {
		t.Error("only the four representations are numbers")
	}
}

func TestBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := number.Truncate(exact(t, "a")), number.Truncate(exact(t, "b"))
		x, y := rat(a).Num(), rat(b).Num()
		check := func(op string, got number.Number, err error, want *big.Int) {
			if err != nil || rat(got).Num().Cmp(want) != 0 {
				t.Fatalf("%v %s %v: %v %v, want %v", a, op, b, got, err, want)
			}
			normal(t, got)
		}
		got, err := number.BitAnd(a, b)
		check("and", got, err, new(big.Int).And(x, y))
		got, err = number.BitOr(a, b)
		check("or", got, err, new(big.Int).Or(x, y))
		got, err = number.BitXor(a, b)
		check("xor", got, err, new(big.Int).Xor(x, y))
		got, err = number.BitNot(a)
		check("not", got, err, new(big.Int).Not(x))
		by := rapid.Int64Range(0, 400).Draw(t, "by")
		got, err = number.ShiftLeft(a, by, 10_000)
		check("<<", got, err, new(big.Int).Lsh(x, uint(by)))
		got, err = number.ShiftLeft(a, -by, 10_000)
		check(">>", got, err, new(big.Int).Rsh(x, uint(by)))
		set, err := number.BitSet(by, a)
		if err != nil || set != (x.Bit(int(by)) == 1) {
			t.Fatalf("bit %d of %v: %v %v", by, a, set, err)
		}
	})
	checkRows(t, []row{
		ask("shift too far", number.ErrTooLarge, func() (number.Number, error) { return number.ShiftLeft(int64(1), int64(1<<40), 1<<20) }),
		ask("shift beyond counting", number.ErrTooLarge, func() (number.Number, error) {
			return number.ShiftLeft(int64(1), bigOf("0x10000000000000000"), math.MaxInt64)
		}),
		ask("shift to the limit", number.ErrTooLarge, func() (number.Number, error) { return number.ShiftLeft(int64(1), int64(math.MaxInt64), math.MaxInt64) }),
		ask("shift zero", int64(0), func() (number.Number, error) { return number.ShiftLeft(int64(0), int64(math.MaxInt64), 10) }),
		ask("shift all out", int64(-1), func() (number.Number, error) { return number.ShiftLeft(int64(-5), int64(math.MinInt64), 10) }),
		ask("shift a flonum", number.ErrNotExact, func() (number.Number, error) { return number.ShiftLeft(1.0, int64(1), 10) }),
	})
	for _, c := range []struct {
		n             number.Number
		count, length int64
	}{{int64(0), 0, 0}, {int64(-1), 0, 0}, {int64(255), 8, 8}, {int64(-256), 8, 8}, {bigOf("0x10000000000000001"), 2, 65}, {int64(math.MinInt64), 63, 63}} {
		count, _ := number.BitCount(c.n)
		length, _ := number.BitLength(c.n)
		if count != c.count || length != c.length {
			t.Errorf("%v: count %d length %d", c.n, count, length)
		}
	}
}
