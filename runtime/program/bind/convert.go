package bind

import (
	"errors"
	"fmt"
	"math/big"

	"caper/builtins/hash"
	"caper/interp"
	"caper/interp/heap"
	"caper/interp/number"
	"caper/runtime/graph"
)

// Bounds of a value on its way across the border.
const (
	maxDepth = 10_000
	minBytes = 1 << 20
)

var (
	errDeep     = fmt.Errorf("the value is nested more than %d deep, or circular", maxDepth)
	errCircular = errors.New("the value is circular")
	errMany     = errors.New("the value is too large for the memory limit")
	errMemory   = errors.New("the value does not fit the program's memory limit")
	errNotData  = errors.New("the value is no data")
)

type converter struct {
	m      *interp.Machine // out of which is copied
	a      *heap.Arena
	left   int  // bytes that the copy may still take, about
	lent   int  // down to this many left they were lent
	opaque bool // the copy holds a graph.Opaque
	told   bool // what goes in is said of a failure: an opaque value is its text
}

// What a copy takes besides text: a value in an interface, with what it points at.
const nodeBytes = 32

func (c *converter) spend(n int) bool {
	if c.left -= n; c.left < c.lent { // for the next piece of the copy
		c.lent -= lendBytes
		return c.a.Lend(lendBytes) && c.left >= 0
	}
	return c.left >= 0
}

const lendBytes = 1 << 20

// ToDatum copies a value out of a machine; the copy takes no more than half of the machine's memory, so that shared data
// end. What is no data, and so goes no further than to be shown, becomes a graph.Opaque of what write prints; data tells
// that there is none in the copy.
func ToDatum(m *interp.Machine, w heap.Word) (d graph.Datum, data bool, err error) {
	a := m.Arena()
	c := converter{m: m, a: a, left: int(max(a.Max(), minBytes))}
	c.lent = c.left - lendBytes/8 // of a small value nothing need be known
	d, err = c.out(w, 0)
	return d, !c.opaque, err
}

func (c *converter) out(w heap.Word, depth int) (graph.Datum, error) {
	if !c.spend(nodeBytes) {
		return nil, errMany
	}
	if depth > maxDepth {
		return nil, errDeep
	}
	switch {
	case heap.IsFixnum(w):
		return heap.FixnumValue(w), nil
	case heap.IsPair(w):
		return c.list(w, depth)
	case heap.IsChar(w):
		return graph.Char(heap.CharValue(w)), nil
	}
	switch w {
	case heap.True:
		return true, nil
	case heap.False:
		return false, nil
	case heap.Null:
		return graph.List{}, nil
	case heap.Unspecified:
		return graph.Void{}, nil
	}
	if n, ok := c.a.Complex(w); ok {
		if !c.spend(int(number.BitLen(n) / 8)) {
			return nil, errMany
		}
		return n, nil
	}
	switch c.a.Kind(w) {
	case heap.KindString:
		if !c.spend(c.a.StringLen(w)) {
			return nil, errMany
		}
		return c.a.Text(w), nil
	case heap.KindSymbol:
		if c.a.IsKeyword(w) {
			return graph.Keyword(c.a.SymbolName(w)), nil
		}
		return graph.Symbol(c.a.SymbolName(w)), nil
	case heap.KindBytes:
		if !c.spend(len(c.a.Bytes(w))) {
			return nil, errMany
		}
		return append([]byte{}, c.a.Bytes(w)...), nil
	case heap.KindVector:
		items, err := c.all(c.a.Fields(w), depth)
		return graph.Vector(items), err
	case heap.KindTable:
		var words []heap.Word
		hash.Each(c.a, w, func(k, v heap.Word) bool {
			words = append(words, k, v)
			return true
		})
		items, err := c.all(words, depth)
		kind, frozen := hash.KindOf(c.a, w)
		return &graph.Table{Kind: graph.TableKind(kind), Frozen: frozen, Items: items}, err
	}
	c.opaque = true
	text := Shown(c.m, w)
	if !c.spend(len(text)) {
		return nil, errMany
	}
	return graph.Opaque{Text: text}, nil
}

// Shown is what write prints of a value.
func Shown(m *interp.Machine, w heap.Word) string {
	return m.Text(w, int(min(m.Arena().Max()/4, maxText)))
}

// maxText bounds what is kept of a value that only write can show.
const maxText = 16 << 20

func (c *converter) all(words []heap.Word, depth int) ([]graph.Datum, error) {
	if !c.spend(16 * len(words)) {
		return nil, errMany
	}
	out := make([]graph.Datum, 0, len(words))
	for _, w := range words {
		d, err := c.out(w, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

func (c *converter) list(w heap.Word, depth int) (graph.Datum, error) {
	n, proper := c.a.ListLen(w)
	if !proper && c.circular(w, n) {
		return nil, errCircular
	}
	if n > lendBytes/16 && !c.spend(16*n) { // of a shorter one the items' own share is enough
		return nil, errMany
	}
	items := make([]graph.Datum, 0, n)
	for heap.IsPair(w) {
		d, err := c.out(c.a.Car(w), depth+1)
		if err != nil {
			return nil, err
		}
		items = append(items, d)
		w = c.a.Cdr(w)
	}
	if w == heap.Null {
		return graph.List(items), nil
	}
	tail, err := c.out(w, depth+1)
	if err != nil {
		return nil, err
	}
	return &graph.Dotted{Items: items, Tail: tail}, nil
}

// circular reports whether a list that is not proper goes on after n pairs, which is as many as it has.
func (c *converter) circular(w heap.Word, n int) bool {
	for range n {
		w = c.a.Cdr(w)
	}
	return heap.IsPair(w)
}

// FromDatum copies data into a machine.
func FromDatum(a *heap.Arena, d graph.Datum) (heap.Word, error) {
	c := converter{a: a}
	return c.in(d, 0)
}

func (c *converter) in(d graph.Datum, depth int) (heap.Word, error) {
	if depth > maxDepth {
		return 0, errDeep
	}
	a := c.a
	switch d := d.(type) {
	case bool:
		return heap.Bool(d), nil
	case int64, float64, *big.Int, *big.Rat, number.Complex:
		if !a.Reserve(uint64(number.BitLen(d))/8 + 128) {
			return 0, errMemory
		}
		return a.FromNumber(d), nil
	case string:
		if !a.Reserve(uint64(len(d)) + 64) {
			return 0, errMemory
		}
		return a.NewString(d), nil
	case []byte:
		if !a.Reserve(uint64(len(d)) + 64) {
			return 0, errMemory
		}
		return a.FromBytes(d), nil
	case graph.Symbol:
		if !a.InternRoom(len(d)) {
			return 0, errMemory
		}
		return a.Intern(string(d)), nil
	case graph.Keyword:
		if !a.InternRoom(len(d)) {
			return 0, errMemory
		}
		return a.InternKeyword(string(d)), nil
	case graph.Char:
		return heap.Char(rune(d)), nil
	case graph.Void, nil:
		return heap.Unspecified, nil
	case graph.Opaque:
		if !c.told {
			return 0, errNotData
		}
		return c.in(d.Text, depth)
	case graph.List:
		return c.chain(d, heap.Null, depth)
	case graph.Vector:
		items, err := c.each(d, depth)
		if err != nil {
			return 0, err
		}
		return a.NewOf(heap.KindVector, items...), nil
	case *graph.Table:
		items, err := c.each(d.Items, depth)
		if err != nil {
			return 0, err
		}
		if !a.Reserve(uint64(len(items))*48 + 512) {
			return 0, errMemory
		}
		return hash.Of(a, int(d.Kind), d.Frozen, items), nil
	case *graph.Dotted:
		tail, err := c.in(d.Tail, depth+1)
		if err != nil {
			return 0, err
		}
		return c.chain(d.Items, tail, depth)
	}
	return 0, fmt.Errorf("a %T has no place in a program", d)
}

func (c *converter) each(items []graph.Datum, depth int) ([]heap.Word, error) {
	if !c.a.Reserve(uint64(len(items))*16 + 64) {
		return nil, errMemory
	}
	out := make([]heap.Word, len(items))
	for i, x := range items {
		w, err := c.in(x, depth+1)
		if err != nil {
			return nil, err
		}
		out[i] = w
	}
	return out, nil
}

func (c *converter) chain(items []graph.Datum, tail heap.Word, depth int) (heap.Word, error) {
	words, err := c.each(items, depth)
	if err != nil {
		return 0, err
	}
	return c.a.ListTail(tail, words...), nil
}
