package compile

import (
	"math"
	"strings"

	"caper/interp/code"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/syntax"
)

// builder collects a unit. Procedures wait in a queue, so that nesting needs no recursion.
type builder struct {
	unit    *code.Unit
	lams    []*lambda // by procedure number
	orders  []int
	next    int                    // the first procedure not generated yet
	ends    map[*expand.Global]int // the form that defines a global of this unit
	quiet   []int                  // for each form, after which one other code than definitions of procedures may run first
	known   map[*expand.Global]*lambda
	calls   []knownCall
	entries []use // CLOSURE words and the procedure each enters
	loads   []use // LOADM words and the cell each reads
	cells   []heap.Word
	cellAt  map[heap.Word]int
	objects constants
	files   map[code.File]int32
	texts   texts
	place   place
	named   bool // what variables are called is kept for who looks into frames
}

type use struct{ word, index int }

// knownCall is a call instruction whose procedure is m, or the one that global g is defined as.
type knownCall struct {
	word int
	m    *lambda
	g    *expand.Global
}

func newBuilder(name string, forms []expand.Node) *builder {
	b := &builder{unit: &code.Unit{Name: name}, ends: map[*expand.Global]int{}, cellAt: map[heap.Word]int{}, files: map[code.File]int32{},
		known: map[*expand.Global]*lambda{}, quiet: make([]int, len(forms))}
	b.objects.init(b.unit)
	for i, f := range forms {
		if d, ok := f.(*expand.GlobalDefine); ok {
			b.ends[d.Global] = i
		}
	}
	for i := len(forms) - 1; i >= 0; i-- {
		b.quiet[i] = i - 1
		if d, ok := forms[i].(*expand.GlobalDefine); ok {
			switch d.Value.(type) {
			case *expand.Lambda, *expand.CaseLambda, *expand.Const:
				if b.quiet[i] = i; i+1 < len(forms) {
					b.quiet[i] = max(i, b.quiet[i+1])
				}
			}
		}
	}
	return b
}

// defined reports whether g is certainly bound when code of top-level form number order runs. The code of a procedure
// cannot run before what is defined next to it: definitions of procedures run nothing.
func (b *builder) defined(g *expand.Global, order int) bool {
	if g.Prim != "" {
		return true
	}
	if !g.Constant || !g.Defined {
		return false
	}
	at, here := b.ends[g]
	return !here || at < order || at <= b.quiet[order]
}

// callee is the procedure of this unit, with so many parameters, that a call of n in form number order certainly enters.
func (b *builder) callee(n node, args, order int) (c knownCall, ok bool) {
	if args > maxKnownArgs {
		return c, false
	}
	switch f := n.(type) {
	case *globalRef:
		if _, here := b.ends[f.g]; !here || !b.defined(f.g, order) {
			return c, false
		}
		m, ok := f.g.Value().(*expand.Lambda)
		return knownCall{g: f.g}, ok && m.Rest == nil && len(m.Params) == args
	case *ref:
		m := f.v.known
		return knownCall{m: m}, m != nil && !m.label && m.takes(args)
	}
	return c, false
}

// maxKnownArgs is what the instructions can count.
const maxKnownArgs = 255

// call notes that the next word enters what c says.
func (b *builder) call(c knownCall) {
	c.word = len(b.unit.Words)
	b.calls = append(b.calls, c)
}

// add puts a procedure into the queue, once.
func (b *builder) add(m *lambda, order int) *lambda {
	if m.proc == 0 || b.lams[m.proc-1] != m {
		b.lams, b.orders = append(b.lams, m), append(b.orders, order)
		m.proc = len(b.lams)
	}
	return m
}

// closure answers the constant that is the closure of m, which captures nothing.
func (b *builder) closure(m *lambda, order int) int {
	b.add(m, order)
	if m.constant == 0 {
		b.unit.Consts = append(b.unit.Consts, code.Const{Datum: code.Closure{Proc: m.proc - 1}})
		m.constant = len(b.unit.Consts)
	}
	return m.constant - 1
}

// entry notes that the next word, a CLOSURE, enters m.
func (b *builder) entry(m *lambda, order int) {
	b.add(m, order)
	b.entries = append(b.entries, use{len(b.unit.Words), m.proc - 1})
}

// cell notes that the next word, a LOADM, reads a cell holding w.
func (b *builder) cell(w heap.Word) {
	i, ok := b.cellAt[w]
	if !ok {
		i = len(b.cells)
		b.cells = append(b.cells, w)
		b.cellAt[w] = i
	}
	b.loads = append(b.loads, use{len(b.unit.Words), i})
}

func (b *builder) reloc(k code.RelocKind, arg int) {
	b.unit.Relocs = append(b.unit.Relocs, code.Reloc{Word: len(b.unit.Words), Kind: k, Arg: arg})
}

type mark struct{ words, relocs, entries, loads, calls int }

func (b *builder) mark() mark {
	return mark{len(b.unit.Words), len(b.unit.Relocs), len(b.entries), len(b.loads), len(b.calls)}
}
func (b *builder) reset(m mark) {
	b.unit.Words, b.unit.Relocs = b.unit.Words[:m.words], b.unit.Relocs[:m.relocs]
	b.entries, b.loads, b.calls = b.entries[:m.entries], b.loads[:m.loads], b.calls[:m.calls]
}

// begin opens the next procedure of the queue, which must be m.
func (b *builder) begin(m *lambda, far bool) *assembler {
	if !m.rest && len(m.captured()) == 0 && m.k >= 0 {
		b.unit.Words = append(b.unit.Words, 0) // the closure, if the procedure is called as a known one
	}
	b.unit.Words = append(b.unit.Words, 0) // the info word
	a := &assembler{b: b, lam: m, start: len(b.unit.Words), far: far, top: 2, order: b.orders[m.proc-1]}
	for _, v := range m.params {
		v.reg = a.temp()
	}
	a.need(2)
	return a
}

// end closes the procedure of a and enters it in the unit.
func (b *builder) end(a *assembler) {
	m := a.lam
	b.unit.Words = append(b.unit.Words, uint64(code.HALT))
	info := code.NewInfo(a.regs, m.required(), len(m.captured()), m.rest, false)
	b.unit.Words[a.start-1] = uint64(info)
	p := code.Proc{Name: m.name, Start: a.start, End: len(b.unit.Words), Info: info, Lines: a.lines}
	for _, v := range m.params {
		p.Params = append(p.Params, v.name)
	}
	a.leave(view{})
	p.Vars = a.vars
	for i, v := range m.captured() {
		if b.named && v.name != "" {
			p.Vars = append(p.Vars, code.Var{Name: v.name, Reg: int32(-1 - i), From: int32(a.start), To: int32(p.End)})
		}
	}
	b.unit.Procs = append(b.unit.Procs, p)
	b.next = len(b.unit.Procs)
}

// drain generates the procedures that wait.
func (b *builder) drain() {
	for b.next < len(b.lams) {
		m := b.lams[b.next]
		a := b.begin(m, false)
		a = b.attempt(a, func(a *assembler) {
			m.jump = target{start: newLabel(), top: a.top, where: where{tail: true}, alone: true}
			n, w := a.body(m)
			if n != nil {
				a.generate(n, w)
			}
		})
		b.end(a)
	}
}

// link fills in what was not known before the last procedure stood.
func (b *builder) link() {
	set := func(u use, to int) {
		w := &b.unit.Words[u.word]
		*w = *w&(1<<code.ShiftD-1) | uint64(to*8)<<code.ShiftD
		b.unit.Relocs = append(b.unit.Relocs, code.Reloc{Word: u.word, Kind: code.RelocD})
	}
	for _, u := range b.entries {
		set(u, b.unit.Procs[u.index].Start)
	}
	for _, c := range b.calls {
		b.linkCall(c)
	}
	base := len(b.unit.Words)
	for _, u := range b.loads {
		set(u, base+u.index)
	}
	b.unit.Words = append(b.unit.Words, b.cells...)
}

// linkCall completes a call of a known procedure.
func (b *builder) linkCall(c knownCall) {
	m := c.m
	if c.g != nil {
		m = b.known[c.g]
	}
	start := b.unit.Procs[m.proc-1].Start
	w, d := &b.unit.Words[c.word], start-(c.word+1)
	switch code.Op(uint8(*w)) {
	case code.CALLKADDI:
		if d < math.MinInt16 || d > math.MaxInt16 {
			*w = *w&^0xff | uint64(code.CALLGADDI) | uint64(c.g.Slot)<<code.ShiftC
			return
		}
		*w |= uint64(uint16(d)) << code.ShiftC
	default:
		*w |= uint64(uint32(d)) << code.ShiftD
	}
	if op := code.Op(uint8(*w)); op != code.CALLC && op != code.TCALLC && !m.before {
		m.before = true
		b.unit.Relocs = append(b.unit.Relocs, code.Reloc{Word: start - 2, Kind: code.RelocWhole, Arg: b.closure(m, b.orders[m.proc-1])})
	}
}

// place remembers the line that was looked up last: the next is the same one or near.
type place struct {
	source     *syntax.Source
	start, end int32 // offsets of the line
	line       int32
	file       int32
	ascii      bool // columns are bytes
	simple     bool // the source's lines end in \n alone
}

// near is how far the next line may be for counting to be cheaper than asking the source.
const near = 2000

// position answers the file's number, line and column of the start of s.
func (b *builder) position(s syntax.Span) (file, line, col int32) {
	o, ok := b.texts.real[s.Source]
	if !ok {
		return b.locate(s)
	}
	s.Source = o.source
	file, line, col = b.locate(s)
	return b.file(code.File{Name: b.unit.Files[file].Name, Opened: o.name}), line, col
}

func (b *builder) file(of code.File) int32 {
	f, ok := b.files[of]
	if !ok {
		f = int32(len(b.unit.Files))
		b.files[of] = f
		b.unit.Files = append(b.unit.Files, of)
	}
	return f
}

func (b *builder) locate(s syntax.Span) (file, line, col int32) {
	p := &b.place
	if s.Source == p.source && p.simple {
		text, at := s.Source.Text, int(s.Start)
		switch {
		case s.Start < p.start && p.start-s.Start < near && s.Start >= 0:
			p.line -= int32(strings.Count(text[at:p.start], "\n"))
			p.start, p.end, p.ascii = lineAround(text, at)
		case s.Start > p.end && s.Start-p.end < near && at <= len(text):
			p.line += int32(strings.Count(text[p.start:at], "\n"))
			p.start, p.end, p.ascii = lineAround(text, at)
		}
		if s.Start >= p.start && s.Start <= p.end && p.ascii {
			return p.file, p.line, s.Start - p.start + 1
		}
	}
	return b.ask(s)
}

// ask has the source look a position up.
func (b *builder) ask(s syntax.Span) (file, line, col int32) {
	name, l, c := s.Position()
	f := b.file(code.File{Name: name})
	p := &b.place
	simple := p.simple
	if p.source != s.Source {
		simple = strings.IndexByte(s.Source.Text, '\r') < 0
	}
	*p = place{source: s.Source, file: f, line: int32(l), simple: simple}
	p.start, p.end, p.ascii = lineAround(s.Source.Text, int(s.Start))
	return f, int32(l), int32(c)
}

// maxLine bounds how far a line is looked at.
const maxLine = 1000

// lineAround finds the line around an offset; ascii reports whether all of it before and after is plain and was seen.
func lineAround(text string, at int) (start, end int32, ascii bool) {
	at = min(max(at, 0), len(text))
	i, j := at, at
	for i > 0 && text[i-1] != '\n' && text[i-1] < 0x80 && at-i < maxLine {
		i--
	}
	for j < len(text) && text[j] != '\n' && text[j] < 0x80 && j-at < maxLine {
		j++
	}
	return int32(i), int32(j), i == 0 || text[i-1] == '\n'
}
