package graph

import (
	"io"
	"math/big"
	"strconv"
	"unicode/utf8"

	"caper/interp/number"
	"caper/interp/syntax"
)

// Write answers the external form of d, character for character what Scheme's write prints of the value. It counts its
// depth on a stack of its own.
func Write(d Datum) string { return string(AppendWrite(nil, d)) }

// AppendWrite appends the external form of d to b.
func AppendWrite(b []byte, d Datum) []byte {
	w := writer{b: b}
	w.run(d)
	return w.b
}

// WriteTo writes the external form of d as it goes, however long it is.
func WriteTo(to io.Writer, d Datum) error {
	w := writer{to: to}
	w.run(d)
	w.flush(1)
	return w.err
}

type writer struct {
	b     []byte
	to    io.Writer // where b goes when it is long; nil: nowhere
	err   error
	stack []todo
}

// flush makes place in b where there is as much as that in it.
func (w *writer) flush(size int) {
	if w.to != nil && len(w.b) >= size && w.err == nil {
		_, w.err = w.to.Write(w.b)
		w.b = w.b[:0]
	}
}

func (w *writer) run(d Datum) {
	for w.push(todo{datum: d}); len(w.stack) > 0 && w.err == nil; w.flush(largeText) {
		t := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		switch {
		case t.text != "":
			w.b = append(w.b, t.text...)
		case t.rest:
			w.rest(t)
		default:
			w.one(t.datum)
		}
	}
}

// todo is what is still to be written: a datum, or the rest of a list or vector and what follows it, or a text.
type todo struct {
	datum Datum // of a rest the tail, nil for none
	items []Datum
	rest  bool
	first bool // no space before the next item
	text  string
}

func (w *writer) push(t ...todo) { w.stack = append(w.stack, t...) }

func (w *writer) rest(t todo) {
	switch {
	case len(t.items) > 0:
		if !t.first {
			w.b = append(w.b, ' ')
		}
		w.push(todo{datum: t.datum, items: t.items[1:], rest: true}, todo{datum: t.items[0]})
	case t.datum != nil:
		w.b = append(w.b, " . "...)
		w.push(todo{text: ")"}, todo{datum: t.datum})
	default:
		w.b = append(w.b, ')')
	}
}

func (w *writer) one(d Datum) {
	switch d := d.(type) {
	case List:
		if len(d) == 2 {
			if prefix := syntax.Abbreviation(symbolName(d[0]), symbolName(d[1])); prefix != "" {
				w.b = append(w.b, prefix...)
				w.push(todo{datum: d[1]})
				return
			}
		}
		w.open("(", d, nil)
	case Vector:
		w.open("#(", d, nil)
	case *Table:
		w.b = append(w.b, "#hash("...)
		w.push(todo{text: ")"})
		for i := len(d.Items) - 2; i >= 0; i -= 2 {
			w.push(todo{text: ")"}, todo{datum: d.Items[i+1]}, todo{text: " . "}, todo{datum: d.Items[i]}, todo{text: "("})
			if i > 0 {
				w.push(todo{text: " "})
			}
		}
	case *Dotted:
		switch n := normal(d).(type) {
		case *Dotted:
			w.open("(", n.Items, n.Tail)
		default: // it is no pair, or a list after all
			w.push(todo{datum: n})
		}
	case string:
		w.b = append(w.b, '"')
		for len(d) > largeText {
			n := largeText
			for n > largeText-utf8.UTFMax && !utf8.RuneStart(d[n]) {
				n--
			}
			piece := syntax.WriteString(d[:n])
			w.b = append(w.b, piece[1:len(piece)-1]...)
			d = d[n:]
			w.flush(largeText)
		}
		w.b = append(w.b, syntax.WriteString(d)[1:]...)
	case []byte:
		w.b = append(w.b, "#u8("...)
		for i, c := range d {
			if i > 0 {
				w.b = append(w.b, ' ')
			}
			w.b = strconv.AppendUint(w.b, uint64(c), 10)
			w.flush(largeText)
		}
		w.b = append(w.b, ')')
	default:
		w.b = appendAtom(w.b, d)
	}
}

func (w *writer) open(head string, items []Datum, tail Datum) {
	w.b = append(w.b, head...)
	w.push(todo{datum: tail, items: items, rest: true, first: true})
}

func symbolName(d Datum) string {
	s, _ := d.(Symbol)
	return string(s)
}

func appendAtom(b []byte, d Datum) []byte {
	switch d := d.(type) {
	case bool:
		if d {
			return append(b, "#t"...)
		}
		return append(b, "#f"...)
	case int64:
		return strconv.AppendInt(b, d, 10)
	case *big.Int:
		return d.Append(b, 10)
	case float64, *big.Rat, number.Complex:
		if n := normal(d); n != nil {
			return append(b, number.Format(n, 10)...)
		}
	case Symbol:
		return append(b, syntax.WriteSymbol(string(d))...)
	case Keyword:
		return append(b, syntax.WriteKeyword(string(d))...)
	case Char:
		return append(b, syntax.WriteChar(rune(d))...)
	case Void:
		return append(b, "#<unspecified>"...)
	case Opaque:
		return append(b, d.Text...)
	}
	return append(b, "#<not-a-datum>"...)
}
