package vm

import (
	"testing"

	"caper/interp/code"
	"caper/interp/heap"
	"caper/interp/prim"
)

// asm builds units by hand.
type asm struct {
	u code.Unit
}

// proc adds a procedure and answers its number.
func (a *asm) proc(name string, regs, required, captures int, rest bool, words ...uint64) int {
	info := code.NewInfo(regs, required, captures, rest, false)
	a.u.Words = append(a.u.Words, uint64(info))
	start := len(a.u.Words)
	a.u.Words = append(a.u.Words, words...)
	a.u.Words = append(a.u.Words, ins(code.HALT, 0, 0, 0, 0))
	lines := []code.Line{{Word: int32(start), Line: int32(len(a.u.Procs) + 1), Column: 1}}
	params := []string{"a", "b", "c", "d"}[:required]
	if rest {
		params = append(params, "rest")
	}
	a.u.Procs = append(a.u.Procs, code.Proc{Name: name, Start: start, End: len(a.u.Words), Info: info, Lines: lines, Params: params})
	a.u.Files = []code.File{{Name: "hand.scm"}}
	return len(a.u.Procs) - 1
}

// relocate adds a relocation of word w (from the start) of the procedure added last.
func (a *asm) relocate(w int, kind code.RelocKind, arg int) {
	a.u.Relocs = append(a.u.Relocs, code.Reloc{Word: a.u.Procs[len(a.u.Procs)-1].Start + w, Kind: kind, Arg: arg})
}

// define adds a top-level procedure that defines slot as procedure p.
func (a *asm) define(slot, p int) {
	a.u.Consts = append(a.u.Consts, code.Const{Datum: code.Closure{Proc: p}})
	t := a.proc("top", 4, 0, 0, false,
		insD(code.LOADW, 16, 0),
		insD(code.GDEF, 16, int64(heap.GlobalOffset(slot))),
		ins(code.RET, 0, 16, 0, 0))
	a.relocate(0, code.RelocConst, len(a.u.Consts)-1)
	a.u.Top = append(a.u.Top, t)
}

// top adds a top-level procedure.
func (a *asm) top(regs int, words ...uint64) {
	a.u.Top = append(a.u.Top, a.proc("top", regs, 0, 0, false, words...))
}

const slot0 = heap.ImageGlobals // the first private slot

// slots for procedures of Control in builders of tests.
func controlSlot(name string) (int, bool) {
	for i, c := range Control {
		if c.Name == name {
			return 100 + i, true
		}
	}
	return 0, false
}

func newBuilder(t testing.TB, rows ...prim.Prim) *Machine {
	t.Helper()
	m, err := New(Config{Prims: prim.NewTable(rows)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	m.BindPrimitives(controlSlot)
	return m
}

func (a *asm) run(t testing.TB, m *Machine, fuel int64) Step {
	t.Helper()
	n, err := m.Load(&a.u)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Start(n); err != nil {
		t.Fatal(err)
	}
	return m.Run(fuel)
}

func fib(a *asm, n int64) {
	f := a.proc("fib", 12, 1, 0, false,
		ins(code.JNLTI, 0, 16, 2, 1),
		ins(code.RET, 0, 16, 0, 0),
		ins(code.CALLGADDI, 0xff, 24, 16, slot0),
		ins(code.CALLGADDI, 0xfe, 32, 16, slot0),
		ins(code.ADDRET, 0, 0, 24, 32))
	a.define(slot0, f)
	a.top(8,
		insD(code.LOADI, 32, n),
		ins(code.CALLG, 0, 16, 1, slot0),
		ins(code.RET, 0, 16, 0, 0))
}

func TestFib(t *testing.T) {
	var a asm
	fib(&a, 20)
	s := a.run(t, newBuilder(t), 1<<40)
	if s.Kind != Done || s.Value != heap.Fixnum(6765) {
		t.Fatal(s)
	}
}

func TestFuelResumes(t *testing.T) {
	var a asm
	fib(&a, 20)
	m := newBuilder(t)
	s := a.run(t, m, 1000)
	n := 1
	for ; s.Kind == Exhausted && s.Which == "fuel" && n < 1000; n++ {
		s = m.Run(1000)
	}
	if s.Kind != Done || s.Value != heap.Fixnum(6765) || n < 20 {
		t.Fatal(s, n)
	}
	if m.Spent() < 21000 || m.Spent() > 24000 {
		t.Fatal(m.Spent())
	}
}

func TestDeep(t *testing.T) { // (define (count n) (if (= n 0) 0 (+ 1 (count (- n 1)))))
	var a asm
	f := a.proc("count", 10, 1, 0, false,
		ins(code.JNEQI, 0, 16, 0, 1),
		insD(code.RETI, 0, 0),
		ins(code.CALLGADDI, 0xff, 24, 16, slot0),
		ins(code.ADDIRET, 0, 0, 24, 1))
	a.define(slot0, f)
	a.top(8,
		insD(code.LOADI, 32, 1000000),
		ins(code.CALLG, 0, 16, 1, slot0),
		ins(code.RET, 0, 16, 0, 0))
	s := a.run(t, newBuilder(t), 1<<40)
	if s.Kind != Done || s.Value != heap.Fixnum(1000000) {
		t.Fatal(s)
	}
}

func TestConsLoopCollects(t *testing.T) { // builds lists of 100 cells again and again
	var a asm
	a.top(12,
		insD(code.LOADI, 16, 0), // i
		insD(code.LOADI, 24, 0), // l
		ins(code.CONS, 0, 24, 16, 24),
		ins(code.ADDI, 0, 16, 16, 1),
		insD(code.LOADI, 32, 999999),
		ins(code.POLLED+code.JLT-code.JF, 0, 16, 32, 0xfffc),
		ins(code.CAR, 0, 16, 24, 0),
		ins(code.RET, 0, 16, 0, 0))
	m := newBuilder(t)
	s := a.run(t, m, 1<<40)
	if s.Kind != Done || s.Value != heap.Fixnum(999998) || m.Collections == 0 {
		t.Fatal(s, m.Collections)
	}
}

func TestClosures(t *testing.T) { // ((lambda (x) (lambda (y . r) (cons x r))) 1) applied to 2 3 4
	var a asm
	inner := a.proc("inner", 6, 1, 1, true,
		ins(code.FREE, 0, 32, 16, 0),
		ins(code.CONS, 0, 32, 32, 24),
		ins(code.RET, 0, 32, 0, 0))
	start := a.u.Procs[inner].Start
	a.top(14,
		insD(code.LOADI, 16, 1),
		insD(code.CLOSURE, 24, int64(start)*8)|1<<code.ShiftX,
		ins(code.CAPTURE, 0, 16, 0xffff, 0xffff),
		insD(code.LOADI, 40, 2), insD(code.LOADI, 48, 3), insD(code.LOADI, 56, 4),
		ins(code.CALL, 0, 24, 3, 0),
		ins(code.RET, 0, 24, 0, 0))
	a.relocate(1, code.RelocD, 0)
	m := newBuilder(t)
	s := a.run(t, m, 1<<40)
	if got, ok := m.Slice(s.Value, 9); s.Kind != Done || !ok || len(got) != 3 || got[0] != heap.Fixnum(1) || got[2] != heap.Fixnum(4) {
		t.Fatal(s, got)
	}
}
