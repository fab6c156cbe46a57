package tool

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// This file defines how grep finds the lines that a regular expression matches without running the expression over every line: a
// string that every match contains is looked for first, else an automaton over bytes (dfa.go) picks the candidates.

// matcher is one expression. It is shared; each worker makes its own finder.
type matcher struct {
	re   *regexp.Regexp
	prog *syntax.Prog
	// literals: every match has at least one of them in it; nil if there are none worth looking for.
	literals [][]byte
	whole    bool // a line with one of them matches, and no other
}

const (
	minLiteral  = 3 // shorter strings of common bytes are in too many lines
	maxLiterals = 8 // more are found faster by the automaton

	// common are the bytes that most lines of most texts have.
	common = "abcdefghijklmnopqrstuvwxyz01 \t().,\"=/*-"
)

func newMatcher(pattern string) (*matcher, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	tree = tree.Simplify()
	prog, err := syntax.Compile(tree)
	if err != nil {
		return nil, err
	}
	m := &matcher{re: re, prog: prog}
	literals, whole := required(tree)
	m.whole = whole && len(literals) <= maxLiterals
	if m.whole || len(literals) <= maxLiterals && selective(literals) {
		for _, l := range literals {
			m.literals = append(m.literals, []byte(l))
			m.whole = m.whole && !strings.Contains(l, "\n") // no line has that in it, but the data has
		}
	}
	return m, nil
}

// required answers strings of which every match has at least one in it, as far as the expression's form shows them, and whether
// having one is enough to match. Longer strings are preferred.
func required(re *syntax.Regexp) (literals []string, whole bool) {
	// The parser bounds the depth of an expression.
	switch re.Op {
	case syntax.OpLiteral:
		// U+FFFD also stands for bytes that are not UTF-8.
		l := string(re.Rune)
		if re.Flags&syntax.FoldCase != 0 || strings.ContainsRune(l, utf8.RuneError) {
			return nil, false
		}
		return []string{l}, true
	case syntax.OpCapture:
		return required(re.Sub[0])
	case syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			literals, _ = required(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if l, _ := required(sub); l != nil && (literals == nil || selective(l) && !selective(literals) || selective(l) == selective(literals) && shortest(l) > shortest(literals)) {
				literals = l
			}
		}
	case syntax.OpAlternate:
		whole = true
		for _, sub := range re.Sub {
			l, all := required(sub)
			if l == nil {
				return nil, false
			}
			literals = append(literals, l...)
			whole = whole && all
		}
	}
	return literals, whole
}

// selective reports whether the strings are worth looking for.
func selective(literals []string) bool {
	for _, l := range literals {
		if len(l) < minLiteral && strings.Trim(l, common) == "" {
			return false
		}
	}
	return len(literals) > 0
}

// shortest is the length of the shortest string; 0 if there is none.
func shortest(literals []string) int {
	if len(literals) == 0 {
		return 0
	}
	n := len(literals[0])
	for _, l := range literals {
		n = min(n, len(l))
	}
	return n
}

// finder looks for matching lines in one goroutine.
type finder struct {
	*matcher
	dfa  *dfa  // nil when the literals are everything
	next []int // where each literal occurs next in the data at hand; −1 if nowhere
}

func (m *matcher) finder() *finder {
	f := &finder{matcher: m, next: make([]int, len(m.literals))}
	if !m.whole {
		f.dfa = newDFA(m.prog)
	}
	return f
}

// lines calls found for each matching line of data, in order, with the line without its end; found answers false to stop. The last
// line may lack its end.
func (f *finder) lines(data []byte, found func(start, end int) bool) {
	for i := range f.next {
		f.next[i] = unsought
	}
	for at := 0; at < len(data); {
		start, end, ok := f.candidate(data, at)
		if !ok {
			return
		}
		if f.confirm(data[start:end]) && !found(start, end) {
			return
		}
		at = end + 1
	}
}

// candidate answers the next line from at, the start of a line, that may match.
func (f *finder) candidate(data []byte, at int) (start, end int, ok bool) {
	hit := at
	switch {
	case f.literals != nil:
		if hit = f.seek(data, at); hit < 0 {
			return 0, 0, false
		}
	case f.dfa.usable():
		if hit = f.dfa.find(data, at); hit < 0 {
			return 0, 0, false
		}
	}
	start = at + bytes.LastIndexByte(data[at:hit], '\n') + 1
	end = len(data)
	if i := bytes.IndexByte(data[hit:], '\n'); i >= 0 {
		end = hit + i
	}
	return start, end, true
}

const (
	nowhere  = -1
	unsought = -2
)

// seek answers the first place from at where a literal occurs.
func (f *finder) seek(data []byte, at int) int {
	first := nowhere
	for i, l := range f.literals {
		n := f.next[i]
		if n == unsought || n != nowhere && n < at {
			if n = bytes.Index(data[at:], l); n >= 0 {
				n += at
			}
			f.next[i] = n
		}
		if n >= 0 && (first < 0 || n < first) {
			first = n
		}
	}
	return first
}

func (f *finder) confirm(line []byte) bool {
	if f.whole {
		return true
	}
	if f.dfa.usable() {
		if f.literals != nil && f.dfa.find(line, 0) < 0 {
			return false
		}
		if f.dfa.exact && isASCII(line) {
			return true
		}
	}
	return f.re.Match(line)
}

func isASCII(line []byte) bool {
	for _, b := range line {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
