package text

import (
	"encoding/binary"
	"slices"
	"unicode"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines character sets (SRFI 14): a record of sorted, disjoint ranges, each two 32-bit numbers.

type span struct{ lo, hi rune }

const setRanges = 1 // the field of the record

func setRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("char-set?", 1, 1, "value", "Is it a character set?", func(c *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(c.IsType(a[0], heap.TypeCharSet))
		}),
		prim.Row("char-set", 0, -1, "char …", "The set of the characters.", func(c *prim.Ctx, a []heap.Word) heap.Word { return setOf(c, a) }),
		prim.Row("list->char-set", 1, 1, "chars", "The set of the characters of a list.", func(c *prim.Ctx, a []heap.Word) heap.Word {
			items, ok := c.Items(a, 0)
			if !ok {
				return heap.Raised
			}
			return setOf(c, items)
		}),
		prim.Row("string->char-set", 1, 1, "string", "The set of the characters of a string.", stringToSet),
		prim.Row("ucs-range->char-set", 2, 2, "from to", "The characters from one number up to another.", rangeToSet),
		prim.Row("char-set-contains?", 2, 2, "set char", "Is the character in the set?", setContains),
		prim.Row("char-set-size", 1, 1, "set", "The number of characters.", setSize),
		prim.Row("char-set->list", 1, 1, "set", "The characters in order.", setToList),
		prim.Row("char-set-complement", 1, 1, "set", "The characters that are not in the set.", complement),
		prim.Row("char-set-union", 0, -1, "set …", "The characters in any of the sets.", union),
		prim.Row("char-set-adjoin", 1, -1, "set char …", "The set and the characters.", adjoin),
		prim.Row("%char-set-ranges", 1, 1, "set", "Its ranges in order, as a list of where each begins and ends.", setToRanges),
		prim.Row("%char-set", 1, 1, "name", "The Unicode class of that name as a set.", namedSet),
	}
}

func makeSet(c *prim.Ctx, spans []span) heap.Word {
	slices.SortFunc(spans, func(x, y span) int { return int(x.lo - y.lo) })
	var joined []span
	for _, s := range spans {
		if k := len(joined) - 1; k >= 0 && s.lo <= joined[k].hi+1 {
			joined[k].hi = max(joined[k].hi, s.hi)
		} else {
			joined = append(joined, s)
		}
	}
	w := c.NewBytes(len(joined) * 8)
	b := c.Bytes(w)
	for i, s := range joined {
		binary.LittleEndian.PutUint32(b[i*8:], uint32(s.lo))
		binary.LittleEndian.PutUint32(b[i*8+4:], uint32(s.hi))
	}
	return c.NewOf(heap.KindRecord, heap.Fixnum(heap.TypeCharSet), w)
}

func readSet(c *prim.Ctx, w heap.Word) []span {
	b := c.Bytes(c.Field(w, setRanges))
	spans := make([]span, 0, len(b)/8)
	for ; len(b) >= 8; b = b[8:] {
		spans = append(spans, span{rune(binary.LittleEndian.Uint32(b)), rune(binary.LittleEndian.Uint32(b[4:]))})
	}
	c.Charge(uint64(len(spans)))
	return spans
}

func contains(spans []span, r rune) bool {
	_, ok := slices.BinarySearchFunc(spans, r, func(s span, r rune) int {
		switch {
		case s.hi < r:
			return -1
		case s.lo > r:
			return 1
		}
		return 0
	})
	return ok
}

func setArg(c *prim.Ctx, a []heap.Word, i int) ([]span, bool) {
	if !c.IsType(a[i], heap.TypeCharSet) {
		c.WrongType(a, i, "a character set")
		return nil, false
	}
	return readSet(c, a[i]), true
}

// matcher reads argument i, a character or a character set, as a test. Predicates are dealt with in Scheme.
func matcher(c *prim.Ctx, a []heap.Word, i int) (func(rune) bool, bool) {
	switch {
	case heap.IsChar(a[i]):
		r := heap.CharValue(a[i])
		return func(x rune) bool { return x == r }, true
	case c.IsType(a[i], heap.TypeCharSet):
		spans := readSet(c, a[i])
		return func(x rune) bool { return contains(spans, x) }, true
	}
	c.WrongType(a, i, "a character, a character set or a predicate")
	return nil, false
}

func setOf(c *prim.Ctx, chars []heap.Word) heap.Word {
	spans, ok := charSpans(c, nil, chars)
	if !ok {
		return heap.Raised
	}
	return makeSet(c, spans)
}

func charSpans(c *prim.Ctx, spans []span, chars []heap.Word) ([]span, bool) {
	for _, w := range chars {
		if !heap.IsChar(w) {
			c.Fail("type-error", c.Prim.Name+": every element must be a character", w)
			return nil, false
		}
		spans = append(spans, span{heap.CharValue(w), heap.CharValue(w)})
	}
	return spans, true
}

func stringToSet(c *prim.Ctx, a []heap.Word) heap.Word {
	text, ok := textArg(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	var spans []span
	for _, r := range string(text) {
		spans = append(spans, span{r, r})
	}
	return makeSet(c, spans)
}

func rangeToSet(c *prim.Ctx, a []heap.Word) heap.Word {
	to, ok := c.Index(a, 1, 0, unicode.MaxRune+1)
	if !ok {
		return heap.Raised
	}
	from, ok := c.Index(a, 0, 0, to)
	if !ok {
		return heap.Raised
	}
	if from == to {
		return makeSet(c, nil)
	}
	return makeSet(c, []span{{rune(from), rune(to - 1)}})
}

func setContains(c *prim.Ctx, a []heap.Word) heap.Word {
	spans, ok := setArg(c, a, 0)
	if !ok {
		return heap.Raised
	}
	r, ok := c.Char(a, 1)
	if !ok {
		return heap.Raised
	}
	return heap.Bool(contains(spans, r))
}

func setSize(c *prim.Ctx, a []heap.Word) heap.Word {
	spans, ok := setArg(c, a, 0)
	if !ok {
		return heap.Raised
	}
	n := int64(0)
	for _, s := range characters(spans) {
		n += int64(s.hi-s.lo) + 1
	}
	return heap.Fixnum(n)
}

func setToRanges(c *prim.Ctx, a []heap.Word) heap.Word {
	spans, ok := setArg(c, a, 0)
	if !ok {
		return heap.Raised
	}
	l := heap.Null
	for _, s := range slices.Backward(characters(spans)) {
		l = c.Cons(heap.Fixnum(int64(s.lo)), c.Cons(heap.Fixnum(int64(s.hi)+1), l))
	}
	return l
}

// characters is spans without the surrogates, which are no characters.
func characters(spans []span) []span {
	var out []span
	for _, s := range spans {
		if s.lo < 0xd800 {
			out = append(out, span{s.lo, min(s.hi, 0xd7ff)})
		}
		if s.hi > 0xdfff {
			out = append(out, span{max(s.lo, 0xe000), s.hi})
		}
	}
	return out
}

func setToList(c *prim.Ctx, a []heap.Word) heap.Word {
	spans, ok := setArg(c, a, 0)
	if !ok {
		return heap.Raised
	}
	if !c.Room(16 << 20) {
		return c.TooLarge("the list")
	}
	l := heap.Null
	for _, s := range slices.Backward(characters(spans)) {
		for r := s.hi; r >= s.lo; r-- {
			l = c.Cons(heap.Char(r), l)
		}
	}
	return l
}

func complement(c *prim.Ctx, a []heap.Word) heap.Word {
	spans, ok := setArg(c, a, 0)
	if !ok {
		return heap.Raised
	}
	var out []span
	next := rune(0)
	for _, s := range spans {
		if s.lo > next {
			out = append(out, span{next, s.lo - 1})
		}
		next = s.hi + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, span{next, unicode.MaxRune})
	}
	return makeSet(c, out)
}

func union(c *prim.Ctx, a []heap.Word) heap.Word {
	var all []span
	for i := range a {
		spans, ok := setArg(c, a, i)
		if !ok {
			return heap.Raised
		}
		all = append(all, spans...)
	}
	return makeSet(c, all)
}

func adjoin(c *prim.Ctx, a []heap.Word) heap.Word {
	spans, ok := setArg(c, a, 0)
	if !ok {
		return heap.Raised
	}
	if spans, ok = charSpans(c, spans, a[1:]); !ok {
		return heap.Raised
	}
	return makeSet(c, spans)
}

// classes are the Unicode tables behind the named sets of SRFI 14.
var classes = map[string][]*unicode.RangeTable{
	"letter":       {unicode.L, unicode.Nl, unicode.Other_Alphabetic},
	"digit":        {unicode.Nd},
	"letter+digit": {unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.Nd},
	"upper-case":   {unicode.Lu, unicode.Other_Uppercase},
	"lower-case":   {unicode.Ll, unicode.Other_Lowercase},
	"title-case":   {unicode.Lt},
	"whitespace":   {unicode.White_Space},
	"punctuation":  {unicode.P},
	"symbol":       {unicode.S},
}

func namedSet(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Symbol(a, 0) {
		return heap.Raised
	}
	name := c.SymbolName(a[0])
	switch name {
	case "ascii":
		return makeSet(c, []span{{0, 127}})
	case "hex-digit":
		return makeSet(c, []span{{'0', '9'}, {'A', 'F'}, {'a', 'f'}})
	case "blank":
		return makeSet(c, []span{{'\t', '\t'}, {' ', ' '}, {0xa0, 0xa0}, {0x1680, 0x1680}, {0x2000, 0x200a}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}})
	case "empty":
		return makeSet(c, nil)
	case "full":
		return makeSet(c, []span{{0, unicode.MaxRune}})
	}
	tables, ok := classes[name]
	if !ok {
		return c.Fail("range-error", "char-set: there is no class of that name", a[0])
	}
	var spans []span
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			spans = append(spans, span{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			spans = append(spans, span{r, r})
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return makeSet(c, spans)
}
