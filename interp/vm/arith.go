package vm

import (
	"errors"
	"math/big"
	"math/bits"
	"unsafe"

	"caper/interp/code"
	"caper/interp/heap"
	"caper/interp/number"
)

// This file defines the slow paths of arithmetic: results beyond fixnums, flonums that need a box, mixed operands,
// ratios. They collect beforehand when it is time, since an operation may allocate as much as its operands hold.

var (
	errNotNumber = errors.New("not a number")
	errNotReal   = errors.New("not a real number")
	errNoRoom    = errors.New("no room")
)

// room collects when what is in use approaches the limit, before the instruction at ip. It reports false when the program
// is out of memory.
func (m *Machine) room(fp, ip up) bool {
	if m.HP+64 <= m.Limit && !everySafepoint {
		return true
	}
	return m.collect(fp, ip)
}

//go:noinline
//go:norace
func (m *Machine) doArith(fp, ip up, fuel int, in uint64) (up, up, int) {
	op := code.Op(uint8(in))
	if op == code.DIV {
		return m.doRatio(fp, ip, fuel, in)
	}
	if !m.room(fp, unsafe.Add(ip, -8)) {
		return m.exhausted(fp, ip, fuel, "memory")
	}
	x, y := *rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftC)
	r, err := m.arith(op, x, y)
	if err == errNoRoom && m.collectAfterTry(fp, unsafe.Add(ip, -8)) {
		x, y = *rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftC)
		r, err = m.arith(op, x, y)
	}
	fuel -= m.paid()
	if err != nil {
		return m.arithFault(fp, ip, fuel, in, x, y, err)
	}
	if op == code.ADDRET {
		return m.ret(fp, r, fuel)
	}
	*rg(fp, in>>code.ShiftA&0xffff) = r
	return fp, ip, fuel
}

//go:noinline
//go:norace
func (m *Machine) doAddImmediate(fp, ip up, fuel int, in uint64) (up, up, int) {
	if !m.room(fp, unsafe.Add(ip, -8)) {
		return m.exhausted(fp, ip, fuel, "memory")
	}
	op := code.Op(uint8(in))
	x, y := *rg(fp, in>>code.ShiftB&0xffff), heap.Fixnum(int64(in)>>code.ShiftC)
	r, err := m.arith(code.ADD, x, y)
	if err == errNoRoom && m.collectAfterTry(fp, unsafe.Add(ip, -8)) {
		x = *rg(fp, in>>code.ShiftB&0xffff)
		r, err = m.arith(code.ADD, x, y)
	}
	fuel -= m.paid()
	if err != nil {
		return m.arithFault(fp, ip, fuel, in, x, y, err)
	}
	if op == code.ADDIRET {
		return m.ret(fp, r, fuel)
	}
	*rg(fp, in>>code.ShiftA&0xffff) = r
	return fp, ip, fuel
}

// ret returns v from the frame at fp.
func (m *Machine) ret(fp up, v heap.Word, fuel int) (up, up, int) {
	ri := *rg(fp, 8)
	*rg(fp, 0) = v
	return unsafe.Add(fp, -int(ri&0xffff)), ca(m.mem, ri>>16), fuel
}

// arith is x op y for any numbers.
func (m *Machine) arith(op code.Op, x, y heap.Word) (heap.Word, error) {
	if op == code.ADDRET || op == code.ADDI {
		op = code.ADD
	}
	if heap.IsFixnum(x) && heap.IsFixnum(y) {
		return m.arithFixnum(op, heap.FixnumValue(x), heap.FixnumValue(y)), nil
	}
	f, fok := m.real(x)
	g, gok := m.real(y)
	if fok && gok {
		switch op {
		case code.ADD:
			return m.Flonum(f + g), nil
		case code.SUB:
			return m.Flonum(f - g), nil
		}
		return m.Flonum(f * g), nil
	}
	return m.arithAny(op, x, y)
}

// real is the value of a fixnum or flonum as a flonum. Fixnums beyond 2^53 are left to package number: rounding is its business.
func (m *Machine) real(w heap.Word) (float64, bool) {
	if heap.IsFixnum(w) {
		i := heap.FixnumValue(w)
		return float64(i), i == int64(float64(i))
	}
	return m.FlonumValue(w)
}

func (m *Machine) arithFixnum(op code.Op, a, b int64) heap.Word {
	switch op { // 61-bit operands: sums and differences fit 64 bits
	case code.ADD:
		return m.FromInt(a + b)
	case code.SUB:
		return m.FromInt(a - b)
	}
	hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
	if hi == 0 && lo <= heap.MaxFixnum {
		return heap.Fixnum(a * b)
	}
	x, y, z := m.Scratch()
	return m.FromBig(z.Mul(x.SetInt64(a), y.SetInt64(b)))
}

func (m *Machine) arithAny(op code.Op, x, y heap.Word) (heap.Word, error) {
	var u, v big.Int
	p, q := &u, &v
	_, _, z := m.Scratch()
	if m.Integer(x, p) && m.Integer(y, q) {
		if p.BitLen()+q.BitLen() > number.MaxBits {
			return 0, errNoRoom
		}
		size := uint64(max(p.BitLen(), q.BitLen()))/8 + 16
		if op == code.MUL {
			size = uint64(p.BitLen()+q.BitLen())/8 + 16
			m.ctx.Charge(uint64(p.BitLen()/64+1) * uint64(q.BitLen()/64+1) / 16)
		}
		if !m.ctx.Room(size) {
			return 0, errNoRoom
		}
		switch op {
		case code.ADD:
			z.Add(p, q)
		case code.SUB:
			z.Sub(p, q)
		default:
			z.Mul(p, q)
		}
		return m.FromBig(z), nil
	}
	a, aok := m.Complex(x)
	b, bok := m.Complex(y)
	if !aok || !bok {
		return 0, errNotNumber
	}
	both := number.BitLen(a) + number.BitLen(b)
	if both > number.MaxRatioBits || !m.ctx.Room(uint64(both)/4+64) {
		return 0, errNoRoom
	}
	m.ctx.Charge(uint64(both/64+1) * uint64(both/64+1) / 16)
	switch op {
	case code.ADD:
		return m.FromNumber(number.Add(a, b)), nil
	case code.SUB:
		return m.FromNumber(number.Sub(a, b)), nil
	}
	return m.FromNumber(number.Mul(a, b)), nil
}

// arithFault explains why the instruction in refused its operands, in the program's words.
func (m *Machine) arithFault(fp, ip up, fuel int, in uint64, x, y heap.Word, err error) (up, up, int) {
	op := code.Plain(code.Op(uint8(in)))
	name := operation[op]
	switch note := in >> code.ShiftX & (code.NoteRight | code.NoteMinus); {
	case op == code.CALLGADDI || op == code.CALLKADDI: // its X is the constant: what was written is not known
		if int64(y) < 0 {
			name = "-"
		}
		if err == errNotNumber {
			return m.fault(fp, ip, fuel, "type-error", name+": every argument must be a number", x)
		}
	case op == code.ADDI || op == code.ADDIRET || op >= code.ADDLT && op <= code.ADDNLT:
		switch note {
		case code.NoteRight:
			x, y = y, x
		case code.NoteMinus:
			name, y = "-", -y
		}
	case note == code.NoteSwapped:
		name, x, y = mirrored[name], y, x
	}
	return m.arithFaultAs(fp, ip, fuel, name, "a number", x, y, err)
}

// mirrored are the operators that say the same of operands in the other order.
var mirrored = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "+": "+", "*": "*"}

func (m *Machine) arithFaultAs(fp, ip up, fuel int, name, want string, x, y heap.Word, err error) (up, up, int) {
	switch {
	case errors.Is(err, errNoRoom):
		return m.fault(fp, ip, fuel, "memory-error", name+": the result does not fit the memory limit")
	case errors.Is(err, number.ErrDivideByZero):
		return m.fault(fp, ip, fuel, "divide-by-zero", name+": division by zero", x, y)
	}
	bad := 0
	if err == errNotReal {
		want = "a real number"
	}
	if m.IsNumber(x) && (want == "a number" || want == "a real number" && !m.IsComplex(x) || m.isInteger(x)) {
		bad = 1
	}
	return m.wrongArgument(fp, ip, fuel, name, "", []heap.Word{x, y}, bad, want)
}

func (m *Machine) isInteger(w heap.Word) bool {
	n, ok := m.Number(w)
	return ok && number.IsInteger(n)
}

//go:noinline
//go:norace
func (m *Machine) doDivide(fp, ip up, fuel int, in uint64) (up, up, int) {
	op := code.Op(uint8(in))
	x, y := *rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftC)
	if (x|y)&heap.TagMask == 0 && y != 0 {
		a, b := int64(x)>>3, int64(y)>>3
		var r int64
		switch op {
		case code.QUO:
			r = a / b
		case code.REM:
			r = a % b
		default:
			if r = a % b; r != 0 && r^b < 0 {
				r += b
			}
		}
		if heap.FitsFixnum(r) {
			*rg(fp, in>>code.ShiftA&0xffff) = heap.Fixnum(r)
			return fp, ip, fuel
		}
	}
	if !m.room(fp, unsafe.Add(ip, -8)) {
		return m.exhausted(fp, ip, fuel, "memory")
	}
	x, y = *rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftC) // they may have moved
	r, err := m.divide(op, x, y)
	if err == errNoRoom && m.collectAfterTry(fp, unsafe.Add(ip, -8)) {
		x, y = *rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftC)
		r, err = m.divide(op, x, y)
	}
	fuel -= m.paid()
	if err != nil {
		return m.arithFaultAs(fp, ip, fuel, operation[op], "an integer", x, y, err)
	}
	*rg(fp, in>>code.ShiftA&0xffff) = r
	return fp, ip, fuel
}

func (m *Machine) divide(op code.Op, x, y heap.Word) (heap.Word, error) {
	if m.Is(x, heap.KindBignum) && heap.IsFixnum(y) && y != 0 {
		if n := m.Size(x); m.ctx.Room(n*8 + 16) {
			m.ctx.Charge(n / 16)
			return m.divideSmall(op, x, heap.FixnumValue(y)), nil
		}
	}
	var u, v big.Int
	if p, q := &u, &v; m.Integer(x, p) && m.Integer(y, q) && q.Sign() != 0 {
		return m.divideBig(op, p, q)
	}
	a, aok := m.Number(x)
	b, bok := m.Number(y)
	if !aok || !bok {
		return 0, errNotNumber
	}
	la, lb := uint64(number.BitLen(a)), uint64(number.BitLen(b))
	m.ctx.Charge((la/64 + 1) * (lb/64 + 1) / 16)
	if !m.ctx.Room(la/8 + lb/8 + 64) {
		return 0, errNoRoom
	}
	var r number.Number
	var err error
	switch op {
	case code.QUO:
		r, err = number.Quotient(a, b)
	case code.REM:
		r, err = number.Remainder(a, b)
	default:
		r, err = number.Modulo(a, b)
	}
	if err != nil {
		return 0, err
	}
	return m.FromNumber(r), nil
}

// divideBig divides by q, which is not 0.
func (m *Machine) divideBig(op code.Op, p, q *big.Int) (heap.Word, error) {
	lp, lq := uint64(p.BitLen()), uint64(q.BitLen())
	m.ctx.Charge((lp/64 + 1) * (lq/64 + 1) / 16)
	if !m.ctx.Room(lp/8 + lq/8 + 64) {
		return 0, errNoRoom
	}
	_, r, z := m.Scratch()
	z.QuoRem(p, q, r)
	switch {
	case op == code.QUO:
		return m.FromBig(z), nil
	case op == code.MOD && r.Sign() != 0 && r.Sign() != q.Sign():
		r.Add(r, q)
	}
	return m.FromBig(r), nil
}

// divideSmall divides a bignum by a fixnum other than 0.
func (m *Machine) divideSmall(op code.Op, x heap.Word, y int64) heap.Word {
	d := uint64(max(y, -y))
	if op == code.QUO {
		return m.BigQuotient(x, d, m.Arena.Load(x-heap.TagObject)>>63 != 0 != (y < 0))
	}
	rest, negative := m.BigRemainder(x, d)
	r := int64(rest)
	if negative {
		r = -r
	}
	if op == code.MOD && r != 0 && negative != (y < 0) {
		r += y
	}
	return heap.Fixnum(r)
}

// compare orders two real numbers: less and equal; both are false with a NaN. Others are equal or not, with errNotReal.
func (m *Machine) compare(x, y heap.Word) (less, equal bool, err error) {
	f, fok := m.real(x)
	g, gok := m.real(y)
	if fok && gok {
		return f < g, f == g, nil
	}
	var u, v big.Int
	p, q := &u, &v
	if m.Integer(x, p) && m.Integer(y, q) {
		c := p.Cmp(q)
		return c < 0, c == 0, nil
	}
	a, aok := m.Complex(x)
	b, bok := m.Complex(y)
	switch {
	case !aok || !bok:
		return false, false, errNotNumber
	case !number.IsReal(a) || !number.IsReal(b):
		return false, number.Equal(a, b), errNotReal
	}
	c, ok := number.Compare(a, b)
	return ok && c < 0, ok && c == 0, nil
}

//go:noinline
//go:norace
func (m *Machine) doCompare(fp, ip up, fuel int, in uint64) (up, up, int) {
	x, y := *rg(fp, in>>code.ShiftA&0xffff), *rg(fp, in>>code.ShiftB&0xffff)
	less, equal, err := m.compare(x, y)
	op := code.Op(uint8(in))
	if err != nil && !(err == errNotReal && operation[code.Plain(op)] == "=") {
		return m.arithFault(fp, ip, fuel, in, x, y, err)
	}
	var holds bool
	switch plain := code.Plain(op); plain {
	case code.JLT, code.JNLT:
		holds = less
	case code.JLE, code.JNLE:
		holds = less || equal
	default:
		holds = equal
	}
	return m.branch(fp, ip, fuel, in, holds != ((code.Plain(op)-code.JLT)&1 == 1))
}

//go:noinline
//go:norace
func (m *Machine) doCompareImmediate(fp, ip up, fuel int, in uint64) (up, up, int) {
	x, y := *rg(fp, in>>code.ShiftA&0xffff), heap.Fixnum(int64(int16(in>>code.ShiftB)))
	less, equal, err := m.compare(x, y)
	op := code.Op(uint8(in))
	if err != nil && !(err == errNotReal && operation[code.Plain(op)] == "=") {
		return m.arithFault(fp, ip, fuel, in, x, y, err)
	}
	nan := false
	if f, ok := m.FlonumValue(x); ok {
		nan = f != f
	}
	var holds bool
	switch plain := code.Plain(op); plain {
	case code.JLTI, code.JNLTI:
		holds = less
	case code.JLEI, code.JNLEI:
		holds = less || equal
	case code.JGTI, code.JNGTI:
		holds = !less && !equal && !nan
	case code.JGEI, code.JNGEI:
		holds = !less && !nan
	default:
		holds = equal
	}
	return m.branch(fp, ip, fuel, in, holds != ((code.Plain(op)-code.JLTI)&1 == 1))
}

// branch takes a conditional jump of the short form, polled where the instruction is.
func (m *Machine) branch(fp, ip up, fuel int, in uint64, taken bool) (up, up, int) {
	if !taken {
		return fp, ip, fuel
	}
	ip = unsafe.Add(ip, int64(in)>>code.ShiftC*8)
	if code.Op(uint8(in)) >= code.POLLED {
		if fuel--; fuel < 0 {
			return m.poll(fp, ip, fuel, in)
		}
	}
	return fp, ip, fuel
}
