package port

import (
	"errors"
	"io"

	"caper/interp/heap"
	"caper/interp/number"
	"caper/interp/prim"
	"caper/interp/syntax"
)

// This file defines reading data: the syntax room reads trees, and the trees become data of the arena.

// firstWindow is how much text is looked at for a datum before more is tried: a port of megabytes may hold many data.
const firstWindow = 4 << 10

// treeBytes is what the tree of one datum takes, about. So many data may always be read.
const (
	treeBytes = 160
	leastData = 50_000
)

func readDatum(c *prim.Ctx, a []heap.Word) heap.Word {
	if !usable(c, a, 0, isInput, 0) {
		return heap.Raised
	}
	b, more := rest(c, a[0])
	fold := flagsOf(c, a[0])&foldCase != 0
	most := int(max(c.Max()/treeBytes, leastData))
	for window := firstWindow; ; window *= 4 {
		whole := window >= len(b)
		text := validText(b[:min(window, len(b))])
		c.Charge(uint64(len(text)))
		if !c.Lend(min(uint64(len(text))*treeBytes, c.Max())) {
			return c.TooLarge("the datum")
		}
		r := syntax.NewReader(syntax.NewSource("input", text), syntax.ReaderOptions{FoldCase: fold, MaxData: most, MaxDepth: most})
		s, err := r.Next()
		if !whole && (err != nil || r.Offset() >= len(text)-1) {
			continue // the datum may go on
		}
		var bad *syntax.Error
		switch {
		case errors.Is(err, io.EOF):
			if more {
				return heap.Default
			}
			advance(c, a[0], len(b))
			return heap.EOF
		case errors.As(err, &bad):
			if bad.Incomplete && more {
				return heap.Default
			}
			advance(c, a[0], min(max(r.Offset(), 1), len(b)))
			return c.Fail("read-error", "read: "+bad.Error())
		case err != nil:
			return c.Fail("read-error", "read: "+err.Error())
		}
		if more && r.Offset() >= len(b) && !delimited(b[len(b)-1]) {
			return heap.Default
		}
		if !c.Room(uint64(r.Offset()) * 16) {
			return c.TooLarge("the datum")
		}
		advance(c, a[0], r.Offset())
		if r.FoldsCase() != fold { // it holds for what is read next
			setFlags(c, a[0], flagsOf(c, a[0])^foldCase)
		}
		return fromSyntax(c, s, r.Knotted())
	}
}

// delimited reports whether a datum that ends with c is known to have ended.
func delimited(c byte) bool {
	return c == ')' || c == ']' || c == '"' || c == ' ' || c == '\n'
}

// maker turns trees into data: every list and vector becomes a shell first, whose parts follow.
type maker struct {
	c      *prim.Ctx
	shells map[any]heap.Word
	atoms  map[*syntax.Syntax]heap.Word // that have an identity; nil: none occurs twice
	open   []*syntax.Syntax
	full   bool // no room for a symbol
}

// fromSyntax makes a datum of a syntax tree; shared and circular structure stays so.
func fromSyntax(c *prim.Ctx, s *syntax.Syntax, knotted bool) heap.Word {
	m := &maker{c: c, shells: map[any]heap.Word{}}
	if knotted {
		m.atoms = map[*syntax.Syntax]heap.Word{}
	}
	w := m.datum(s)
	for len(m.open) > 0 && !m.full {
		s := m.open[len(m.open)-1]
		m.open = m.open[:len(m.open)-1]
		m.fill(s)
	}
	if m.full {
		return c.Fail("memory-error", "read: no room is left for new symbols")
	}
	return w
}

// datum is the word of a tree; what has parts is noted to be filled.
func (m *maker) datum(s *syntax.Syntax) heap.Word {
	c := m.c
	switch d := s.Datum.(type) {
	case *syntax.List:
		if len(d.Items) == 0 && d.Tail == nil {
			return heap.Null
		}
		if w, ok := m.shells[d]; ok {
			return w
		}
		w := heap.Null
		for range d.Items {
			w = c.Cons(heap.Null, w)
		}
		m.shells[d] = w
		m.open = append(m.open, s)
		return w
	case *syntax.Vector:
		if w, ok := m.shells[d]; ok {
			return w
		}
		w := c.New(heap.KindVector, len(d.Items), heap.Null)
		m.shells[d] = w
		m.open = append(m.open, s)
		return w
	}
	if m.atoms == nil {
		return m.atom(s.Datum)
	}
	w, ok := m.atoms[s]
	if !ok {
		w = m.atom(s.Datum)
		m.atoms[s] = w
	}
	return w
}

func (m *maker) fill(s *syntax.Syntax) {
	c := m.c
	w := m.shells[s.Datum]
	switch d := s.Datum.(type) {
	case *syntax.List:
		for i, item := range d.Items {
			c.SetCar(w, m.datum(item))
			if i < len(d.Items)-1 {
				w = c.Cdr(w)
			}
		}
		if d.Tail != nil {
			c.SetCdr(w, m.datum(d.Tail))
		}
	case *syntax.Vector:
		for i, item := range d.Items {
			c.SetField(w, i, m.datum(item))
		}
	}
}

func (m *maker) atom(d any) heap.Word {
	c := m.c
	switch d := d.(type) {
	case *syntax.Symbol:
		if m.full = m.full || !c.InternRoom(len(d.Name)); m.full {
			return heap.Null
		}
		return c.Intern(d.Name)
	case syntax.Keyword:
		if m.full = m.full || !c.InternRoom(len(d)); m.full {
			return heap.Null
		}
		return c.InternKeyword(string(d))
	case bool:
		return heap.Bool(d)
	case syntax.Char:
		return heap.Char(rune(d))
	case syntax.String:
		return c.NewString(string(d))
	case syntax.Bytes:
		return c.FromBytes(d)
	}
	if number.IsNumber(d) {
		return c.FromNumber(d)
	}
	return heap.Unspecified
}
