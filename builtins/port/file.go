package port

import (
	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines output ports of files. They collect; what they collected is taken from them, written, and given back
// where it could not be.

func openOutputFile(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	flags := int64(isOutput)
	if a[1] != heap.False {
		flags |= isBinary
	}
	if a[2] != heap.False {
		flags |= appends
	}
	p := newPort(c, flags, c.NewBytes(64), a[0])
	c.SetField(p, fieldWriter, a[3])
	return p
}

func portWriter(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Is(a[0], heap.KindPort) {
		return c.WrongType(a, 0, "a port")
	}
	return c.Field(a[0], fieldWriter)
}

// unsaved reports whether something of a port is to be written to its file. A file that is only opened is made, too.
func unsaved(a *heap.Arena, p heap.Word) bool {
	if !a.Is(p, heap.KindPort) || a.Field(p, fieldFile) == heap.False {
		return false
	}
	flags := heap.FixnumValue(a.Field(p, fieldFlags))
	return flags&isClosed == 0 && (flags&isSaved == 0 || a.Field(p, fieldPosition) != heap.Fixnum(0))
}

// Unsaved is the path of the file of an open port, and how many bytes it would be written.
func Unsaved(a *heap.Arena, p heap.Word) (path string, bytes int, ok bool) {
	if !unsaved(a, p) || !a.IsString(a.Field(p, fieldFile)) {
		return "", 0, false
	}
	return a.Text(a.Field(p, fieldFile)), int(heap.FixnumValue(a.Field(p, fieldPosition))), true
}

func take(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Is(a[0], heap.KindPort) {
		return c.WrongType(a, 0, "a port")
	}
	if !unsaved(c.Arena, a[0]) {
		return heap.False
	}
	b := c.Bytes(c.Field(a[0], fieldBuffer))[:position(c, a[0])]
	if !c.Room(2 * uint64(len(b))) {
		return c.TooLarge("what the port collected")
	}
	flags := flagsOf(c, a[0])
	data := heap.False
	if flags&isBinary != 0 {
		data = c.FromBytes(b)
	} else {
		data = c.NewText(b)
	}
	if n := len(b); n > 0 {
		flags &^= midLine
		if b[n-1] != '\n' {
			flags |= midLine
		}
	}
	setFlags(c, a[0], flags|isSaved|appends)
	c.SetField(a[0], fieldBuffer, c.NewBytes(64))
	setPosition(c, a[0], 0)
	return c.Cons(heap.Bool(flags&appends != 0), data)
}

func putBack(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Is(a[0], heap.KindPort) || !heap.IsPair(a[1]) {
		return c.WrongType(a, 0, "a port")
	}
	data := c.Cdr(a[1])
	var b []byte
	if c.IsString(data) {
		b = c.TextView(data)
	} else {
		b = c.Bytes(data)
	}
	since := c.Bytes(c.Field(a[0], fieldBuffer))[:position(c, a[0])]
	if !c.Room(uint64(len(b) + len(since))) {
		return c.TooLarge("what the port collected")
	}
	joined := c.NewBytes(len(b) + len(since))
	copy(c.Bytes(joined), b)
	copy(c.Bytes(joined)[len(b):], since)
	c.SetField(a[0], fieldBuffer, joined)
	setPosition(c, a[0], len(b)+len(since))
	flags := flagsOf(c, a[0]) &^ isSaved
	if c.Car(a[1]) == heap.False {
		flags &^= appends
	}
	setFlags(c, a[0], flags)
	return heap.Unspecified
}
