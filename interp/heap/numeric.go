package heap

import (
	"math"
	"math/big"
	"math/bits"
	"unsafe"

	"caper/interp/number"
)

// scratch holds big integers that slow arithmetic reuses.
type scratch struct{ x, y, z big.Int }

// Flonum makes a flonum word, boxed when it does not fit one.
func (a *Arena) Flonum(f float64) Word {
	if w, ok := PackFlonum(f); ok {
		return w
	}
	o := a.Alloc(2)
	a.Store(o, Header(KindFlonum, 1))
	a.Store(o+8, math.Float64bits(f))
	return o + TagObject
}

// FlonumValue is the value of a flonum word; ok is false for every other word.
func (a *Arena) FlonumValue(w Word) (f float64, ok bool) {
	if IsInlineFlonum(w) {
		return InlineFlonum(w), true
	}
	if w == FloZero {
		return 0, true
	}
	if a.Is(w, KindFlonum) {
		return math.Float64frombits(a.Field(w, 0)), true
	}
	return 0, false
}

// bigView makes z a view of a bignum's limbs, valid until the next collection. z must not be written to.
func (a *Arena) bigView(w Word, z *big.Int) {
	if checked {
		a.checkKind(w, KindBignum)
	}
	f := a.Fields(w)
	z.SetBits(unsafe.Slice((*big.Word)(unsafe.Pointer(unsafe.SliceData(f))), len(f)))
	if a.Load(w-TagObject)>>63 != 0 {
		z.Neg(z)
	}
}

// Integer makes z the exact integer w, as a view or a copy; ok is false when w is none.
func (a *Arena) Integer(w Word, z *big.Int) bool {
	if IsFixnum(w) {
		z.SetBits(nil).SetInt64(FixnumValue(w)) // z may be a view of limbs, which must not be written to
		return true
	}
	if !a.Is(w, KindBignum) {
		return false
	}
	a.bigView(w, z)
	return true
}

// BigRemainder divides the magnitude of a bignum by d, which is not 0.
func (a *Arena) BigRemainder(w Word, d uint64) (rest uint64, negative bool) {
	limbs := a.Fields(w)
	rest = 0
	for i := len(limbs) - 1; i >= 0; i-- {
		_, rest = bits.Div64(rest, limbs[i], d)
	}
	return rest, a.Load(w-TagObject)>>63 != 0
}

// BigQuotient is the quotient of a bignum's magnitude and d, which is not 0, with a sign.
func (a *Arena) BigQuotient(w Word, d uint64, negative bool) Word {
	n := len(a.Fields(w))
	o := a.Alloc(uint64(n) + 1)
	limbs, q := a.Fields(w), a.Words(o+8, o+8+uint64(n)*8)
	rest := uint64(0)
	for i := n - 1; i >= 0; i-- {
		q[i], rest = bits.Div64(rest, limbs[i], d)
	}
	for n > 0 && q[n-1] == 0 {
		n--
	}
	if n == 0 || n == 1 && q[0] <= MaxFixnum {
		r := int64(0)
		if n == 1 {
			r = int64(q[0])
		}
		if negative {
			r = -r
		}
		a.HP = o
		return Fixnum(r)
	}
	h := Header(KindBignum, uint64(n))
	if negative {
		h |= 1 << 63
	}
	a.Store(o, h)
	a.HP = o + 8 + uint64(n)*8
	return o + TagObject
}

// FromInt makes an exact integer.
func (a *Arena) FromInt(i int64) Word {
	if FitsFixnum(i) {
		return Fixnum(i)
	}
	var z big.Int
	return a.FromBig(z.SetInt64(i))
}

// FromBig makes an exact integer, copying z.
func (a *Arena) FromBig(z *big.Int) Word {
	if z.IsInt64() && FitsFixnum(z.Int64()) {
		return Fixnum(z.Int64())
	}
	limbs := z.Bits()
	n := uint64(len(limbs))
	o := a.Alloc(n + 1)
	h := Header(KindBignum, n)
	if z.Sign() < 0 {
		h |= 1 << 63
	}
	a.Store(o, h)
	dst := a.Words(o+8, o+8+n*8)
	copy(dst, unsafe.Slice((*Word)(unsafe.Pointer(unsafe.SliceData(limbs))), n))
	return o + TagObject
}

// Number is the value of a real number as package number knows it, copied; ok is false when w is none.
func (a *Arena) Number(w Word) (n number.Number, ok bool) {
	if IsFixnum(w) {
		return FixnumValue(w), true
	}
	if f, ok := a.FlonumValue(w); ok {
		return f, true
	}
	switch a.Kind(w) {
	case KindBignum:
		var z big.Int
		a.bigView(w, &z)
		if z.IsInt64() {
			return z.Int64(), true
		}
		return new(big.Int).Set(&z), true
	case KindRatnum:
		if a.IsComplex(w) {
			return nil, false
		}
		var p, q big.Int
		if a.Integer(a.Field(w, 0), &p) && a.Integer(a.Field(w, 1), &q) && q.Sign() != 0 {
			return new(big.Rat).SetFrac(&p, &q), true
		}
	}
	return nil, false
}

// IsComplex reports whether w is a number that is not real.
func (a *Arena) IsComplex(w Word) bool {
	return w&TagMask == TagObject && a.Load(w-TagObject)&(0xff|ComplexBit) == uint64(KindRatnum)|ComplexBit
}

// Complex is Number of any number.
func (a *Arena) Complex(w Word) (n number.Number, ok bool) {
	if !a.IsComplex(w) {
		return a.Number(w)
	}
	re, ok1 := a.Number(a.Field(w, 0))
	im, ok2 := a.Number(a.Field(w, 1))
	if !ok1 || !ok2 {
		return nil, false
	}
	return number.Rectangular(re, im), true
}

// FromNumber makes a numeric word.
func (a *Arena) FromNumber(n number.Number) Word {
	switch n := n.(type) {
	case int64:
		return a.FromInt(n)
	case float64:
		return a.Flonum(n)
	case *big.Int:
		return a.FromBig(n)
	case *big.Rat:
		num, den := a.FromBig(n.Num()), a.FromBig(n.Denom())
		return a.NewOf(KindRatnum, num, den)
	case number.Complex:
		w := a.NewOf(KindRatnum, a.FromNumber(n.Re), a.FromNumber(n.Im))
		a.Store(w-TagObject, Header(KindRatnum, 2)|ComplexBit)
		return w
	}
	panic(ErrCorrupt)
}

// IsNumber reports whether w is a number.
func (a *Arena) IsNumber(w Word) bool {
	if IsFixnum(w) || IsInlineFlonum(w) || w == FloZero {
		return true
	}
	switch a.Kind(w) {
	case KindFlonum, KindBignum, KindRatnum:
		return true
	}
	return false
}

// Scratch lends three big integers for one operation.
func (a *Arena) Scratch() (x, y, z *big.Int) { return &a.scratch.x, &a.scratch.y, &a.scratch.z }

// StaticNumber makes a number that is never moved: a constant.
func (a *Arena) StaticNumber(n number.Number) Word {
	switch n := n.(type) {
	case float64:
		if w, ok := PackFlonum(n); ok {
			return w
		}
		o := a.Static(2)
		a.Store(o, Header(KindFlonum, 1))
		a.Store(o+8, math.Float64bits(n))
		return o + TagObject
	case int64:
		if FitsFixnum(n) {
			return Fixnum(n)
		}
		return a.staticBig(big.NewInt(n))
	case *big.Int:
		return a.staticBig(n)
	case *big.Rat:
		return a.staticParts(0, number.Normalize(n.Num()), number.Normalize(n.Denom()))
	case number.Complex:
		return a.staticParts(ComplexBit, n.Re, n.Im)
	}
	panic(ErrCorrupt)
}

func (a *Arena) staticParts(bit Word, first, second number.Number) Word {
	x, y := a.StaticNumber(first), a.StaticNumber(second)
	o := a.Static(3)
	a.Store(o, Header(KindRatnum, 2)|bit)
	a.Store(o+8, x)
	a.Store(o+16, y)
	return o + TagObject
}

func (a *Arena) staticBig(z *big.Int) Word {
	w := a.FromBig(z)
	if IsFixnum(w) {
		return w
	}
	n := a.Size(w) + 1
	o := a.Static(n)
	copy(a.Words(o, o+n*8), a.Words(w-TagObject, w-TagObject+n*8))
	return o + TagObject
}
