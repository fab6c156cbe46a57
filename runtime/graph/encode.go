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
func AppendEncode(b []byte, d Datum) ([]byte, error) {
	e := encoder{b: b}
	if err := e.datum(d, 0); err != nil {
		return nil, err
	}
	return e.b, nil
}

// Pieces is Encode in pieces. A large string or bytevector, also one inside, is not copied: its piece is its own memory.
func Pieces(d Datum) ([][]byte, error) {
	e := encoder{cuts: true}
	if err := e.datum(d, 0); err != nil {
		return nil, err
	}
	if e.size+len(e.b) > MaxSize {
		return nil, ErrTooBig
	}
	return append(e.done, e.b), nil
}

// Digest is the SHA-256 of a datum's canonical encoding.
func Digest(d Datum) (sum [32]byte, err error) {
	e := encoder{cuts: true}
	if err := e.datum(d, 0); err != nil {
		return sum, err
	}
	if len(e.done) == 0 {
		return sha256.Sum256(e.b), nil
	}
	h := sha256.New()
	for _, b := range e.done {
		h.Write(b)
	}
	h.Write(e.b)
	h.Sum(sum[:0])
	return sum, nil
}

// encoder writes to b. One that cuts leaves large texts and bytes where they are: done holds what comes before b, in pieces,
// size how much that is.
type encoder struct {
	b    []byte
	cuts bool
	done [][]byte
	size int
}

// largeText is the size from which a text or bytes are not copied where that can be helped.
const largeText = 64 << 10

// raw writes what is only read, here and by who has the pieces.
func (e *encoder) raw(text []byte) {
	if !e.cuts || len(text) < largeText {
		e.b = append(e.b, text...)
		return
	}
	e.done = append(e.done, e.b, text)
	e.size += len(e.b) + len(text)
	e.b = nil
}

func (e *encoder) head(major byte, n uint64) { e.b = appendHead(e.b, major, n) }

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

func (e *encoder) text(s string) {
	if utf8.ValidString(s) {
		e.head(majText, uint64(len(s)))
	} else {
		e.head(majTag, tagRawText)
		e.head(majBytes, uint64(len(s)))
	}
	e.raw(unsafe.Slice(unsafe.StringData(s), len(s)))
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

func (e *encoder) datum(d Datum, depth int) error {
	if depth > MaxDepth {
		return ErrTooDeep
	}
	if e.size+len(e.b) > MaxSize {
		return ErrTooBig
	}
	switch d := d.(type) {
	case bool:
		if d {
			e.b = append(e.b, cborTrue)
		} else {
			e.b = append(e.b, cborFalse)
		}
	case int64:
		e.b = appendInt(e.b, d)
	case *big.Int:
		if d == nil {
			return ErrNotDatum
		}
		e.b = appendBig(e.b, d)
	case *big.Rat:
		if d == nil {
			return ErrNotDatum
		}
		if d.IsInt() {
			e.b = appendBig(e.b, d.Num())
			return nil
		}
		if d.Num().BitLen() > maxRatBits || d.Denom().BitLen() > maxRatBits {
			return ErrTooBig
		}
		e.head(majTag, tagRat)
		e.head(majArray, 2)
		e.b = appendBig(appendBig(e.b, d.Num()), d.Denom())
	case float64:
		e.b = binary.BigEndian.AppendUint64(append(e.b, cborFloat64), floatBits(d))
	case number.Complex:
		z, ok := normal(d).(number.Complex)
		if !ok {
			return e.datum(normal(d), depth)
		}
		e.head(majTag, tagComplex)
		e.head(majArray, 2)
		return e.items([]Datum{z.Re, z.Im}, depth)
	case string:
		e.text(d)
	case Symbol:
		e.head(majTag, tagSymbol)
		e.text(string(d))
	case Keyword:
		e.head(majTag, tagKeyword)
		e.text(string(d))
	case Char:
		if d < 0 {
			return ErrNotDatum
		}
		e.head(majTag, tagChar)
		e.head(majUint, uint64(d))
	case []byte:
		e.head(majBytes, uint64(len(d)))
		e.raw(d)
	case Void:
		e.b = append(e.b, cborVoid)
	case Opaque:
		e.head(majTag, tagOpaque)
		e.text(d.Text)
	case List:
		e.head(majArray, uint64(len(d)))
		return e.items(d, depth)
	case Vector:
		e.head(majTag, tagVector)
		e.head(majArray, uint64(len(d)))
		return e.items(d, depth)
	case *Table:
		if d == nil || d.Kind >= tableKinds || len(d.Items)%2 != 0 {
			return ErrNotDatum
		}
		e.head(majTag, tagTable)
		e.head(majArray, uint64(len(d.Items)+1))
		e.b = append(e.b, majUint|d.flags())
		return e.items(d.Items, depth)
	case *Dotted:
		return e.dotted(d, depth)
	default:
		return fmt.Errorf("%w: Go type %T", ErrNotDatum, d)
	}
	return nil
}

const frozenTable = 4 // beside the kind

func (t *Table) flags() byte {
	if t.Frozen {
		return byte(t.Kind) | frozenTable
	}
	return byte(t.Kind)
}

func (e *encoder) items(items []Datum, depth int) error {
	for _, x := range items {
		if err := e.datum(x, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// dotted writes the tail first, so that a reader knows at once that the items do not end in a list.
func (e *encoder) dotted(d *Dotted, depth int) error {
	items, tail, err := flatten(d)
	if err != nil {
		return err
	}
	if l, ok := tail.(List); ok {
		e.head(majArray, uint64(len(items)+len(l)))
		return e.items(append(items, l...), depth)
	}
	if len(items) == 0 {
		return e.datum(tail, depth)
	}
	e.head(majTag, tagDotted)
	e.head(majArray, uint64(len(items)+1))
	if err := e.datum(tail, depth+1); err != nil {
		return err
	}
	return e.items(items, depth)
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
