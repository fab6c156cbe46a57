package regexp

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/prim"
)

// Prims are the rows of this room.
func Prims() []prim.Prim {
	var rows []prim.Prim
	add := func(min, max int, args, doc string, fn prim.Func, names ...string) {
		for _, name := range names {
			rows = append(rows, prim.Row(name, min, max, args, doc, fn))
		}
	}
	add(1, 1, "value", "Is it a regular expression?", func(c *prim.Ctx, a []heap.Word) heap.Word {
		return heap.Bool(c.IsType(a[0], heap.TypeRegexp))
	}, "regexp?", "pregexp?", "irregex?")
	add(1, -1, "pattern [flag …]", "A regular expression.", construct, "regexp", "pregexp", "make-regexp", "string->regexp", "irregex", "sre->regexp", "string->irregex", "#%regexp", "#%pregexp")
	add(1, 1, "string", "A pattern that matches just the string.", quote, "regexp-quote", "irregex-quote")
	add(2, 4, "pattern string [start [end]]", "The match and its groups as a list of strings, #f for a group that took no part, or #f.", match, "regexp-match")
	add(2, 4, "pattern string [start [end]]", "The positions of the match and its groups, or #f.", matchPositions, "regexp-match-positions")
	add(2, 4, "pattern string [start [end]]", "Does the pattern match somewhere?", test, "%regexp-match?")
	add(2, 4, "pattern string [start [end]]", "All matches as strings.", matchAll, "%regexp-match*")
	add(2, 4, "pattern string [start [end]]", "All matches, each with its groups as a list of strings.", matchAllGroups, "%regexp-groups*")
	add(2, 4, "pattern string [start [end]]", "The positions of all matches.", positionsAll, "regexp-match-positions*")
	add(2, 4, "pattern string [start [end]]", "The texts between the matches.", split, "regexp-split", "irregex-split")
	add(3, 3, "pattern string insert", "The string with the first match replaced; & and \\n in insert stand for the match and its groups.", replace(false), "%regexp-replace")
	add(3, 3, "pattern string insert", "The string with all matches replaced.", replace(true), "%regexp-replace*")
	add(2, 4, "pattern string [start [end]]", "A match object, or #f.", search(false), "%regexp-search")
	add(2, 4, "pattern string [start [end]]", "A match object of the whole string, or #f.", search(true), "%regexp-whole")
	add(2, 4, "pattern string [start [end]]", "The match objects of all matches.", searchAll, "%regexp-search*")
	add(1, 2, "match [group]", "The text of the match or of a group, or #f.", part(partText), "match:substring", "irregex-match-substring", "regexp-match-submatch")
	add(1, 2, "match [group]", "Where the match or a group starts.", part(partStart), "match:start", "irregex-match-start-index", "regexp-match-submatch-start")
	add(1, 2, "match [group]", "Where the match or a group ends.", part(partEnd), "match:end", "irregex-match-end-index", "regexp-match-submatch-end")
	add(1, 1, "match", "The text before the match.", around(true), "match:prefix")
	add(1, 1, "match", "The text after the match.", around(false), "match:suffix")
	add(1, 1, "match", "The number of groups and one.", groupCount, "match:count")
	add(1, 1, "match", "The string that was searched.", searched, "match:string")
	add(1, 1, "value", "Is it a match object?", func(c *prim.Ctx, a []heap.Word) heap.Word { return heap.Bool(isMatch(c, a[0])) }, "%match?", "irregex-match-data?")
	return rows
}

func quote(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	return c.NewString(regexp.QuoteMeta(c.Text(a[0])))
}

// subject is the string that a pattern is tried on, cut to the span asked for.
type subject struct {
	text  string
	base  int // characters before text
	ascii bool
}

// args reads pattern, string and span.
func args(c *prim.Ctx, a []heap.Word) (re *regexp.Regexp, s subject, ok bool) {
	if re, ok = pattern(c, a, 0); !ok || !c.String(a, 1) {
		return nil, s, false
	}
	start, end, ok := c.Span(a, 2, c.StringLen(a[1]))
	if !ok {
		return nil, s, false
	}
	text := c.TextView(a[1])
	if len(a) > 2 {
		text = text[c.ByteOffset(a[1], start):c.ByteOffset(a[1], end)]
	}
	c.Charge(uint64(len(text)) / 2)
	return re, subject{string(text), start, c.IsASCII(a[1])}, true
}

// position turns a byte offset into a position in characters.
func (s subject) position(off int) int64 {
	if s.ascii {
		return int64(s.base + off)
	}
	return int64(s.base + utf8.RuneCountInString(s.text[:off]))
}

// group is the text of a group as a word.
func group(c *prim.Ctx, s subject, loc []int, i int) heap.Word {
	if loc[2*i] < 0 {
		return heap.False
	}
	return c.NewString(s.text[loc[2*i]:loc[2*i+1]])
}

// room checks that so many matches of so much text fit.
func room(c *prim.Ctx, s subject, all [][]int) bool {
	n := len(all)
	if n > 0 {
		n *= len(all[0]) / 2
	}
	if !c.Room(uint64(n)*128 + uint64(len(s.text))) {
		c.TooLarge("the list of matches")
		return false
	}
	return true
}

func groups(c *prim.Ctx, s subject, loc []int) heap.Word {
	items := make([]heap.Word, len(loc)/2)
	for i := range items {
		items[i] = group(c, s, loc, i)
	}
	return c.List(items...)
}

func match(c *prim.Ctx, a []heap.Word) heap.Word {
	re, s, ok := args(c, a)
	if !ok {
		return heap.Raised
	}
	loc := re.FindStringSubmatchIndex(s.text)
	if loc == nil {
		return heap.False
	}
	if !room(c, s, [][]int{loc}) {
		return heap.Raised
	}
	return groups(c, s, loc)
}

func positions(c *prim.Ctx, s subject, loc []int) heap.Word {
	items := make([]heap.Word, len(loc)/2)
	for i := range items {
		items[i] = heap.False
		if loc[2*i] >= 0 {
			items[i] = c.Cons(heap.Fixnum(s.position(loc[2*i])), heap.Fixnum(s.position(loc[2*i+1])))
		}
	}
	return c.List(items...)
}

func matchPositions(c *prim.Ctx, a []heap.Word) heap.Word {
	re, s, ok := args(c, a)
	if !ok {
		return heap.Raised
	}
	loc := re.FindStringSubmatchIndex(s.text)
	if loc == nil {
		return heap.False
	}
	return positions(c, s, loc)
}

func test(c *prim.Ctx, a []heap.Word) heap.Word {
	re, s, ok := args(c, a)
	if !ok {
		return heap.Raised
	}
	return heap.Bool(re.MatchString(s.text))
}

// each makes a list with one item for every match.
func each(c *prim.Ctx, a []heap.Word, item func(s subject, loc []int) heap.Word) heap.Word {
	re, s, ok := args(c, a)
	if !ok {
		return heap.Raised
	}
	all, ok := findAll(c, re, s.text, -1)
	if !ok || !room(c, s, all) {
		return heap.Raised
	}
	items := make([]heap.Word, len(all))
	for i, loc := range all {
		items[i] = item(s, loc)
	}
	return c.List(items...)
}

// findAll answers the positions of at most limit matches. It counts them beforehand where they could be too many for the
// memory limit.
func findAll(c *prim.Ctx, re *regexp.Regexp, text string, limit int) (all [][]int, ok bool) {
	each := uint64(64 + 32*(re.NumSubexp()+1))
	if most := uint64(len(text)) + 1; limit < 0 && most*each > countFrom {
		n := uint64(0)
		re.ReplaceAllStringFunc(text, func(string) string { n++; return "" })
		if !c.Lend(n * each) {
			c.TooLarge("the list of matches")
			return nil, false
		}
	}
	return re.FindAllStringSubmatchIndex(text, limit), true
}

// countFrom is how much the matches may take uncounted.
const countFrom = 1 << 20

func matchAll(c *prim.Ctx, a []heap.Word) heap.Word {
	return each(c, a, func(s subject, loc []int) heap.Word { return group(c, s, loc, 0) })
}

func matchAllGroups(c *prim.Ctx, a []heap.Word) heap.Word {
	return each(c, a, func(s subject, loc []int) heap.Word { return groups(c, s, loc) })
}

func positionsAll(c *prim.Ctx, a []heap.Word) heap.Word {
	return each(c, a, func(s subject, loc []int) heap.Word {
		return c.Cons(heap.Fixnum(s.position(loc[0])), heap.Fixnum(s.position(loc[1])))
	})
}

func split(c *prim.Ctx, a []heap.Word) heap.Word {
	re, s, ok := args(c, a)
	if !ok {
		return heap.Raised
	}
	all, ok := findAll(c, re, s.text, -1)
	if !ok || !room(c, s, all) {
		return heap.Raised
	}
	var items []heap.Word
	at := 0
	for _, loc := range all {
		items = append(items, c.NewString(s.text[at:loc[0]]))
		at = loc[1]
	}
	return c.List(append(items, c.NewString(s.text[at:]))...)
}

// insertion is a replacement text cut into literal pieces and references to groups.
type insertion []struct {
	text  string
	group int // -1 for a literal
}

func parseInsertion(s string) (in insertion) {
	add := func(text string, group int) {
		in = append(in, struct {
			text  string
			group int
		}{text, group})
	}
	for i := 0; i < len(s); {
		switch {
		case s[i] == '&':
			add("", 0)
			i++
		case s[i] == '\\' && i+1 < len(s):
			d := s[i+1]
			i += 2
			switch {
			case d >= '0' && d <= '9':
				n := int(d - '0')
				if i < len(s) && s[i] >= '0' && s[i] <= '9' {
					n = n*10 + int(s[i]-'0')
					i++
				}
				add("", n)
			case d == '$': // separates a group's number from a digit that follows
			default:
				add(string(d), -1)
			}
		default:
			j := i + 1
			for j < len(s) && s[j] != '&' && s[j] != '\\' {
				j++
			}
			add(s[i:j], -1)
			i = j
		}
	}
	return in
}

// whole reports whether an insertion asks for no group but the match.
func whole(in insertion) bool {
	for _, piece := range in {
		if piece.group > 0 {
			return false
		}
	}
	return true
}

// replaceWhole is replace for all matches without their groups: the matches are not listed.
func replaceWhole(c *prim.Ctx, re *regexp.Regexp, text string, in insertion) heap.Word {
	n, next, fits := uint64(len(text)), uint64(0), true
	out := re.ReplaceAllStringFunc(text, func(match string) string {
		var b strings.Builder
		for _, piece := range in {
			if piece.group < 0 {
				b.WriteString(piece.text)
			} else {
				b.WriteString(match)
			}
		}
		n += uint64(b.Len())
		if fits && n > next {
			next = 2 * n
			fits = c.Reserve(n) && c.Lend(next)
		}
		if !fits {
			return ""
		}
		return b.String()
	})
	if !fits || !c.Room(uint64(len(out))) {
		return c.TooLarge("the string")
	}
	return c.NewString(out)
}

func replace(all bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		re, s, ok := args(c, a[:2])
		if !ok || !c.String(a, 2) {
			return heap.Raised
		}
		in := parseInsertion(c.Text(a[2]))
		limit := 1
		if all {
			limit = -1
			if whole(in) {
				return replaceWhole(c, re, s.text, in)
			}
		}
		var out strings.Builder
		at := 0
		found, ok := findAll(c, re, s.text, limit)
		if !ok {
			return heap.Raised
		}
		for _, loc := range found {
			out.WriteString(s.text[at:loc[0]])
			for _, piece := range in {
				if piece.group < 0 {
					out.WriteString(piece.text)
				} else if k := 2 * piece.group; k < len(loc) && loc[k] >= 0 {
					out.WriteString(s.text[loc[k]:loc[k+1]])
				}
			}
			at = loc[1]
			if n := uint64(out.Len()); !c.Reserve(n) || out.Cap()-out.Len() < out.Cap()/8 && !c.Lend(2*n) {
				return c.TooLarge("the string")
			}
		}
		out.WriteString(s.text[at:])
		if !c.Room(uint64(out.Len())) {
			return c.TooLarge("the string")
		}
		return c.NewString(out.String())
	}
}
