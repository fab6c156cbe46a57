package heap

import (
	"math"
	"math/bits"
)

// Word is one tagged machine word. The low three bits say what it is:
//
//	000  fixnum, the value in the upper 61 bits
//	001  pair: offset of two words, no header
//	010  object: offset of a header word
//	011, 100  flonum with an exponent within about 2^±255, its bits rotated left by four
//	101  closure: offset of a header word
//	111  immediate when the low byte is ImmByte or CharByte, else a header (never a value)
type Word = uint64

const (
	TagFixnum  = 0
	TagPair    = 1
	TagObject  = 2
	TagClosure = 5
	TagImm     = 7
	TagMask    = 7

	ImmByte  = 0x07
	CharByte = 0x0f
)

// Immediates.
const (
	False       Word = 0<<8 | ImmByte
	True        Word = 1<<8 | ImmByte
	Null        Word = 2<<8 | ImmByte
	Unspecified Word = 3<<8 | ImmByte
	EOF         Word = 4<<8 | ImmByte
	Default     Word = 5<<8 | ImmByte // #!default: an optional argument not given
	Unbound     Word = 6<<8 | ImmByte // a global not yet defined, a letrec variable not yet initialised
	FloZero     Word = 7<<8 | ImmByte // +0.0, which the rotated form cannot hold
	Raised      Word = 8<<8 | ImmByte // what a primitive returns when it failed; never a program's value
	immCount         = 9
)

// Kind is the low byte of an object's header. With rawBit the payload holds raw words that the collector skips.
type Kind = uint8

const rawBit = 0x80

const (
	KindVector  Kind = 0x17
	KindBox     Kind = 0x1f
	KindClosure Kind = 0x27 // first word raw: entry offset | arity << 48
	KindSegment Kind = 0x2f // frames of a captured stack
	KindCont    Kind = 0x37 // segment, depth, return word, link
	kindForward Kind = 0x3f
	KindFiber   Kind = 0x47
	KindRecord  Kind = 0x4f // type (an Rtd record, or a fixnum for the built-in types below), fields
	KindValues  Kind = 0x57
	KindTable   Kind = 0x5f
	KindString  Kind = 0x67 // length<<2|encoding as a fixnum, payload, index
	KindSymbol  Kind = 0x6f // name, hash; a keyword when keywordBit is set in the header
	KindRatnum  Kind = 0x77 // numerator, denominator; real and imaginary part when ComplexBit is set in the header
	KindPort    Kind = 0x7f

	KindFlonum Kind = 0x8f
	KindBignum Kind = 0x97 // limbs, least significant first; sign in bit 63 of the header
	KindBytes  Kind = 0x9f // length in bytes, then the bytes
)

// Header bits of symbols, and of numbers of two parts.
const (
	keywordBit    = 1 << 40
	uninternedBit = 1 << 41
	ComplexBit    = 1 << 40
)

// Built-in record types: the first field of a KindRecord is one of these as a fixnum.
const (
	TypeRtd         = 1 // name, field names (vector), unique id, parent or #f
	TypeCondition   = 2 // see the Condition fields
	TypePromise     = 3 // box of (done? . value-or-thunk), shared between chained promises
	TypeParameter   = 4 // see the Parameter fields; a procedure of no arguments
	TypeRegexp      = 5 // source string, flags
	TypeEnvironment = 6 // host handle
	TypeHandle      = 7 // a host object named by kind symbol and id: a job, a session, a turn
	TypeCharSet     = 8
	TypeDate        = 9
)

// Fields of a record type, after its own type.
const (
	RtdName   = 1 // symbol
	RtdFields = 2 // vector of symbols
	RtdID     = 3
	RtdParent = 4 // record type or #f
)

// Fields of a parameter, after the type.
const (
	ParameterValue     = 1 // outside every parameterize
	ParameterConverter = 2 // procedure or #f
)

// Fields of a condition record, after the type.
const (
	CondKind      = 1 // symbol: error, type-error, arity-error, unbound, range-error, read-error, file-error, denied, …
	CondMessage   = 2 // string
	CondIrritants = 3 // list
	CondData      = 4 // alist of symbol to value: what a handler may want to look at
	CondTrace     = 5 // vector of return offsets as fixnums, innermost first, or #f
	CondSize      = 6
)

// Header builds a header word: kind and payload length in words.
func Header(k Kind, n uint64) Word { return uint64(k) | n<<8 }

// HeaderLen is the payload length in words.
func HeaderLen(h Word) uint64 { return h >> 8 & 0xffffffff }

const (
	MaxFixnum = 1<<60 - 1
	MinFixnum = -1 << 60
)

func Fixnum(i int64) Word      { return uint64(i) << 3 }
func FixnumValue(w Word) int64 { return int64(w) >> 3 }
func IsFixnum(w Word) bool     { return w&TagMask == TagFixnum }
func FitsFixnum(i int64) bool  { return i<<3>>3 == i }
func IsPair(w Word) bool       { return w&TagMask == TagPair }
func IsClosure(w Word) bool    { return w&TagMask == TagClosure }
func IsObject(w Word) bool     { return w&TagMask == TagObject }
func IsChar(w Word) bool       { return w&0xff == CharByte }
func Char(r rune) Word         { return uint64(uint32(r))<<8 | CharByte }
func CharValue(w Word) rune    { return rune(uint32(w >> 8)) }
func Bool(b bool) Word {
	if b {
		return True
	}
	return False
}

// IsRef reports whether w points into the cage.
func IsRef(w Word) bool {
	const refs = 1<<TagPair | 1<<TagObject | 1<<TagClosure
	return refs>>(w&TagMask)&1 != 0
}

// IsImmediate reports whether w has the immediate tag and is a legal immediate.
func IsImmediate(w Word) bool {
	switch w & 0xff {
	case ImmByte:
		return w>>8 < immCount
	case CharByte:
		r := w >> 8
		return r <= 0x10ffff && !(r >= 0xd800 && r < 0xe000)
	}
	return false
}

// IsInlineFlonum reports whether w is a flonum held in the word itself (FloZero and boxed ones are not).
func IsInlineFlonum(w Word) bool { return (w-3)&6 == 0 }

// InlineFlonum decodes a word for which IsInlineFlonum holds.
func InlineFlonum(w Word) float64 { return math.Float64frombits(bits.RotateLeft64(w, -4)) }

// PackFlonum encodes f in a word; ok is false when it must be boxed.
func PackFlonum(f float64) (w Word, ok bool) {
	b := math.Float64bits(f)
	r := bits.RotateLeft64(b, 4)
	if (r-3)&6 == 0 {
		return r, true
	}
	if b == 0 {
		return FloZero, true
	}
	return 0, false
}
