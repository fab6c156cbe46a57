package regexp

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"caper/interp/heap"
)

// A set of characters of an S-expression: ranges in order, each a first and a last rune, that neither meet nor overlap.
type set []rune

// setOf reads a set. It answers false for a pattern that is none.
func setOf(a *heap.Arena, w heap.Word, depth int) (s set, ok bool, err error) {
	switch {
	case depth > maxSREDepth:
		return nil, false, fmt.Errorf("the expression is nested deeper than %d", maxSREDepth)
	case heap.IsChar(w):
		return set{heap.CharValue(w), heap.CharValue(w)}, true, nil
	case a.IsString(w):
		if r := []rune(a.Text(w)); len(r) == 1 {
			return set{r[0], r[0]}, true, nil
		}
		return nil, false, nil
	case a.IsSymbol(w):
		s, ok = named(a.SymbolName(w))
		return s, ok, nil
	}
	items, list := a.Slice(w, 10_000)
	switch {
	case !list || len(items) == 0:
		return nil, false, nil
	case len(items) == 1 && a.IsString(items[0]):
		return chars([]rune(a.Text(items[0]))), true, nil
	case !a.IsSymbol(items[0]):
		return nil, false, nil
	}
	name, items := a.SymbolName(items[0]), items[1:]
	switch name {
	case "/", "char-range", "char-set":
		s, err = literal(a, name, items)
		return s, err == nil, err
	case "or", "~", "complement", "-", "difference", "&", "and":
	default:
		return nil, false, nil
	}
	parts := make([]set, len(items))
	for i, it := range items {
		if parts[i], ok, err = setOf(a, it, depth+1); !ok || err != nil {
			return nil, false, err
		}
	}
	return combine(name, parts), true, nil
}

// named is a class that sreNames knows, unless it is longer than a character.
func named(name string) (set, bool) {
	re, err := syntax.Parse(sreNames[name], syntax.Perl)
	if err != nil {
		return nil, false
	}
	switch {
	case re.Op == syntax.OpCharClass:
		return slices.Clone(re.Rune), true
	case re.Op == syntax.OpLiteral && len(re.Rune) == 1:
		return set{re.Rune[0], re.Rune[0]}, true
	case re.Op == syntax.OpAnyChar:
		return set{0, unicode.MaxRune}, true
	case re.Op == syntax.OpAnyCharNotNL:
		return set{'\n', '\n'}.complement(), true
	}
	return nil, false
}

// literal reads (/ "azAZ"), ranges, and (char-set "abc").
func literal(a *heap.Arena, name string, items []heap.Word) (set, error) {
	var text []rune
	for _, w := range items {
		switch {
		case a.IsString(w):
			text = append(text, []rune(a.Text(w))...)
		case heap.IsChar(w):
			text = append(text, heap.CharValue(w))
		default:
			return nil, fmt.Errorf("(%s …) takes characters and strings", name)
		}
	}
	if name == "char-set" {
		return chars(text), nil
	}
	if len(text)%2 != 0 {
		return nil, fmt.Errorf("(%s …) takes characters in pairs", name)
	}
	return set(text).normal(), nil
}

func chars(text []rune) set {
	s := make(set, 0, 2*len(text))
	for _, r := range text {
		s = append(s, r, r)
	}
	return s.normal()
}

func combine(name string, parts []set) set {
	switch name {
	case "or":
		return slices.Concat(parts...).normal()
	case "~", "complement":
		return slices.Concat(parts...).normal().complement()
	case "&", "and":
		outside := set{}
		for _, p := range parts {
			outside = append(outside, p.complement()...)
		}
		return outside.normal().complement()
	}
	if len(parts) == 0 {
		return nil
	}
	rest := slices.Concat(parts[1:]...)
	return append(rest, parts[0].complement()...).normal().complement()
}

// normal sorts the ranges and joins those that meet; a range that goes down is empty.
func (s set) normal() set {
	var pairs [][2]rune
	for i := 0; i+1 < len(s); i += 2 {
		if s[i] <= s[i+1] {
			pairs = append(pairs, [2]rune{s[i], s[i+1]})
		}
	}
	slices.SortFunc(pairs, func(x, y [2]rune) int { return int(x[0] - y[0]) })
	var out set
	for _, p := range pairs {
		if n := len(out); n > 0 && p[0] <= out[n-1]+1 {
			out[n-1] = max(out[n-1], p[1])
			continue
		}
		out = append(out, p[0], p[1])
	}
	return out
}

func (s set) complement() set {
	var out set
	next := rune(0)
	for i := 0; i < len(s); i += 2 {
		if next < s[i] {
			out = append(out, next, s[i]-1)
		}
		next = s[i+1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, next, unicode.MaxRune)
	}
	return out
}

// class is the set as the engine has it.
func (s set) class() string {
	if len(s) == 0 {
		return `[^\x00-\x{10FFFF}]`
	}
	var out strings.Builder
	out.WriteByte('[')
	for i := 0; i < len(s); i += 2 {
		fmt.Fprintf(&out, `\x{%x}-\x{%x}`, s[i], s[i+1])
	}
	out.WriteByte(']')
	return out.String()
}
