// Package port holds textual and binary ports in memory, the printer and the reader of data.
// A console port hands its text to prim.Output; files are read and written by the host, before and after.
// Package builtins imports it.
package port

import (
	"strconv"

	"caper/interp/heap"
	"caper/interp/number"
	"caper/interp/prim"
	"caper/interp/syntax"
)

// This file defines the printer: an explicit stack, so that no depth of data is too deep.

type mode uint8

const (
	display mode = iota
	write        // labels for cycles only
	writeShared
	writeSimple // no labels: what is circular ends at the limit of the output
)

// sink takes what is printed, piece by piece; false ends the printing.
type sink func(text []byte) bool

const chunk = 8 << 10

type printer struct {
	c      *prim.Ctx
	mode   mode
	out    []byte
	to     sink
	stack  []job
	labels prim.Labels
	steps  int
	limit  int // on the steps, 0 for none
	failed bool
}

// job is what is still to be printed: a value, the rest of a list, a vector or an alist of fields, or a text.
type job struct {
	value heap.Word
	index int32
	kind  uint8
}

const (
	jobValue  uint8 = iota
	jobTail         // value is what follows the dotted or undotted rest of a list
	jobVector       // value is a vector; index is the next element
	jobField        // value is a record; index is the next field
	jobText         // index says which text
)

// texts are what a jobText prints.
var texts = [...]string{")", ">", " ", " . ", "("}

const (
	textClose int32 = iota
	textEnd
	textSpace
	textDot
	textOpen
)

// short is how many values are printed in the hope that there is no cycle.
const short = 5_000

// print prints w to the sink and reports whether all was taken.
func print(c *prim.Ctx, w heap.Word, m mode, to sink) bool {
	if m != writeSimple && composite(c, w) {
		p := printer{c: c, mode: m, limit: short}
		if m == writeShared || !p.run(w) {
			labels, ok := findLabels(c, w, m == writeShared)
			if !ok && c.Prim != nil {
				c.TooLarge("what a printer must know of the value")
				return false
			}
			p = printer{c: c, mode: m, to: to, labels: labels}
			return p.run(w) && p.flush()
		}
		return to(p.out)
	}
	p := printer{c: c, mode: m, to: to}
	return p.run(w) && p.flush()
}

// Text is what display (or write) prints, cut off after limit bytes.
func Text(c *prim.Ctx, w heap.Word, asWrite bool, limit int) string {
	m := display
	if asWrite {
		m = write
	}
	var out []byte
	print(c, w, m, func(b []byte) bool {
		out = append(out, b[:min(len(b), limit-len(out))]...)
		return len(out) < limit
	})
	return string(out)
}

func (p *printer) put(s string) { p.out = append(p.out, s...) }

func (p *printer) flush() bool {
	if p.to != nil && len(p.out) > 0 && !p.failed {
		p.failed = !p.to(p.out)
		p.out = p.out[:0]
	}
	return !p.failed
}

func (p *printer) push(j job) {
	if n := cap(p.stack); len(p.stack) == n && !p.failed && !p.c.Lend(uint64(n)*5/4*jobBytes) {
		p.failed = true
		if p.c.Prim != nil {
			p.c.Fail("memory-error", p.c.Prim.Name+": what is left to be printed does not fit the memory limit")
		}
	}
	p.stack = append(p.stack, j)
}

const jobBytes = 16

func (p *printer) run(w heap.Word) bool {
	p.push(job{value: w})
	for len(p.stack) > 0 && !p.failed {
		if p.steps++; p.limit > 0 && (p.steps > p.limit || len(p.out) > 16*p.limit) {
			return false
		}
		if p.to != nil && len(p.out) >= chunk && !p.flush() {
			return false
		}
		p.c.Charge(1)
		j := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		switch j.kind {
		case jobValue:
			p.value(j.value)
		case jobTail:
			p.tail(j.value)
		case jobVector:
			p.element(j)
		case jobField:
			p.field(j)
		case jobText:
			p.put(texts[j.index])
		}
	}
	return !p.failed
}

// label prints the label of w and reports whether that was all.
func (p *printer) label(w heap.Word) bool {
	text, again := p.labels.Of(w)
	p.put(text)
	return again
}

func (p *printer) tail(w heap.Word) {
	switch {
	case w == heap.Null:
		p.put(")")
	case heap.IsPair(w) && !p.labels.Has(w):
		p.put(" ")
		p.push(job{kind: jobTail, value: p.c.Cdr(w)})
		p.push(job{value: p.c.Car(w)})
	default:
		p.put(" . ")
		p.push(job{kind: jobText, index: textClose})
		p.push(job{value: w})
	}
}

func (p *printer) element(j job) {
	f := p.c.Fields(j.value)
	if int(j.index) >= len(f) {
		p.put(")")
		return
	}
	if j.index > 0 {
		p.put(" ")
	}
	p.push(job{kind: jobVector, value: j.value, index: j.index + 1})
	p.push(job{value: f[j.index]})
}

// field prints one field of a record as name: value.
func (p *printer) field(j job) {
	f := p.c.Fields(j.value)
	if int(j.index) >= len(f) {
		p.put(">")
		return
	}
	p.put(" ")
	if names := p.c.Field(f[0], heap.RtdFields); p.c.IsVector(names) && int(j.index)-1 < int(p.c.Size(names)) {
		if n := p.c.Field(names, int(j.index)-1); p.c.IsSymbol(n) {
			p.put(p.c.SymbolName(n) + ": ")
		}
	}
	p.push(job{kind: jobField, value: j.value, index: j.index + 1})
	p.push(job{value: f[j.index]})
}

func (p *printer) pair(w heap.Word) {
	c := p.c
	head, rest := c.Car(w), c.Cdr(w)
	if c.IsSymbol(head) && heap.IsPair(rest) && c.Cdr(rest) == heap.Null && !p.labels.Has(rest) {
		quoted, name := c.Car(rest), ""
		if c.IsSymbol(quoted) {
			name = c.SymbolName(quoted)
		}
		if prefix := syntax.Abbreviation(c.SymbolName(head), name); prefix != "" {
			p.put(prefix)
			p.push(job{value: quoted})
			return
		}
	}
	p.put("(")
	p.push(job{kind: jobTail, value: rest})
	p.push(job{value: head})
}

func (p *printer) value(w heap.Word) {
	if heap.IsRef(w) && composite(p.c, w) {
		if p.label(w) {
			return
		}
		p.composite(w)
		return
	}
	p.atom(w)
}

func (p *printer) composite(w heap.Word) {
	c := p.c
	if heap.IsPair(w) {
		p.pair(w)
		return
	}
	switch c.Kind(w) {
	case heap.KindVector:
		p.put("#(")
		p.push(job{kind: jobVector, value: w})
	case heap.KindBox:
		p.put("#<box ")
		p.push(job{kind: jobText, index: textEnd})
		p.push(job{value: c.Field(w, 0)})
	case heap.KindValues:
		p.put("#<values (")
		p.push(job{kind: jobText, index: textEnd})
		p.push(job{kind: jobVector, value: w})
	case heap.KindTable:
		p.table(w)
	case heap.KindRecord:
		if c.Field(w, 0) == heap.Fixnum(heap.TypeCondition) {
			p.condition(w)
			return
		}
		p.put("#<" + typeName(c, c.Field(w, 0)))
		p.push(job{kind: jobField, value: w, index: 1})
	}
}

// table prints a table the way the reader takes it.
func (p *printer) table(w heap.Word) {
	p.put("#hash(")
	p.push(job{kind: jobText, index: textClose})
	all := parts(p.c, w)
	for i := len(all) - 2; i >= 0; i -= 2 {
		p.push(job{kind: jobText, index: textClose})
		p.push(job{value: all[i+1]})
		p.push(job{kind: jobText, index: textDot})
		p.push(job{value: all[i]})
		p.push(job{kind: jobText, index: textOpen})
		if i > 0 {
			p.push(job{kind: jobText, index: textSpace})
		}
	}
}

func (p *printer) condition(w heap.Word) {
	c := p.c
	kind := "error"
	if k := c.Field(w, heap.CondKind); c.IsSymbol(k) {
		kind = c.SymbolName(k)
	}
	p.put("#<" + kind)
	if m := c.Field(w, heap.CondMessage); c.IsString(m) {
		p.put(": " + c.Text(m))
	}
	p.push(job{kind: jobText, index: textEnd})
	irritants, _ := c.Slice(c.Field(w, heap.CondIrritants), 100)
	for i := len(irritants) - 1; i >= 0; i-- {
		p.push(job{value: irritants[i]})
		p.push(job{kind: jobText, index: textSpace})
	}
}

func (p *printer) atom(w heap.Word) {
	c := p.c
	switch {
	case c.IsString(w):
		if p.mode == display {
			p.out = append(p.out, c.TextView(w)...)
		} else {
			p.put(syntax.WriteString(c.Text(w)))
		}
	case c.IsSymbol(w):
		if p.mode == display {
			p.put(c.SymbolName(w))
		} else {
			p.put(syntax.WriteSymbol(c.SymbolName(w)))
		}
	case heap.IsChar(w):
		if p.mode == display {
			p.put(string(heap.CharValue(w)))
		} else {
			p.put(syntax.WriteChar(heap.CharValue(w)))
		}
	case c.IsNumber(w):
		p.number(w)
	default:
		p.put(opaque(c, w))
	}
}

func (p *printer) number(w heap.Word) {
	if heap.IsFixnum(w) {
		p.out = strconv.AppendInt(p.out, heap.FixnumValue(w), 10)
		return
	}
	n, ok := p.c.Complex(w)
	if !ok {
		p.put("#<number>")
		return
	}
	if b := number.BitLen(n); b > 64 {
		p.c.Charge(uint64(b/64+1) * uint64(min(b/64+1, 64)) / 8)
	}
	p.put(number.Format(n, 10))
}
