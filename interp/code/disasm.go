package code

import (
	"fmt"
	"strconv"
	"strings"

	"caper/interp/heap"
)

// This file prints units for people: the REPL's ,disassemble and the compiler's tests.

// Names says how to call what a unit refers to by number; nil functions print numbers.
type Names struct {
	Global func(slot int) string
	Prim   func(number int) string
}

// Disassemble lists a unit's procedures.
func Disassemble(u *Unit, n Names) string {
	d := disassembler{u: u, names: n, relocs: map[int]Reloc{}, entry: map[int]int{}}
	for _, r := range u.Relocs {
		d.relocs[r.Word] = r
	}
	for i, p := range u.Procs {
		d.entry[p.Start] = i
	}
	for i := range u.Procs {
		d.proc(i)
	}
	return d.out.String()
}

type disassembler struct {
	u      *Unit
	names  Names
	relocs map[int]Reloc
	entry  map[int]int
	out    strings.Builder
}

func (d *disassembler) proc(i int) {
	p := &d.u.Procs[i]
	name := p.Name
	if name == "" {
		name = "-"
	}
	fmt.Fprintf(&d.out, "#%d %s (%s", i, name, strings.Join(p.Params, " "))
	if p.Info.Rest() {
		d.out.WriteString(" …")
	}
	fmt.Fprintf(&d.out, ") registers %d", p.Info.Regs())
	if c := p.Info.Captures(); c > 0 {
		fmt.Fprintf(&d.out, " captures %d", c)
	}
	d.out.WriteByte('\n')
	line := 0
	for w := p.Start; w < p.End && w < len(d.u.Words) && w >= 0; w++ {
		for line < len(p.Lines) && int(p.Lines[line].Word) <= w {
			line++
		}
		at := ""
		if line > 0 && int(p.Lines[line-1].Word) == w {
			at = fmt.Sprintf("  ; %d:%d", p.Lines[line-1].Line, p.Lines[line-1].Column)
		}
		fmt.Fprintf(&d.out, "%4d  %s%s\n", w-p.Start, d.instruction(w, w-p.Start), at)
	}
}

// callee names the procedure that begins at a word.
func (d *disassembler) callee(word int) string {
	p, ok := d.entry[word]
	if !ok {
		return fmt.Sprint("word ", word)
	}
	return fmt.Sprintf("#%d %s", p, d.u.Procs[p].Name)
}

func r(offset int) string { return fmt.Sprintf("r%d", offset/8) }

// instruction prints the word w, which is number i of its procedure.
func (d *disassembler) instruction(w, i int) string {
	in := split(d.u.Words[w])
	if in.op >= OpEnd {
		return fmt.Sprintf("%#x", d.u.Words[w])
	}
	row := Table[in.op]
	args := d.operands(w, i, in, row.Format)
	if args == "" {
		return row.Name
	}
	name := row.Name
	if Chained(d.u.Words[w]) != ChainNone {
		name += "+"
	}
	return fmt.Sprintf("%-9s %s", name, args)
}

func (d *disassembler) operands(w, i int, in parts, f Format) string {
	sc := int(int16(in.c))
	switch f {
	case FA:
		return r(in.a)
	case FAB:
		return r(in.a) + " " + r(in.b)
	case FABC:
		return r(in.a) + " " + r(in.b) + " " + r(in.c)
	case FABI:
		return fmt.Sprintf("%s %s %d", r(in.a), r(in.b), sc)
	case FAD:
		if in.op == LOADM {
			return r(in.a) + " " + d.cell(in.d/8)
		}
		return fmt.Sprintf("%s %d", r(in.a), in.d)
	case FD:
		return fmt.Sprint(in.d)
	case FAJ:
		return fmt.Sprintf("%s → %d", r(in.a), i+1+in.d)
	case FJ:
		return fmt.Sprintf("→ %d", i+1+in.d)
	case FABJ:
		return fmt.Sprintf("%s %s → %d", r(in.a), r(in.b), i+1+sc)
	case FAIJ:
		return fmt.Sprintf("%s %d → %d", r(in.a), int16(in.b), i+1+sc)
	case FAN:
		return fmt.Sprintf("%s (%d)", r(in.a), in.b)
	case FANG:
		return fmt.Sprintf("%s (%d) %s", r(in.a), in.b, d.global(in.c))
	case FABX:
		if in.op == REAL && in.x < len(RealFunctions) {
			return fmt.Sprintf("%s %s %s", r(in.a), r(in.b), RealFunctions[in.x])
		}
		return fmt.Sprintf("%s %s %d", r(in.a), r(in.b), in.x)
	case FClosure:
		p, ok := d.entry[in.d/8]
		if !ok {
			return fmt.Sprintf("%s offset %d", r(in.a), in.d)
		}
		return fmt.Sprintf("%s #%d %s", r(in.a), p, d.u.Procs[p].Name)
	case FCapture:
		return captures(in)
	case FPrim:
		return fmt.Sprintf("%s %s (%d) %s", r(in.a), r(in.b), in.x, d.prim(in.c))
	case FField:
		return fmt.Sprintf("%s %s [%d] r%d", r(in.a), r(in.b), in.c, in.x)
	case FX:
		return fmt.Sprint(in.x)
	case FCallK:
		if in.op == TCALLK {
			return fmt.Sprintf("(%d) %s", in.x, d.callee(w+1+in.d))
		}
		return fmt.Sprintf("%s (%d) %s", r(in.a), in.x, d.callee(w+1+in.d))
	case FABXK:
		return fmt.Sprintf("%s %s %d %s", r(in.a), r(in.b), int8(in.x), d.callee(w+1+sc))
	case FMoves:
		return fmt.Sprintf("%s %s r%d %s", r(in.a), r(in.b), in.x, r(in.c))
	case FABXG:
		return fmt.Sprintf("%s %s %d %s", r(in.a), r(in.b), int8(in.x), d.global(in.c))
	case FFree:
		return fmt.Sprintf("%s free%d", r(in.a), (in.b-16)/8)
	case FPatch:
		return fmt.Sprintf("%s free%d %s", r(in.a), (in.c-16)/8, r(in.b))
	case FGlobal:
		return r(in.a) + " " + d.global((int(uint32(in.d))-heap.GlobalBase)/8)
	case FStatic:
		if in.op == RETW {
			return immediateName(uint64(uint32(in.d)))
		}
		if c, ok := d.relocs[w]; ok && c.Arg >= 0 && c.Arg < len(d.u.Consts) {
			return r(in.a) + " " + d.constant(c.Arg, 3)
		}
		return r(in.a) + " " + immediateName(uint64(uint32(in.d)))
	}
	return ""
}

func captures(in parts) string {
	var s []string
	for j, o := range [3]int{in.a, in.b, in.c} {
		switch {
		case o == 0xffff:
		case in.x>>j&1 != 0:
			s = append(s, fmt.Sprintf("free%d", (o-16)/8))
		default:
			s = append(s, r(o))
		}
	}
	return strings.Join(s, " ")
}

func (d *disassembler) global(slot int) string {
	if d.names.Global != nil {
		if s := d.names.Global(slot); s != "" {
			return s
		}
	}
	return fmt.Sprintf("g%d", slot)
}

func (d *disassembler) prim(n int) string {
	if d.names.Prim != nil {
		if s := d.names.Prim(n); s != "" {
			return s
		}
	}
	return fmt.Sprintf("p%d", n)
}

func (d *disassembler) cell(word int) string {
	if word < 0 || word >= len(d.u.Words) {
		return fmt.Sprintf("word %d", word)
	}
	if c, ok := d.relocs[word]; ok && c.Arg >= 0 && c.Arg < len(d.u.Consts) {
		return d.constant(c.Arg, 3)
	}
	switch w := d.u.Words[word]; {
	case heap.IsFixnum(w):
		return fmt.Sprint(heap.FixnumValue(w))
	case heap.IsInlineFlonum(w):
		return flonum(w)
	default:
		return fmt.Sprintf("%#x", w)
	}
}

// constant prints a constant, nested things to some depth.
func (d *disassembler) constant(i, depth int) string {
	if i < 0 || i >= len(d.u.Consts) || depth == 0 {
		return "…"
	}
	switch c := d.u.Consts[i].Datum.(type) {
	case string:
		return fmt.Sprintf("%q", c)
	case Symbol:
		return "'" + string(c)
	case Keyword:
		return "#:" + string(c)
	case Closure:
		if c.Proc < 0 || c.Proc >= len(d.u.Procs) {
			return "procedure …"
		}
		return fmt.Sprintf("procedure #%d %s", c.Proc, d.u.Procs[c.Proc].Name)
	case Null:
		return "()"
	case Pair:
		return "(" + d.constant(c.Car, depth-1) + " . " + d.constant(c.Cdr, depth-1) + ")"
	case Vector:
		return fmt.Sprintf("vector of %d", len(c.Items))
	default:
		return fmt.Sprint(c)
	}
}

func flonum(w uint64) string {
	s := strconv.FormatFloat(heap.InlineFlonum(w), 'g', -1, 64)
	if !strings.ContainsAny(s, ".eIN") {
		s += ".0"
	}
	return s
}

func immediateName(w uint64) string {
	switch w {
	case heap.False:
		return "#f"
	case heap.True:
		return "#t"
	case heap.Null:
		return "()"
	case heap.Unspecified:
		return "unspecified"
	case heap.Unbound:
		return "unbound"
	case heap.Default:
		return "default"
	case heap.FloZero:
		return "0.0"
	}
	if heap.IsInlineFlonum(w) {
		return flonum(w)
	}
	if heap.IsChar(w) {
		return fmt.Sprintf("%q", heap.CharValue(w))
	}
	return fmt.Sprintf("%#x", w)
}
