package tool

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// This file defines an automaton over bytes that is built while it runs (as in Cox, "Regular Expression Matching in the Wild"). It
// answers in which lines an expression may match: never too few, sometimes too many, because \b and \B always hold for it and
// any bytes from 0x80 on pass for any character that is not ASCII. Line ends begin anew.

const (
	maxStates  = 4000 // then the table is thrown away and grown again
	maxRebuilt = 20   // then the expression is not worth it
	maxProgram = 2000 // instructions
)

// State numbers are offsets into table. Two of them are special.
const (
	unknown = 0
	matched = 1
)

type dfa struct {
	prog    *syntax.Prog
	exact   bool // on lines of ASCII nothing is approximated
	class   [256]uint8
	sample  []byte // one byte of each class
	width   int
	table   []uint32
	sets    [][]uint32 // by state: program counters before what is empty is followed; the first item is 1 at the start of a line
	numbers map[string]uint32
	start   uint32 // at the start of a line
	idle    uint32 // within a line, with no match begun
	stay    [256]bool
	begins  bool // the expression asks for the start of a line
	rebuilt int

	queue sparse // for step
	stack []uint32
}

func newDFA(prog *syntax.Prog) *dfa {
	d := &dfa{prog: prog, exact: true}
	if len(prog.Inst) > maxProgram {
		d.rebuilt = maxRebuilt
		return d
	}
	for _, in := range prog.Inst {
		if in.Op == syntax.InstEmptyWidth && syntax.EmptyOp(in.Arg)&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0 {
			d.exact = false
		}
		if in.Op == syntax.InstEmptyWidth && syntax.EmptyOp(in.Arg)&(syntax.EmptyBeginLine|syntax.EmptyBeginText) != 0 {
			d.begins = true
		}
	}
	d.classify()
	d.queue = newSparse(len(prog.Inst))
	d.reset()
	return d
}

func (d *dfa) usable() bool { return d.rebuilt < maxRebuilt }

// classify puts bytes that no instruction tells apart into one class.
func (d *dfa) classify() {
	seen := map[string]uint8{}
	sign := make([]byte, 0, len(d.prog.Inst))
	for b := range 256 {
		sign = sign[:0]
		for i := range d.prog.Inst {
			switch d.prog.Inst[i].Op {
			case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
				if b < utf8.RuneSelf && d.prog.Inst[i].MatchRune(rune(b)) {
					sign = append(sign, 1)
				} else {
					sign = append(sign, 0)
				}
			}
		}
		if b >= utf8.RuneSelf {
			sign = append(sign, 'h')
		} else if b == '\n' {
			sign = append(sign, 'n')
		}
		c, ok := seen[string(sign)]
		if !ok {
			c = uint8(len(d.sample))
			seen[string(sign)] = c
			d.sample = append(d.sample, byte(b))
		}
		d.class[b] = c
	}
	d.width = len(d.sample)
}

// reset throws all states away but the first, the start of a line.
func (d *dfa) reset() {
	d.numbers = map[string]uint32{}
	// The first two rows stand for the special states and are never read.
	d.table = make([]uint32, 2*d.width, 64*d.width)
	d.sets = append(d.sets[:0], nil, nil)
	d.idle = d.state([]uint32{0})
	d.start = d.idle
	if d.begins {
		d.start = d.state([]uint32{1})
	}
	// Most bytes of most files begin no match: find passes over them without looking at the table.
	for b := range 256 {
		d.stay[b] = d.step(d.idle, byte(b)) == d.idle
	}
}

// state answers the state of a set; it is the row's offset, which is never 0 or 1.
func (d *dfa) state(set []uint32) uint32 {
	key := make([]byte, 0, 2*len(set))
	for _, pc := range set {
		key = binary.AppendUvarint(key, uint64(pc))
	}
	if s, ok := d.numbers[string(key)]; ok {
		return s
	}
	s := uint32(len(d.table))
	d.table = append(d.table, make([]uint32, d.width)...)
	d.sets = append(d.sets, slices.Clone(set))
	d.numbers[string(key)] = s
	return s
}

// find answers a place in the first line from at that may match, or −1. at is the start of a line.
func (d *dfa) find(data []byte, at int) int {
	s := d.start
	table := d.table
	for i := at; i < len(data); i++ {
		if s == d.idle {
			for i < len(data) && d.stay[data[i]] {
				i++
			}
			if i == len(data) {
				break
			}
		}
		next := table[s+uint32(d.class[data[i]])]
		if next <= matched {
			if next == unknown {
				next = d.step(s, data[i])
				table = d.table
				if !d.usable() {
					return i // the caller confirms with the expression itself
				}
			}
			if next == matched {
				return i
			}
		}
		s = next
	}
	if at < len(data) && data[len(data)-1] == '\n' {
		return -1
	}
	// The end of the data ends a line too.
	next := table[s+uint32(d.class['\n'])]
	if next == unknown {
		next = d.step(s, '\n')
	}
	if next == matched {
		return len(data)
	}
	return -1
}

// step computes where a byte leads.
func (d *dfa) step(s uint32, b byte) uint32 {
	if len(d.sets) > maxStates {
		set := d.sets[s/uint32(d.width)]
		keep := slices.Clone(set)
		d.reset()
		d.rebuilt++
		s = d.state(keep)
	}
	set := d.sets[s/uint32(d.width)]
	end := b == '\n'
	next := d.start
	if d.closure(set, end) {
		next = matched
	} else if !end {
		next = d.state(d.consume(b))
	}
	d.table[s+uint32(d.class[b])] = next
	return next
}

// closure follows what is empty from a set and from the expression's start, into queue. It reports whether a match is reached.
func (d *dfa) closure(set []uint32, lineEnd bool) bool {
	lineStart := set[0] == 1
	d.queue.clear()
	d.stack = append(d.stack[:0], uint32(d.prog.Start))
	d.stack = append(d.stack, set[1:]...)
	for len(d.stack) > 0 {
		pc := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		if !d.queue.add(pc) {
			continue
		}
		in := &d.prog.Inst[pc]
		switch in.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			d.stack = append(d.stack, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			d.stack = append(d.stack, in.Out)
		case syntax.InstEmptyWidth:
			op := syntax.EmptyOp(in.Arg)
			if op&(syntax.EmptyBeginLine|syntax.EmptyBeginText) != 0 && !lineStart ||
				op&(syntax.EmptyEndLine|syntax.EmptyEndText) != 0 && !lineEnd {
				continue
			}
			d.stack = append(d.stack, in.Out)
		}
	}
	return false
}

// consume answers the set after byte b from those in queue.
func (d *dfa) consume(b byte) []uint32 {
	next := []uint32{0}
	for _, pc := range d.queue.dense {
		in := &d.prog.Inst[pc]
		switch in.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if b >= utf8.RuneSelf {
				// Some byte of a character that may fit: it may be the last or not.
				if mayBeWide(in) {
					next = append(next, pc, in.Out)
				}
			} else if in.MatchRune(rune(b)) {
				next = append(next, in.Out)
			}
		}
	}
	slices.Sort(next[1:])
	return append(next[:1], slices.Compact(next[1:])...)
}

// mayBeWide reports whether an instruction takes a character that is not ASCII.
func mayBeWide(in *syntax.Inst) bool {
	switch in.Op {
	case syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	if len(in.Rune) == 1 { // folding may lead out of ASCII: K and the Kelvin sign
		return in.Rune[0] >= utf8.RuneSelf || syntax.Flags(in.Arg)&syntax.FoldCase != 0
	}
	return len(in.Rune) > 0 && in.Rune[len(in.Rune)-1] >= utf8.RuneSelf
}

// sparse is a set of small numbers that is cleared at once (Briggs and Torczon, 1993).
type sparse struct {
	dense []uint32
	where []uint32
}

func newSparse(n int) sparse {
	return sparse{make([]uint32, 0, n), make([]uint32, n)}
}

func (s *sparse) clear() { s.dense = s.dense[:0] }

func (s *sparse) add(n uint32) bool {
	if at := s.where[n]; int(at) < len(s.dense) && s.dense[at] == n {
		return false
	}
	s.where[n] = uint32(len(s.dense))
	s.dense = append(s.dense, n)
	return true
}
