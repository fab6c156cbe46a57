// Package json turns JSON text into data and data into JSON text. Objects are association lists with symbols for keys in
// the order of the text (of a key given twice the last value counts), arrays are vectors, null is the symbol null
// (SRFI 180). It knows nothing of ports. Only package builtins imports it.
package json

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/number"
	"caper/interp/prim"
)

// MaxDepth is how deep arrays and objects may nest, both ways.
const MaxDepth = 10_000

// maxDigits bounds the digits of one number: reading them costs more than linear time.
const maxDigits = 100_000

// Prims are the rows of this room.
func Prims() []prim.Prim {
	var rows []prim.Prim
	for _, name := range []string{"json->scheme", "string->json", "string->jsexpr", "json-string->scheme"} {
		rows = append(rows, prim.Row(name, 1, 1, "string", "The data that a JSON text stands for.", decode))
	}
	for _, name := range []string{"scheme->json", "json->string", "jsexpr->string", "scheme->json-string"} {
		rows = append(rows, prim.Row(name, 1, 3, "value [#:indent n]", "The JSON text of data: alists and hash tables are objects, vectors and other lists arrays, () is [].", encode))
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

// str reads a string at pos.
func (d *decoder) str() (string, bool) {
	start := d.pos + 1
	i := start
	for i < len(d.s) && d.s[i] != '"' && d.s[i] != '\\' && d.s[i] >= ' ' {
		i++
	}
	if i < len(d.s) && d.s[i] == '"' {
		d.pos = i + 1
		return d.s[start:i], d.fits(i - start)
	}
	var out strings.Builder
	out.WriteString(d.s[start:i])
	for i < len(d.s) {
		switch ch := d.s[i]; {
		case ch == '"':
			d.pos = i + 1
			return out.String(), d.fits(out.Len())
		case ch < ' ':
			d.pos = i
			d.fail("a string must not hold the control character 0x%02x; write it with an escape", ch)
			return "", false
		case ch == '\\':
			d.pos = i
			n := d.escape(&out)
			if n == 0 {
				return "", false
			}
			i += n
		default:
			out.WriteByte(ch)
			i++
		}
	}
	d.fail("a string is not closed")
	return "", false
}

func (d *decoder) fits(n int) bool {
	if !d.c.Reserve(uint64(n) + 64) {
		d.full = true
	}
	return !d.full
}

// escape reads the escape at pos and answers its length, 0 when it is none.
func (d *decoder) escape(out *strings.Builder) int {
	rest := d.s[d.pos:]
	if len(rest) < 2 {
		d.fail("a string is not closed")
		return 0
	}
	if k := strings.IndexByte(`"\/bfnrt`, rest[1]); k >= 0 {
		out.WriteByte("\"\\/\b\f\n\r\t"[k])
		return 2
	}
	if rest[1] != 'u' {
		d.fail("unknown escape %s", strconv.Quote(rest[:2]))
		return 0
	}
	r, ok := hex4(rest)
	if !ok {
		d.fail(`\u needs four hexadecimal digits`)
		return 0
	}
	if !utf16.IsSurrogate(r) {
		out.WriteRune(r)
		return 6
	}
	if low, ok := hex4(rest[6:]); ok {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			out.WriteRune(both)
			return 12
		}
	}
	out.WriteRune(utf8.RuneError) // half a pair of surrogates is no character
	return 6
}

// hex4 reads \u and four digits.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(s[2:6], 16, 32)
	return rune(v), err == nil && s[2] != '+' && s[2] != '-'
}

// digits is the number of digits at i.
func (d *decoder) digits(i int) int {
	n := 0
	for i+n < len(d.s) && d.s[i+n] >= '0' && d.s[i+n] <= '9' {
		n++
	}
	return n
}

func (d *decoder) number() (heap.Word, bool) {
	start, i := d.pos, d.pos
	if d.s[i] == '-' {
		i++
	}
	whole := d.digits(i)
	if whole == 0 || whole > 1 && d.s[i] == '0' {
		d.fail("a number is digits without a leading zero")
		return 0, false
	}
	i += whole
	exact := true
	if i < len(d.s) && d.s[i] == '.' {
		n := d.digits(i + 1)
		if n == 0 {
			d.fail("digits are missing after the decimal point")
			return 0, false
		}
		i, exact = i+1+n, false
	}
	if i < len(d.s) && d.s[i]|0x20 == 'e' {
		j := i + 1
		if j < len(d.s) && (d.s[j] == '+' || d.s[j] == '-') {
			j++
		}
		n := d.digits(j)
		if n == 0 {
			d.fail("digits are missing in the exponent")
			return 0, false
		}
		i, exact = j+n, false
	}
	text := d.s[start:i]
	if len(text) > maxDigits {
		d.fail("a number has more than %d digits", maxDigits)
		return 0, false
	}
	d.pos = i
	if !exact {
		f, _ := strconv.ParseFloat(text, 64) // out of range: an infinity, as other readers do
		return d.c.Flonum(f), true
	}
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		return d.c.FromInt(v), true
	}
	d.c.Charge(uint64(len(text)) * uint64(len(text)) / 64)
	z, _ := new(big.Int).SetString(text, 10)
	return d.c.FromNumber(number.Normalize(z)), true
}
