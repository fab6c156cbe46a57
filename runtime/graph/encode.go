package graph

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"unicode/utf8"
	"unsafe"

	"caper/interp/number"
)

// Limits of an encoded datum. A deeper or larger one is refused on both sides, so that whatever was written can be read.
const (
	MaxDepth = 10_000
	MaxSize  = 256 << 20

	// maxRatBits bounds the two parts of a rational: reading one reduces it, which costs more than linear time.
	maxRatBits = 1 << 18
)

// Errors of the datum codec.
var (
	ErrTooDeep   = fmt.Errorf("datum is nested deeper than %d levels", MaxDepth)
	ErrTooBig    = fmt.Errorf("datum needs more than %d bytes", MaxSize)
	ErrNotDatum  = errors.New("value is no datum")
	ErrMalformed = errors.New("bytes are no canonical datum")
)

// CBOR tags. 2, 3, 30, 39 and 43000 are the registered ones for bignums, rationals, identifiers and complex numbers; the others are our own.
const (
	tagPosBig   = 2
	tagNegBig   = 3
	tagRat      = 30
	tagSymbol   = 39
	tagKeyword  = 51201
	tagChar     = 51202
	tagDotted   = 51203
	tagVector   = 51204
	tagOpaque   = 51205
	tagRawText  = 51206 // a string whose bytes are not UTF-8
	tagTable    = 51207
	tagComplex  = 43000
	majUint     = 0 << 5
	majNeg      = 1 << 5
	majBytes    = 2 << 5
	majText     = 3 << 5
	majArray    = 4 << 5
	majTag      = 6 << 5
	cborFalse   = 0xf4
	cborTrue    = 0xf5
	cborVoid    = 0xf7 // "undefined"
	cborFloat64 = 0xfb
)

// Encode answers the canonical CBOR of d (RFC 8949 §4.2.1, with floats always of 64 bits): equal data have equal bytes.
func Encode(d Datum) ([]byte, error) { return AppendEncode(nil, d) }

// AppendEncode appends the encoding of d to b.
func AppendEncode(b []byte, d Datum) ([]byte, error) { return appendDatum(b, d, 0) }

// Pieces is Encode in pieces. A large string or bytevector is not copied: its piece is its own memory.
func Pieces(d Datum) ([][]byte, error) {
	var head, body []byte
	switch d := d.(type) {
	case string:
		if utf8.ValidString(d) {
			head, body = appendHead(nil, majText, uint64(len(d))), unsafe.Slice(unsafe.StringData(d), len(d)) // only read
		}
	case []byte:
		head, body = appendHead(nil, majBytes, uint64(len(d))), d
	}
	if len(body) < largeText {
		b, err := Encode(d)
		return [][]byte{b}, err
	}
	if len(body) > MaxSize {
		return nil, ErrTooBig
	}
	return [][]byte{head, body}, nil
}

// largeText is the size from which a text or bytes are not copied where that can be helped.
const largeText = 64 << 10

// Digest is the SHA-256 of a datum's canonical encoding.
func Digest(d Datum) ([32]byte, error) {
	b, err := Encode(d)
	if err != nil {
		return [32]byte{}, err
	}
	return sha256.Sum256(b), nil
}

func appendHead(b []byte, major byte, n uint64) []byte {
	switch {
	case n < 24:
		return append(b, major|byte(n))
	case n <= math.MaxUint8:
		return append(b, major|24, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, major|25), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, major|26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, major|27), n)
}

func appendText(b []byte, s string) []byte {
	if utf8.ValidString(s) {
		return append(appendHead(b, majText, uint64(len(s))), s...)
	}
	b = appendHead(b, majTag, tagRawText)
	return append(appendHead(b, majBytes, uint64(len(s))), s...)
}

func appendInt(b []byte, n int64) []byte {
	if n < 0 {
		return appendHead(b, majNeg, uint64(-(n + 1)))
	}
	return appendHead(b, majUint, uint64(n))
}

func appendBig(b []byte, n *big.Int) []byte {
	if n.IsInt64() {
		return appendInt(b, n.Int64())
	}
	tag := uint64(tagPosBig)
	if n.Sign() < 0 {
		tag = tagNegBig
		n = new(big.Int).Not(n) // -1-n, as the tag demands
	}
	bytes := n.Bytes()
	b = appendHead(b, majTag, tag)
	return append(appendHead(b, majBytes, uint64(len(bytes))), bytes...)
}

// canonicalNaN keeps one NaN of the many: a datum does not carry a payload.
var canonicalNaN = math.Float64bits(math.NaN())

func floatBits(f float64) uint64 {
	if f != f {
		return canonicalNaN
	}
	return math.Float64bits(f)
}

func appendDatum(b []byte, d Datum, depth int) ([]byte, error) {
	if depth > MaxDepth {
		return nil, ErrTooDeep
	}
	if len(b) > MaxSize {
		return nil, ErrTooBig
	}
	switch d := d.(type) {
	case bool:
		if d {
			return append(b, cborTrue), nil
		}
		return append(b, cborFalse), nil
	case int64:
		return appendInt(b, d), nil
	case *big.Int:
		if d == nil {
			return nil, ErrNotDatum
		}
		return appendBig(b, d), nil
	case *big.Rat:
		if d == nil {
			return nil, ErrNotDatum
		}
		if d.IsInt() {
			return appendBig(b, d.Num()), nil
		}
		if d.Num().BitLen() > maxRatBits || d.Denom().BitLen() > maxRatBits {
			return nil, ErrTooBig
		}
		b = append(appendHead(b, majTag, tagRat), majArray|2)
		return appendBig(appendBig(b, d.Num()), d.Denom()), nil
	case float64:
		return binary.BigEndian.AppendUint64(append(b, cborFloat64), floatBits(d)), nil
	case number.Complex:
		z, ok := normal(d).(number.Complex)
		if !ok {
			return appendDatum(b, normal(d), depth)
		}
		b = append(appendHead(b, majTag, tagComplex), majArray|2)
		return appendItems(b, []Datum{z.Re, z.Im}, depth)
	case string:
		return appendText(b, d), nil
	case Symbol:
		return appendText(appendHead(b, majTag, tagSymbol), string(d)), nil
	case Keyword:
		return appendText(appendHead(b, majTag, tagKeyword), string(d)), nil
	case Char:
		if d < 0 {
			return nil, ErrNotDatum
		}
		return appendHead(appendHead(b, majTag, tagChar), majUint, uint64(d)), nil
	case []byte:
		return append(appendHead(b, majBytes, uint64(len(d))), d...), nil
	case Void:
		return append(b, cborVoid), nil
	case Opaque:
		return appendText(appendHead(b, majTag, tagOpaque), d.Text), nil
	case List:
		return appendItems(appendHead(b, majArray, uint64(len(d))), d, depth)
	case Vector:
		b = appendHead(b, majTag, tagVector)
		return appendItems(appendHead(b, majArray, uint64(len(d))), d, depth)
	case *Table:
		if d == nil || d.Kind >= tableKinds || len(d.Items)%2 != 0 {
			return nil, ErrNotDatum
		}
		b = appendHead(appendHead(b, majTag, tagTable), majArray, uint64(len(d.Items)+1))
		return appendItems(append(b, majUint|d.flags()), d.Items, depth)
	case *Dotted:
		return appendDotted(b, d, depth)
	}
	return nil, fmt.Errorf("%w: Go type %T", ErrNotDatum, d)
}

const frozenTable = 4 // beside the kind

func (t *Table) flags() byte {
	if t.Frozen {
		return byte(t.Kind) | frozenTable
	}
	return byte(t.Kind)
}

func appendItems(b []byte, items []Datum, depth int) ([]byte, error) {
	var err error
	for _, x := range items {
		if b, err = appendDatum(b, x, depth+1); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// appendDotted writes the tail first, so that a reader knows at once that the items do not end in a list.
func appendDotted(b []byte, d *Dotted, depth int) ([]byte, error) {
	items, tail, err := flatten(d)
	if err != nil {
		return nil, err
	}
	if l, ok := tail.(List); ok {
		return appendItems(appendHead(b, majArray, uint64(len(items)+len(l))), append(items, l...), depth)
	}
	if len(items) == 0 {
		return appendDatum(b, tail, depth)
	}
	b = appendHead(b, majTag, tagDotted)
	b = appendHead(b, majArray, uint64(len(items)+1))
	if b, err = appendDatum(b, tail, depth+1); err != nil {
		return nil, err
	}
	return appendItems(b, items, depth)
}

// flatten gives the one reading of a chain of dotted pairs: (a . (b . c)) is (a b . c), (a . (b)) is (a b).
func flatten(d *Dotted) (items []Datum, tail Datum, err error) {
	if d == nil {
		return nil, nil, ErrNotDatum
	}
	if _, chain := d.Tail.(*Dotted); !chain {
		return d.Items[:len(d.Items):len(d.Items)], d.Tail, nil
	}
	for {
		items = append(items, d.Items...)
		next, ok := d.Tail.(*Dotted)
		if !ok {
			return items, d.Tail, nil
		}
		if next == nil {
			return nil, nil, ErrNotDatum
		}
		d = next
	}
}
