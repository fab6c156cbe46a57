package tool

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// This file defines how grep finds the lines that a regular expression matches without running the expression over every line: a
// string that every match contains is looked for first, else an automaton over bytes (dfa.go) picks the candidates.

// matcher is one expression. It is shared; each worker makes its own finder.
type matcher struct {
	re      *regexp.Regexp
	prog    *syntax.Prog
	literal []byte // in every match; nil if there is none worth looking for
	whole   bool   // the literal is all there is to the expression
}

// minLiteral is the shortest string worth looking for: shorter ones are in too many lines.
const minLiteral = 3

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
	if tree.Op == syntax.OpLiteral && tree.Flags&syntax.FoldCase == 0 {
		// A line never has a line end in it, and a U+FFFD also stands for bytes that are not UTF-8.
		if l := string(tree.Rune); !bytes.ContainsRune([]byte(l), '\n') && !bytes.ContainsRune([]byte(l), utf8.RuneError) {
			m.literal, m.whole = []byte(l), true
			return m, nil
		}
	}
	if l := required(tree); len(l) >= minLiteral {
		m.literal = []byte(l)
	}
	return m, nil
}

// required answers the longest string that is part of every match of the expression, as far as its form shows it.
func required(re *syntax.Regexp) string {
	// The parser bounds the depth of an expression.
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 || bytes.ContainsRune([]byte(string(re.Rune)), utf8.RuneError) {
			return ""
		}
		return string(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		best := ""
		for _, sub := range re.Sub {
			if l := required(sub); len(l) > len(best) {
				best = l
			}
		}
		return best
	}
	return ""
}

// finder looks for matching lines in one goroutine.
type finder struct {
	*matcher
	dfa *dfa // nil when the literal is everything
}

func (m *matcher) finder() *finder {
	f := &finder{matcher: m}
	if !m.whole {
		f.dfa = newDFA(m.prog)
	}
	return f
}

// lines calls found for each matching line of data, in order, with the line without its end; found answers false to stop. The last
// line may lack its end.
func (f *finder) lines(data []byte, found func(start, end int) bool) {
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
	case f.literal != nil:
		i := bytes.Index(data[at:], f.literal)
		if i < 0 {
			return 0, 0, false
		}
		hit = at + i
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

func (f *finder) confirm(line []byte) bool {
	if f.whole {
		return true
	}
	if f.dfa.usable() {
		if f.literal != nil && f.dfa.find(line, 0) < 0 {
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
