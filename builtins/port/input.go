package port

import (
	"bytes"
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines reading. A console that waits for more answers #!default; the Scheme procedure around asks the host
// and tries again.

func inputRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("%read-char", 1, 1, "port", "The next character.", readChar(true)),
		prim.Row("%peek-char", 1, 1, "port", "The next character, which stays.", readChar(false)),
		prim.Row("%read-line", 1, 1, "port", "The text up to the end of the line, which is passed over.", readLine),
		prim.Row("%read-string", 2, 2, "port k", "At most k characters.", readString),
		prim.Row("%read-rest", 1, 1, "port", "All text that is left.", readRest),
		prim.Row("%char-ready?", 1, 1, "port", "Can a character be read now?", ready(0)),
		prim.Row("%read-u8", 1, 1, "port", "The next byte.", readByte(true)),
		prim.Row("%peek-u8", 1, 1, "port", "The next byte, which stays.", readByte(false)),
		prim.Row("%u8-ready?", 1, 1, "port", "Can a byte be read now?", ready(isBinary)),
		prim.Row("%read-bytevector", 2, 2, "port k", "At most k bytes.", readBytes),
		prim.Row("%read-bytevector!", 2, 4, "port bytevector [start [end]]", "Reads bytes into the bytevector; answers how many.", readBytesInto),
		prim.Row("%read", 1, 1, "port", "The next datum.", readDatum),
	}
}

// nothing is what a read answers when the buffer is empty.
func nothing(more bool) heap.Word {
	if more {
		return heap.Default
	}
	return heap.EOF
}

func readChar(pass bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if !usable(c, a, 0, isInput, 0) {
			return heap.Raised
		}
		b, more := rest(c, a[0])
		if len(b) == 0 {
			return nothing(more)
		}
		r, n := utf8.DecodeRune(b)
		if pass {
			advance(c, a[0], n)
		}
		return heap.Char(r)
	}
}

func readLine(c *prim.Ctx, a []heap.Word) heap.Word {
	if !usable(c, a, 0, isInput, 0) {
		return heap.Raised
	}
	b, more := rest(c, a[0])
	n, pass := lineEnd(b)
	if pass == len(b) && more && (pass == n || b[n] == '\r') {
		return heap.Default
	}
	if len(b) == 0 {
		return heap.EOF
	}
	return taken(c, a[0], b[:n], pass)
}

// lineEnd is where the first line ends and the next begins: a line ends with a newline, a return, or both.
func lineEnd(b []byte) (end, next int) {
	n := bytes.IndexByte(b, '\n')
	if n < 0 {
		n = len(b)
	}
	switch r := bytes.IndexByte(b[:n], '\r'); {
	case r >= 0 && r+1 < n, r >= 0 && n == len(b):
		return r, r + 1
	case r >= 0:
		return r, n + 1
	}
	return n, min(n+1, len(b))
}

// taken answers text and passes over n bytes.
func taken(c *prim.Ctx, p heap.Word, text []byte, n int) heap.Word {
	if !c.Room(uint64(len(text))) {
		return c.TooLarge("the string")
	}
	advance(c, p, n)
	return c.NewText(text)
}

func readString(c *prim.Ctx, a []heap.Word) heap.Word {
	if !usable(c, a, 0, isInput, 0) {
		return heap.Raised
	}
	k, ok := c.Index(a, 1, 0, heap.MaxFixnum)
	if !ok {
		return heap.Raised
	}
	b, more := rest(c, a[0])
	if k == 0 {
		return c.NewString("")
	}
	n, chars := 0, 0
	for ; chars < k && n < len(b); chars++ {
		_, size := utf8.DecodeRune(b[n:])
		n += size
	}
	if chars < k && more {
		return heap.Default
	}
	if len(b) == 0 {
		return heap.EOF
	}
	return taken(c, a[0], b[:n], n)
}

func readRest(c *prim.Ctx, a []heap.Word) heap.Word {
	if !usable(c, a, 0, isInput, 0) {
		return heap.Raised
	}
	b, more := rest(c, a[0])
	switch {
	case more:
		return heap.Default
	case len(b) == 0:
		return heap.EOF
	}
	return taken(c, a[0], b, len(b))
}

func ready(kind int64) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if !usable(c, a, 0, isInput, kind) {
			return heap.Raised
		}
		b, more := rest(c, a[0])
		return heap.Bool(len(b) > 0 || !more)
	}
}

func readByte(pass bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if !usable(c, a, 0, isInput, isBinary) {
			return heap.Raised
		}
		b, more := rest(c, a[0])
		if len(b) == 0 {
			return nothing(more)
		}
		if pass {
			advance(c, a[0], 1)
		}
		return heap.Fixnum(int64(b[0]))
	}
}

func readBytes(c *prim.Ctx, a []heap.Word) heap.Word {
	if !usable(c, a, 0, isInput, isBinary) {
		return heap.Raised
	}
	k, ok := c.Index(a, 1, 0, heap.MaxFixnum)
	if !ok {
		return heap.Raised
	}
	b, more := rest(c, a[0])
	if len(b) == 0 && k > 0 {
		return nothing(more)
	}
	k = min(k, len(b))
	if !c.Room(uint64(k)) {
		return c.TooLarge("the bytevector")
	}
	advance(c, a[0], k)
	return c.FromBytes(b[:k])
}

func readBytesInto(c *prim.Ctx, a []heap.Word) heap.Word {
	if !usable(c, a, 0, isInput, isBinary) || !c.Bytevector(a, 1) || !c.Mutable(a, 1) {
		return heap.Raised
	}
	to := c.Bytes(a[1])
	start, end, ok := c.Span(a, 2, len(to))
	if !ok {
		return heap.Raised
	}
	b, more := rest(c, a[0])
	if len(b) == 0 && end > start {
		return nothing(more)
	}
	n := copy(to[start:end], b)
	advance(c, a[0], n)
	return heap.Fixnum(int64(n))
}
