package bind

import (
	"errors"
	"fmt"
	"math/big"

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
	errDeep   = fmt.Errorf("the value is nested more than %d deep", maxDepth)
	errMany   = errors.New("the value is too large for the memory limit, or circular")
	errMemory = errors.New("the value does not fit the program's memory limit")
)

type converter struct {
	a    *heap.Arena
	left int // bytes that the copy may still take, about
	lent int // down to this many left they were lent
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

// ToDatum copies a value out of a machine; the copy takes no more than half of the machine's memory, so that shared and
// circular data end. Procedures and other things without an outside form become graph.Opaque.
func ToDatum(a *heap.Arena, w heap.Word) (graph.Datum, error) {
	c := converter{a: a, left: int(max(a.Max(), minBytes))}
	c.lent = c.left - lendBytes/8 // of a small value nothing need be known
	return c.out(w, 0)
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
	case heap.IsClosure(w):
		return graph.Opaque{Text: "#<procedure>"}, nil
	}
	switch w {
	case heap.True:
		return true, nil
	case heap.False:
		return false, nil
	case heap.Null:
		return graph.List{}, nil
	case heap.Unspecified, heap.Default:
		return graph.Void{}, nil
	case heap.EOF:
		return graph.Opaque{Text: "#<eof>"}, nil
	}
	if n, ok := c.a.Number(w); ok {
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
	case heap.KindVector, heap.KindValues:
		items, err := c.all(c.a.Fields(w), depth)
		return graph.Vector(items), err
	}
	return graph.Opaque{Text: describe(c.a, w)}, nil
}

func describe(a *heap.Arena, w heap.Word) string {
	switch {
	case a.IsType(w, heap.TypeCondition):
		return "#<condition " + a.Text(a.Field(w, heap.CondMessage)) + ">"
	case a.Is(w, heap.KindRecord):
		return "#<record>"
	case a.Is(w, heap.KindTable):
		return "#<hash-table>"
	case a.IsComplex(w):
		z, _ := a.Complex(w)
		return "#<number " + number.Format(z, 10) + ">"
	case a.IsProcedure(w):
		return "#<procedure>"
	case a.Is(w, heap.KindPort):
		return "#<port>"
	}
	return "#<object>"
}

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
	n, _ := c.a.ListLen(w)
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

// FromDatum copies a value into a machine.
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
	case int64, float64, *big.Int, *big.Rat:
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
		return a.NewString(d.Text), nil
	case graph.List:
		return c.chain(d, heap.Null, depth)
	case graph.Vector:
		items, err := c.each(d, depth)
		if err != nil {
			return 0, err
		}
		return a.NewOf(heap.KindVector, items...), nil
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
