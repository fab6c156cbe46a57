package vm

import (
	"strings"

	"caper/interp/heap"
	"caper/interp/number"
	"caper/interp/prim"
)

// Describe is a short printed form of a value for messages to people: conditions as "message: irritants", data as write
// would, with labels where it contains itself, cut off where it gets long or deep.
func (m *Machine) Describe(w heap.Word) string {
	d := describer{m: m, left: 400, look: 2000, open: map[heap.Word]bool{}}
	d.find(w, 0)
	if d.message(w) && !d.labels.Has(w) {
		d.out.WriteString(m.Text(m.Field(w, heap.CondMessage)))
		d.irritants(w, 0)
	} else {
		d.value(w, 0)
	}
	return d.out.String()
}

type describer struct {
	m      *Machine
	out    strings.Builder
	left   int
	look   int                // values that are still looked at for cycles
	open   map[heap.Word]bool // values that what is looked at is part of
	labels prim.Labels        // of values that contain themselves
}

// message reports whether w is a condition that has a message.
func (d *describer) message(w heap.Word) bool {
	m := d.m
	return m.IsType(w, heap.TypeCondition) && m.Size(w) >= heap.CondSize && m.IsString(m.Field(w, heap.CondMessage))
}

// find looks for what contains itself, as far as it can be printed.
func (d *describer) find(w heap.Word, depth int) {
	m := d.m
	if depth > describeDepth {
		return
	}
	var path []heap.Word
	enter := func(w heap.Word) bool {
		if d.open[w] {
			d.labels.Add(w)
			return false
		}
		d.look--
		d.open[w] = true
		path = append(path, w)
		return d.look > 0
	}
	for heap.IsPair(w) && enter(w) {
		d.find(m.Car(w), depth+1)
		w = m.Cdr(w)
	}
	switch {
	case heap.IsPair(w):
	case m.IsVector(w) && enter(w):
		for _, x := range m.Fields(w) {
			if d.look <= 0 {
				break
			}
			d.find(x, depth+1)
		}
	case d.message(w) && enter(w):
		for l := m.Field(w, heap.CondIrritants); heap.IsPair(l) && d.look > 0; l = m.Cdr(l) {
			d.look--
			d.find(m.Car(l), depth+1)
		}
	}
	for _, w := range path {
		delete(d.open, w)
	}
}

// label prints the label of w, if it has one, and reports whether that was all.
func (d *describer) label(w heap.Word) bool {
	text, again := d.labels.Of(w)
	d.put(text)
	return again
}

func (d *describer) irritants(w heap.Word, depth int) {
	m := d.m
	sep := ": "
	for l := m.Field(w, heap.CondIrritants); heap.IsPair(l) && d.left > 0; l = m.Cdr(l) {
		d.put(sep)
		d.value(m.Car(l), depth)
		sep = " "
	}
}

func (d *describer) put(s string) {
	if d.left <= 0 {
		return
	}
	if d.left -= len(s); d.left <= 0 {
		s = strings.ToValidUTF8(s[:len(s)+d.left], "") + "…"
	}
	d.out.WriteString(s)
}

const describeDepth = 8

// escapes keep a message on its line.
var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

func (d *describer) value(w heap.Word, depth int) {
	m := d.m
	if d.left <= 0 {
		return
	}
	if depth > describeDepth {
		d.put("…")
		return
	}
	if d.label(w) {
		return
	}
	if n, ok := m.Complex(w); ok {
		if number.BitLen(n) > 4000 {
			d.put("a number of " + number.Format(number.BitLen(n), 10) + " bits")
			return
		}
		d.put(number.Format(n, 10))
		return
	}
	switch {
	case heap.IsPair(w):
		d.list(w, depth)
	case heap.IsClosure(w):
		name, _ := m.signature(w)
		d.put(strings.TrimSpace("#<procedure " + name))
		d.put(">")
	case heap.IsChar(w):
		d.put("#\\" + string(heap.CharValue(w)))
	case m.IsSymbol(w):
		d.put(m.SymbolName(w))
	case m.IsKeyword(w):
		d.put("#:" + m.SymbolName(w))
	case m.IsString(w):
		text := m.Text(w)
		d.put(`"` + escapes.Replace(text[:min(len(text), d.left)]) + `"`)
	case m.IsVector(w):
		d.put("#(")
		for i, x := range m.Fields(w) {
			if i > 0 {
				d.put(" ")
			}
			d.value(x, depth+1)
			if d.left <= 0 {
				return
			}
		}
		d.put(")")
	case d.message(w):
		d.put("#<condition ")
		d.put(m.Text(m.Field(w, heap.CondMessage)))
		d.irritants(w, depth+1)
		d.put(">")
	default:
		d.put(immediateName(m, w))
	}
}

func (d *describer) list(w heap.Word, depth int) {
	d.put("(")
	for sep := ""; heap.IsPair(w) && d.left > 0; w = d.m.Cdr(w) {
		if sep != "" && d.labels.Has(w) {
			break
		}
		d.put(sep)
		d.value(d.m.Car(w), depth+1)
		sep = " "
	}
	if w != heap.Null && d.left > 0 {
		d.put(" . ")
		d.value(w, depth+1)
	}
	d.put(")")
}

func immediateName(m *Machine, w heap.Word) string {
	switch w {
	case heap.False:
		return "#f"
	case heap.True:
		return "#t"
	case heap.Null:
		return "()"
	case heap.EOF:
		return "#<eof>"
	case heap.Default:
		return "#!default"
	case heap.Unspecified, heap.Unbound, heap.Raised:
		return "#<unspecified>"
	}
	switch m.Kind(w) {
	case heap.KindFiber:
		return "#<fiber " + m.nameOf(w) + ">"
	case heap.KindCont:
		return "#<continuation>"
	case heap.KindRecord:
		if t := m.Field(w, 0); m.IsType(t, heap.TypeRtd) && m.IsSymbol(m.Field(t, heap.RtdName)) {
			return "#<" + m.SymbolName(m.Field(t, heap.RtdName)) + ">"
		}
		return "#<record>"
	case heap.KindTable:
		return "#<hash-table>"
	case heap.KindBytes:
		return "#<bytevector>"
	case heap.KindPort:
		return "#<port>"
	}
	return "#<object>"
}
