package regexp

import (
	"fmt"

	"caper/interp/heap"
	"caper/interp/prim"
)

// A match object is a vector: the string, the pattern, then start and end of the match and of each group, #f where a
// group took no part.
const matchHead = 2

func isMatch(c *prim.Ctx, w heap.Word) bool {
	return c.IsVector(w) && c.Size(w) >= matchHead+2 && c.Size(w)%2 == 0 && c.IsString(c.Field(w, 0)) && heap.IsFixnum(c.Field(w, matchHead))
}

func newMatch(c *prim.Ctx, a []heap.Word, s subject, loc []int) heap.Word {
	f := []heap.Word{a[1], a[0]}
	for _, off := range loc {
		if off < 0 {
			f = append(f, heap.False)
		} else {
			f = append(f, heap.Fixnum(s.position(off)))
		}
	}
	return c.NewOf(heap.KindVector, f...)
}

func search(whole bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		re, s, ok := args(c, a)
		if !ok {
			return heap.Raised
		}
		if whole {
			var err error
			if re, err = compiled(c, `\A(?:`+re.String()+`)\z`, 0); err != nil {
				return c.Fail("regexp-error", fmt.Sprintf("%s: %v", c.Prim.Name, err), a[0])
			}
		}
		loc := re.FindStringSubmatchIndex(s.text)
		if loc == nil {
			return heap.False
		}
		return newMatch(c, a, s, loc)
	}
}

func searchAll(c *prim.Ctx, a []heap.Word) heap.Word {
	return each(c, a, func(s subject, loc []int) heap.Word { return newMatch(c, a, s, loc) })
}

const (
	partText = iota
	partStart
	partEnd
)

func matchArg(c *prim.Ctx, a []heap.Word) bool {
	if isMatch(c, a[0]) {
		return true
	}
	if a[0] == heap.False {
		c.WrongType(a, 0, "a match object; the pattern did not match")
	} else {
		c.WrongType(a, 0, "a match object")
	}
	return false
}

// groupNumber reads the optional group: a number or a name.
func groupNumber(c *prim.Ctx, a []heap.Word) (n int, ok bool) {
	if !prim.Given(a, 1) {
		return 0, true
	}
	name := ""
	switch {
	case c.IsSymbol(a[1]):
		name = c.SymbolName(a[1])
	case c.IsString(a[1]):
		name = c.Text(a[1])
	default:
		return c.Index(a, 1, 0, int(c.Size(a[0])-matchHead)/2-1)
	}
	re, ok := pattern(c, []heap.Word{c.Field(a[0], 1)}, 0)
	if !ok {
		return 0, false
	}
	if n = re.SubexpIndex(name); n < 0 || n >= int(c.Size(a[0])-matchHead)/2 {
		c.Fail("range-error", c.Prim.Name+": the pattern has no group of that name", a[1])
		return 0, false
	}
	return n, true
}

func part(which int) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if !matchArg(c, a) {
			return heap.Raised
		}
		n, ok := groupNumber(c, a)
		if !ok {
			return heap.Raised
		}
		start, end := c.Field(a[0], matchHead+2*n), c.Field(a[0], matchHead+2*n+1)
		switch {
		case start == heap.False || which == partStart:
			return start
		case which == partEnd:
			return end
		}
		return slice(c, c.Field(a[0], 0), start, end)
	}
}

// slice is the part of string s between two positions, which are checked again: the match is a vector like any other.
func slice(c *prim.Ctx, s, start, end heap.Word) heap.Word {
	lo, hi, ok := c.Span([]heap.Word{start, end}, 0, c.StringLen(s))
	if !ok {
		return heap.Raised
	}
	text := c.TextView(s)[c.ByteOffset(s, lo):c.ByteOffset(s, hi)]
	if !c.Room(uint64(len(text))) {
		return c.TooLarge("the string")
	}
	return c.NewString(string(text))
}

func around(before bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if !matchArg(c, a) {
			return heap.Raised
		}
		s := c.Field(a[0], 0)
		if before {
			return slice(c, s, heap.Fixnum(0), c.Field(a[0], matchHead))
		}
		return slice(c, s, c.Field(a[0], matchHead+1), heap.Fixnum(int64(c.StringLen(s))))
	}
}

func groupCount(c *prim.Ctx, a []heap.Word) heap.Word {
	if !matchArg(c, a) {
		return heap.Raised
	}
	return heap.Fixnum(int64(c.Size(a[0])-matchHead) / 2)
}

func searched(c *prim.Ctx, a []heap.Word) heap.Word {
	if !matchArg(c, a) {
		return heap.Raised
	}
	return c.Field(a[0], 0)
}
