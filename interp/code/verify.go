package code

import (
	"errors"
	"fmt"

	"caper/interp/heap"
)

// This file is the load-time verifier. What it accepts stays inside its frames and its unit, and every backward jump
// counts fuel. It does not prove that registers are assigned before use: the machine keeps every slot of a frame a
// valid word.

// MaxRegs bounds a frame.
const MaxRegs = 8000

// Verify checks a unit that is to run with so many primitives.
func Verify(u *Unit, prims int) error {
	v := verifier{u: u, prims: prims}
	if err := v.unit(); err != nil {
		return fmt.Errorf("unit %q: %w", u.Name, err)
	}
	return nil
}

type verifier struct {
	u      *Unit
	prims  int
	relocs []Reloc     // by word; kind none when the word has none
	entry  map[int]int // start word of a procedure → its number
	// Of the procedure being checked:
	p    *Proc
	head []bool      // an instruction starts at this word of it
	land []bool      // a jump lands there
	made map[int]int // registers that hold a closure made just before, and how much it captures
}

const noReloc RelocKind = 0xff

var noRelocation = Reloc{Kind: noReloc}

func (v *verifier) unit() error {
	if err := v.procs(); err != nil {
		return err
	}
	if err := v.relocations(); err != nil {
		return err
	}
	if err := v.consts(); err != nil {
		return err
	}
	if len(v.u.Top) == 0 {
		return errors.New("nothing to run")
	}
	for _, t := range v.u.Top {
		if t < 0 || t >= len(v.u.Procs) || v.u.Procs[t].Info.Captures() != 0 || v.u.Procs[t].Info.Required() != 0 || v.u.Procs[t].Info.Rest() {
			return fmt.Errorf("top-level procedure %d is none without parameters and captures", t)
		}
	}
	for i := range v.u.Procs {
		if err := v.proc(&v.u.Procs[i]); err != nil {
			return fmt.Errorf("procedure %d (%s): %w", i, v.u.Procs[i].Name, err)
		}
	}
	return v.cells()
}

// procs checks that procedures lie in order, apart, each with its info word before it.
func (v *verifier) procs() error {
	end := 0
	v.entry = make(map[int]int, len(v.u.Procs))
	for i := range v.u.Procs {
		p := &v.u.Procs[i]
		if p.Start < end+1 || p.End <= p.Start || p.End > len(v.u.Words) {
			return fmt.Errorf("procedure %d lies at [%d, %d) of %d words, after one that ends at %d", i, p.Start, p.End, len(v.u.Words), end)
		}
		if v.u.Words[p.Start-1] != uint64(p.Info) || uint64(p.Info)>>50 != 0 || p.Info.Case() {
			return fmt.Errorf("procedure %d has a wrong info word", i)
		}
		params := p.Info.Required()
		if p.Info.Rest() {
			params++
		}
		if p.Info.Regs() < 2+params || p.Info.Regs() > MaxRegs || p.Info.Required() == VariadicArity {
			return fmt.Errorf("procedure %d has %d registers for %d parameters", i, p.Info.Regs(), params)
		}
		if len(p.Params) != params {
			return fmt.Errorf("procedure %d names %d of %d parameters", i, len(p.Params), params)
		}
		for j, l := range p.Lines {
			if int(l.Word) < p.Start || int(l.Word) >= p.End || j > 0 && l.Word <= p.Lines[j-1].Word || l.File < 0 || int(l.File) >= len(v.u.Files) {
				return fmt.Errorf("procedure %d: line entry %d is out of place", i, j)
			}
		}
		v.entry[p.Start] = i
		end = p.End
	}
	return nil
}

func (v *verifier) relocations() error {
	v.relocs = make([]Reloc, len(v.u.Words))
	for i := range v.relocs {
		v.relocs[i].Kind = noReloc
	}
	for i, r := range v.u.Relocs {
		if r.Word < 0 || r.Word >= len(v.u.Words) || v.relocs[r.Word].Kind != noReloc {
			return fmt.Errorf("relocation %d is of no word of its own", i)
		}
		switch r.Kind {
		case RelocD:
		case RelocConst, RelocWhole:
			if r.Arg < 0 || r.Arg >= len(v.u.Consts) {
				return fmt.Errorf("relocation %d names constant %d of %d", i, r.Arg, len(v.u.Consts))
			}
		default:
			return fmt.Errorf("relocation %d is of kind %d", i, r.Kind)
		}
		v.relocs[r.Word] = r
	}
	return nil
}

func (v *verifier) consts() error {
	n := len(v.u.Consts)
	for i, c := range v.u.Consts {
		ok := true
		switch d := c.Datum.(type) {
		case Pair:
			ok = d.Car >= 0 && d.Car < n && d.Cdr >= 0 && d.Cdr < n
		case Vector:
			for _, j := range d.Items {
				ok = ok && j >= 0 && j < n
			}
		case Closure:
			ok = d.Proc >= 0 && d.Proc < len(v.u.Procs) && v.u.Procs[d.Proc].Info.Captures() == 0
		default:
			ok = Buildable(d)
		}
		if !ok {
			return fmt.Errorf("constant %d (%T) is malformed", i, c.Datum)
		}
	}
	return nil
}

// cells checks the words between procedures: nothing but constants that LOADM reads.
func (v *verifier) cells() error {
	at := 0
	check := func(to int) error {
		for ; at < to; at++ {
			if k := v.relocs[at].Kind; k != RelocWhole && (k != noReloc || !plainCell(v.u.Words[at])) {
				return fmt.Errorf("word %d, outside procedures, is no constant", at)
			}
		}
		return nil
	}
	for i := range v.u.Procs {
		if err := check(v.u.Procs[i].Start - 1); err != nil {
			return err
		}
		if v.relocs[v.u.Procs[i].Start-1].Kind != noReloc {
			return fmt.Errorf("the info word %d is relocated", v.u.Procs[i].Start-1)
		}
		at = v.u.Procs[i].End
	}
	return check(len(v.u.Words))
}

func plainCell(w uint64) bool {
	return heap.IsFixnum(w) || heap.IsInlineFlonum(w) || heap.IsImmediate(w)
}

// isCell reports whether a word lies outside the procedures and their info words.
func (v *verifier) isCell(word int) bool {
	lo, hi := 0, len(v.u.Procs)
	for lo < hi {
		m := (lo + hi) / 2
		if v.u.Procs[m].End <= word {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return word < len(v.u.Words) && (lo == len(v.u.Procs) || word < v.u.Procs[lo].Start-1)
}

// proc checks the instructions of one procedure: first where they start, then each.
func (v *verifier) proc(p *Proc) error {
	v.p = p
	n := p.End - p.Start
	v.head, v.land, v.made = make([]bool, n), make([]bool, n), map[int]int{}
	for i := 0; i < n; i++ {
		v.head[i] = true
		w := v.u.Words[p.Start+i]
		if d, ok := distance(w); ok && i+1+d >= 0 && i+1+d < n {
			v.land[i+1+d] = true
		}
		switch op := Op(uint8(w)); {
		case op >= OpEnd:
			return fmt.Errorf("word %d: no instruction %d", i, op)
		case op == CAPTURE:
			return fmt.Errorf("word %d: a capture without a closure", i)
		case op == CLOSURE:
			i += int(w >> ShiftX & 0xff)
			if i >= n {
				return fmt.Errorf("the captures of a closure pass the end")
			}
		}
	}
	if last := n - 1; !v.head[last] || Op(uint8(v.u.Words[p.End-1])) != HALT {
		return errors.New("no halt at the end")
	}
	for i := 0; i < n; i++ {
		if v.head[i] {
			if err := v.instruction(i); err != nil {
				return fmt.Errorf("word %d: %w", i, err)
			}
			v.closures(i)
		} else if Op(uint8(v.u.Words[p.Start+i])) != CAPTURE {
			return fmt.Errorf("word %d: a capture is wanted here", i)
		}
	}
	return nil
}
