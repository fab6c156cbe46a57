package text

import (
	"bytes"
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines searching. Every answer is a position in characters, or #f.

func searchRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("string-contains", 2, 4, "string pattern [start [end]]", "The position of the first occurrence of pattern, or #f.", find(0, 1, bytes.Index, false)),
		prim.Row("string-contains-right", 2, 4, "string pattern [start [end]]", "The position of the last occurrence of pattern, or #f.", find(0, 1, bytes.LastIndex, false)),
		prim.Row("string-contains-ci", 2, 4, "string pattern [start [end]]", "string-contains with both texts folded.", find(0, 1, bytes.Index, true)),
		prim.Row("string-contains?", 2, 2, "string pattern", "Does pattern occur in the string?", containsText),
		prim.Row("substring?", 2, 2, "pattern string", "Does pattern occur in the string?", func(c *prim.Ctx, a []heap.Word) heap.Word {
			return containsText(c, []heap.Word{a[1], a[0]})
		}),
		prim.Row("string-search-forward", 2, 3, "pattern string [start]", "The position of the first occurrence from start on, or #f.", find(1, 0, bytes.Index, false)),
		prim.Row("string-search-backward", 2, 3, "pattern string [end]", "The position after the last occurrence before end, or #f.", searchBackward),
		prim.Row("string-search-all", 2, 3, "pattern string [start]", "The positions of all occurrences.", searchAll),
		prim.Row("%string-index", 2, 4, "string what [start [end]]", "The position of the first such character, or #f.", index(true, false)),
		prim.Row("%string-index-right", 2, 4, "string what [start [end]]", "The position of the last such character, or #f.", index(true, true)),
		prim.Row("%string-skip", 2, 4, "string what [start [end]]", "The position of the first other character, or #f.", index(false, false)),
		prim.Row("%string-skip-right", 2, 4, "string what [start [end]]", "The position of the last other character, or #f.", index(false, true)),
		prim.Row("%string-count", 2, 4, "string what [start [end]]", "The number of such characters, or of occurrences of a string.", count),
		prim.Row("%string-filter", 2, 4, "what string [start [end]]", "The such characters only.", keep(true)),
		prim.Row("%string-delete", 2, 4, "what string [start [end]]", "The other characters only.", keep(false)),
	}
}

// position counts the characters before byte offset off of text.
func position(base int, text []byte, off int) heap.Word {
	return heap.Fixnum(int64(base + utf8.RuneCount(text[:off])))
}

// startOf is the optional start argument, already checked by textArg.
func startOf(a []heap.Word, i int) int {
	if prim.Given(a, i) {
		return int(heap.FixnumValue(a[i]))
	}
	return 0
}

func find(in, what int, search func(s, sep []byte) int, folded bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		text, ok := textArg(c, a, in, 2)
		if !ok {
			return heap.Raised
		}
		if heap.IsChar(a[what]) {
			a = append([]heap.Word{}, a...)
			a[what] = c.NewString(string(heap.CharValue(a[what])))
		}
		pattern, ok := textArg(c, a, what, len(a))
		if !ok {
			return heap.Raised
		}
		if folded {
			return findFolded(text, pattern, startOf(a, 2))
		}
		off := search(text, pattern)
		if off < 0 {
			return heap.False
		}
		return position(startOf(a, 2), text, off)
	}
}

// findFolded compares character by character, so that positions are those of the text as it is.
func findFolded(text, pattern []byte, base int) heap.Word {
	s, p := foldAll(text), foldAll(pattern)
	i := bytes.Index(s, p)
	if i < 0 {
		return heap.False
	}
	return position(base, s, i)
}

func foldAll(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		out = utf8.AppendRune(out, foldRune(r))
	}
	return out
}

func containsText(c *prim.Ctx, a []heap.Word) heap.Word {
	w := find(0, 1, bytes.Index, false)(c, a)
	if w == heap.Raised {
		return w
	}
	return heap.Bool(w != heap.False)
}

func searchBackward(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) || !c.String(a, 1) {
		return heap.Raised
	}
	end := c.StringLen(a[1])
	if prim.Given(a, 2) {
		var ok bool
		if end, ok = c.Index(a, 2, 0, end); !ok {
			return heap.Raised
		}
	}
	text := c.TextView(a[1])[:c.ByteOffset(a[1], end)]
	c.Charge(uint64(len(text)) / 16)
	pattern := c.TextView(a[0])
	off := bytes.LastIndex(text, pattern)
	if off < 0 {
		return heap.False
	}
	return position(0, text, off+len(pattern))
}

func searchAll(c *prim.Ctx, a []heap.Word) heap.Word {
	text, ok := textArg(c, a, 1, 2)
	if !ok {
		return heap.Raised
	}
	pattern, ok := textArg(c, a, 0, len(a))
	if !ok {
		return heap.Raised
	}
	var found []heap.Word
	at, base := 0, startOf(a, 2)
	for len(pattern) > 0 {
		off := bytes.Index(text[at:], pattern)
		if off < 0 {
			break
		}
		base += utf8.RuneCount(text[at : at+off])
		found = append(found, heap.Fixnum(int64(base)))
		_, size := utf8.DecodeRune(text[at+off:])
		at += off + size
		base++
	}
	if !c.Room(uint64(len(found)) * 16) {
		return c.TooLarge("the list")
	}
	return c.List(found...)
}

func index(want, right bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		text, ok := textArg(c, a, 0, 2)
		if !ok {
			return heap.Raised
		}
		test, ok := matcher(c, a, 1)
		if !ok {
			return heap.Raised
		}
		off := -1
		match := func(r rune) bool { return test(r) == want }
		if right {
			off = bytes.LastIndexFunc(text, match)
		} else {
			off = bytes.IndexFunc(text, match)
		}
		if off < 0 {
			return heap.False
		}
		return position(startOf(a, 2), text, off)
	}
}

func count(c *prim.Ctx, a []heap.Word) heap.Word {
	text, ok := textArg(c, a, 0, 2)
	if !ok {
		return heap.Raised
	}
	if c.IsString(a[1]) {
		if c.StringLen(a[1]) == 0 {
			return heap.Fixnum(0)
		}
		return heap.Fixnum(int64(bytes.Count(text, c.TextView(a[1]))))
	}
	test, ok := matcher(c, a, 1)
	if !ok {
		return heap.Raised
	}
	n := int64(0)
	for _, r := range string(text) {
		if test(r) {
			n++
		}
	}
	return heap.Fixnum(n)
}

func keep(want bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		text, ok := textArg(c, a, 1, 2)
		if !ok {
			return heap.Raised
		}
		test, ok := matcher(c, a, 0)
		if !ok {
			return heap.Raised
		}
		return newText(c, uint64(len(text)), func(out []byte) []byte {
			for _, r := range string(text) {
				if test(r) == want {
					out = utf8.AppendRune(out, r)
				}
			}
			return out
		})
	}
}
