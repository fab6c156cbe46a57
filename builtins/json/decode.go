// Package json turns JSON text into data and data into JSON text, as SRFI 180 does; "caper help json" has the mapping. It
// knows nothing of ports. Only package builtins imports it.
package json

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/prim"
)

// MaxDepth is how deep arrays and objects may nest, both ways.
const MaxDepth = 10_000

// maxDigits bounds the digits of one number: reading them costs more than linear time.
const maxDigits = 100_000

// Prims are the rows of this room.
func Prims() []prim.Prim {
	var rows []prim.Prim
	for _, name := range []string{"json->scheme", "string->json", "json-string->scheme"} {
		rows = append(rows, prim.Row(name, 1, 1, "string", "The data that a JSON text stands for: objects are alists with symbol keys, arrays vectors, null is the symbol null.", decode))
	}
	for _, name := range []string{"scheme->json", "json->string", "scheme->json-string"} {
		rows = append(rows, prim.Row(name, 1, 3, "value [#:indent n]", "The JSON text of data: alists and hash tables are objects (() is {}), vectors and other lists arrays (#() is []).", encode))
	}
	return rows
}

type decoder struct {
	c     *prim.Ctx
	s     string
	pos   int
	stack []frame
	err   string
	full  bool
}

// frame is one array or object that is open.
type frame struct {
	object bool
	items  []heap.Word // elements, or entries
	keys   map[heap.Word]int
	key    heap.Word
}

func decode(c *prim.Ctx, a []heap.Word) heap.Word {
	if c.Is(a[0], heap.KindBytes) {
		if !utf8.Valid(c.Bytes(a[0])) {
			return c.Fail("json-error", c.Prim.Name+": the bytes are not UTF-8")
		}
		a = []heap.Word{c.NewString(string(c.Bytes(a[0])))}
	}
	if !c.String(a, 0) {
		return heap.Raised
	}
	d := &decoder{c: c, s: c.Text(a[0])}
	c.Charge(uint64(len(d.s)))
	w := d.document()
	switch {
	case d.full:
		return c.TooLarge("the data of the JSON text")
	case d.err != "":
		line, col := place(d.s, d.pos)
		return c.Fail("json-error", fmt.Sprintf("%s: %d:%d: %s", c.Prim.Name, line, col, d.err))
	}
	return w
}

// place is the line and column, in characters from 1, of a byte offset.
func place(s string, pos int) (line, col int) {
	before := s[:min(pos, len(s))]
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == "" {
		d.err = fmt.Sprintf(format, args...)
	}
}

func (d *decoder) space() {
	for d.pos < len(d.s) {
		switch d.s[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

// found describes what stands at pos.
func (d *decoder) found() string {
	if d.pos >= len(d.s) {
		return "the end of the text"
	}
	r, _ := utf8.DecodeRuneInString(d.s[d.pos:])
	return strconv.QuoteRune(r)
}

func (d *decoder) document() heap.Word {
	d.s = strings.TrimPrefix(d.s, "\ufeff")
	for d.err == "" && !d.full {
		w, complete := d.value()
		for complete && d.err == "" && !d.full {
			if len(d.stack) == 0 {
				d.space()
				if d.pos < len(d.s) {
					d.fail("found %s after the end of the value", d.found())
				}
				return w
			}
			w, complete = d.deliver(w)
		}
	}
	return heap.Null
}

// value reads an atom, or opens an array or object; complete is false then, and the next value belongs inside.
func (d *decoder) value() (w heap.Word, complete bool) {
	d.space()
	if !d.c.Reserve(64) {
		d.full = true
		return 0, false
	}
	if d.pos >= len(d.s) {
		d.fail("a value is missing: found the end of the text")
		return 0, false
	}
	switch ch := d.s[d.pos]; {
	case ch == '[' || ch == '{':
		if len(d.stack) >= MaxDepth {
			d.fail("nested deeper than %d", MaxDepth)
			return 0, false
		}
		d.pos++
		d.stack = append(d.stack, frame{object: ch == '{'})
		d.space()
		if d.pos < len(d.s) && d.s[d.pos] == ch+2 { // ] and } follow their openers by two
			d.pos++
			return d.close(), true
		}
		if ch == '{' {
			d.key()
		}
		return 0, false
	case ch == '"':
		s, ok := d.str()
		if !ok {
			return 0, false
		}
		return d.c.NewString(s), true
	case ch == '-' || ch >= '0' && ch <= '9':
		return d.number()
	}
	for _, word := range []struct {
		text string
		w    heap.Word
	}{{"true", heap.True}, {"false", heap.False}, {"null", heap.Null}} {
		if strings.HasPrefix(d.s[d.pos:], word.text) {
			d.pos += len(word.text)
			if word.w == heap.Null {
				return d.c.Intern("null"), true
			}
			return word.w, true
		}
	}
	d.fail("a value is missing: found %s", d.found())
	return 0, false
}

// key reads the key of the next entry and the colon.
func (d *decoder) key() {
	d.space()
	if d.pos >= len(d.s) || d.s[d.pos] != '"' {
		d.fail("a key in double quotes is missing: found %s", d.found())
		return
	}
	s, ok := d.str()
	if !ok {
		return
	}
	if !d.c.InternRoom(len(s) * 2) {
		d.full = true
		return
	}
	d.space()
	if d.pos >= len(d.s) || d.s[d.pos] != ':' {
		d.fail("a colon is missing after the key: found %s", d.found())
		return
	}
	d.pos++
	d.stack[len(d.stack)-1].key = d.c.Intern(s)
}

// deliver puts a complete value into the open array or object; complete is true when that ends with it.
func (d *decoder) deliver(w heap.Word) (out heap.Word, complete bool) {
	f := &d.stack[len(d.stack)-1]
	if f.object {
		d.entry(f, w)
	} else {
		f.items = append(f.items, w)
	}
	d.space()
	if d.pos >= len(d.s) {
		d.fail("an array or object is not closed")
		return 0, false
	}
	closer := byte(']')
	if f.object {
		closer = '}'
	}
	switch d.s[d.pos] {
	case ',':
		d.pos++
		if f.object {
			d.key()
		}
		return 0, false
	case closer:
		d.pos++
		return d.close(), true
	}
	d.fail("a comma or %c is missing: found %s", closer, d.found())
	return 0, false
}

func (d *decoder) entry(f *frame, w heap.Word) {
	if f.keys == nil {
		f.keys = map[heap.Word]int{}
	}
	if i, twice := f.keys[f.key]; twice {
		d.c.SetCdr(f.items[i], w)
		return
	}
	f.keys[f.key] = len(f.items)
	f.items = append(f.items, d.c.Cons(f.key, w))
}

func (d *decoder) close() heap.Word {
	f := d.stack[len(d.stack)-1]
	d.stack = d.stack[:len(d.stack)-1]
	if !d.c.Reserve(uint64(len(f.items)) * 16) {
		d.full = true
		return heap.Null
	}
	if f.object {
		return d.c.List(f.items...)
	}
	return d.c.NewOf(heap.KindVector, f.items...)
}
