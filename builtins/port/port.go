package port

import (
	"fmt"
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/prim"
)

// A port is a KindPort object. The buffer is a bytevector: of an input port all that is still known to come, of an
// output port all that was written. A console port has none on its output side.
const (
	fieldFlags    = 0 // fixnum
	fieldBuffer   = 1 // bytevector
	fieldPosition = 2 // fixnum: bytes read, or bytes written
	fieldFile     = 3 // the path of the file that it is for, or #f
	fieldWriter   = 4 // what is called with whether to append, and the text or bytes
	portSize      = 5
)

// Flags of a port.
const (
	isInput = 1 << iota
	isOutput
	isBinary
	isClosed
	isConsole
	isEnded  // of a console for input: nothing comes any more
	foldCase // #!fold-case was read
	isError  // of a console for output: the error port
	appends  // to its file, from the beginning or because something was written already
	isSaved  // something was written to its file
	midLine  // what was written last did not end a line
)

func flagsOf(c *prim.Ctx, p heap.Word) int64 { return heap.FixnumValue(c.Field(p, fieldFlags)) }

func setFlags(c *prim.Ctx, p heap.Word, flags int64) { c.SetField(p, fieldFlags, heap.Fixnum(flags)) }

func position(c *prim.Ctx, p heap.Word) int { return int(heap.FixnumValue(c.Field(p, fieldPosition))) }

func setPosition(c *prim.Ctx, p heap.Word, n int) {
	c.SetField(p, fieldPosition, heap.Fixnum(int64(n)))
}

func newPort(c *prim.Ctx, flags int64, buffer, file heap.Word) heap.Word {
	return c.NewOf(heap.KindPort, heap.Fixnum(flags), buffer, heap.Fixnum(0), file, heap.False)
}

// Prims are the rows of this room.
func Prims() []prim.Prim {
	var rows []prim.Prim
	for _, l := range [][]prim.Prim{portRows(), inputRows(), outputRows(), printRows()} {
		rows = append(rows, l...)
	}
	return rows
}

func portRows() []prim.Prim {
	is := func(name, doc string, mask, want int64) prim.Prim {
		return prim.Row(name, 1, 1, "value", doc, func(c *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(c.Is(a[0], heap.KindPort) && flagsOf(c, a[0])&mask == want)
		})
	}
	open := func(name string, side int64) prim.Prim {
		return prim.Row(name, 1, 1, "port", "Can it still be used?", func(c *prim.Ctx, a []heap.Word) heap.Word {
			if !c.Is(a[0], heap.KindPort) || flagsOf(c, a[0])&side == 0 {
				return c.WrongType(a, 0, "a port of that direction")
			}
			return heap.Bool(flagsOf(c, a[0])&isClosed == 0)
		})
	}
	return []prim.Prim{
		is("port?", "Is it a port?", 0, 0),
		is("input-port?", "Is it an input port?", isInput, isInput),
		is("output-port?", "Is it an output port?", isOutput, isOutput),
		is("textual-port?", "Is it a port of characters?", isBinary, 0),
		is("binary-port?", "Is it a port of bytes?", isBinary, isBinary),
		open("input-port-open?", isInput),
		open("output-port-open?", isOutput),
		prim.Row("eof-object", 0, 0, "", "The end-of-file object.", func(*prim.Ctx, []heap.Word) heap.Word { return heap.EOF }),
		prim.Row("eof-object?", 1, 1, "value", "Is it the end-of-file object?", func(_ *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(a[0] == heap.EOF)
		}),
		prim.Row("open-input-string", 1, 1, "string", "A port that reads the string.", openInputString),
		prim.Row("open-output-string", 0, 0, "", "A port that collects text.", func(c *prim.Ctx, _ []heap.Word) heap.Word {
			return newPort(c, isOutput, c.NewBytes(64), heap.False)
		}),
		prim.Row("open-input-bytevector", 1, 1, "bytevector", "A port that reads the bytes.", openInputBytes),
		prim.Row("open-output-bytevector", 0, 0, "", "A port that collects bytes.", func(c *prim.Ctx, _ []heap.Word) heap.Word {
			return newPort(c, isOutput|isBinary, c.NewBytes(64), heap.False)
		}),
		prim.Row("%open-output-file", 4, 4, "path binary? append? writer", "A port that collects what the writer is called with.", openOutputFile),
		prim.Row("%port-writer", 1, 1, "port", "What writes to the file that the port is for.", portWriter),
		prim.Row("%port-take!", 1, 1, "port", "(append? . what the port collected), which it then has no more, or #f.", take),
		prim.Row("%port-put-back!", 2, 2, "port taken", "Gives a port back what was taken from it.", putBack),
		prim.Row("%console-port", 1, 1, "k", "The console's input (0), output (1) or error (2) port.", consolePort),
		prim.Row("%port-feed!", 2, 2, "port text", "Hands a console port the text that came, or #f at the end.", feed),
		prim.Row("%port-console?", 1, 1, "port", "Is it a console port?", func(c *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(c.Is(a[0], heap.KindPort) && flagsOf(c, a[0])&isConsole != 0)
		}),
		prim.Row("%close-port", 1, 1, "port", "Ends the use of the port.", closePort),
	}
}

func openInputString(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	text := c.TextView(a[0])
	if !c.Room(uint64(len(text))) {
		return c.TooLarge("the port")
	}
	return newPort(c, isInput, c.FromBytes(text), heap.False)
}

func openInputBytes(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Bytevector(a, 0) {
		return heap.Raised
	}
	b := c.Bytes(a[0])
	if !c.Room(uint64(len(b))) {
		return c.TooLarge("the port")
	}
	return newPort(c, isInput|isBinary, c.FromBytes(b), heap.False)
}

func consolePort(c *prim.Ctx, a []heap.Word) heap.Word {
	k, ok := c.Index(a, 0, 0, 2)
	if !ok {
		return heap.Raised
	}
	flags := [...]int64{isConsole | isInput, isConsole | isOutput, isConsole | isOutput | isError}[k]
	return newPort(c, flags, c.NewBytes(0), heap.False)
}

func feed(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Is(a[0], heap.KindPort) || flagsOf(c, a[0])&(isConsole|isInput) != isConsole|isInput {
		return c.WrongType(a, 0, "the console's input port")
	}
	if a[1] == heap.EOF || a[1] == heap.False {
		setFlags(c, a[0], flagsOf(c, a[0])|isEnded)
		return heap.Unspecified
	}
	if !c.String(a, 1) {
		return heap.Raised
	}
	rest := c.Bytes(c.Field(a[0], fieldBuffer))[position(c, a[0]):]
	text := c.TextView(a[1])
	if !c.Room(uint64(len(rest) + len(text))) {
		return c.TooLarge("the input")
	}
	joined := append(append(make([]byte, 0, len(rest)+len(text)), rest...), text...)
	c.SetField(a[0], fieldBuffer, c.FromBytes(joined))
	setPosition(c, a[0], 0)
	return heap.Unspecified
}

func closePort(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Is(a[0], heap.KindPort) {
		return c.WrongType(a, 0, "a port")
	}
	if flags := flagsOf(c, a[0]); flags&isConsole == 0 {
		setFlags(c, a[0], flags|isClosed)
		if c.Field(a[0], fieldFile) != heap.False { // the program may keep it for long
			c.SetField(a[0], fieldBuffer, c.NewBytes(0))
			setPosition(c, a[0], 0)
		}
	}
	return heap.Unspecified
}

// usable checks that argument i is an open port of a direction; kind is isBinary, 0 for text, or -1 for either.
func usable(c *prim.Ctx, a []heap.Word, i int, side, kind int64) bool {
	want := "an input port"
	if side == isOutput {
		want = "an output port"
	}
	if !c.Is(a[i], heap.KindPort) || flagsOf(c, a[i])&side == 0 {
		c.WrongType(a, i, want)
		return false
	}
	flags := flagsOf(c, a[i])
	if kind >= 0 && flags&isBinary != kind {
		which := "a textual port"
		if kind == isBinary {
			which = "a binary port"
		}
		c.WrongType(a, i, which)
		return false
	}
	if flags&isClosed != 0 {
		c.Fail("file-error", fmt.Sprintf("%s: the port is closed", name(c)), a[i])
		return false
	}
	return true
}

// name is what the program called: primitives behind a Scheme procedure have a % in front.
func name(c *prim.Ctx) string {
	if n := c.Prim.Name; n[0] == '%' {
		return n[1:]
	}
	return c.Prim.Name
}

// rest is what input port p has not read yet. more is set when it is a console that may get more.
func rest(c *prim.Ctx, p heap.Word) (b []byte, more bool) {
	buffer, at := c.Bytes(c.Field(p, fieldBuffer)), position(c, p)
	flags := flagsOf(c, p)
	return buffer[min(at, len(buffer)):], flags&isConsole != 0 && flags&isEnded == 0
}

func advance(c *prim.Ctx, p heap.Word, n int) { setPosition(c, p, position(c, p)+n) }

// emit appends text to output port p. When it cannot, the failure is recorded.
func emit(c *prim.Ctx, p heap.Word, text []byte) bool {
	if len(text) == 0 {
		return true
	}
	c.Charge(uint64(len(text)) / 16)
	flags := flagsOf(c, p)
	if flags&isConsole != 0 {
		if c.Out != nil && !c.Out.Write(text) {
			c.Fault = prim.Fault{Kind: "output-error", Message: "the output limit is reached", Irritants: heap.Null, Data: heap.Null, Exhausted: "output"}
			return false
		}
		c.MidLine = text[len(text)-1] != '\n'
		return true
	}
	buffer, n := c.Bytes(c.Field(p, fieldBuffer)), position(c, p)
	if n+len(text) > len(buffer) {
		size := max(2*len(buffer), n+len(text))
		if !c.Room(uint64(size)) {
			c.TooLarge("the text of the port")
			return false
		}
		bigger := c.NewBytes(size)
		copy(c.Bytes(bigger), buffer[:n])
		c.SetField(p, fieldBuffer, bigger)
		buffer = c.Bytes(bigger)
	}
	copy(buffer[n:], text)
	setPosition(c, p, n+len(text))
	return true
}

// lineStart reports whether the next character of output port p begins a line.
func lineStart(c *prim.Ctx, p heap.Word) bool {
	if flagsOf(c, p)&isConsole != 0 {
		return !c.MidLine
	}
	n := position(c, p)
	if n == 0 {
		return flagsOf(c, p)&midLine == 0
	}
	return c.Bytes(c.Field(p, fieldBuffer))[n-1] == '\n'
}

// validText is b as text: ports hold what was UTF-8 when it came, but a snapshot may be damaged.
func validText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string([]rune(string(b)))
}
