package graph

import (
	"encoding/binary"
	"math"
	"math/big"
	"unicode/utf8"
	"unsafe"

	"caper/interp/number"
)

// Decode reads what Encode wrote. Anything else is refused: other spellings of the same value, what is too deep, what
// claims to be longer than it is, bytes left over. A large text that is most of b lies in b afterwards: b must not change.
func Decode(b []byte) (Datum, error) {
	if len(b) > MaxSize {
		return nil, ErrTooBig
	}
	r := datumReader{b: b}
	d, err := r.datum(0)
	if err != nil {
		return nil, err
	}
	if r.i != len(b) {
		return nil, ErrMalformed
	}
	return d, nil
}

type datumReader struct {
	b []byte
	i int
}

// head reads a major type and its number, which must be in its shortest form.
func (r *datumReader) head() (major byte, n uint64, err error) {
	if r.i >= len(r.b) {
		return 0, 0, ErrMalformed
	}
	c := r.b[r.i]
	r.i++
	major, low := c&0xe0, c&0x1f
	if low < 24 {
		return major, uint64(low), nil
	}
	if low > 27 {
		return 0, 0, ErrMalformed
	}
	size := 1 << (low - 24)
	if len(r.b)-r.i < size {
		return 0, 0, ErrMalformed
	}
	var floor uint64
	switch p := r.b[r.i:]; size {
	case 1:
		n, floor = uint64(p[0]), 24
	case 2:
		n, floor = uint64(binary.BigEndian.Uint16(p)), 1<<8
	case 4:
		n, floor = uint64(binary.BigEndian.Uint32(p)), 1<<16
	case 8:
		n, floor = binary.BigEndian.Uint64(p), 1<<32
	}
	r.i += size
	if n < floor {
		return 0, 0, ErrMalformed
	}
	return major, n, nil
}

func (r *datumReader) bytes(n uint64) ([]byte, error) {
	if n > uint64(len(r.b)-r.i) {
		return nil, ErrMalformed
	}
	p := r.b[r.i : r.i+int(n)]
	r.i += int(n)
	return p, nil
}

func (r *datumReader) datum(depth int) (Datum, error) {
	if depth > MaxDepth {
		return nil, ErrTooDeep
	}
	if r.i >= len(r.b) {
		return nil, ErrMalformed
	}
	switch r.b[r.i] {
	case cborFalse:
		r.i++
		return false, nil
	case cborTrue:
		r.i++
		return true, nil
	case cborVoid:
		r.i++
		return Void{}, nil
	case cborFloat64:
		r.i++
		p, err := r.bytes(8)
		if err != nil {
			return nil, err
		}
		bits := binary.BigEndian.Uint64(p)
		f := math.Float64frombits(bits)
		if floatBits(f) != bits {
			return nil, ErrMalformed
		}
		return f, nil
	}
	major, n, err := r.head()
	if err != nil {
		return nil, err
	}
	switch major {
	case majUint, majNeg:
		if n > math.MaxInt64 {
			return nil, ErrMalformed
		}
		if major == majNeg {
			return -1 - int64(n), nil
		}
		return int64(n), nil
	case majBytes:
		p, err := r.bytes(n)
		if r.shares(p) {
			return p[:len(p):len(p)], err
		}
		return append([]byte{}, p...), err
	case majText:
		return r.text(n)
	case majArray:
		items, err := r.items(n, depth)
		return List(items), err
	case majTag:
		return r.tagged(n, depth)
	}
	return nil, ErrMalformed
}

func (r *datumReader) text(n uint64) (string, error) {
	p, err := r.bytes(n)
	if err != nil || !utf8.Valid(p) {
		return "", ErrMalformed
	}
	if r.shares(p) {
		return unsafe.String(unsafe.SliceData(p), len(p)), nil
	}
	return string(p), nil
}

// shares reports whether a text may stay where it was read.
func (r *datumReader) shares(p []byte) bool { return len(p) >= largeText && len(p) > len(r.b)/2 }

// items reads n of them. The count is a claim: the slice grows with what is really there.
func (r *datumReader) items(n uint64, depth int) ([]Datum, error) {
	if n > uint64(len(r.b)-r.i) {
		return nil, ErrMalformed
	}
	items := make([]Datum, 0, min(n, 256))
	for range n {
		d, err := r.datum(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, d)
	}
	return items, nil
}

func (r *datumReader) tagged(tag uint64, depth int) (Datum, error) {
	switch tag {
	case tagPosBig, tagNegBig:
		return r.big(tag)
	case tagRat:
		return r.rat()
	case tagSymbol, tagKeyword, tagOpaque:
		s, err := r.anyText()
		if err != nil {
			return nil, err
		}
		switch tag {
		case tagSymbol:
			return Symbol(s), nil
		case tagKeyword:
			return Keyword(s), nil
		}
		return Opaque{s}, nil
	case tagRawText:
		return r.rawText()
	case tagChar:
		major, n, err := r.head()
		if err != nil || major != majUint || n > math.MaxInt32 {
			return nil, ErrMalformed
		}
		return Char(n), nil
	case tagComplex:
		return r.complex(depth)
	case tagVector, tagDotted, tagTable:
		return r.compound(tag, depth)
	}
	return nil, ErrMalformed
}

func (r *datumReader) compound(tag uint64, depth int) (Datum, error) {
	major, n, err := r.head()
	if err != nil || major != majArray {
		return nil, ErrMalformed
	}
	items, err := r.items(n, depth)
	if err != nil || tag == tagVector {
		return Vector(items), err
	}
	if tag == tagTable {
		return table(items)
	}
	if len(items) < 2 {
		return nil, ErrMalformed
	}
	switch items[0].(type) {
	case List, *Dotted:
		return nil, ErrMalformed
	}
	return &Dotted{Items: items[1:], Tail: items[0]}, nil
}

func table(items []Datum) (Datum, error) {
	if len(items)%2 != 1 {
		return nil, ErrMalformed
	}
	flags, ok := items[0].(int64)
	if !ok || flags < 0 || flags >= frozenTable*2 {
		return nil, ErrMalformed
	}
	return &Table{Kind: TableKind(flags % frozenTable), Frozen: flags&frozenTable != 0, Items: items[1:]}, nil
}

func (r *datumReader) complex(depth int) (Datum, error) {
	if p, err := r.bytes(1); err != nil || p[0] != majArray|2 {
		return nil, ErrMalformed
	}
	parts, err := r.items(2, depth)
	if err != nil {
		return nil, err
	}
	if !number.IsNumber(parts[0]) || !number.IsNumber(parts[1]) || !number.IsReal(parts[0]) || !number.IsReal(parts[1]) {
		return nil, ErrMalformed
	}
	z, ok := number.Rectangular(parts[0], parts[1]).(number.Complex)
	if !ok || number.IsExact(z.Re) != number.IsExact(parts[0]) || number.IsExact(z.Im) != number.IsExact(parts[1]) {
		return nil, ErrMalformed // not in normal form
	}
	return z, nil
}

func (r *datumReader) anyText() (string, error) {
	major, n, err := r.head()
	if err != nil {
		return "", err
	}
	switch {
	case major == majText:
		return r.text(n)
	case major == majTag && n == tagRawText:
		return r.rawText()
	}
	return "", ErrMalformed
}

func (r *datumReader) rawText() (string, error) {
	major, n, err := r.head()
	if err != nil || major != majBytes {
		return "", ErrMalformed
	}
	p, err := r.bytes(n)
	if err != nil || utf8.Valid(p) {
		return "", ErrMalformed
	}
	return string(p), nil
}

func (r *datumReader) big(tag uint64) (*big.Int, error) {
	major, n, err := r.head()
	if err != nil || major != majBytes {
		return nil, ErrMalformed
	}
	p, err := r.bytes(n)
	if err != nil || len(p) == 0 || p[0] == 0 {
		return nil, ErrMalformed
	}
	v := new(big.Int).SetBytes(p)
	if tag == tagNegBig {
		v.Not(v)
	}
	if v.IsInt64() {
		return nil, ErrMalformed
	}
	return v, nil
}

func (r *datumReader) integer() (*big.Int, error) {
	major, n, err := r.head()
	switch {
	case err != nil:
		return nil, err
	case major == majTag && (n == tagPosBig || n == tagNegBig):
		return r.big(n)
	case (major == majUint || major == majNeg) && n <= math.MaxInt64:
		v := int64(n)
		if major == majNeg {
			v = -1 - v
		}
		return big.NewInt(v), nil
	}
	return nil, ErrMalformed
}

func (r *datumReader) rat() (Datum, error) {
	if p, err := r.bytes(1); err != nil || p[0] != majArray|2 {
		return nil, ErrMalformed
	}
	num, err := r.integer()
	if err != nil {
		return nil, err
	}
	den, err := r.integer()
	if err != nil {
		return nil, err
	}
	if den.Sign() <= 0 || den.IsInt64() && den.Int64() == 1 {
		return nil, ErrMalformed
	}
	if num.BitLen() > maxRatBits || den.BitLen() > maxRatBits {
		return nil, ErrTooBig
	}
	if new(big.Int).GCD(nil, nil, new(big.Int).Abs(num), den).Cmp(big.NewInt(1)) != 0 {
		return nil, ErrMalformed
	}
	return new(big.Rat).SetFrac(num, den), nil
}
