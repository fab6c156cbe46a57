package text

import (
	"fmt"
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines what turns strings into lists, vectors and bytes, and back.

func convertRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("string->list", 1, 3, "string [start [end]]", "The characters in a list.", stringToList),
		prim.Row("list->string", 1, 1, "list", "A string of the characters in a list.", listToString),
		prim.Row("reverse-list->string", 1, 1, "list", "A string of the characters in a list, last to first.", reverseListToString),
		prim.Row("string->vector", 1, 3, "string [start [end]]", "The characters in a vector.", stringToVector),
		prim.Row("vector->string", 1, 3, "vector [start [end]]", "A string of the characters in a vector.", vectorToString),
		prim.Row("string->utf8", 1, 3, "string [start [end]]", "The UTF-8 bytes of the text.", stringToUTF8),
		prim.Row("utf8->string", 1, 3, "bytevector [start [end]]", "The text of UTF-8 bytes.", utf8ToString(false)),
		prim.Row("utf8->string/lossy", 1, 3, "bytevector [start [end]]", "The text of UTF-8 bytes, U+FFFD for what is invalid.", utf8ToString(true)),
	}
}

func stringToList(c *prim.Ctx, a []heap.Word) heap.Word {
	text, ok := textArg(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	if !c.Room(uint64(utf8.RuneCount(text)) * 16) {
		return c.TooLarge("the list")
	}
	l := heap.Null
	for len(text) > 0 {
		r, n := utf8.DecodeLastRune(text)
		l = c.Cons(heap.Char(r), l)
		text = text[:len(text)-n]
	}
	return l
}

// fromChars makes a string of character words.
func fromChars(c *prim.Ctx, items []heap.Word) heap.Word {
	for _, w := range items {
		if !heap.IsChar(w) {
			return c.Fail("type-error", c.Prim.Name+": every element must be a character", w)
		}
	}
	return newText(c, uint64(len(items))*4, func(out []byte) []byte {
		for _, w := range items {
			out = utf8.AppendRune(out, heap.CharValue(w))
		}
		return out
	})
}

func listToString(c *prim.Ctx, a []heap.Word) heap.Word {
	items, ok := c.Items(a, 0)
	if !ok {
		return heap.Raised
	}
	return fromChars(c, items)
}

func reverseListToString(c *prim.Ctx, a []heap.Word) heap.Word {
	items, ok := c.Items(a, 0)
	if !ok {
		return heap.Raised
	}
	for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
		items[i], items[j] = items[j], items[i]
	}
	return fromChars(c, items)
}

func stringToVector(c *prim.Ctx, a []heap.Word) heap.Word {
	text, ok := textArg(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	n := utf8.RuneCount(text)
	if !c.Room(uint64(n) * 8) {
		return c.TooLarge("the vector")
	}
	v := c.New(heap.KindVector, n, heap.Null)
	f := c.Fields(v)
	i := 0
	for _, r := range string(text) {
		f[i] = heap.Char(r)
		i++
	}
	return v
}

func vectorToString(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Vector(a, 0) {
		return heap.Raised
	}
	f := c.Fields(a[0])
	start, end, ok := c.Span(a, 1, len(f))
	if !ok {
		return heap.Raised
	}
	return fromChars(c, f[start:end])
}

func stringToUTF8(c *prim.Ctx, a []heap.Word) heap.Word {
	text, ok := textArg(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	if !c.Room(uint64(len(text))) {
		return c.TooLarge("the bytevector")
	}
	return c.FromBytes(text)
}

func utf8ToString(lossy bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if !c.Bytevector(a, 0) {
			return heap.Raised
		}
		b := c.Bytes(a[0])
		start, end, ok := c.Span(a, 1, len(b))
		if !ok {
			return heap.Raised
		}
		b = b[start:end]
		if at := invalidAt(b); at >= 0 && !lossy {
			return c.Fail("range-error", fmt.Sprintf("utf8->string: the bytes are not UTF-8: 0x%02x at byte %d", b[at], start+at), heap.Fixnum(int64(start+at)))
		}
		if !c.Room(uint64(len(b)) * 3) {
			return c.TooLarge("the string")
		}
		return c.NewString(string(b))
	}
}

// invalidAt is the offset of the first byte that is not UTF-8, -1 when all are.
func invalidAt(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return -1
}
