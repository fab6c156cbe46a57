package syntax

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"caper/interp/number"
)

// This file defines the external representation of data: what is written here reads back as an equal datum.

// Write writes s. Lists and vectors that occur more than once get datum labels, so circular data end and shared data
// stay linear. It needs no Go stack.
func Write(w io.Writer, s *Syntax) error {
	p := &writer{out: w, shared: sharing(s)}
	p.run(s)
	return p.err
}

// Text is what Write writes.
func (s *Syntax) Text() string {
	var out strings.Builder
	_ = Write(&out, s) // a Builder does not fail
	return out.String()
}

// Brief is the beginning of what Write writes, about limit bytes and then "…", for messages. It costs no more than
// that, however large s is.
func (s *Syntax) Brief(limit int) string {
	var out strings.Builder
	p := &writer{out: &out, limit: max(limit, 1)}
	p.run(s)
	text := out.String()
	if len(text) <= limit && len(p.stack) == 0 {
		return text
	}
	cut := min(limit, len(text))
	for cut > 0 && cut < len(text) && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// sharing counts the lists and vectors: once for those reached once, unlabelled for others.
func sharing(s *Syntax) map[any]int32 {
	seen := map[any]int32{}
	for stack := []*Syntax{s}; len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		var items []*Syntax
		var tail *Syntax
		switch d := s.Datum.(type) {
		case *List:
			items, tail = d.Items, d.Tail
			if len(items) == 0 && tail == nil {
				continue // all empty lists are one
			}
		case *Vector:
			items = d.Items
		default:
			continue
		}
		if seen[s.Datum] != never {
			seen[s.Datum] = unlabelled
			continue
		}
		seen[s.Datum] = once
		stack = append(stack, items...)
		if tail != nil {
			stack = append(stack, tail)
		}
	}
	return seen
}

// What sharing says of a list or vector; a label is firstLabel plus its number.
const (
	never int32 = iota
	once
	unlabelled
	firstLabel
)

type writer struct {
	out    io.Writer
	err    error
	shared map[any]int32
	labels int32
	stack  []todo
	limit  int // on the steps and the bytes, 0 for none
	steps  int
	bytes  int
}

// todo is what is still to be written: a datum, or the rest of the items of a list or vector, or a text.
type todo struct {
	datum *Syntax
	items []*Syntax
	tail  *Syntax
	first bool // no space before the next item
	text  string
}

func (p *writer) put(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.out, s)
	}
	p.bytes += len(s)
}

func (p *writer) push(t todo) { p.stack = append(p.stack, t) }

func (p *writer) run(s *Syntax) {
	p.push(todo{datum: s})
	for len(p.stack) > 0 && p.err == nil {
		if p.steps++; p.limit > 0 && (p.bytes > p.limit || p.steps > 8*p.limit) {
			return
		}
		t := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		switch {
		case t.datum != nil:
			p.datum(t.datum)
		case t.text != "":
			p.put(t.text)
		default:
			p.rest(t)
		}
	}
}

// rest writes one item, or the end of a list or vector.
func (p *writer) rest(t todo) {
	switch {
	case len(t.items) > 0:
		if !t.first {
			p.put(" ")
		}
		p.push(todo{items: t.items[1:], tail: t.tail})
		p.push(todo{datum: t.items[0]})
	case t.tail == nil:
		p.put(")")
	default:
		l, isList := t.tail.Datum.(*List)
		if isList && p.shared[t.tail.Datum] <= once {
			p.push(todo{items: l.Items, tail: l.Tail, first: t.first})
			return
		}
		p.put(" . ")
		p.push(todo{text: ")"})
		p.push(todo{datum: t.tail})
	}
}

func (p *writer) datum(s *Syntax) {
	switch d := s.Datum.(type) {
	case *List:
		if !p.label(d) {
			p.list(d)
		}
	case *Vector:
		if !p.label(d) {
			p.put("#(")
			p.push(todo{items: d.Items, first: true})
		}
	default:
		p.put(atomText(d))
	}
}

// label writes the label of a shared datum and reports whether that was all.
func (p *writer) label(d any) bool {
	n := p.shared[d]
	switch {
	case n <= once:
		return false
	case n >= firstLabel:
		p.put("#" + strconv.Itoa(int(n-firstLabel)) + "#")
		return true
	}
	p.shared[d] = firstLabel + p.labels
	p.put("#" + strconv.Itoa(int(p.labels)) + "=")
	p.labels++
	return false
}

func (p *writer) list(d *List) {
	if len(d.Items) == 2 && d.Tail == nil {
		if prefix := abbreviation(d); prefix != "" {
			p.put(prefix)
			p.push(todo{datum: d.Items[1]})
			return
		}
	}
	p.put("(")
	p.push(todo{items: d.Items, tail: d.Tail, first: true})
}

// abbreviation is how (quote x) and its like are written before x, or "".
func abbreviation(d *List) string {
	head, ok := d.Items[0].Datum.(*Symbol)
	if !ok {
		return ""
	}
	quoted, ok := d.Items[1].Datum.(*Symbol)
	if !ok {
		return Abbreviation(head.Name, "")
	}
	return Abbreviation(head.Name, quoted.Name)
}

// Abbreviation is what is written before x for the list of the symbol head and x, or "" when that list is written out.
// symbol is the name of x where that is a symbol: ,@x would read as splicing x.
func Abbreviation(head, symbol string) string {
	for k := inQuote; k <= inUnquoteSplicing; k++ {
		if prefixes[k].symbol == head && (k != inUnquote || !strings.HasPrefix(symbol, "@")) {
			return prefixes[k].text
		}
	}
	return ""
}

func atomText(d any) string {
	switch d := d.(type) {
	case *Symbol:
		return WriteSymbol(d.Name)
	case Keyword:
		return WriteKeyword(string(d))
	case String:
		return WriteString(string(d))
	case Char:
		return WriteChar(rune(d))
	case bool:
		if d {
			return "#t"
		}
		return "#f"
	case Bytes:
		return WriteBytes(d)
	case fmt.Stringer: // what a later stage wraps; *big.Int and *big.Rat are numbers
		if !number.IsNumber(d) {
			return d.String()
		}
	}
	if number.IsNumber(d) {
		return number.Format(d, 10)
	}
	return fmt.Sprintf("#<%T>", d)
}

// WriteBytes is a bytevector literal.
func WriteBytes(b []byte) string {
	out := []byte("#u8(")
	for i, c := range b {
		if i > 0 {
			out = append(out, ' ')
		}
		out = strconv.AppendUint(out, uint64(c), 10)
	}
	return string(append(out, ')'))
}

// WriteSymbol is the name as the reader takes it, between bars where it must be.
func WriteSymbol(name string) string {
	if plainSymbol(name) {
		return name
	}
	return between('|', name)
}

func plainSymbol(name string) bool {
	switch {
	case name == "" || name == ".":
		return false
	case name[0] == '#':
		return isObjectName(name) || len(name) > 1 && name[1] == '%' && plainWord(name)
	case startsNumber(name):
		if _, ok := number.Parse(name, 10); ok {
			return false
		}
		if message, _ := badNumber(name); message != "" {
			return false
		}
	}
	return plainWord(name)
}

// plainWord reports whether the reader takes s as one word and people see all of it.
func plainWord(s string) bool {
	for _, c := range s {
		if c < utf8.RuneSelf && delimiter(byte(c)) || !unicode.IsPrint(c) {
			return false
		}
	}
	return s != "" && badSymbol(s) < 0
}

// WriteKeyword is #:name.
func WriteKeyword(name string) string {
	if plainWord(name) {
		return "#:" + name
	}
	return "#:" + between('|', name)
}

// WriteString is a string literal.
func WriteString(s string) string { return between('"', s) }

// between is s between quotes, with all escaped that would end it or that nobody sees.
func between(quote rune, s string) string {
	var out strings.Builder
	out.Grow(len(s) + 2)
	out.WriteRune(quote)
	for _, c := range s {
		switch {
		case c == quote || c == '\\':
			out.WriteByte('\\')
			out.WriteRune(c)
		case unicode.IsPrint(c):
			out.WriteRune(c)
		default:
			if i := strings.IndexRune("\a\b\t\n\r", c); i >= 0 {
				out.WriteByte('\\')
				out.WriteByte("abtnr"[i])
			} else {
				fmt.Fprintf(&out, `\x%x;`, c)
			}
		}
	}
	out.WriteRune(quote)
	return out.String()
}

// WriteChar is a character literal: by name, by itself, or by number where nobody would see it.
func WriteChar(c rune) string {
	for _, n := range charNames {
		if n.char == c && c != 0xa0 {
			return `#\` + n.name
		}
	}
	if unicode.IsPrint(c) && !unicode.IsMark(c) {
		return `#\` + string(c)
	}
	return fmt.Sprintf(`#\x%x`, c)
}
