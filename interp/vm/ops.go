package vm

import (
	"fmt"
	"strings"
	"unsafe"

	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines the slow paths of instructions on data.

//go:noinline
//go:norace
func (m *Machine) doClosure(fp, ip up, fuel int, in uint64) (up, up, int) {
	entry := in >> code.ShiftD
	info := code.Info(*ld(m.mem, entry, -8))
	n := uint64(info.Captures())
	hp := m.HP
	if hp+(n+2)*8 > m.Limit {
		return m.collectRetry(fp, ip, fuel, in)
	}
	m.HP = hp + (n+2)*8
	*rg(m.mem, hp) = heap.Header(heap.KindClosure, n+1)
	*rg(m.mem, hp+8) = code.Entry(entry, info)
	self := ca(m.mem, *rg(fp, 0)-heap.TagClosure)
	dst := ca(m.mem, hp+16)
	for words := in >> code.ShiftX & 0xff; words > 0; words-- {
		cap := *(*uint64)(ip)
		ip = unsafe.Add(ip, 8)
		flags := cap >> code.ShiftX & 0xff
		for i := 0; i < 3; i++ {
			cap >>= 16
			operand := cap & 0xffff
			if operand == 0xffff {
				break
			}
			if n == 0 {
				return m.badInstruction(fp, ip, fuel, in)
			}
			n--
			from := fp
			if flags&1 != 0 {
				from = self
			}
			*(*uint64)(dst) = *rg(from, operand)
			dst = unsafe.Add(dst, 8)
			flags >>= 1
		}
	}
	for ; n > 0; n-- { // to be patched: until then a valid word
		*(*uint64)(dst) = heap.Unbound
		dst = unsafe.Add(dst, 8)
	}
	*rg(fp, in>>code.ShiftA&0xffff) = hp + heap.TagClosure
	return fp, ip, fuel
}

//go:noinline
//go:norace
func (m *Machine) doCase(fp, ip up, fuel int, in uint64) (up, up, int) {
	n := in >> code.ShiftX & 0xff
	hp := m.HP
	if hp+(n+2)*8 > m.Limit {
		return m.collectRetry(fp, ip, fuel, in)
	}
	m.HP = hp + (n+2)*8
	*rg(m.mem, hp) = heap.Header(heap.KindClosure, n+1)
	*rg(m.mem, hp+8) = stubCase | code.VariadicArity<<48
	b := in >> code.ShiftB & 0xffff
	for i := range n {
		*rg(m.mem, hp+16+i*8) = *rg(fp, b+i*8)
	}
	*rg(fp, in>>code.ShiftA&0xffff) = hp + heap.TagClosure
	return fp, ip, fuel
}

//go:noinline
//go:norace
func (m *Machine) doStringRef(fp, ip up, fuel int, in uint64) (up, up, int) {
	s, i := *rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftC)
	if !m.IsString(s) || !heap.IsFixnum(i) || uint64(heap.FixnumValue(i)) >= uint64(m.StringLen(s)) {
		return m.wrongType(fp, ip, fuel, in)
	}
	*rg(fp, in>>code.ShiftA&0xffff) = heap.Char(m.StringRef(s, int(heap.FixnumValue(i))))
	return fp, ip, fuel
}

// isA reports whether w is a record of type rtd or of one derived from it.
func (m *Machine) isA(w, rtd heap.Word) bool {
	if !m.Is(w, heap.KindRecord) || m.Size(w) == 0 {
		return false
	}
	for t, depth := m.Field(w, 0), 0; depth < 100; depth++ {
		if t == rtd {
			return true
		}
		if !m.IsType(t, heap.TypeRtd) || m.Size(t) <= heap.RtdParent {
			return false
		}
		t = m.Field(t, heap.RtdParent)
	}
	return false
}

//go:noinline
//go:norace
func (m *Machine) doRecordRef(fp, ip up, fuel int, in uint64) (up, up, int) {
	w, rtd := *rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftX&0xff*8)
	i := in >> code.ShiftC
	if !m.isA(w, rtd) || i >= m.Size(w) {
		return m.wrongRecord(fp, ip, fuel, rtd, w, i, "")
	}
	*rg(fp, in>>code.ShiftA&0xffff) = m.Field(w, int(i))
	return fp, ip, fuel
}

//go:noinline
//go:norace
func (m *Machine) doRecordSet(fp, ip up, fuel int, in uint64) (up, up, int) {
	w, rtd := *rg(fp, in>>code.ShiftA&0xffff), *rg(fp, in>>code.ShiftX&0xff*8)
	i := in >> code.ShiftC
	if !m.isA(w, rtd) || i >= m.Size(w) || !heap.Mutable(w) {
		return m.wrongRecord(fp, ip, fuel, rtd, w, i, "set ")
	}
	m.SetField(w, int(i), *rg(fp, in>>code.ShiftB&0xffff))
	return fp, ip, fuel
}

//go:noinline
//go:norace
func (m *Machine) doRecordTest(fp, ip up, fuel int, in uint64) (up, up, int) {
	w, rtd := *rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftC)
	*rg(fp, in>>code.ShiftA&0xffff) = heap.Bool(m.isA(w, rtd))
	return fp, ip, fuel
}

// doRecordJump jumps by whether a record is one of another type's descendants.
//
//go:noinline
//go:norace
func (m *Machine) doRecordJump(fp, ip up, fuel int, in uint64) (up, up, int) {
	if m.isA(*rg(fp, in>>code.ShiftA&0xffff), *rg(fp, in>>code.ShiftB&0xffff)) == (code.Op(uint8(in)) == code.JREC) {
		ip = unsafe.Add(ip, int64(in)>>code.ShiftC*8)
	}
	return fp, ip, fuel
}

// wrongRecord fails because w is no record of type rtd.
func (m *Machine) wrongRecord(fp, ip up, fuel int, rtd, w heap.Word, i uint64, verb string) (up, up, int) {
	name, field := "record", ""
	if m.IsType(rtd, heap.TypeRtd) && m.Size(rtd) > heap.RtdFields {
		if n := m.Field(rtd, heap.RtdName); m.IsSymbol(n) {
			name = m.SymbolName(n)
		}
		if f := m.Field(rtd, heap.RtdFields); m.IsVector(f) && i >= 1 && i <= m.Size(f) {
			if s := m.Field(f, int(i-1)); m.IsSymbol(s) {
				field = "'s " + m.SymbolName(s)
			}
		}
	}
	return m.fault(fp, ip, fuel, "type-error", fmt.Sprintf("%s%s%s: argument 1 must be a %s", verb, name, field, name), w)
}

// operation is the name of the procedure that an instruction stands for.
var operation = map[code.Op]string{
	code.CAR: "car", code.CDR: "cdr", code.SETCAR: "set-car!", code.SETCDR: "set-cdr!",
	code.VREF: "vector-ref", code.VSET: "vector-set!", code.VLEN: "vector-length", code.SREF: "string-ref",
	code.BREF: "bytevector-u8-ref", code.BSET: "bytevector-u8-set!",
	code.ADD: "+", code.ADDI: "+", code.ADDLT: "+", code.ADDLTI: "+", code.ADDNEQ: "+", code.ADDNEQI: "+", code.ADDNLT: "+", code.ADDRET: "+", code.ADDIRET: "+", code.CALLGADDI: "+", code.CALLKADDI: "+", code.SUB: "-", code.MUL: "*",
	code.QUO: "quotient", code.REM: "remainder", code.MOD: "modulo",
	code.SLEN: "string-length", code.CINT: "char->integer", code.INTC: "integer->char",
	code.JCLT: "char<?", code.JCNLT: "char<?", code.JCGT: "char>?", code.JCNGT: "char>?", code.JCLE: "char<=?", code.JCNLE: "char<=?",
	code.JCGE: "char>=?", code.JCNGE: "char>=?", code.JCEQ: "char=?", code.JCNEQ: "char=?",
	code.DIV: "/", code.SQRT: "sqrt", code.JODD: "odd?", code.JNODD: "odd?", code.JEVEN: "even?", code.JNEVEN: "even?",
	code.JLT: "<", code.JNLT: "<", code.JLE: "<=", code.JNLE: "<=", code.JEQ: "=", code.JNEQ: "=",
	code.JLTI: "<", code.JNLTI: "<", code.JLEI: "<=", code.JNLEI: "<=", code.JGTI: ">", code.JNGTI: ">",
	code.JGEI: ">=", code.JNGEI: ">=", code.JEQI: "=", code.JNEQI: "=",
}

// byPrimitive does what an instruction does not know, or explains why nobody does, by the primitive of its name.
//
//go:noinline
//go:norace
func (m *Machine) byPrimitive(fp, ip up, fuel int, in uint64) (up, up, int) {
	if m.HP > m.Limit || everySafepoint && m.everyOther() {
		return m.collectRetry(fp, ip, fuel, in)
	}
	op := code.Op(uint8(in))
	name := operation[op]
	x, y, z := in>>code.ShiftA&0xffff, in>>code.ShiftB&0xffff, in>>code.ShiftC // operands: of a jump the first one or two
	n, jump := 1, true
	load := func() (w [3]heap.Word) {
		from := [3]uint64{x, y, z}
		for i := range n {
			w[i] = *rg(fp, from[i])
		}
		return w
	}
	switch {
	case op >= code.JCLT && op <= code.JCNEQ:
		n = 2
	case op >= code.JODD && op <= code.JNEVEN:
	case op == code.DIV || op == code.BREF:
		x, y, n, jump = y, z, 2, false
	case op == code.BSET:
		n, jump = 3, false
	default:
		x, jump = y, false
	}
	if op == code.REAL {
		name = code.RealFunctions[in>>code.ShiftX&0xff]
	}
	number, ok := 0, false
	if m.cfg.Prims != nil {
		number, ok = m.cfg.Prims.Lookup(name)
	}
	args := load()
	if !ok {
		return m.fault(fp, ip, fuel, "type-error", name+": an argument is of the wrong type", args[:n]...)
	}
	p := &m.cfg.Prims.Rows[number]
	m.ctx.Prim, m.primFP, m.primIP = p, fp, ip
	v := p.Fn(&m.ctx, args[:n])
	if v == heap.Raised && m.again(fp, m.info(fp).Regs()) {
		args = load()
		v = p.Fn(&m.ctx, args[:n])
	}
	m.ctx.Prim = nil
	fuel -= int(m.ctx.Fuel)
	m.ctx.Fuel = 0
	switch {
	case v == heap.Raised:
		return m.primFault(fp, ip, fuel)
	case op == code.BSET:
	case !jump:
		*rg(fp, in>>code.ShiftA&0xffff) = v
	case v != heap.False != ((op-code.JCLT)&1 == 1):
		if n == 1 {
			ip = unsafe.Add(ip, int64(in)>>code.ShiftD*8)
		} else {
			ip = unsafe.Add(ip, int64(in)>>code.ShiftC*8)
		}
	}
	return fp, ip, fuel
}

// wrongType explains why an instruction on pairs, vectors or strings refused its operands.
//
//go:noinline
//go:norace
func (m *Machine) wrongType(fp, ip up, fuel int, in uint64) (up, up, int) {
	op := code.Op(uint8(in))
	name := operation[op]
	x, i := *rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftC)
	kind, want := heap.KindVector, "a vector"
	switch op {
	case code.CAR, code.CDR:
		return m.wrongArgument(fp, ip, fuel, name, "pair", []heap.Word{x}, 0, "a pair")
	case code.SETCAR, code.SETCDR:
		x = *rg(fp, in>>code.ShiftA&0xffff)
		if heap.IsPair(x) {
			return m.wrongArgument(fp, ip, fuel, name, "pair", []heap.Word{x}, 0, "a pair that is no literal")
		}
		return m.wrongArgument(fp, ip, fuel, name, "pair", []heap.Word{x}, 0, "a pair")
	case code.VSET:
		x, i = *rg(fp, in>>code.ShiftA&0xffff), *rg(fp, in>>code.ShiftB&0xffff)
		if m.IsVector(x) && !heap.Mutable(x) {
			return m.wrongArgument(fp, ip, fuel, name, "vector k value", []heap.Word{x}, 0, "a vector that is no literal")
		}
	case code.SREF:
		kind, want = heap.KindString, "a string"
	}
	params := strings.TrimPrefix(want, "a ") + " k"
	if op == code.VSET {
		params += " value"
	}
	if !m.Is(x, kind) {
		return m.wrongArgument(fp, ip, fuel, name, params, []heap.Word{x, i}, 0, want)
	}
	if !heap.IsFixnum(i) {
		return m.wrongArgument(fp, ip, fuel, name, params, []heap.Word{x, i}, 1, "an exact integer")
	}
	n := int64(m.Size(x))
	if kind == heap.KindString {
		n = int64(m.StringLen(x))
	}
	if n == 0 {
		return m.fault(fp, ip, fuel, "range-error", name+": argument 1 is empty", x, i)
	}
	return m.fault(fp, ip, fuel, "range-error", fmt.Sprintf("%s: argument 2 must be from 0 to %d", name, n-1), i)
}

// wrongPair explains which of the two pairs of CADR or CDDR is none.
//
//go:noinline
//go:norace
func (m *Machine) wrongPair(fp, ip up, fuel int, in uint64) (up, up, int) {
	name, x := "cdr", *rg(fp, in>>code.ShiftB&0xffff)
	if heap.IsPair(x) {
		if x = m.Cdr(x); code.Op(uint8(in)) == code.CADR {
			name = "car"
		}
	}
	return m.wrongArgument(fp, ip, fuel, name, "pair", []heap.Word{x}, 0, "a pair")
}

// unbound explains a global that has no value.
//
//go:noinline
//go:norace
func (m *Machine) unbound(fp, ip up, fuel int, in uint64) (up, up, int) {
	slot := int(in>>code.ShiftD-heap.GlobalBase) / 8
	return m.unboundSlot(fp, ip, fuel, slot)
}

func (m *Machine) unboundSlot(fp, ip up, fuel int, slot int) (up, up, int) {
	if m.cfg.Undefined != nil {
		if name, hints := m.cfg.Undefined(slot); name != "" {
			return m.faultWith(fp, ip, fuel, m.newCondition("unbound", name+" is not defined", heap.Null, m.hinted(hints...)))
		}
	}
	name := m.globalName(slot)
	if name == "" {
		return m.fault(fp, ip, fuel, "unbound", "this variable has no value yet")
	}
	return m.fault(fp, ip, fuel, "unbound", name+" has no value yet: no definition of it has run")
}

// unboundLocal explains a letrec variable that was used before its initialisation.
//
//go:noinline
//go:norace
func (m *Machine) unboundLocal(fp, ip up, fuel int, in uint64) (up, up, int) {
	return m.fault(fp, ip, fuel, "unbound", "a local variable was used before it was given its value")
}

// globalName is what a global slot is called, "" if nobody knows.
func (m *Machine) globalName(slot int) string {
	if m.image != nil {
		if n := m.image.name(slot); n != "" {
			return n
		}
	}
	if n, ok := m.names[slot]; ok {
		return n
	}
	if m.cfg.GlobalName != nil {
		return m.cfg.GlobalName(slot)
	}
	return ""
}

//go:noinline
//go:norace
func (m *Machine) badInstruction(fp, ip up, fuel int, in uint64) (up, up, int) {
	panic(heap.ErrCorrupt)
}
