// Package regexp holds regular expressions: one engine (RE2 syntax, linear time) behind the names of Racket, Guile,
// SRFI 115 and irregex. What takes a procedure is Scheme and lives in stdlib. Only package builtins imports it.
package regexp

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"caper/interp/heap"
	"caper/interp/prim"
)

// A regular expression is a TypeRegexp record: the source as a string and flags. Its compiled form is found again in
// prim.Ctx.Cache, so that nothing of Go's lies in the arena.
const (
	fieldSource = 1
	fieldFlags  = 2
)

// Flags have Guile's numbers.
const (
	ignoreCase = 1
	multiLine  = 4 // ^ and $ match at lines and . matches no newline; else it does, as in Racket and POSIX
)

const (
	maxPattern = 64 << 10
	maxCached  = 400
)

type cacheKey struct {
	source string
	flags  int64
}

const (
	cacheName = "regexp"
	cacheSize = "regexp steps"
)

// compiled answers the engine's form of a pattern.
func compiled(c *prim.Ctx, source string, flags int64) (*regexp.Regexp, error) {
	cache, _ := c.Cache[cacheName].(map[cacheKey]*regexp.Regexp)
	key := cacheKey{source, flags}
	if re := cache[key]; re != nil {
		return re, nil
	}
	if len(source) > maxPattern {
		return nil, fmt.Errorf("the pattern is longer than %d bytes", maxPattern)
	}
	c.Charge(uint64(len(source)) * 8)
	text := "m)" + source
	if flags&multiLine == 0 {
		text = "s)" + byLines(source)
	}
	if flags&ignoreCase != 0 {
		text = "i" + text
	}
	text = "(?" + text
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, explain(source, err)
	}
	size := uint64(steps(tree))
	c.Charge(size * 8)
	if !c.Lend(size * stepBytes) {
		return nil, errors.New("the pattern is too large for the memory limit")
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, explain(source, err)
	}
	if c.Cache != nil {
		kept, _ := c.Cache[cacheSize].(uint64)
		if kept += size; cache == nil || len(cache) >= maxCached || kept*stepBytes > c.Max()/16 {
			cache, kept = map[cacheKey]*regexp.Regexp{}, size
			c.Cache[cacheName] = cache
		}
		if c.Cache[cacheSize] = kept; kept*stepBytes <= c.Max()/16 {
			cache[key] = re
		}
	}
	return re, nil
}

// lineGroup is a quotation, an escape, a class, or a group's flags with m and without s.
var lineGroup = regexp.MustCompile(`\\Q(?s:.*?)(?:\\E|\z)|\\(?s:.)|\[\^?\]?(?:\\(?s:.)|\[:\w+:\]|[^\]\\])*\]|\(\?[iU]*m[imU]*[-:)]`)

// byLines makes . stop at the end of a line in a group that matches by lines, (?m:…), as Racket does where . is any
// character otherwise. A group that says s too means both.
func byLines(source string) string {
	if !strings.Contains(source, "(?") {
		return source
	}
	return lineGroup.ReplaceAllStringFunc(source, func(part string) string {
		if part[0] != '(' {
			return part
		}
		end := len(part) - 1
		if part[end] == '-' {
			return part + "s"
		}
		return part[:end] + "-s" + part[end:]
	})
}

// stepBytes is what one step of a compiled pattern takes, about, with what compiling and matching take.
const stepBytes = 256

// steps is about how many steps a pattern compiles to. Repetitions are written out.
func steps(re *syntax.Regexp) float64 {
	n := 1 + float64(len(re.Rune))/2
	for _, sub := range re.Sub { // nested no deeper than package syntax allows
		n += steps(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= float64(max(re.Min, re.Max, 1))
	}
	return n
}

// unsupported are constructs of backtracking engines, with what to do instead.
var unsupported = []struct{ text, what string }{
	{"(?=", "lookahead (?= is"}, {"(?!", "negative lookahead (?! is"}, {"(?<=", "lookbehind (?<= is"}, {"(?<!", "negative lookbehind (?<! is"},
	{"(?>", "the atomic group (?> is"}, {"(?(", "the conditional (?( is"}, {"*+", "the possessive *+ is"}, {"++", "the possessive ++ is"}, {"?+", "the possessive ?+ is"},
}

// explain says in the program's terms why a pattern is refused.
func explain(source string, err error) error {
	for _, u := range unsupported {
		if strings.Contains(source, u.text) {
			return errors.New(u.what + " not supported: patterns match in linear time; match more and take a group of it," +
				` as (regexp-match* #px"id=(\\d+)" text #:match-select cadr) does`)
		}
	}
	var bad *syntax.Error
	if !errors.As(err, &bad) {
		return err
	}
	if bad.Code == syntax.ErrInvalidEscape && len(bad.Expr) == 2 && bad.Expr[1] >= '1' && bad.Expr[1] <= '9' {
		return fmt.Errorf("the backreference %s is not supported: patterns match in linear time; compare the groups afterwards", bad.Expr)
	}
	return fmt.Errorf("%s: %s", bad.Code, bad.Expr)
}

// newRegexp makes a regular expression, which must compile.
func newRegexp(c *prim.Ctx, source string, flags int64) heap.Word {
	if _, err := compiled(c, source, flags); err != nil {
		name := c.Prim.Name
		if literal, ok := strings.CutPrefix(name, "#%"); ok { // what the reader makes of #px"…" and #rx"…"
			name = map[string]string{"pregexp": "#px", "regexp": "#rx"}[literal]
		}
		return c.Fail("regexp-error", fmt.Sprintf("%s: %v", name, err), c.NewString(source))
	}
	return c.NewOf(heap.KindRecord, heap.Fixnum(heap.TypeRegexp), c.NewString(source), heap.Fixnum(flags))
}

// pattern reads argument i: a regular expression, a string, or an S-expression in the notation of SRFI 115.
func pattern(c *prim.Ctx, a []heap.Word, i int) (re *regexp.Regexp, ok bool) {
	w := a[i]
	source, flags := "", int64(0)
	switch {
	case c.IsType(w, heap.TypeRegexp) && c.IsString(c.Field(w, fieldSource)):
		source, flags = c.Text(c.Field(w, fieldSource)), heap.FixnumValue(c.Field(w, fieldFlags))
	case c.IsString(w):
		source = c.Text(w)
	case heap.IsPair(w) || c.IsSymbol(w) || heap.IsChar(w):
		var err error
		if source, err = fromSRE(c.Arena, w); err != nil {
			c.Fail("regexp-error", fmt.Sprintf("%s: %v", c.Prim.Name, err), w)
			return nil, false
		}
	default:
		c.WrongType(a, i, "a regular expression or a string")
		return nil, false
	}
	re, err := compiled(c, source, flags)
	if err != nil {
		c.Fail("regexp-error", fmt.Sprintf("%s: %v", c.Prim.Name, err), w)
		return nil, false
	}
	return re, true
}

// construct is the constructor of every dialect: a pattern and perhaps flags.
func construct(c *prim.Ctx, a []heap.Word) heap.Word {
	if c.IsType(a[0], heap.TypeRegexp) {
		return a[0]
	}
	flags := int64(0)
	for _, w := range a[1:] {
		if heap.IsFixnum(w) { // Guile's flags
			flags |= heap.FixnumValue(w) & (ignoreCase | multiLine)
		} else if c.IsSymbol(w) && (c.SymbolName(w) == "i" || c.SymbolName(w) == "case-insensitive") {
			flags |= ignoreCase
		}
	}
	if c.IsString(a[0]) {
		return newRegexp(c, c.Text(a[0]), flags)
	}
	if !heap.IsPair(a[0]) && !c.IsSymbol(a[0]) && !heap.IsChar(a[0]) {
		return c.WrongType(a, 0, "a string")
	}
	source, err := fromSRE(c.Arena, a[0])
	if err != nil {
		return c.Fail("regexp-error", fmt.Sprintf("%s: %v", c.Prim.Name, err), a[0])
	}
	return newRegexp(c, source, flags)
}
