package text

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines splitting, joining and replacing.

func splitRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("%string-split", 1, -1, "string [separator] [#:trim? b] [#:repeat? b]",
			"The fields of the text: a character keeps all of them; a string drops one empty field at each end unless #:trim? #f; none splits at white space.", split),
		prim.Row("string-join", 1, -1, "strings [delimiter [grammar]] [#:before-first s] [#:before-last s] [#:after-last s]",
			"The strings with the delimiter (a space) between them.", join),
		prim.Row("%string-tokenize", 1, 2, "string [set]", "The longest runs of characters of the set (of what is not white space).", tokenize),
		prim.Row("string-replace", 3, -1, "string from to", "The text with every from replaced by to; (string-replace s1 s2 start end) as in SRFI 13.", replace),
		prim.Row("string-replace-all", 3, 3, "string from to", "The text with every from replaced by to.", replaceAll(-1)),
		prim.Row("string-replace-substring", 3, 3, "string from to", "The text with every from replaced by to.", replaceAll(-1)),
		prim.Row("string-replace-first", 3, 3, "string from to", "The text with the first from replaced by to.", replaceAll(1)),
	}
}

// strings puts parts on the arena as a list.
func stringList(c *prim.Ctx, parts []string) heap.Word {
	n := uint64(0)
	for _, p := range parts {
		n += uint64(len(p)) + 80
	}
	if !c.Room(n) {
		return c.TooLarge("the list of strings")
	}
	l := heap.Null
	for i := len(parts) - 1; i >= 0; i-- {
		l = c.Cons(c.NewString(parts[i]), l)
	}
	return l
}

func split(c *prim.Ctx, args []heap.Word) heap.Word {
	a, set, ok := flags(c, args, "trim?", "repeat?")
	if !ok {
		return heap.Raised
	}
	if len(a) == 0 {
		return c.Fail("arity-error", "string-split: a string is needed")
	}
	text, ok := textArg(c, a, 0, len(a))
	if !ok {
		return heap.Raised
	}
	if !c.Lend(uint64(len(text))) {
		return c.TooLarge("the text")
	}
	s := string(text)
	if !prim.Given(a, 1) {
		if n := fields(s); !c.Lend(uint64(n) * 16) {
			return c.TooLarge("the list of strings")
		}
		return stringList(c, strings.Fields(s))
	}
	if !c.IsString(a[1]) {
		test, ok := matcher(c, a, 1)
		if !ok {
			return heap.Raised
		}
		parts, ok := splitAt(c, s, test)
		if !ok {
			return c.TooLarge("the list of strings")
		}
		return stringList(c, parts)
	}
	trim := flag(set, "trim?", true)
	if prim.Given(a, 2) { // SRFI 130 and 152: a grammar after the delimiter
		trim = false
	}
	return splitByString(c, a, s, trim, flag(set, "repeat?", false))
}

func fields(s string) (n int) {
	for range strings.FieldsSeq(s) {
		n++
	}
	return n
}

// splitAt reports false when the parts do not fit the memory limit.
func splitAt(c *prim.Ctx, s string, test func(rune) bool) (parts []string, ok bool) {
	start := 0
	for i, r := range s {
		if test(r) {
			if n := cap(parts); len(parts) == n && !c.Lend(uint64(n)*20) {
				return nil, false
			}
			parts = append(parts, s[start:i])
			start = i + utf8.RuneLen(r)
		}
	}
	return append(parts, s[start:]), true
}

func splitByString(c *prim.Ctx, a []heap.Word, s string, trim, again bool) heap.Word {
	sep := c.Text(a[1])
	if sep == "" {
		if !c.Lend(uint64(len(s)) * 16) {
			return c.TooLarge("the list of strings")
		}
		return stringList(c, strings.Split(s, ""))
	}
	if trim {
		s = string(trimString([]byte(s), []byte(sep), true, true, again))
	}
	if s == "" {
		return heap.Null
	}
	if !c.Lend(uint64(strings.Count(s, sep)+1) * 16) {
		return c.TooLarge("the list of strings")
	}
	parts := strings.Split(s, sep)
	if again {
		kept := parts[:0]
		for _, p := range parts {
			if p != "" {
				kept = append(kept, p)
			}
		}
		parts = kept
	}
	if prim.Given(a, 2) && c.IsSymbol(a[2]) && len(parts) > 0 {
		switch c.SymbolName(a[2]) {
		case "suffix":
			if parts[len(parts)-1] == "" {
				parts = parts[:len(parts)-1]
			}
		case "prefix":
			if parts[0] == "" {
				parts = parts[1:]
			}
		}
	}
	return stringList(c, parts)
}

func join(c *prim.Ctx, args []heap.Word) heap.Word {
	a, ends, ok := flags(c, args, "before-first", "before-last", "after-last")
	if !ok {
		return heap.Raised
	}
	if len(a) == 0 || len(a) > 3 {
		return c.Fail("arity-error", fmt.Sprintf("string-join takes 1 to 3 arguments (strings [delimiter [grammar]]), %d given", len(a)))
	}
	if len(a) == 2 && c.IsString(a[0]) && (a[1] == heap.Null || heap.IsPair(a[1])) {
		a = []heap.Word{a[1], a[0]} // as after ->>, and in Clojure
	}
	items, ok := c.Items(a, 0)
	if !ok {
		return heap.Raised
	}
	sep := []byte(" ")
	if prim.Given(a, 1) {
		if heap.IsChar(a[1]) {
			sep = []byte(string(heap.CharValue(a[1])))
		} else if sep, ok = textArg(c, a, 1, len(a)); !ok {
			return heap.Raised
		}
	}
	part := func(name string, otherwise []byte) []byte {
		w, given := ends[name]
		if !given {
			return otherwise
		}
		if !c.IsString(w) {
			c.Fail("type-error", "string-join: #:"+name+" must be a string", w)
			ok = false
			return nil
		}
		return c.TextView(w)
	}
	first, final, after := part("before-first", nil), part("before-last", sep), part("after-last", nil)
	if !ok {
		return heap.Raised
	}
	n := uint64(len(sep))*uint64(len(items)+1) + uint64(len(first)+len(final)+len(after))
	for i, w := range items {
		if !c.IsString(w) {
			return c.Fail("type-error", fmt.Sprintf("string-join: element %d of the list must be a string", i), w)
		}
		n += uint64(len(c.TextView(w)))
	}
	grammar := "infix"
	if prim.Given(a, 2) && c.IsSymbol(a[2]) {
		grammar = c.SymbolName(a[2])
	}
	if grammar == "strict-infix" && len(items) == 0 {
		return c.Fail("range-error", "string-join: the list is empty, which the grammar strict-infix does not allow")
	}
	return newText(c, n, func(out []byte) []byte {
		out = append(out, first...)
		for i, w := range items {
			if i > 0 && i == len(items)-1 && grammar != "suffix" {
				out = append(out, final...)
			} else if grammar == "prefix" || i > 0 && grammar != "suffix" {
				out = append(out, sep...)
			}
			out = append(out, c.TextView(w)...)
			if grammar == "suffix" {
				out = append(out, sep...)
			}
		}
		return append(out, after...)
	})
}

func tokenize(c *prim.Ctx, a []heap.Word) heap.Word {
	text, ok := textArg(c, a, 0, len(a))
	if !ok {
		return heap.Raised
	}
	inside := func(r rune) bool { return !unicode.IsSpace(r) }
	if prim.Given(a, 1) {
		if inside, ok = matcher(c, a, 1); !ok {
			return heap.Raised
		}
	}
	return stringList(c, strings.FieldsFunc(string(text), func(r rune) bool { return !inside(r) }))
}

func replace(c *prim.Ctx, a []heap.Word) heap.Word {
	if heap.IsFixnum(a[2]) {
		return replaceRange(c, a)
	}
	if len(a) > 3 { // Racket's #:all?
		if len(a) == 5 && c.IsKeyword(a[3]) && c.SymbolName(a[3]) == "all?" && a[4] == heap.False {
			return replaceAll(1)(c, a[:3])
		} else if len(a) != 5 || !c.IsKeyword(a[3]) {
			return c.Fail("arity-error", "string-replace: takes string, from, to and perhaps #:all? b")
		}
	}
	return replaceAll(-1)(c, a[:3])
}

func replaceRange(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	with, ok := textArg(c, a, 1, 4)
	if !ok {
		return heap.Raised
	}
	n := c.StringLen(a[0])
	start, end, ok := c.Span(a[:min(len(a), 4)], 2, n)
	if !ok {
		return heap.Raised
	}
	s := c.TextView(a[0])
	lo, hi := c.ByteOffset(a[0], start), c.ByteOffset(a[0], end)
	return newText(c, uint64(len(s)+len(with)), func(out []byte) []byte {
		return append(append(append(out, s[:lo]...), with...), s[hi:]...)
	})
}

func replaceAll(times int) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		var t [3][]byte
		for i := range t {
			if heap.IsChar(a[i]) && i > 0 {
				t[i] = []byte(string(heap.CharValue(a[i])))
				continue
			}
			var ok bool
			if t[i], ok = textArg(c, a, i, len(a)); !ok {
				return heap.Raised
			}
		}
		n := bytes.Count(t[0], t[1])
		if times >= 0 {
			n = min(n, times)
		}
		if !c.Room(uint64(len(t[0])) + uint64(n)*uint64(len(t[2]))) {
			return c.TooLarge("the string")
		}
		return c.NewString(string(bytes.Replace(t[0], t[1], t[2], n)))
	}
}
