package text

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines taking, dropping, padding and trimming.

func cutRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("string-take", 2, 2, "string k", "The first k characters.", cut(func(n, k int) (int, int) { return 0, k })),
		prim.Row("string-drop", 2, 2, "string k", "All but the first k characters.", cut(func(n, k int) (int, int) { return k, n })),
		prim.Row("string-take-right", 2, 2, "string k", "The last k characters.", cut(func(n, k int) (int, int) { return n - k, n })),
		prim.Row("string-drop-right", 2, 2, "string k", "All but the last k characters.", cut(func(n, k int) (int, int) { return 0, n - k })),
		prim.Row("string-pad", 2, 5, "string k [char [start [end]]]", "The text padded or cut on the left to k characters.", pad(true)),
		prim.Row("string-pad-left", 2, 5, "string k [char [start [end]]]", "The text padded or cut on the left to k characters.", pad(true)),
		prim.Row("string-pad-right", 2, 5, "string k [char [start [end]]]", "The text padded or cut on the right to k characters.", pad(false)),
		prim.Row("%string-trim", 1, -1, "string [what] [#:left? b] [#:right? b] [#:repeat? b]", "The text without what at both ends.", trim(true, true)),
		prim.Row("%string-trim-left", 1, -1, "string [what]", "The text without what at its start.", trim(true, false)),
		prim.Row("%string-trim-right", 1, -1, "string [what]", "The text without what at its end.", trim(false, true)),
		prim.Row("string-normalize-spaces", 1, 1, "string", "The words of the text, one space between two.", normalizeSpaces),
	}
}

func cut(part func(n, k int) (lo, hi int)) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if !c.String(a, 0) {
			return heap.Raised
		}
		n := c.StringLen(a[0])
		k, ok := c.Index(a, 1, 0, n)
		if !ok {
			return heap.Raised
		}
		lo, hi := part(n, k)
		return substring(c, []heap.Word{a[0], heap.Fixnum(int64(lo)), heap.Fixnum(int64(hi))})
	}
}

func pad(left bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		text, ok := textArg(c, a, 0, 3)
		if !ok {
			return heap.Raised
		}
		k, ok := c.Index(a, 1, 0, 1<<40)
		if !ok {
			return heap.Raised
		}
		r := ' '
		if prim.Given(a, 2) {
			if r, ok = c.Char(a, 2); !ok {
				return heap.Raised
			}
		}
		n := utf8.RuneCount(text)
		if k <= n {
			for ; n > k; n-- {
				if left {
					_, size := utf8.DecodeRune(text)
					text = text[size:]
				} else {
					_, size := utf8.DecodeLastRune(text)
					text = text[:len(text)-size]
				}
			}
			return c.NewString(string(text))
		}
		if !c.Room(uint64(k)*4 + uint64(len(text))) {
			return c.TooLarge("the padded string")
		}
		fill := strings.Repeat(string(r), k-n)
		if left {
			return c.NewString(fill + string(text))
		}
		return c.NewString(string(text) + fill)
	}
}

// flags splits keyword arguments from the others: (f s #:trim? #f x) has s and x, and trim? false.
func flags(c *prim.Ctx, a []heap.Word, known ...string) (rest []heap.Word, set map[string]heap.Word, ok bool) {
	first := 0
	for first < len(a) && !c.IsKeyword(a[first]) {
		first++
	}
	rest = a[:first:first] // most calls give no keyword: nothing is copied
	for i := first; i < len(a); i++ {
		if !c.IsKeyword(a[i]) {
			rest = append(rest, a[i])
			continue
		}
		name := c.SymbolName(a[i])
		found := false
		for _, k := range known {
			found = found || k == name
		}
		if !found {
			c.Fail("arity-error", strings.TrimPrefix(c.Prim.Name, "%")+": unknown keyword; it takes #:"+strings.Join(known, " #:"), a[i])
			return nil, nil, false
		}
		if i+1 == len(a) {
			c.Fail("arity-error", strings.TrimPrefix(c.Prim.Name, "%")+": a keyword without its value", a[i])
			return nil, nil, false
		}
		if set == nil {
			set = map[string]heap.Word{}
		}
		set[name] = a[i+1]
		i++
	}
	return rest, set, true
}

func flag(set map[string]heap.Word, name string, otherwise bool) bool {
	if w, ok := set[name]; ok {
		return w != heap.False
	}
	return otherwise
}

func trim(left, right bool) prim.Func {
	return func(c *prim.Ctx, args []heap.Word) heap.Word {
		a, set, ok := flags(c, args, "left?", "right?", "repeat?")
		if !ok {
			return heap.Raised
		}
		if len(a) == 0 {
			return c.Fail("arity-error", "string-trim: a string is needed")
		}
		text, ok := textArg(c, a, 0, 2)
		if !ok {
			return heap.Raised
		}
		doLeft, doRight := left && flag(set, "left?", true), right && flag(set, "right?", true)
		if prim.Given(a, 1) && c.IsString(a[1]) {
			return c.NewString(string(trimString(text, c.TextView(a[1]), doLeft, doRight, flag(set, "repeat?", false))))
		}
		test := unicode.IsSpace
		if prim.Given(a, 1) {
			if test, ok = matcher(c, a, 1); !ok {
				return heap.Raised
			}
		}
		if doLeft {
			text = bytes.TrimLeftFunc(text, test)
		}
		if doRight {
			text = bytes.TrimRightFunc(text, test)
		}
		return c.NewString(string(text))
	}
}

func trimString(text, what []byte, left, right, again bool) []byte {
	for n := len(text); len(what) > 0; n = len(text) {
		if left {
			text = bytes.TrimPrefix(text, what)
		}
		if right {
			text = bytes.TrimSuffix(text, what)
		}
		if !again || len(text) == n {
			break
		}
	}
	return text
}

func normalizeSpaces(c *prim.Ctx, a []heap.Word) heap.Word {
	text, ok := textArg(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	return c.NewString(strings.Join(strings.Fields(string(text)), " "))
}
