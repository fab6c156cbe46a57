package vm

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"caper/interp/code"
	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines calls that the run loop does not do itself: of procedures with optional or rest arguments, of
// primitives and the machine's own procedures, of continuations and parameters, and of what cannot be called.

// doCall is the slow path of all call instructions.
//
//go:noinline
//go:norace
func (m *Machine) doCall(fp, ip up, fuel int, in uint64) (up, up, int) {
	if m.HP > m.Limit || everySafepoint && m.everyOther() {
		return m.collectRetry(fp, ip, fuel, in)
	}
	op := code.Op(uint8(in))
	a, argc := in>>code.ShiftA&0xffff, int(in>>code.ShiftB&0xffff)
	var f heap.Word
	switch op {
	case code.CALLG, code.TCALLG:
		f = *rg(m.mem, in>>code.ShiftC<<3+heap.GlobalBase)
	case code.CALLGADDI, code.CALLKADDI:
		x, y := *rg(fp, in>>code.ShiftB&0xffff), heap.Fixnum(int64(int8(in>>code.ShiftX)))
		r, err := m.arith(code.ADD, x, y)
		fuel -= m.paid()
		if err != nil {
			return m.arithFault(fp, ip, fuel, in, x, y, err)
		}
		if f, argc = *rg(m.mem, in>>code.ShiftC<<3+heap.GlobalBase), 1; op == code.CALLKADDI {
			f = *rg(ip, uint64(int64(in)>>code.ShiftC*8-16))
		}
		*rg(fp, a+16) = r
	default:
		f = *rg(fp, a)
	}
	if heap.IsClosure(f) {
		e := *ld(m.mem, f, 8-heap.TagClosure)
		if uint32(e) == stubCase {
			if c := m.fixedClause(f, argc); c != heap.False {
				f = c
				e = *ld(m.mem, f, 8-heap.TagClosure)
			}
		}
		first := *ld(m.mem, e, 0)
		ok := false
		if code.Op(uint8(first)) != code.ENTER {
			if e>>48 == uint64(argc) {
				return m.goTo(fp, ip, fuel, in, f, a, argc)
			}
			fp, ip, fuel, ok = m.goRest(fp, ip, fuel, in, f, e, a, argc)
		} else {
			tail := op == code.TCALL || op == code.TCALLG
			switch first >> code.ShiftX & 0xff {
			case subApply:
				if argc > 1 {
					fp, ip, fuel, ok = m.goApply(fp, ip, fuel, in, a, argc)
				}
			case subCallCC:
				if argc == 1 {
					return m.goCallCC(fp, ip, fuel, in, a)
				}
			case subPrim:
				if p := m.primitive(first); !tail && p != nil && argc >= p.Min && (p.Max < 0 || argc <= p.Max) {
					return m.callPrim(fp, ip, fuel, in, p, a, argc)
				}
			}
		}
		if ok {
			return fp, ip, fuel
		}
	} else if argc == 1 && m.isReified(f) && m.near(f) {
		fp, ip, fuel = m.goOn(f, *rg(fp, a+16), fuel-1)
		if fuel < 0 && !m.stopped {
			return m.poll(fp, ip, fuel, uint64(code.CALL)) // wherever it was called, it returned into the chain
		}
		return fp, ip, fuel
	}
	if !m.accepts(f, argc) {
		slot := -1
		if op != code.CALL && op != code.TCALL {
			slot = int(in >> code.ShiftC)
		}
		if f == heap.Unbound && slot >= 0 {
			return m.unboundSlot(fp, ip, fuel, slot)
		}
		return m.faultWith(fp, ip, fuel, m.cannotCall(f, slot, unsafe.Slice(rg(fp, a+16), argc)))
	}
	if op == code.TCALL || op == code.TCALLG {
		*rg(fp, 0) = f
		copy(unsafe.Slice(rg(fp, 16), argc), unsafe.Slice(rg(fp, a+16), argc))
	} else {
		fp = unsafe.Add(fp, a)
		*rg(fp, 0) = f
		*rg(fp, 8) = m.off(ip)<<16 | a
	}
	fp, ip, fuel = m.enterChecked(fp, argc, fuel, true)
	if m.stopped {
		return fp, ip, fuel
	}
	if fuel--; fuel < 0 || uintptr(fp) > m.limit {
		return m.poll(fp, ip, fuel, in)
	}
	return fp, ip, fuel
}

// goTo enters f, a procedure of just so many arguments that is no native, as the call instruction in says.
func (m *Machine) goTo(fp, ip up, fuel int, in uint64, f heap.Word, a uint64, argc int) (up, up, int) {
	if op := code.Op(uint8(in)); op == code.TCALL || op == code.TCALLG {
		for i := uint64(0); i < uint64(argc)*8; i += 8 {
			*rg(fp, 16+i) = *rg(fp, a+16+i)
		}
	} else {
		fp = unsafe.Add(fp, a)
		*rg(fp, 8) = m.off(ip)<<16 | a
	}
	*rg(fp, 0) = f
	ip = ca(m.mem, *ld(m.mem, f, 8-heap.TagClosure))
	if fuel--; fuel < 0 || uintptr(fp) > m.limit {
		return m.poll(fp, ip, fuel, in)
	}
	return fp, ip, fuel
}

// callPrim runs a primitive that was called as a procedure, not last, where PRIM would.
func (m *Machine) callPrim(fp, ip up, fuel int, in uint64, p *prim.Prim, a uint64, argc int) (up, up, int) {
	m.ctx.Prim, m.primFP, m.primIP = p, fp, ip
	v := p.Fn(&m.ctx, unsafe.Slice(rg(fp, a+16), argc))
	if v == heap.Raised && m.again(fp, m.info(fp).Regs()) {
		v = p.Fn(&m.ctx, unsafe.Slice(rg(fp, a+16), argc))
	}
	m.ctx.Prim = nil
	fuel -= int(m.ctx.Fuel) + 1
	m.ctx.Fuel = 0
	if v == heap.Raised {
		return m.primFault(fp, ip, fuel)
	}
	*rg(fp, a) = v
	if fuel < 0 {
		return m.poll(fp, ip, fuel, in)
	}
	return fp, ip, fuel
}

// fixedClause is the clause of a case-lambda that takes argc arguments and no rest, when no clause before it could take
// them; else #f.
func (m *Machine) fixedClause(f heap.Word, argc int) heap.Word {
	n := heap.HeaderLen(*ld(m.mem, f, -heap.TagClosure))
	for i := uint64(1); i < n; i++ {
		c := *ld(m.mem, f+i*8, 8-heap.TagClosure)
		if c&heap.TagMask != heap.TagClosure {
			return heap.False
		}
		switch *ld(m.mem, c, 8-heap.TagClosure) >> 48 {
		case uint64(argc):
			return c
		case code.VariadicArity:
			return heap.False
		}
	}
	return heap.False
}

// closureInfo is the info word of a closure's entry.
func (m *Machine) closureInfo(f heap.Word) code.Info {
	return code.Info(*ld(m.mem, *ld(m.mem, f, 8-heap.TagClosure), -8))
}

// accepts reports whether f can be called with argc arguments.
func (m *Machine) accepts(f heap.Word, argc int) bool {
	if !heap.IsClosure(f) {
		return m.isReified(f) || argc == 0 && m.IsType(f, heap.TypeParameter)
	}
	e := *ld(m.mem, f, 8-heap.TagClosure)
	if e>>48 != code.VariadicArity {
		return e>>48 == uint64(argc)
	}
	info := code.Info(*ld(m.mem, e, -8))
	switch {
	case info.Case():
		return m.clause(f, argc) != heap.False
	}
	if argc < info.Required() {
		return false
	}
	if most := m.nativeMost(f); most >= 0 {
		return argc <= most
	}
	return true
}

// clause is the first clause of a case-lambda that takes argc arguments, #f if none does.
func (m *Machine) clause(f heap.Word, argc int) heap.Word {
	for _, c := range m.Fields(f)[1:] {
		if heap.IsClosure(c) && !m.closureInfo(c).Case() && m.accepts(c, argc) {
			return c
		}
	}
	return heap.False
}

// nativeOp is the first instruction of a closure's code when it is a native's, else 0.
func (m *Machine) nativeOp(f heap.Word) uint64 {
	in := *ld(m.mem, *ld(m.mem, f, 8-heap.TagClosure), 0)
	if code.Op(uint8(in)) == code.ENTER {
		return in
	}
	return 0
}

// nativeMost is the largest number of arguments that a native takes, -1: any, or it is none.
func (m *Machine) nativeMost(f heap.Word) int {
	return int(m.nativeOp(f)>>code.ShiftB&0xffff) - 1
}

// primitive is the row that a PRIM or ENTER instruction names, nil if there is none.
func (m *Machine) primitive(in uint64) *prim.Prim {
	if i := int(in >> code.ShiftC); m.cfg.Prims != nil && i < len(m.cfg.Prims.Rows) {
		return &m.cfg.Prims.Rows[i]
	}
	return nil
}

// enter starts the procedure in slot 0 of the frame at fp, whose return word is set, with argc arguments in place.
func (m *Machine) enter(fp up, argc int, fuel int) (up, up, int) {
	return m.enterChecked(fp, argc, fuel, false)
}

// enterChecked is enter; checked says that the procedure is known to take so many arguments.
func (m *Machine) enterChecked(fp up, argc int, fuel int, checked bool) (up, up, int) {
	for ; ; checked = false {
		f := *rg(fp, 0)
		if !checked && !m.accepts(f, argc) {
			c := m.cannotCall(f, -1, unsafe.Slice(rg(fp, 16), argc))
			return m.replaceByFault(fp, fuel, c)
		}
		if !heap.IsClosure(f) {
			return m.enterOther(fp, f, argc, fuel)
		}
		info := m.closureInfo(f)
		if info.Case() {
			*rg(fp, 0) = m.clause(f, argc)
			continue
		}
		if in := m.nativeOp(f); in != 0 {
			if int(in>>code.ShiftX&0xff) == subPrim {
				return m.enterPrim(fp, argc, fuel, in)
			}
			var ip up
			if fp, ip, fuel, argc = m.enterNative(fp, int(in>>code.ShiftX&0xff), argc, fuel); argc < 0 {
				return fp, ip, fuel
			}
			continue
		}
		if info.Rest() {
			list := heap.Null
			for i := argc; i > info.Required(); i-- {
				list = m.Cons(*rg(fp, uint64(i+1)*8), list)
			}
			*rg(fp, uint64(info.Required()+2)*8) = list
		}
		return fp, ca(m.mem, *ld(m.mem, f, 8-heap.TagClosure)), fuel
	}
}

// enterOther calls a continuation or a parameter.
func (m *Machine) enterOther(fp up, f heap.Word, argc, fuel int) (up, up, int) {
	if m.Is(f, heap.KindCont) {
		return m.throw(fp, f, unsafe.Slice(rg(fp, 16), argc), fuel)
	}
	return m.ret(fp, m.parameterValue(f), fuel)
}

// parameterValue looks a parameter up in the fiber's dynamic environment, an alist.
func (m *Machine) parameterValue(p heap.Word) heap.Word {
	for l := m.root[rootParameters]; heap.IsPair(l); l = m.Cdr(l) {
		if e := m.Car(l); heap.IsPair(e) && m.Car(e) == p {
			return m.Cdr(e)
		}
	}
	return m.Field(p, heap.ParameterValue)
}

// join makes of several values what a procedure returns: one word.
func (m *Machine) join(args []heap.Word) heap.Word {
	if len(args) == 1 {
		return args[0]
	}
	return m.NewOf(heap.KindValues, args...)
}

// doPrim runs a primitive.
//
//go:noinline
//go:norace
func (m *Machine) doPrim(fp, ip up, fuel int, in uint64) (up, up, int) {
	if m.HP > m.Limit || everySafepoint && m.everyOther() {
		return m.collectRetry(fp, ip, fuel, in)
	}
	p := m.primitive(in)
	if p == nil {
		return m.badInstruction(fp, ip, fuel, in)
	}
	m.ctx.Prim, m.primFP, m.primIP = p, fp, ip
	v := p.Fn(&m.ctx, unsafe.Slice(rg(fp, in>>code.ShiftB&0xffff), in>>code.ShiftX&0xff))
	if v == heap.Raised && m.again(fp, m.info(fp).Regs()) {
		v = p.Fn(&m.ctx, unsafe.Slice(rg(fp, in>>code.ShiftB&0xffff), in>>code.ShiftX&0xff))
	}
	m.ctx.Prim = nil
	fuel -= int(m.ctx.Fuel)
	m.ctx.Fuel = 0
	if v == heap.Raised {
		return m.primFault(fp, ip, fuel)
	}
	*rg(fp, in>>code.ShiftA&0xffff) = v
	return fp, ip, fuel
}

// enterPrim runs a primitive that was called as a procedure: its arguments are where a callee's would be.
func (m *Machine) enterPrim(fp up, argc, fuel int, in uint64) (up, up, int) {
	return m.applyPrim(fp, m.primitive(in), unsafe.Slice(rg(fp, 16), argc), fuel)
}

func (m *Machine) applyPrim(fp up, p *prim.Prim, args []heap.Word, fuel int) (up, up, int) {
	m.ctx.Prim, m.primFP, m.primIP = p, fp, nil
	v := p.Fn(&m.ctx, args)
	// Arguments that were too many for a frame are not seen by the collector.
	if v == heap.Raised && len(args) <= mostSpread && m.again(fp, len(args)+2) {
		v = p.Fn(&m.ctx, args)
	}
	m.ctx.Prim = nil
	fuel -= int(m.ctx.Fuel)
	m.ctx.Fuel = 0
	if v == heap.Raised {
		if which := m.ctx.Fault.Exhausted; which != "" {
			return m.exhausted(m.callerOf(fp), ca(m.mem, *rg(fp, 8)>>16), fuel, which)
		}
		return m.replaceByFault(fp, fuel, m.primCondition(fp))
	}
	return m.ret(fp, v, fuel)
}

// cannotCall makes the condition for a call of f with arguments that f does not take; slot is the global slot that
// it was called through, or -1.
func (m *Machine) cannotCall(f heap.Word, slot int, args []heap.Word) heap.Word {
	if !m.IsProcedure(f) {
		msg := "call of a value that is no procedure"
		if slot >= 0 {
			if name := m.globalName(slot); name != "" {
				msg = name + " is called, but its value is no procedure"
			}
		}
		data := heap.Null
		if hint := m.instead(f, args); hint != "" {
			data = m.hinted(hint)
		}
		return m.newCondition("type-error", msg, m.List(f), data)
	}
	name, takes := m.signature(f)
	given := strconv.Itoa(len(args)) + " given"
	if name == "" {
		name = "an anonymous procedure"
	}
	irritants := m.List(args...)
	data := m.List(
		m.Cons(m.SymbolOr("procedure"), f),
		m.Cons(m.SymbolOr("given"), heap.Fixnum(int64(len(args)))))
	for _, word := range [...]string{"&optional", "&rest", "&key", "&body", "&aux"} {
		if strings.Contains(takes, word) {
			hint := "optional parameters are written (name default), a list of the rest after a dot: (define (f x (y 1) . rest) ...)"
			data = m.Cons(m.List(m.SymbolOr("hints"), m.NewString(hint)), data)
			break
		}
	}
	if form, ok := strings.CutPrefix(name, "("); ok { // what takes the values of a form
		name, takes = strings.TrimSuffix(form, ")")+": it", strings.Replace(takes, "argument", "value", 1)
	}
	return m.newCondition("arity-error", fmt.Sprintf("%s takes %s, %s", name, takes, given), irritants, data)
}

// instead says what was probably meant by a call of f, which is no procedure.
func (m *Machine) instead(f heap.Word, args []heap.Word) string {
	operator := ""
	for _, a := range args {
		if heap.IsClosure(a) && operator == "" {
			operator, _ = m.signature(a)
		}
	}
	switch {
	case f == heap.Unspecified || len(args) == 0:
		return "each pair of parentheses is a call: without them it is the value"
	case operator != "" && (m.IsNumber(f) || m.IsString(f)):
		return "the procedure comes first: (" + operator + " a b)"
	case m.IsNumber(f) || heap.IsChar(f) || f == heap.True || f == heap.Null:
		return "a list of data is written '(1 2 3) or (list 1 2 3)"
	case m.IsString(f):
		return "a list of data is written (list \"a\" \"b\"), strings are joined with (string-append \"a\" \"b\")"
	case heap.IsPair(f):
		return "an element of a list is taken with (list-ref list k)"
	case m.IsVector(f):
		return "an element of a vector is taken with (vector-ref vector k)"
	case m.Is(f, heap.KindTable):
		return "what a table has is taken with (hash-table-ref/default table key default)"
	case m.IsSymbol(f):
		return "it is a symbol; the procedure of that name is called without the quote"
	case f == heap.False:
		return "#f is what a search answers that found nothing: ask with if before"
	}
	return ""
}

// signature says what a procedure is called and what it takes, for messages: "2 arguments (list k)".
func (m *Machine) signature(f heap.Word) (name, takes string) {
	if !heap.IsClosure(f) {
		return "a parameter", "no arguments"
	}
	info := m.closureInfo(f)
	if info.Case() {
		var forms []string
		for _, clause := range m.Fields(f)[1:] {
			if !heap.IsClosure(clause) || m.closureInfo(clause).Case() {
				continue
			}
			n, t := m.signature(clause)
			if name == "" {
				name = n
			}
			forms = append(forms, t)
		}
		return name, strings.Join(forms, " or ")
	}
	var params []string
	if u := m.unitAt(*ld(m.mem, f, 8-heap.TagClosure) & 0xffffffff); u != nil {
		if q := u.procAt(*ld(m.mem, f, 8-heap.TagClosure) & 0xffffffff); q != nil {
			name, params = q.Name, q.Params
		}
	}
	most := m.nativeMost(f)
	takes = countOf(info.Required(), info.Rest(), most)
	shown := strings.Join(params, " ")
	if in := m.nativeOp(f); in != 0 && int(in>>code.ShiftX&0xff) == subPrim {
		if p := m.primitive(in); p != nil {
			shown = p.Args
		}
	} else if info.Rest() && len(params) > 0 {
		shown = strings.Join(params[:len(params)-1], " ") + " . " + params[len(params)-1]
	}
	if shown != "" {
		takes += " (" + strings.TrimSpace(shown) + ")"
	}
	return name, takes
}

func countOf(least int, more bool, most int) string {
	plural := "s"
	switch {
	case !more || most == least:
		if least == 1 {
			plural = ""
		}
		if least == 0 {
			return "no arguments"
		}
		return fmt.Sprintf("%d argument%s", least, plural)
	case most >= 0:
		return fmt.Sprintf("%d to %d arguments", least, most)
	}
	if least == 1 {
		plural = ""
	}
	return fmt.Sprintf("at least %d argument%s", least, plural)
}
