package text

import (
	"bytes"

	"caper/interp/heap"
	"caper/interp/prim"
)

func compareRows() []prim.Prim {
	var rows []prim.Prim
	for _, r := range relations {
		rows = append(rows,
			prim.Row("string"+r.name+"?", 1, -1, "string string …", "Are the strings "+r.doc+"?", compareStrings(r.holds, false)),
			prim.Row("string-ci"+r.name+"?", 1, -1, "string string …", "Are the folded strings "+r.doc+"?", compareStrings(r.holds, true)))
	}
	return append(rows,
		prim.Row("string-prefix?", 2, 2, "prefix string", "Does the string start with prefix?", affix(bytes.HasPrefix, false)),
		prim.Row("string-suffix?", 2, 2, "suffix string", "Does the string end with suffix?", affix(bytes.HasSuffix, false)),
		prim.Row("string-prefix-ci?", 2, 2, "prefix string", "Does the string start with prefix, case folded?", affix(bytes.HasPrefix, true)),
		prim.Row("string-suffix-ci?", 2, 2, "suffix string", "Does the string end with suffix, case folded?", affix(bytes.HasSuffix, true)),
		prim.Row("string-prefix-length", 2, 2, "string string", "How many characters both have in common at the start.", common),
		prim.Row("string-hash", 1, 2, "string [bound]", "A hash of the text, the same in every run.", hash(false)),
		prim.Row("string-ci-hash", 1, 2, "string [bound]", "A hash of the folded text.", hash(true)))
}

// compareStrings relies on UTF-8: the order of its bytes is the order of the characters.
func compareStrings(holds func(int) bool, folded bool) prim.Func {
	equal := !folded && holds(0) && !holds(1) && !holds(-1)
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if equal && len(a) == 2 && c.IsString(a[0]) && c.IsString(a[1]) {
			c.Charge(uint64(c.StringLen(a[0])) / 16)
			return heap.Bool(c.StringEqual(a[0], a[1]))
		}
		all := true
		var before []byte
		for i := range a {
			t, ok := textArg(c, a, i, len(a))
			if !ok {
				return heap.Raised
			}
			if folded {
				t = fold(nil, t)
			}
			all = all && (i == 0 || holds(bytes.Compare(before, t)))
			before = t
		}
		return heap.Bool(all)
	}
}

// affix takes the affix first, as SRFI 13 does. Racket has it second; there it is nearly always a literal, so that with a
// literal behind a computed text, or behind a longer one, either reading may hold. An empty computed text is searched: it is
// oftener a blank line than an affix that nobody typed yet, which is the reading that is lost.
func affix(test func(s, affix []byte) bool, folded bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		x, ok := textArg(c, a, 0, 2)
		if !ok {
			return heap.Raised
		}
		s, ok := textArg(c, a, 1, 2)
		if !ok {
			return heap.Raised
		}
		if folded {
			x, s = fold(nil, x), fold(nil, s)
		}
		if !heap.Mutable(a[1]) && (heap.Mutable(a[0]) || len(x) > len(s)) {
			return heap.Bool(test(s, x) && len(x) > 0 || test(x, s))
		}
		return heap.Bool(test(s, x))
	}
}

func common(c *prim.Ctx, a []heap.Word) heap.Word {
	x, ok := textArg(c, a, 0, 2)
	if !ok {
		return heap.Raised
	}
	y, ok := textArg(c, a, 1, 2)
	if !ok {
		return heap.Raised
	}
	n := 0
	p, q := []rune(string(x)), []rune(string(y))
	for n < len(p) && n < len(q) && p[n] == q[n] {
		n++
	}
	return heap.Fixnum(int64(n))
}

func hash(folded bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		t, ok := textArg(c, a, 0, 2)
		if !ok {
			return heap.Raised
		}
		if folded {
			t = fold(nil, t)
		}
		h := int64(heap.HashText(t) >> 5)
		if prim.Given(a, 1) && heap.IsFixnum(a[1]) && heap.FixnumValue(a[1]) > 0 {
			h %= heap.FixnumValue(a[1])
		}
		return heap.Fixnum(h)
	}
}
