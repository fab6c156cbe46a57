package port

import (
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines writing text and bytes.

func outputRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("%write-char", 2, 2, "char port", "Writes a character.", writeChar),
		prim.Row("%write-string", 2, 4, "string port [start [end]]", "Writes those characters.", writeString),
		prim.Row("%newline", 1, 1, "port", "Ends the line.", newline(false)),
		prim.Row("%fresh-line", 1, 1, "port", "Ends the line unless it is empty.", newline(true)),
		prim.Row("%write-u8", 2, 2, "byte port", "Writes a byte.", writeByte),
		prim.Row("%write-bytevector", 2, 4, "bytevector port [start [end]]", "Writes those bytes.", writeBytes),
		prim.Row("get-output-string", 1, 1, "port", "The text that the port collected.", outputString),
		prim.Row("get-output-bytevector", 1, 1, "port", "The bytes that the port collected.", outputBytes),
	}
}

func written(ok bool) heap.Word {
	if !ok {
		return heap.Raised
	}
	return heap.Unspecified
}

func writeChar(c *prim.Ctx, a []heap.Word) heap.Word {
	r, ok := c.Char(a, 0)
	if !ok || !usable(c, a, 1, isOutput, 0) {
		return heap.Raised
	}
	return written(emit(c, a[1], utf8.AppendRune(c.Small[:0], r)))
}

func writeString(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) || !usable(c, a, 1, isOutput, 0) {
		return heap.Raised
	}
	text := c.TextView(a[0])
	if len(a) > 2 {
		start, end, ok := c.Span(a, 2, c.StringLen(a[0]))
		if !ok {
			return heap.Raised
		}
		text = text[c.ByteOffset(a[0], start):c.ByteOffset(a[0], end)]
	}
	return written(emit(c, a[1], text))
}

func newline(fresh bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if !usable(c, a, 0, isOutput, 0) {
			return heap.Raised
		}
		return written(fresh && lineStart(c, a[0]) || emit(c, a[0], append(c.Small[:0], '\n')))
	}
}

func writeByte(c *prim.Ctx, a []heap.Word) heap.Word {
	b, ok := c.Byte(a, 0)
	if !ok || !usable(c, a, 1, isOutput, isBinary) {
		return heap.Raised
	}
	return written(emit(c, a[1], append(c.Small[:0], b)))
}

func writeBytes(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Bytevector(a, 0) || !usable(c, a, 1, isOutput, isBinary) {
		return heap.Raised
	}
	b := c.Bytes(a[0])
	start, end, ok := c.Span(a, 2, len(b))
	if !ok {
		return heap.Raised
	}
	return written(emit(c, a[1], b[start:end]))
}

// collected is what output port argument 0 of a kind has collected.
func collected(c *prim.Ctx, a []heap.Word, kind int64, want string) (b []byte, ok bool) {
	if !c.Is(a[0], heap.KindPort) || flagsOf(c, a[0])&(isOutput|isBinary|isConsole) != isOutput|kind {
		c.WrongType(a, 0, want)
		return nil, false
	}
	b = c.Bytes(c.Field(a[0], fieldBuffer))[:position(c, a[0])]
	if !c.Room(uint64(len(b))) {
		c.TooLarge("what the port collected")
		return nil, false
	}
	return b, true
}

func outputString(c *prim.Ctx, a []heap.Word) heap.Word {
	b, ok := collected(c, a, 0, "a string output port")
	if !ok {
		return heap.Raised
	}
	return c.NewText(b)
}

func outputBytes(c *prim.Ctx, a []heap.Word) heap.Word {
	b, ok := collected(c, a, isBinary, "a bytevector output port")
	if !ok {
		return heap.Raised
	}
	return c.FromBytes(b)
}
