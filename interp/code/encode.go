package code

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"unicode/utf8"

	"caper/interp/number"
)

// This file turns units into bytes and back, for hashes and for a cache on disk. The encoding is canonical: one unit,
// one string of bytes. Integers are varints (signed ones zigzag), words are 8 bytes, strings and lists carry lengths.

const magic = "caper unit 2\n"

// Tags of constants.
const (
	tagString = iota
	tagSymbol
	tagKeyword
	tagInt
	tagBig
	tagRatio
	tagFloat
	tagBytes
	tagRune
	tagFalse
	tagTrue
	tagNull
	tagVoid
	tagPair
	tagVector
	tagClosure
	tagComplex
)

// Buildable reports whether a constant without parts is of a kind that a loader knows.
func Buildable(datum any) bool {
	switch d := datum.(type) {
	case string:
		return utf8.ValidString(d)
	case Symbol:
		return utf8.ValidString(string(d))
	case Keyword:
		return utf8.ValidString(string(d))
	case rune:
		return utf8.ValidRune(d)
	case *big.Int:
		return d != nil && !d.IsInt64()
	case *big.Rat:
		return d != nil && !d.IsInt()
	case int64, float64, []byte, bool, Null, Void:
		return true
	case number.Complex:
		return number.IsNumber(d.Re) && number.IsReal(d.Re) && number.IsNumber(d.Im) && number.Eqv(number.Rectangular(d.Re, d.Im), d) && Buildable(d.Re) && Buildable(d.Im)
	}
	return false
}

type encoder struct{ out []byte }

func (e *encoder) int(i int) { e.out = binary.AppendVarint(e.out, int64(i)) }
func (e *encoder) len(n int) { e.out = binary.AppendUvarint(e.out, uint64(n)) }
func (e *encoder) text(s string) {
	e.len(len(s))
	e.out = append(e.out, s...)
}
func (e *encoder) bytes(b []byte) {
	e.len(len(b))
	e.out = append(e.out, b...)
}

// Encode answers the unit's canonical bytes, without its hash.
func Encode(u *Unit) []byte {
	e := &encoder{make([]byte, 0, len(u.Words)*9+len(u.Consts)*16+len(u.Relocs)*4+len(u.Procs)*160+256)}
	e.out = append(e.out, magic...)
	e.text(u.Name)
	e.len(len(u.Words))
	for _, w := range u.Words {
		e.out = binary.LittleEndian.AppendUint64(e.out, w)
	}
	e.len(len(u.Relocs))
	for _, r := range u.Relocs {
		e.int(r.Word)
		e.out = append(e.out, byte(r.Kind))
		e.int(r.Arg)
	}
	e.len(len(u.Consts))
	for _, c := range u.Consts {
		e.constant(c.Datum)
	}
	e.len(len(u.Procs))
	for i := range u.Procs {
		e.proc(&u.Procs[i])
	}
	e.len(len(u.Top))
	for _, t := range u.Top {
		e.int(t)
	}
	e.len(len(u.Files))
	for _, f := range u.Files {
		e.text(f.Name)
		e.text(f.Opened)
	}
	return e.out
}

func (e *encoder) proc(p *Proc) {
	e.text(p.Name)
	e.int(p.Start)
	e.int(p.End)
	e.out = binary.LittleEndian.AppendUint64(e.out, uint64(p.Info))
	e.len(len(p.Lines))
	for _, l := range p.Lines {
		e.int(int(l.Word))
		e.int(int(l.Line))
		e.int(int(l.Column))
		e.int(int(l.File))
	}
	e.len(len(p.Params))
	for _, s := range p.Params {
		e.text(s)
	}
}

func (e *encoder) tag(t byte) { e.out = append(e.out, t) }

func (e *encoder) constant(datum any) {
	switch d := datum.(type) {
	case string:
		e.tag(tagString)
		e.text(d)
	case Symbol:
		e.tag(tagSymbol)
		e.text(string(d))
	case Keyword:
		e.tag(tagKeyword)
		e.text(string(d))
	case int64:
		e.tag(tagInt)
		e.out = binary.AppendVarint(e.out, d)
	case *big.Int:
		e.tag(tagBig)
		e.big(d)
	case *big.Rat:
		e.tag(tagRatio)
		e.big(d.Num())
		e.big(d.Denom())
	case float64:
		e.tag(tagFloat)
		e.out = binary.LittleEndian.AppendUint64(e.out, math.Float64bits(d))
	case number.Complex:
		e.tag(tagComplex)
		e.constant(d.Re)
		e.constant(d.Im)
	case []byte:
		e.tag(tagBytes)
		e.bytes(d)
	case rune:
		e.tag(tagRune)
		e.int(int(d))
	case bool:
		if d {
			e.tag(tagTrue)
		} else {
			e.tag(tagFalse)
		}
	case Null:
		e.tag(tagNull)
	case Void:
		e.tag(tagVoid)
	case Pair:
		e.tag(tagPair)
		e.int(d.Car)
		e.int(d.Cdr)
	case Vector:
		e.tag(tagVector)
		e.len(len(d.Items))
		for _, i := range d.Items {
			e.int(i)
		}
	case Closure:
		e.tag(tagClosure)
		e.int(d.Proc)
	default:
		panic(fmt.Sprintf("a unit holds a constant of type %T", datum))
	}
}

func (e *encoder) big(i *big.Int) {
	e.out = append(e.out, byte(i.Sign()+1))
	e.bytes(i.Bytes())
}

// ErrEncoding is returned for bytes that are no unit.
var ErrEncoding = errors.New("these bytes are no compiled unit of this version")
