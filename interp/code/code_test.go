package code_test

import (
	"encoding/binary"
	"errors"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"

	"caper/interp/code"
	"caper/interp/compile"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/number"
	"caper/interp/prim"
	"caper/interp/syntax"
)

const primCount = 6

// sample compiles a program that uses most instructions.
func sample(t testing.TB) *code.Unit {
	t.Helper()
	const text = `
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(define (compose f g) (lambda (x . rest) (f (g x) rest)))
(define (count k) (let ((n 0)) (lambda () (set! n (+ n k)) (list n k 1.5 "text" 'sym '(1 2 #(x)) 12345678901234567890 3/4))))
(define (knot k) (define (a n) (if (= n k) (list a b) (b (- n 1)))) (define (b n) (cons (a n) b)) (a 10))
(define c (case-lambda ((x) x) ((x y) (vector x y 10000000000))))
(define (f v n) (let loop ((i 0) (s '())) (if (< i n) (loop (+ i 1) (cons (vector-ref v i) s)) s)))
(set! c 5)
(letrec ((x (lambda () y)) (y (cons 1 x))) (car y))
`
	rows := []prim.Prim{{Name: "vector", Max: -1}, {Name: "list", Max: -1}}
	for _, n := range []string{"+", "-", "<", "="} {
		rows = append(rows, prim.Prim{Name: n, Max: -1})
	}
	w := expand.NewWorld(nil, expand.NewSlots(0, 1000), nil, expand.Limits{})
	names := []string{"car", "cons", "vector-ref", "vector", "list", "+", "-", "<", "="}
	if err := w.DefinePrimitives("(%primitive)", names); err != nil {
		t.Fatal(err)
	}
	forms, err := syntax.ReadAll(syntax.NewSource("sample.scm", text))
	if err != nil {
		t.Fatal(err)
	}
	res, err := w.NewProgram([]string{"(%syntax)", "(%primitive)"}).Expand(forms)
	if err != nil {
		t.Fatal(err)
	}
	u, err := compile.Compile("sample", res.Units[len(res.Units)-1].Body, compile.Options{Prims: prim.NewTable(rows)})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func copyOf(t testing.TB, u *code.Unit) *code.Unit {
	t.Helper()
	c, err := code.Decode(code.Encode(u))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEncode(t *testing.T) {
	u := sample(t)
	c := copyOf(t, u)
	if c.Hash != u.Hash || c.Hash == [32]byte{} || c.Name != u.Name || !reflect.DeepEqual(c.Words, u.Words) || len(c.Consts) != len(u.Consts) {
		t.Fatal("decoding changed the unit")
	}
	if err := code.Verify(c, primCount); err != nil {
		t.Fatal(err)
	}
	c.Words[1] ^= 1 << 20
	if c.Sum() == u.Hash {
		t.Error("a changed word does not change the hash")
	}
}

func TestDecodeJunk(t *testing.T) {
	good := code.Encode(sample(t))
	for n := range good {
		if _, err := code.Decode(good[:n]); !errors.Is(err, code.ErrEncoding) {
			t.Fatalf("%d of %d bytes: %v", n, len(good), err)
		}
	}
	if _, err := code.Decode(append(good[:len(good):len(good)], 0)); err == nil {
		t.Error("a byte too many is accepted")
	}
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 500
	if os.Getenv("CAPER_FULL") != "" {
		rounds = 20_000
	}
	for range rounds {
		b := append([]byte(nil), good...)
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		if u, err := code.Decode(b); err == nil {
			code.Verify(u, primCount)
			code.Disassemble(u, code.Names{})
		}
	}
}

// Every kind of constant survives, in both directions.
func TestConstants(t *testing.T) {
	huge, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	all := []any{"s", "", code.Symbol("x"), code.Keyword("k"), int64(-5), huge, big.NewRat(-3, 4), 1.5, number.Complex{Re: big.NewRat(1, 2), Im: huge}, number.Complex{Re: int64(0), Im: -0.5}, []byte{1, 2}, []byte{}, 'λ', true, false,
		code.Null{}, code.Void{}, code.Pair{Car: 1, Cdr: 16}, code.Vector{Items: []int{0, 18}}, code.Closure{Proc: 0}}
	u := sample(t)
	u.Consts, u.Relocs = nil, nil
	for _, d := range all {
		u.Consts = append(u.Consts, code.Const{Datum: d})
	}
	c := copyOf(t, u)
	for i, d := range all {
		if !reflect.DeepEqual(c.Consts[i].Datum, d) {
			t.Errorf("%#v became %#v", d, c.Consts[i].Datum)
		}
	}
}

// spoiled are single changes of a good unit that must be refused.
var spoiled = []struct {
	name string
	do   func(u *code.Unit)
}{
	{"unknown instruction", func(u *code.Unit) { u.Words[u.Procs[1].Start] = uint64(code.OpEnd) }},
	{"register outside the frame", func(u *code.Unit) { u.Words[u.Procs[1].Start] = op(code.MOVE, 16, 8*u.Procs[1].Info.Regs(), 0) }},
	{"register offset not a multiple of 8", func(u *code.Unit) { u.Words[u.Procs[1].Start] = op(code.MOVE, 17, 16, 0) }},
	{"window outside the frame", func(u *code.Unit) { u.Words[u.Procs[1].Start] = op(code.CALL, 16, 200, 0) }},
	{"jump outside", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.JMP, 0, 1000) }},
	{"jump backwards without poll", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.JMP, 0, -1) }},
	{"known call of no procedure", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.CALLK, 16, 1) }},
	{"known call without the closure", func(u *code.Unit) {
		u.Words[u.Procs[0].Start] = opD(code.CALLK, 16, -1) | uint64(u.Procs[0].Info.Required())<<code.ShiftX
	}},
	{"known call with an argument too many", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.CALLC, 16, -1) | 99<<code.ShiftX }},
	{"known call outside the frame", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.CALLC, 8*u.Procs[1].Info.Regs(), -1) }},
	{"move of two outside the frame", func(u *code.Unit) { u.Words[u.Procs[1].Start] = op(code.MOVE2, 16, 16, 16) | 0xff<<code.ShiftX }},
	{"reference returned as an immediate", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.RETW, 0, 0x10002) }},
	{"loader's instruction", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.CALLW, 16, 0) }},
	{"machine's own instruction", func(u *code.Unit) { u.Words[u.Procs[1].Start] = uint64(code.ENTER) }},
	{"stray capture", func(u *code.Unit) { u.Words[u.Procs[1].Start] = uint64(code.CAPTURE) }},
	{"halt in the middle", func(u *code.Unit) { u.Words[u.Procs[1].Start] = uint64(code.HALT) }},
	{"no halt", func(u *code.Unit) { u.Words[u.Procs[1].End-1] = op(code.RET, 16, 0, 0) }},
	{"free variable that is none", func(u *code.Unit) { u.Words[u.Procs[1].Start] = op(code.FREE, 16, 16, 0) }},
	{"patch of what is no closure", func(u *code.Unit) { u.Words[u.Procs[1].Start] = op(code.PATCH, 16, 16, 16) }},
	{"patch beyond the captures", func(u *code.Unit) {
		for i, w := range u.Words {
			if code.Op(uint8(w)) == code.PATCH {
				u.Words[i] = w&(1<<code.ShiftC-1) | 64<<code.ShiftC
			}
		}
	}},
	{"forged reference", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.LOADW, 16, 4096+heap.TagPair) }},
	{"loadm of code", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.LOADM, 16, 0) }},
	{"unknown primitive", func(u *code.Unit) { u.Words[u.Procs[1].Start] = op(code.PRIM, 16, 16, primCount) }},
	{"global outside", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.GREF, 16, heap.StaticLo) }},
	{"no cell of the dynamic state", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.STATE, 16, 4) }},
	{"no cell of the dynamic state to set", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.SETSTATE, 16, -1) }},
	{"the cell that only a call sets", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.SETSTATE, 16, 3) }},
	{"closure of no procedure", func(u *code.Unit) { u.Words[u.Procs[1].Start] = opD(code.CLOSURE, 16, 1) }},
	{"info word differs", func(u *code.Unit) { u.Words[u.Procs[1].Start-1]++ }},
	{"procedures overlap", func(u *code.Unit) { u.Procs[1].Start -= 2 }},
	{"procedure too long", func(u *code.Unit) { u.Procs[len(u.Procs)-1].End = len(u.Words) + 1 }},
	{"top out of range", func(u *code.Unit) { u.Top[0] = len(u.Procs) }},
	{"top with parameters", func(u *code.Unit) { u.Top[0] = 1 }},
	{"no top", func(u *code.Unit) { u.Top = nil }},
	{"lines unsorted", func(u *code.Unit) { l := u.Procs[0].Lines; l[0], l[1] = l[1], l[0] }},
	{"line in no file", func(u *code.Unit) { u.Procs[0].Lines[0].File = 7 }},
	{"relocation of no word", func(u *code.Unit) { u.Relocs[0].Word = -1 }},
	{"relocation to no constant", func(u *code.Unit) { u.Relocs[0].Arg = len(u.Consts) }},
	{"relocation twice", func(u *code.Unit) { u.Relocs = append(u.Relocs, u.Relocs[0]) }},
	{"relocated info word", func(u *code.Unit) { u.Relocs = append(u.Relocs, code.Reloc{Word: u.Procs[1].Start - 1}) }},
	{"closure constant that captures", func(u *code.Unit) {
		for i, p := range u.Procs {
			if p.Info.Captures() > 0 {
				u.Consts[0].Datum = code.Closure{Proc: i}
			}
		}
	}},
	{"constant of a foreign type", func(u *code.Unit) { u.Consts[0].Datum = struct{}{} }},
	{"pair of no constant", func(u *code.Unit) { u.Consts[0].Datum = code.Pair{Car: -1} }},
	{"reference in a cell", func(u *code.Unit) { u.Words[len(u.Words)-1] = 4096 + heap.TagObject }},
}

func op(o code.Op, a, b, c int) uint64 {
	return uint64(o) | 1<<code.ShiftX | uint64(a)<<code.ShiftA | uint64(b)<<code.ShiftB | uint64(c)<<code.ShiftC
}
func opD(o code.Op, a, d int) uint64 {
	return uint64(o) | uint64(a)<<code.ShiftA | uint64(uint32(d))<<code.ShiftD
}

func TestVerify(t *testing.T) {
	u := sample(t)
	if err := code.Verify(u, primCount); err != nil {
		t.Fatal(err)
	}
	for _, c := range spoiled {
		bad := copyOf(t, u)
		c.do(bad)
		if err := code.Verify(bad, primCount); err == nil {
			t.Errorf("%s: accepted", c.name)
		}
	}
}

// stays checks anew, by the table alone, that no register operand of a verified unit leaves its frame.
func stays(t *testing.T, u *code.Unit) {
	t.Helper()
	for _, p := range u.Procs {
		limit := p.Info.Regs() * 8
		for w := p.Start; w < p.End; w++ {
			in := u.Words[w]
			a, b, c := int(in>>code.ShiftA&0xffff), int(in>>code.ShiftB&0xffff), int(in>>code.ShiftC)
			var operands []int
			switch code.Table[code.Op(uint8(in))].Format {
			case code.FA, code.FAD, code.FAJ, code.FAIJ, code.FGlobal, code.FStatic, code.FFree, code.FClosure:
				operands = []int{a}
			case code.FAB, code.FABI, code.FABJ, code.FABX, code.FPatch, code.FField, code.FPrim:
				operands = []int{a, b}
			case code.FABC:
				operands = []int{a, b, c}
			case code.FAN, code.FANG:
				operands = []int{a, a + 8 + 8*b}
			case code.FMoves:
				operands = []int{a, b, c, int(in>>code.ShiftX&0xff) * 8}
			case code.FCallK:
				n := int(in >> code.ShiftX & 0xff)
				if operands = []int{a, a + 8 + 8*n}; code.Op(uint8(in)) == code.TCALLK || code.Op(uint8(in)) == code.TCALLC {
					operands = []int{a, 8 + 8*n}
				}
			case code.FABXG, code.FABXK:
				operands = []int{a, b, a + 16}
			}
			for _, o := range operands {
				if o%8 != 0 || o >= limit {
					t.Fatalf("word %d of %s reaches %d of %d", w-p.Start, p.Name, o, limit)
				}
			}
		}
	}
}

// FuzzVerify mutates a good unit: the verifier never panics, and what it accepts stays inside its frames.
func FuzzVerify(f *testing.F) {
	base := sample(f)
	f.Add([]byte{1, 0, 0, 0, 0, 1, 3, 0})
	f.Add([]byte{2, 0, 9, 0, 0, 200, 3, 255, 2, 0, 12, 1, 1, 1, 1, 1})
	f.Fuzz(func(t *testing.T, edits []byte) {
		u := copyOf(t, base)
		for ; len(edits) >= 8; edits = edits[8:] {
			v := binary.LittleEndian.Uint64(edits)
			at, bits := int(v>>8&0xffff), v>>24
			switch edits[0] % 5 {
			case 0:
				u.Words[at%len(u.Words)] ^= bits
			case 1:
				u.Words[at%len(u.Words)] ^= bits << 24
			case 2:
				r := &u.Relocs[at%len(u.Relocs)]
				r.Word, r.Kind, r.Arg = int(int16(bits)), code.RelocKind(bits>>16%5), int(int8(bits>>24))
			case 3:
				p := &u.Procs[at%len(u.Procs)]
				p.Start, p.End, p.Info = p.Start+int(int8(bits)), p.End+int(int8(bits>>8)), p.Info^code.Info(bits>>16)
			case 4:
				u.Top[0] = int(int16(bits))
			}
		}
		if code.Verify(u, primCount) == nil {
			stays(t, u)
		}
		code.Disassemble(u, code.Names{})
	})
}

// FuzzDecode feeds bytes: no panic, and what is accepted encodes to the same bytes.
func FuzzDecode(f *testing.F) {
	f.Add(code.Encode(sample(f)))
	f.Fuzz(func(t *testing.T, b []byte) {
		u, err := code.Decode(b)
		if err != nil {
			return
		}
		code.Verify(u, primCount)
		code.Disassemble(u, code.Names{})
	})
}

// Every instruction has a row, a polled form where it is a conditional jump, and a way back.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for o := code.HALT; o < code.OpEnd; o++ {
		row := code.Table[o]
		if row.Name == "" || seen[row.Name] {
			t.Errorf("instruction %d has no name of its own: %q", o, row.Name)
		}
		seen[row.Name] = true
		if o >= code.JF && o <= code.JNEQI {
			if p := code.Polled(o); code.Plain(p) != o || code.Table[p].Format != row.Format {
				t.Errorf("%s has no polled form", row.Name)
			}
		}
	}
}
