package text

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines the basic procedures on strings. Positions count characters; TextView counts bytes.

func stringRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("string?", 1, 1, "value", "Is it a string?", func(c *prim.Ctx, a []heap.Word) heap.Word { return heap.Bool(c.IsString(a[0])) }),
		prim.Row("make-string", 1, 2, "k [char]", "A string of k characters.", makeString),
		prim.Row("string", 0, -1, "char …", "A string of the characters.", stringOf),
		prim.Row("string-length", 1, 1, "string", "The number of characters.", stringLength),
		prim.Row("string-ref", 2, 2, "string k", "Character k, counted from 0.", stringRef),
		prim.Row("string-set!", 3, 3, "string k char", "Replaces character k.", stringSet),
		prim.Row("substring", 2, 3, "string start [end]", "The characters from start up to end.", substring),
		prim.Row("string-head", 2, 2, "string end", "The characters up to end.", func(c *prim.Ctx, a []heap.Word) heap.Word {
			return substring(c, []heap.Word{a[0], heap.Fixnum(0), a[1]})
		}),
		prim.Row("string-tail", 2, 2, "string start", "The characters from start on.", substring),
		prim.Row("string-copy", 1, 3, "string [start [end]]", "A new string of those characters.", substring),
		prim.Row("string-append", 0, -1, "string …", "The strings one after the other.", appendStrings),
		prim.Row("string-append*", 1, -1, "string … strings", "The strings and those in the last argument, one after the other.", appendStar),
		prim.Row("string-concatenate", 1, 1, "strings", "The strings of a list one after the other.", appendStar),
		prim.Row("string-copy!", 3, 5, "to at from [start [end]]", "Copies characters of from into to, from at on.", copyInto),
		prim.Row("string-fill!", 2, 4, "string char [start [end]]", "Replaces those characters.", fill),
		prim.Row("string-null?", 1, 1, "string", "Is it empty?", isEmpty),
		prim.Row("string-reverse", 1, 3, "string [start [end]]", "The characters last to first.", reverse),
		prim.Row("string-repeat", 2, 2, "string k", "The string k times.", repeat),
	}
}

// textArg is the text of string argument i between the optional start and end at argument j: a view.
func textArg(c *prim.Ctx, a []heap.Word, i, j int) (text []byte, ok bool) {
	if !c.String(a, i) {
		return nil, false
	}
	s := a[i]
	n := c.StringLen(s)
	if len(a) <= j {
		text = c.TextView(s)
	} else {
		start, end, ok := c.Span(a, j, n)
		if !ok {
			return nil, false
		}
		text = c.TextView(s)[c.ByteOffset(s, start):c.ByteOffset(s, end)]
	}
	c.Charge(uint64(len(text)) / 16)
	return text, true
}

// newText makes a string of what write appends, at most n bytes.
func newText(c *prim.Ctx, n uint64, write func(out []byte) []byte) heap.Word {
	if !c.Room(n) {
		return c.TooLarge("the string")
	}
	return c.NewText(write(make([]byte, 0, min(n, 1<<16))))
}

func makeString(c *prim.Ctx, a []heap.Word) heap.Word {
	k, ok := c.Index(a, 0, 0, 1<<40)
	if !ok {
		return heap.Raised
	}
	r := ' '
	if prim.Given(a, 1) {
		if r, ok = c.Char(a, 1); !ok {
			return heap.Raised
		}
	}
	if !c.Room(uint64(k) * 4) {
		return c.TooLarge(fmt.Sprintf("a string of %d characters", k))
	}
	return c.NewString(strings.Repeat(string(r), k))
}

func stringOf(c *prim.Ctx, a []heap.Word) heap.Word {
	out := make([]byte, 0, len(a))
	for i := range a {
		r, ok := c.Char(a, i)
		if !ok {
			return heap.Raised
		}
		out = utf8.AppendRune(out, r)
	}
	return c.NewText(out)
}

func stringLength(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	return heap.Fixnum(int64(c.StringLen(a[0])))
}

func stringRef(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	k, ok := element(c, a, 1, c.StringLen(a[0]))
	if !ok {
		return heap.Raised
	}
	return heap.Char(c.StringRef(a[0], k))
}

// element reads argument i as the position of one of n elements.
func element(c *prim.Ctx, a []heap.Word, i, n int) (k int, ok bool) {
	if n == 0 && heap.IsFixnum(a[i]) {
		c.Fail("range-error", c.Prim.Name+": the string is empty", a[i])
		return 0, false
	}
	return c.Index(a, i, 0, n-1)
}

func stringSet(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) || !c.Mutable(a, 0) {
		return heap.Raised
	}
	n := c.StringLen(a[0])
	k, ok := element(c, a, 1, n)
	if !ok {
		return heap.Raised
	}
	r, ok := c.Char(a, 2)
	if !ok {
		return heap.Raised
	}
	if !c.Reserve(uint64(n) * 4) {
		return c.TooLarge("the wider string")
	}
	c.StringSet(a[0], k, r)
	return heap.Unspecified
}

func substring(c *prim.Ctx, a []heap.Word) heap.Word {
	text, ok := textArg(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	if !c.Room(uint64(len(text))) {
		return c.TooLarge("the string")
	}
	return c.NewText(text)
}

func appendStrings(c *prim.Ctx, a []heap.Word) heap.Word {
	n := 0
	for i := range a {
		if !c.String(a, i) {
			return heap.Raised
		}
		n += len(c.TextView(a[i]))
	}
	if !c.Room(uint64(n)) {
		return c.TooLarge("the string")
	}
	return c.JoinText(a)
}

func appendStar(c *prim.Ctx, a []heap.Word) heap.Word {
	n := len(a) - 1
	items, ok := c.Items(a, n)
	if !ok {
		return heap.Raised
	}
	all := append(append([]heap.Word{}, a[:n]...), items...)
	for _, w := range all {
		if !c.IsString(w) {
			return c.Fail("type-error", c.Prim.Name+": every element must be a string", w)
		}
	}
	return appendStrings(c, all)
}

// splice replaces the characters from at on by as many as text has.
func splice(c *prim.Ctx, s heap.Word, at int, text []byte, n int) heap.Word {
	if c.IsASCII(s) && len(text) == n {
		copy(c.TextView(s)[at:], text) // one byte a character on both sides: in place
		return heap.Unspecified
	}
	old := c.TextView(s)
	lo, hi := c.ByteOffset(s, at), c.ByteOffset(s, at+n)
	if !c.Room(uint64(len(old) + len(text))) {
		return c.TooLarge("the string")
	}
	c.StringReplaceAll(s, string(old[:lo])+string(text)+string(old[hi:]))
	return heap.Unspecified
}

func copyInto(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) || !c.String(a, 2) || !c.Mutable(a, 0) {
		return heap.Raised
	}
	n := c.StringLen(a[0])
	at, ok := c.Index(a, 1, 0, n)
	if !ok {
		return heap.Raised
	}
	start, end, ok := c.Span(a, 3, c.StringLen(a[2]))
	if !ok {
		return heap.Raised
	}
	if end-start > n-at {
		return c.Fail("range-error", fmt.Sprintf("string-copy!: %d characters do not fit in the %d from position %d on", end-start, n-at, at), a[0])
	}
	text, ok := textArg(c, a, 2, 3)
	if !ok {
		return heap.Raised
	}
	return splice(c, a[0], at, text, end-start)
}

func fill(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) || !c.Mutable(a, 0) {
		return heap.Raised
	}
	r, ok := c.Char(a, 1)
	if !ok {
		return heap.Raised
	}
	start, end, ok := c.Span(a, 2, c.StringLen(a[0]))
	if !ok {
		return heap.Raised
	}
	if !c.Room(uint64(end-start) * 4) {
		return c.TooLarge("the string")
	}
	return splice(c, a[0], start, []byte(strings.Repeat(string(r), end-start)), end-start)
}

func isEmpty(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	return heap.Bool(c.StringLen(a[0]) == 0)
}

func reverse(c *prim.Ctx, a []heap.Word) heap.Word {
	text, ok := textArg(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	return newText(c, uint64(len(text)), func(out []byte) []byte {
		for len(text) > 0 {
			r, n := utf8.DecodeLastRune(text)
			out = utf8.AppendRune(out, r)
			text = text[:len(text)-n]
		}
		return out
	})
}

func repeat(c *prim.Ctx, a []heap.Word) heap.Word {
	text, ok := textArg(c, a, 0, len(a))
	if !ok {
		return heap.Raised
	}
	k, ok := c.Index(a, 1, 0, 1<<40)
	if !ok {
		return heap.Raised
	}
	if len(text) == 0 {
		return c.NewString("")
	}
	if uint64(k) > 1<<40/uint64(len(text)) || !c.Room(uint64(k)*uint64(len(text))) {
		return c.TooLarge("the string")
	}
	return c.NewString(strings.Repeat(string(text), k))
}
