package stdlib_test

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// An operation is Scheme over a, b and a small integer k, and what it answers: "" where it is not asked.
type operation struct {
	scheme string
	want   func(a, b real, k int) string
}

func text(x any) string { return fmt.Sprint(x) }

func truth(b bool) string {
	if b {
		return "#t"
	}
	return "#f"
}

func arithmetic(exact func(z, x, y *big.Rat) *big.Rat, float func(x, y float64) float64) func(a, b real, k int) string {
	return func(a, b real, _ int) string {
		if a.exact() && b.exact() {
			return text(rat(exact(new(big.Rat), a.r, b.r)))
		}
		return text(flo(float(a.float(), b.float())))
	}
}

func plus(x, y float64) float64  { return x + y }
func minus(x, y float64) float64 { return x - y }
func times(x, y float64) float64 { return x * y }

func over(a, b real, _ int) string {
	switch {
	case b.exact() && b.r.Sign() == 0:
		return "error"
	case a.exact() && b.exact():
		return text(rat(new(big.Rat).Quo(a.r, b.r)))
	}
	return text(flo(a.float() / b.float()))
}

// compared is the exact order of a and b; !ok with a NaN.
func compared(a, b real) (order int, ok bool) {
	switch {
	case a.finite() && b.finite():
		return a.value().Cmp(b.value()), true
	case math.IsNaN(a.f) || math.IsNaN(b.f):
		return 0, false
	}
	// An infinity is beyond whatever is finite.
	side := func(x real) int {
		switch {
		case x.finite():
			return 0
		case x.f > 0:
			return 1
		}
		return -1
	}
	return side(a) - side(b), true
}

func ordered(holds func(o int) bool) func(a, b real, k int) string {
	return func(a, b real, _ int) string {
		o, ok := compared(a, b)
		return truth(ok && holds(o))
	}
}

func extreme(side int) func(a, b real, k int) string {
	return func(a, b real, _ int) string {
		o, ok := compared(a, b)
		switch {
		case !ok:
			return "+nan.0"
		case o == 0 && a.float() == 0:
			return "" // of 0.0 and -0.0 either will do
		case o*side < 0:
			a, b = b, a
		}
		if a.exact() && b.exact() {
			return text(a)
		}
		return text(flo(a.float()))
	}
}

// of is a function of one number, given for exact ones and for flonums.
func of(exact func(r *big.Rat) real, float func(f float64) float64) func(a, b real, k int) string {
	return func(a, _ real, _ int) string {
		if a.exact() {
			return text(exact(a.r))
		}
		return text(flo(float(a.f)))
	}
}

func floored(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) }

func rounded(r *big.Rat) *big.Int {
	z := floored(new(big.Rat).Add(r, big.NewRat(1, 2)))
	if back := new(big.Rat).Sub(new(big.Rat).SetInt(z), r); back.Cmp(big.NewRat(1, 2)) == 0 && z.Bit(0) == 1 {
		z.Sub(z, big.NewInt(1))
	}
	return z
}

// integers is an operation on two integers, flonums among them: those are divided as what they are, the result is rounded once.
func integers(divides bool, f func(x, y *big.Int) []*big.Int) func(a, b real, k int) string {
	return func(a, b real, _ int) string {
		if !a.integer() || !b.integer() || divides && b.value().Sign() == 0 {
			return "error"
		}
		var out []string
		for _, z := range f(a.value().Num(), b.value().Num()) {
			if a.exact() && b.exact() {
				out = append(out, text(whole(z)))
			} else {
				out = append(out, text(flo(nearest(new(big.Rat).SetInt(z)))))
			}
		}
		if len(out) == 1 {
			return out[0]
		}
		return "(" + strings.Join(out, " ") + ")"
	}
}

func truncates(x, y *big.Int) []*big.Int {
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	return []*big.Int{q, r}
}

func floors(x, y *big.Int) []*big.Int {
	q := floored(new(big.Rat).SetFrac(x, y))
	return []*big.Int{q, new(big.Int).Sub(x, new(big.Int).Mul(q, y))}
}

func greatest(x, y *big.Int) *big.Int {
	return new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
}

func pick(i int, f func(x, y *big.Int) []*big.Int) func(x, y *big.Int) []*big.Int {
	return func(x, y *big.Int) []*big.Int { return f(x, y)[i : i+1] }
}

// exactly is an operation on exact integers alone.
func exactly(f func(x, y *big.Int, k int) string) func(a, b real, k int) string {
	return func(a, b real, k int) string {
		if !a.exact() || !b.exact() || !a.integer() || !b.integer() {
			return "error"
		}
		return f(a.r.Num(), b.r.Num(), k)
	}
}

func bitwise(f func(z, x, y *big.Int) *big.Int) func(a, b real, k int) string {
	return exactly(func(x, y *big.Int, _ int) string { return text(f(new(big.Int), x, y)) })
}

func ones(z *big.Int) (n int) {
	if z.Sign() < 0 {
		z = new(big.Int).Not(z)
	}
	return strings.Count(z.Text(2), "1")
}

func power(a, _ real, k int) string {
	if !a.exact() {
		return text(flo(math.Pow(a.f, float64(k))))
	}
	if k < 0 && a.r.Sign() == 0 {
		return "error"
	}
	z := big.NewRat(1, 1)
	for range max(k, -k) {
		z.Mul(z, a.r)
	}
	if k < 0 {
		z.Inv(z)
	}
	return text(rat(z))
}

// root is of the magnitude of a: exact if it can be, else the flonum nearest to it.
func root(a, _ real, _ int) string {
	if !a.exact() {
		return text(flo(math.Sqrt(math.Abs(a.f))))
	}
	r := new(big.Rat).Abs(a.r)
	p, q := new(big.Int).Sqrt(r.Num()), new(big.Int).Sqrt(r.Denom())
	if z := new(big.Rat).SetFrac(p, q); new(big.Rat).Mul(z, z).Cmp(r) == 0 {
		return text(rat(z))
	}
	// The midpoint between two neighbours, squared, says which of them is nearer.
	x := new(big.Float).SetPrec(4000).SetRat(r)
	f, _ := x.Sqrt(x).Float64()
	for _, to := range []float64{math.Inf(1), 0} {
		for {
			next := math.Nextafter(f, to)
			if math.IsInf(next, 0) || next == 0 {
				break
			}
			mid := new(big.Rat).Add(new(big.Rat).SetFloat64(f), new(big.Rat).SetFloat64(next))
			mid.Quo(mid, big.NewRat(2, 1))
			if c := mid.Mul(mid, mid).Cmp(r); c == 0 || c < 0 != (to > 0) {
				break
			}
			f = next
		}
	}
	return text(flo(f))
}

func same(a, b real, _ int) string {
	switch {
	case a.exact() != b.exact():
		return "#f"
	case a.exact():
		return truth(a.r.Cmp(b.r) == 0)
	}
	return truth(math.Float64bits(a.f) == math.Float64bits(b.f) || a.f != a.f && b.f != b.f)
}

func always(a, b real, k int) string { return "#t" }

var operations = []operation{
	{"(+ a b)", arithmetic((*big.Rat).Add, plus)},
	{"(- a b)", arithmetic((*big.Rat).Sub, minus)},
	{"(* a b)", arithmetic((*big.Rat).Mul, times)},
	{"(/ a b)", over},
	{"(apply + (list a b))", arithmetic((*big.Rat).Add, plus)},
	{"(apply - (list a b))", arithmetic((*big.Rat).Sub, minus)},
	{"(apply * (list a b))", arithmetic((*big.Rat).Mul, times)},
	{"(apply / (list a b))", over},
	{"(+ a 1)", func(a, _ real, k int) string { return arithmetic((*big.Rat).Add, plus)(a, rat(big.NewRat(1, 1)), k) }},
	{"(- a 7)", func(a, _ real, k int) string { return arithmetic((*big.Rat).Sub, minus)(a, rat(big.NewRat(7, 1)), k) }},
	{"(= a b)", ordered(func(o int) bool { return o == 0 })},
	{"(< a b)", ordered(func(o int) bool { return o < 0 })},
	{"(> a b)", ordered(func(o int) bool { return o > 0 })},
	{"(<= a b)", ordered(func(o int) bool { return o <= 0 })},
	{"(>= a b)", ordered(func(o int) bool { return o >= 0 })},
	{"(if (< a b) #t #f)", ordered(func(o int) bool { return o < 0 })},
	{"(if (not (<= a b)) #t #f)", func(a, b real, _ int) string {
		o, ok := compared(a, b)
		return truth(!ok || o > 0)
	}},
	{"(apply < (list a b))", ordered(func(o int) bool { return o < 0 })},
	{"(apply = (list a b))", ordered(func(o int) bool { return o == 0 })},
	{"(if (< a 3) #t #f)", func(a, b real, k int) string {
		return ordered(func(o int) bool { return o < 0 })(a, rat(big.NewRat(3, 1)), k)
	}},
	{"(max a b)", extreme(1)},
	{"(min a b)", extreme(-1)},
	{"(eqv? a b)", same},
	{"(equal? (list a) (list b))", same},
	{"(eqv? a (string->number (number->string a)))", always},
	{"(let ((h (make-hash-table))) (hash-table-set! h a #t) (hash-table-ref/default h (if (eqv? a -0.0) a (* 1 a)) #f))", always},
	{"(abs a)", of(func(r *big.Rat) real { return rat(new(big.Rat).Abs(r)) }, math.Abs)},
	{"(- a)", of(func(r *big.Rat) real { return rat(new(big.Rat).Neg(r)) }, func(f float64) float64 { return -f })},
	{"(floor a)", of(func(r *big.Rat) real { return whole(floored(r)) }, math.Floor)},
	{"(ceiling a)", of(func(r *big.Rat) real {
		z := floored(new(big.Rat).Neg(r))
		return whole(z.Neg(z))
	}, math.Ceil)},
	{"(truncate a)", of(func(r *big.Rat) real { return whole(new(big.Int).Quo(r.Num(), r.Denom())) }, math.Trunc)},
	{"(round a)", of(func(r *big.Rat) real { return whole(rounded(r)) }, math.RoundToEven)},
	{"(inexact a)", func(a, _ real, _ int) string { return text(flo(a.float())) }},
	{"(exact a)", func(a, _ real, _ int) string {
		if !a.finite() {
			return "error"
		}
		return text(rat(a.value()))
	}},
	{"(list (numerator a) (denominator a))", func(a, _ real, _ int) string {
		switch {
		case !a.finite():
			return "error"
		case a.exact():
			return text([]*big.Int{a.r.Num(), a.r.Denom()})
		}
		v := a.value()
		return text([]real{flo(nearest(new(big.Rat).SetInt(v.Num()))), flo(nearest(new(big.Rat).SetInt(v.Denom())))})
	}},
	{"(sqrt (abs a))", root},
	{"(expt a k)", power},
	{"(list (number? a) (rational? a) (integer? a) (exact? a) (exact-integer? a))", func(a, _ real, _ int) string {
		return text([]string{"#t", truth(a.finite()), truth(a.integer()), truth(a.exact()), truth(a.exact() && a.integer())})
	}},
	{"(number->string a (+ 2 (abs k)))", func(a, _ real, k int) string {
		if !a.exact() {
			return ""
		}
		radix := 2 + max(k, -k)
		if a.r.IsInt() {
			return strconv.Quote(a.r.Num().Text(radix))
		}
		return strconv.Quote(a.r.Num().Text(radix) + "/" + a.r.Denom().Text(radix))
	}},
	{"(eqv? a (string->number (number->string a (+ 2 (abs k))) (+ 2 (abs k))))", always},
	{"(quotient a b)", integers(true, pick(0, truncates))},
	{"(remainder a b)", integers(true, pick(1, truncates))},
	{"(modulo a b)", integers(true, pick(1, floors))},
	{"(floor-quotient a b)", integers(true, pick(0, floors))},
	{"(apply quotient (list a b))", integers(true, pick(0, truncates))},
	{"(apply remainder (list a b))", integers(true, pick(1, truncates))},
	{"(apply modulo (list a b))", integers(true, pick(1, floors))},
	{"(call-with-values (lambda () (floor/ a b)) list)", integers(true, floors)},
	{"(call-with-values (lambda () (truncate/ a b)) list)", integers(true, truncates)},
	{"(gcd a b)", integers(false, func(x, y *big.Int) []*big.Int { return []*big.Int{greatest(x, y)} })},
	{"(lcm a b)", integers(false, func(x, y *big.Int) []*big.Int {
		if x.Sign() == 0 || y.Sign() == 0 {
			return []*big.Int{new(big.Int)}
		}
		z := new(big.Int).Mul(x, y)
		return []*big.Int{z.Abs(z).Quo(z, greatest(x, y))}
	})},
	{"(even? a)", func(a, _ real, _ int) string {
		if !a.integer() {
			return "error"
		}
		return truth(a.value().Num().Bit(0) == 0)
	}},
	{"(call-with-values (lambda () (exact-integer-sqrt a)) list)", func(a, _ real, _ int) string {
		if !a.exact() || !a.integer() || a.r.Sign() < 0 {
			return "error"
		}
		s := new(big.Int).Sqrt(a.r.Num())
		return text([]*big.Int{s, new(big.Int).Sub(a.r.Num(), new(big.Int).Mul(s, s))})
	}},
	{"(bitwise-and a b)", bitwise((*big.Int).And)},
	{"(bitwise-ior a b)", bitwise((*big.Int).Or)},
	{"(bitwise-xor a b)", bitwise((*big.Int).Xor)},
	{"(begin b (list (bitwise-not a) (arithmetic-shift a k) (bit-count a) (integer-length a) (bit-set? (abs k) a)))", func(a, _ real, k int) string {
		return exactly(func(x, _ *big.Int, k int) string {
			shifted := new(big.Int)
			if k < 0 {
				shifted.Rsh(x, uint(-k))
			} else {
				shifted.Lsh(x, uint(k))
			}
			not := new(big.Int).Not(x)
			length := x.BitLen()
			if x.Sign() < 0 {
				length = not.BitLen()
			}
			return text([]any{not, shifted, ones(x), length, truth(x.Bit(max(k, -k)) == 1)})
		})(a, a, k)
	}},
}
