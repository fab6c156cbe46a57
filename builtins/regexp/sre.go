package regexp

import (
	"fmt"
	"regexp"
	"strings"

	"caper/interp/heap"
)

// This file translates the S-expression notation of SRFI 115.

const maxSREDepth = 200

var sreNames = map[string]string{
	"any": `(?s:.)`, "nonl": `[^\n]`, "bos": `\A`, "eos": `\z`, "bol": `(?m:^)`, "eol": `(?m:$)`, "bow": `\b`, "eow": `\b`, "nwb": `\B`,
	"word": `\w+`, "alpha": `\p{L}`, "alphabetic": `\p{L}`, "lower": `\p{Ll}`, "lower-case": `\p{Ll}`, "upper": `\p{Lu}`, "upper-case": `\p{Lu}`, "title": `\p{Lt}`, "title-case": `\p{Lt}`, "grapheme": `(?:\P{M}\p{M}*|\p{M}+)`,
	"num": `\p{Nd}`, "numeric": `\p{Nd}`, "digit": `\d`, "alnum": `[\p{L}\p{Nd}]`, "alphanumeric": `[\p{L}\p{Nd}]`, "alphanum": `[\p{L}\p{Nd}]`,
	"space": `[\s\p{Z}]`, "white": `[\s\p{Z}]`, "whitespace": `[\s\p{Z}]`, "punct": `[\p{P}\p{S}]`, "punctuation": `\p{P}`, "symbol": `\p{S}`,
	"hex-digit": `[0-9A-Fa-f]`, "xdigit": `[0-9A-Fa-f]`, "ascii": `[\x00-\x7f]`, "control": `[[:cntrl:]]`, "cntrl": `[[:cntrl:]]`,
	"graph": `[\p{L}\p{M}\p{N}\p{P}\p{S}]`, "graphic": `[\p{L}\p{M}\p{N}\p{P}\p{S}]`, "printing": `[\p{L}\p{M}\p{N}\p{P}\p{S}\s]`, "print": `[\p{L}\p{M}\p{N}\p{P}\p{S}\s]`, "newline": `\n`, "nl": `\n`, "integer": `[-+]?\d+`, "real": `[-+]?\d+(?:\.\d+)?`,
}

func fromSRE(a *heap.Arena, w heap.Word) (string, error) { return sre(a, w, 0) }

func sre(a *heap.Arena, w heap.Word, depth int) (string, error) {
	switch {
	case depth > maxSREDepth:
		return "", fmt.Errorf("the expression is nested deeper than %d", maxSREDepth)
	case a.IsString(w):
		return regexp.QuoteMeta(a.Text(w)), nil
	case heap.IsChar(w):
		return regexp.QuoteMeta(string(heap.CharValue(w))), nil
	case a.IsSymbol(w):
		if s, ok := sreNames[a.SymbolName(w)]; ok {
			return s, nil
		}
		return "", fmt.Errorf("%s is no class of characters", a.SymbolName(w))
	case !heap.IsPair(w):
		return "", fmt.Errorf("a pattern is a string or an expression such as (+ digit)")
	}
	items, ok := a.Slice(w, 10_000)
	if !ok {
		return "", fmt.Errorf("a pattern is a proper list")
	}
	if a.IsString(items[0]) && len(items) == 1 {
		return chars([]rune(a.Text(items[0]))).class(), nil
	}
	if !a.IsSymbol(items[0]) {
		return "", fmt.Errorf("a pattern starts with an operator such as : or +")
	}
	switch name := a.SymbolName(items[0]); name {
	case "/", "char-range", "char-set", "~", "complement", "-", "difference", "&", "and":
		s, ok, err := setOf(a, w, depth)
		if err == nil && !ok {
			err = fmt.Errorf("(%s …) takes sets of characters", name)
		}
		return s.class(), err
	}
	return operator(a, a.SymbolName(items[0]), items[1:], depth+1)
}

func sequence(a *heap.Arena, items []heap.Word, depth int, between string) (string, error) {
	parts := make([]string, len(items))
	for i, w := range items {
		s, err := sre(a, w, depth)
		if err != nil {
			return "", err
		}
		parts[i] = s
	}
	return strings.Join(parts, between), nil
}

func operator(a *heap.Arena, name string, items []heap.Word, depth int) (string, error) {
	wrap := func(before string, items []heap.Word, between, after string) (string, error) {
		s, err := sequence(a, items, depth, between)
		return before + s + after, err
	}
	count := func(k int) (int64, error) {
		if len(items) <= k || !heap.IsFixnum(items[k]) || heap.FixnumValue(items[k]) < 0 || heap.FixnumValue(items[k]) > 1000 {
			return 0, fmt.Errorf("(%s n … pattern) needs counts from 0 to 1000", name)
		}
		return heap.FixnumValue(items[k]), nil
	}
	switch name {
	case ":", "seq":
		return wrap("(?:", items, "", ")")
	case "or", "|":
		return wrap("(?:", items, "|", ")")
	case "*", "zero-or-more":
		return wrap("(?:", items, "", ")*")
	case "+", "one-or-more":
		return wrap("(?:", items, "", ")+")
	case "?", "optional":
		return wrap("(?:", items, "", ")?")
	case "*?", "non-greedy-zero-or-more":
		return wrap("(?:", items, "", ")*?")
	case "??", "non-greedy-optional":
		return wrap("(?:", items, "", ")??")
	case "$", "submatch":
		return wrap("(", items, "", ")")
	case "->", "submatch-named", "=>":
		if len(items) == 0 || !a.IsSymbol(items[0]) {
			return "", fmt.Errorf("(-> name pattern …) needs a name")
		}
		return wrap("(?P<"+a.SymbolName(items[0])+">", items[1:], "", ")")
	case "w/nocase":
		return wrap("(?i:", items, "", ")")
	case "word":
		return wrap(`\b(?:`, items, "", `)\b`)
	case "=", "exactly":
		n, err := count(0)
		if err != nil {
			return "", err
		}
		return wrap("(?:", items[1:], "", fmt.Sprintf("){%d}", n))
	case ">=", "at-least":
		n, err := count(0)
		if err != nil {
			return "", err
		}
		return wrap("(?:", items[1:], "", fmt.Sprintf("){%d,}", n))
	case "**", "repeated":
		n, err := count(0)
		if err != nil {
			return "", err
		}
		m, err := count(1)
		if err != nil {
			return "", err
		}
		return wrap("(?:", items[2:], "", fmt.Sprintf("){%d,%d}", n, m))
	case "**?", "non-greedy-repeated":
		n, err := count(0)
		if err != nil {
			return "", err
		}
		m, err := count(1)
		if err != nil {
			return "", err
		}
		return wrap("(?:", items[2:], "", fmt.Sprintf("){%d,%d}?", n, m))
	}
	switch name {
	case "look-ahead", "look-behind", "neg-look-ahead", "neg-look-behind":
		return "", fmt.Errorf("(%s …) is not supported: patterns match in linear time; match more and look at the groups", name)
	case "backref":
		return "", fmt.Errorf("(backref …) is not supported: patterns match in linear time; compare the groups afterwards")
	}
	return "", fmt.Errorf("unknown operator %s", name)
}
