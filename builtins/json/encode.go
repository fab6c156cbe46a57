package json

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"caper/builtins/hash"
	"caper/interp/heap"
	"caper/interp/number"
	"caper/interp/prim"
)

type encoder struct {
	c      *prim.Ctx
	out    []byte   // what is written last
	pieces [][]byte // and before it
	size   uint64   // of the pieces
	indent string
	stack  []open
	bad    string
	what   heap.Word
	full   bool
}

// piece is how much is written before it is put aside: nothing is copied when the text grows.
const piece = 256 << 10

// open is one array or object that is being written.
type open struct {
	object bool
	list   heap.Word   // what is left of an array that is a list; 0 for what has items
	items  []heap.Word // elements, or keys and values in turn
	next   int
}

func (o *open) ended() bool {
	if o.list != 0 {
		return !heap.IsPair(o.list)
	}
	return o.next == len(o.items)
}

func encode(c *prim.Ctx, a []heap.Word) heap.Word {
	e := &encoder{c: c}
	for i := 1; i < len(a); i++ {
		if c.IsKeyword(a[i]) {
			if c.SymbolName(a[i]) != "indent" && c.SymbolName(a[i]) != "pretty" || i+1 == len(a) {
				return c.Fail("arity-error", c.Prim.Name+": the keyword is #:indent with a number", a[i])
			}
			continue
		}
		switch {
		case heap.IsFixnum(a[i]):
			e.indent = strings.Repeat(" ", int(min(max(heap.FixnumValue(a[i]), 0), 16)))
		case a[i] == heap.True:
			e.indent = "  "
		}
	}
	e.value(a[0])
	for len(e.stack) > 0 && e.bad == "" && !e.full {
		e.step()
		e.putAside(piece)
	}
	switch {
	case e.bad != "":
		return c.Fail("json-error", c.Prim.Name+": "+e.bad, e.what)
	case e.full || !c.Room(e.size+uint64(len(e.out))):
		return c.TooLarge("the JSON text")
	}
	e.putAside(1)
	return c.NewTextOf(e.pieces)
}

// putAside starts a new piece where the last one is as large as that.
func (e *encoder) putAside(size int) {
	if len(e.out) < size {
		return
	}
	e.size += uint64(len(e.out))
	e.full = e.full || !e.c.Reserve(e.size) || !e.c.Lend(uint64(cap(e.out)))
	e.pieces = append(e.pieces, e.out)
	if e.out = nil; size > 1 {
		e.out = make([]byte, 0, piece+piece/4)
	}
}

func (e *encoder) fail(w heap.Word, format string, args ...any) {
	if e.bad == "" {
		e.bad, e.what = fmt.Sprintf(format, args...), w
	}
}

func (e *encoder) newline(depth int) {
	if e.indent != "" {
		e.out = append(e.out, '\n')
		for range depth {
			e.out = append(e.out, e.indent...)
		}
	}
}

// step writes one item of the innermost array or object, or closes it.
func (e *encoder) step() {
	e.c.Charge(1)
	depth := len(e.stack)
	o := &e.stack[depth-1]
	if o.ended() {
		if o.next > 0 {
			e.newline(depth - 1)
		}
		closer := byte(']')
		if o.object {
			closer = '}'
		}
		e.out = append(e.out, closer)
		e.stack = e.stack[:depth-1]
		return
	}
	if o.next > 0 {
		e.out = append(e.out, ',')
	}
	e.newline(depth)
	if o.object {
		e.key(o.items[o.next])
		e.out = append(e.out, ':')
		if e.indent != "" {
			e.out = append(e.out, ' ')
		}
		o.next++
	}
	var w heap.Word
	if heap.IsPair(o.list) {
		w, o.list = e.c.Car(o.list), e.c.Cdr(o.list)
	} else {
		w = o.items[o.next]
	}
	o.next++
	e.value(w)
}

func (e *encoder) key(w heap.Word) {
	text, ok := e.keyText(w)
	if !ok {
		e.fail(w, "the key of an object must be a symbol or a string")
	}
	e.str([]byte(text))
}

func (e *encoder) keyText(w heap.Word) (text string, ok bool) {
	c := e.c
	switch {
	case c.IsSymbol(w), c.IsKeyword(w):
		return c.SymbolName(w), true
	case c.IsString(w):
		return c.Text(w), true
	case c.IsNumber(w) && !c.IsComplex(w):
		n, _ := c.Number(w)
		return number.Format(n, 10), true
	}
	return "", false
}

// first leaves of keys and values in turn the first entry of each key: that which assq finds.
func (e *encoder) first(items []heap.Word) []heap.Word {
	n := len(items) / 2
	plain := n <= 16
	for i := 0; plain && i < len(items); i += 2 {
		if plain = e.c.IsSymbol(items[i]); plain {
			for j := 0; j < i; j += 2 {
				plain = plain && items[i] != items[j]
			}
		}
	}
	if plain {
		return items
	}
	if !e.c.Lend(uint64(n) * keyBytes) {
		e.full = true
		return nil
	}
	seen := make(map[string]bool, n)
	out := items[:0]
	for i := 0; i < len(items); i += 2 {
		text, ok := e.keyText(items[i])
		if !ok || !seen[text] { // what is no key is refused in its turn
			seen[text] = seen[text] || ok
			out = append(out, items[i], items[i+1])
		}
	}
	return out
}

const keyBytes = 64 // of a key that is remembered, about

func (e *encoder) push(o open) {
	if len(e.stack) >= MaxDepth {
		e.fail(heap.Null, "the data are circular or nested deeper than %d", MaxDepth)
		return
	}
	opener := byte('[')
	if o.object {
		opener = '{'
	}
	e.out = append(e.out, opener)
	e.stack = append(e.stack, o)
}

func (e *encoder) value(w heap.Word) {
	c := e.c
	switch {
	case w == heap.Null:
		e.out = append(e.out, "{}"...) // an alist without entries; the array is #()
	case w == heap.True:
		e.out = append(e.out, "true"...)
	case w == heap.False:
		e.out = append(e.out, "false"...)
	case c.IsString(w):
		e.str(c.TextView(w))
	case c.IsSymbol(w):
		if name := c.SymbolName(w); name == "null" {
			e.out = append(e.out, name...)
		} else {
			e.str([]byte(name))
		}
	case c.IsNumber(w) && !c.IsComplex(w):
		e.number(w)
	case heap.IsChar(w):
		e.str(utf8.AppendRune(nil, heap.CharValue(w)))
	case c.IsVector(w):
		e.push(open{items: c.Fields(w)})
	case heap.IsPair(w):
		e.list(w)
	case c.Is(w, heap.KindTable):
		var items []heap.Word
		hash.Each(c.Arena, w, func(k, v heap.Word) bool {
			items = append(items, k, v)
			return true
		})
		e.push(open{object: true, items: e.first(items)})
	case w == heap.Unspecified:
		e.out = append(e.out, "null"...)
	default:
		e.fail(w, "this cannot be written as JSON; use strings, numbers, booleans, 'null, vectors, lists, alists and hash tables")
	}
}

// list decides between an object and an array: an association list with symbols for keys is an object; one with strings
// for keys too, unless its entries could be rows of an array such as ("a" "b").
func (e *encoder) list(w heap.Word) {
	c := e.c
	n, ok := c.ListLen(w)
	c.Charge(uint64(n))
	if !ok {
		e.fail(w, "an improper or circular list cannot be written as JSON")
		return
	}
	for l := w; heap.IsPair(l); l = c.Cdr(l) {
		if entry := c.Car(l); !heap.IsPair(entry) || !e.isKey(entry) {
			e.push(open{list: w})
			return
		}
	}
	if !c.Lend(uint64(n) * 16) {
		e.full = true
		return
	}
	items := make([]heap.Word, 0, 2*n)
	for l := w; heap.IsPair(l); l = c.Cdr(l) {
		items = append(items, c.Car(c.Car(l)), c.Cdr(c.Car(l)))
	}
	e.push(open{object: true, items: e.first(items)})
}

func (e *encoder) isKey(entry heap.Word) bool {
	c := e.c
	if c.IsSymbol(c.Car(entry)) {
		return true
	}
	rest := c.Cdr(entry)
	return c.IsString(c.Car(entry)) && (!heap.IsPair(rest) || heap.IsPair(c.Car(rest)))
}

func (e *encoder) number(w heap.Word) {
	n, _ := e.c.Number(w)
	if number.IsExactInteger(n) {
		b := uint64(number.BitLen(n)) / 64
		e.c.Charge(b * min(b, 64))
		e.out = append(e.out, number.Format(n, 10)...)
		return
	}
	f := number.ToInexact(n)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		e.fail(w, "JSON has no infinities and no NaN")
		return
	}
	e.out = append(e.out, number.Format(f, 10)...) // with a point, so that it stays inexact when it is read again
}

func (e *encoder) str(s []byte) {
	e.c.Charge(uint64(len(s)) / 16)
	e.out = append(e.out, '"')
	for i := 0; i < len(s) && !e.full; {
		e.putAside(piece)
		ch := s[i]
		if ch >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(s[i:])
			if r == 0x2028 || r == 0x2029 { // line ends in JavaScript
				e.out = fmt.Appendf(e.out, `\u%04x`, r)
			} else {
				e.out = utf8.AppendRune(e.out, r)
			}
			i += n
			continue
		}
		if k := strings.IndexByte("\"\\\b\f\n\r\t", ch); k >= 0 {
			e.out = append(e.out, '\\', `"\bfnrt`[k])
		} else if ch < ' ' || ch == 0x7f {
			e.out = fmt.Appendf(e.out, `\u%04x`, ch)
		} else {
			e.out = append(e.out, ch)
		}
		i++
	}
	e.out = append(e.out, '"')
}
