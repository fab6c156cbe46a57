package code

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"

	"caper/interp/number"
)

// decoder reads hostile bytes: no length is believed beyond what is left of the input.
type decoder struct {
	in  []byte
	bad bool
}

// Decode reads what Encode wrote. Nothing but the shape is checked beyond canonical form: Verify must follow.
func Decode(in []byte) (*Unit, error) {
	if !bytes.HasPrefix(in, []byte(magic)) {
		return nil, ErrEncoding
	}
	d := &decoder{in: in[len(magic):]}
	u := d.unit()
	if d.bad || len(d.in) > 0 {
		return nil, ErrEncoding
	}
	if !bytes.Equal(Encode(u), in) {
		return nil, fmt.Errorf("%w: not in canonical form", ErrEncoding)
	}
	u.Hash = u.Sum()
	return u, nil
}

func (d *decoder) unit() *Unit {
	u := &Unit{Name: d.text()}
	u.Words = make([]uint64, d.len(8))
	for i := range u.Words {
		u.Words[i] = d.word()
	}
	u.Relocs = make([]Reloc, d.len(3))
	for i := range u.Relocs {
		u.Relocs[i] = Reloc{Word: d.int(), Kind: RelocKind(d.byte()), Arg: d.int()}
	}
	u.Consts = make([]Const, d.len(1))
	for i := range u.Consts {
		u.Consts[i] = Const{d.constant()}
	}
	u.Procs = make([]Proc, d.len(13))
	for i := range u.Procs {
		u.Procs[i] = d.proc()
	}
	u.Top = make([]int, d.len(1))
	for i := range u.Top {
		u.Top[i] = d.int()
	}
	u.Files = make([]File, d.len(2))
	for i := range u.Files {
		u.Files[i] = File{Name: d.text(), Opened: d.text()}
	}
	return u
}

func (d *decoder) proc() Proc {
	p := Proc{Name: d.text(), Start: d.int(), End: d.int(), Info: Info(d.word())}
	p.Lines = make([]Line, d.len(4))
	for i := range p.Lines {
		p.Lines[i] = Line{Word: d.int32(), Line: d.int32(), Column: d.int32(), File: d.int32()}
	}
	p.Params = make([]string, d.len(1))
	for i := range p.Params {
		p.Params[i] = d.text()
	}
	return p
}

// len reads a length of items that take at least size bytes each.
func (d *decoder) len(size int) int {
	n, k := binary.Uvarint(d.in)
	if k <= 0 {
		d.fail()
		return 0
	}
	d.in = d.in[k:]
	if n > uint64(len(d.in)/size) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) fail() { d.bad, d.in = true, nil }

func (d *decoder) int64() int64 {
	i, k := binary.Varint(d.in)
	if k <= 0 {
		d.fail()
		return 0
	}
	d.in = d.in[k:]
	return i
}
func (d *decoder) int() int { return int(d.int64()) }
func (d *decoder) int32() int32 {
	i := d.int64()
	if i != int64(int32(i)) {
		d.fail()
	}
	return int32(i)
}

func (d *decoder) take(n int) []byte {
	if n > len(d.in) {
		d.fail()
		return make([]byte, min(n, 8))
	}
	b := d.in[:n:n]
	d.in = d.in[n:]
	return b
}
func (d *decoder) byte() byte    { return d.take(1)[0] }
func (d *decoder) word() uint64  { return binary.LittleEndian.Uint64(d.take(8)) }
func (d *decoder) bytes() []byte { return bytes.Clone(d.take(d.len(1))) }
func (d *decoder) text() string  { return string(d.take(d.len(1))) }
func (d *decoder) big() *big.Int {
	sign := int(d.byte()) - 1
	i := new(big.Int).SetBytes(d.take(d.len(1)))
	if sign < 0 {
		i.Neg(i)
	}
	return i
}

// real is a constant that is a real number: one within a complex number, so that hostile bytes nest no deeper.
func (d *decoder) real() number.Number {
	if len(d.in) > 0 && d.in[0] != tagComplex && d.in[0] != tagPair && d.in[0] != tagVector && d.in[0] != tagClosure {
		if n := d.constant(); number.IsNumber(n) {
			return n
		}
	}
	d.fail()
	return int64(0)
}

func (d *decoder) constant() any {
	switch d.byte() {
	case tagString:
		return d.text()
	case tagSymbol:
		return Symbol(d.text())
	case tagKeyword:
		return Keyword(d.text())
	case tagInt:
		return d.int64()
	case tagBig:
		return d.big()
	case tagRatio:
		num, den := d.big(), d.big()
		if den.Sign() <= 0 {
			d.fail()
			return Void{}
		}
		return new(big.Rat).SetFrac(num, den)
	case tagFloat:
		return math.Float64frombits(d.word())
	case tagComplex:
		re, im := d.real(), d.real()
		if z, ok := number.Rectangular(re, im).(number.Complex); ok {
			return z
		}
		d.fail()
	case tagBytes:
		if b := d.bytes(); b != nil {
			return b
		}
		return []byte{}
	case tagRune:
		return rune(d.int32())
	case tagFalse:
		return false
	case tagTrue:
		return true
	case tagNull:
		return Null{}
	case tagVoid:
		return Void{}
	case tagPair:
		return Pair{d.int(), d.int()}
	case tagVector:
		v := Vector{make([]int, d.len(1))}
		for i := range v.Items {
			v.Items[i] = d.int()
		}
		return v
	case tagClosure:
		return Closure{d.int()}
	}
	d.fail()
	return Void{}
}
