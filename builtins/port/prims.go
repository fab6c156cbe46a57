package port

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	digits "caper/builtins/number"
	"caper/interp/heap"
	"caper/interp/number"
	"caper/interp/prim"
)

// This file defines the procedures that print: onto a port, into a string, by a template.

func printRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("%display", 2, 2, "value port", "Prints for people: strings and characters as they are.", onto(display)),
		prim.Row("%write", 2, 2, "value port", "Prints so that read takes it; labels where it is circular.", onto(write)),
		prim.Row("%write-shared", 2, 2, "value port", "Prints with labels wherever parts are shared.", onto(writeShared)),
		prim.Row("%write-simple", 2, 2, "value port", "Prints without labels.", onto(writeSimple)),
		prim.Row("%display-string", 1, -1, "value …", "What display prints of the values, as a string.", into(display)),
		prim.Row("%write-string-of", 1, -1, "value …", "What write prints of the values, as a string.", into(write)),
		prim.Row("%brief", 2, 2, "value most", "What write prints of the value, without labels and cut after so many bytes, as a string.", brief),
		prim.Row("%format", 1, -1, "template value …", "The template with ~a ~s ~d ~x ~o ~b ~c ~% ~~ filled in.", format),
		prim.Row("condition/report-string", 1, 1, "condition", "The message and the irritants as one line.", report),
	}
}

func onto(m mode) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if !usable(c, a, 1, isOutput, 0) {
			return heap.Raised
		}
		switch w := a[0]; {
		case heap.IsFixnum(w):
			return written(emit(c, a[1], strconv.AppendInt(c.Small[:0], heap.FixnumValue(w), 10)))
		case m == display && c.IsString(w):
			return written(emit(c, a[1], c.TextView(w)))
		}
		return written(print(c, a[0], m, func(text []byte) bool { return emit(c, a[1], text) }))
	}
}

// collector gathers text for a string, within what fits.
type collector struct {
	c    *prim.Ctx
	text []byte
}

func (t *collector) add(text []byte) bool {
	n := len(t.text) + len(text)
	if !t.c.Reserve(uint64(n)) || n > cap(t.text) && !t.c.Lend(uint64(n)*2) {
		t.c.TooLarge("the text")
		return false
	}
	t.text = append(t.text, text...)
	return true
}

func into(m mode) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		t := &collector{c: c}
		for _, w := range a {
			if !print(c, w, m, t.add) {
				return heap.Raised
			}
		}
		return c.NewText(t.text)
	}
}

func brief(c *prim.Ctx, a []heap.Word) heap.Word {
	if !heap.IsFixnum(a[1]) || heap.FixnumValue(a[1]) < 0 {
		return c.WrongType(a, 1, "a count of bytes")
	}
	most := int(min(heap.FixnumValue(a[1]), chunk))
	var text []byte
	print(c, a[0], writeSimple, func(b []byte) bool {
		text = append(text, b[:min(len(b), most+1-len(text))]...)
		return len(text) <= most
	})
	if len(text) > most {
		text = append(bytes.ToValidUTF8(text[:most], nil), "…"...)
	}
	return c.NewText(text)
}

func report(c *prim.Ctx, a []heap.Word) heap.Word {
	t := &collector{c: c}
	if !c.IsType(a[0], heap.TypeCondition) {
		if !print(c, a[0], display, t.add) {
			return heap.Raised
		}
		return c.NewText(t.text)
	}
	if !print(c, c.Field(a[0], heap.CondMessage), display, t.add) {
		return heap.Raised
	}
	irritants, _ := c.Slice(c.Field(a[0], heap.CondIrritants), 1000)
	for _, w := range irritants {
		if !t.add([]byte(" ")) || !print(c, w, write, t.add) {
			return heap.Raised
		}
	}
	return c.NewText(t.text)
}

// format knows the directives of SRFI 28 and those of Guile, Racket and Common Lisp that programs use.
func format(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	f := &formatter{collector: collector{c: c}, args: a[1:]}
	template := c.Text(a[0])
	c.Charge(uint64(len(template)) / 16)
	done, ok := f.run(template)
	if !ok {
		return heap.Raised
	}
	if done {
		return c.NewText(f.text)
	}
	if f.used < len(f.args) {
		return c.Fail("arity-error", fmt.Sprintf("format: the template uses %d values, %d were given", f.used, len(f.args)), a[0])
	}
	return c.NewText(f.text)
}

type formatter struct {
	collector
	args   []heap.Word
	used   int
	nested int // braces around
}

func (f *formatter) next() (heap.Word, bool) {
	if f.used >= len(f.args) {
		f.c.Fail("arity-error", fmt.Sprintf("format: the template needs more than the %d values given", len(f.args)))
		return 0, false
	}
	f.used++
	return f.args[f.used-1], true
}

// directive carries out the one at the start of s, which begins with ~, and answers its length, 0 after a failure.
func (f *formatter) directive(s string) int {
	i := 1
	params := ""
	for i < len(s) && strings.IndexByte("0123456789,'@:-+", s[i]) >= 0 {
		if s[i] == '\'' {
			i++
		}
		i++
	}
	params = s[1:min(i, len(s))]
	if i >= len(s) {
		f.c.Fail("range-error", "format: the template ends inside a directive; write ~~ for a tilde")
		return 0
	}
	ok := true
	switch d := s[i]; d {
	case '%', 'n':
		ok = f.add([]byte("\n"))
	case '&':
		if n := len(f.text); n > 0 && f.text[n-1] != '\n' {
			ok = f.add([]byte("\n"))
		}
	case '~':
		ok = f.add([]byte("~"))
	case '\n':
		return i + 1 + len(s[i+1:]) - len(strings.TrimLeft(s[i+1:], " \t"))
	case 'a', 'A', 's', 'S', 'v', 'V', 'e', 'E', 'y', 'Y', 'w', 'W':
		m := write
		if d|0x20 == 'a' {
			m = display
		}
		ok = f.value(m, params)
	case 'd', 'D', 'x', 'X', 'o', 'O', 'b', 'B', 'r', 'R':
		ok = f.integer(map[byte]int{'d': 10, 'r': 10, 'x': 16, 'o': 8, 'b': 2}[d|0x20], params)
	case 'f', 'F', 'g', 'G', '$':
		ok = f.fixed(params, d)
	case '*':
		ok = f.skip(params)
	case '?', 'k', 'K':
		ok = f.indirect()
	case 't', 'T':
		if params == "" {
			ok = f.add([]byte("\t"))
			break
		}
		ok = f.padTo(bytes.LastIndexByte(f.text, '\n')+1, params, false)
	case '_', '|':
		ok = f.add([]byte(" "))
	case '!': // flushes elsewhere
	case '{', '[', '(':
		inside := map[byte]func(string, string) int{'{': f.iterate, '[': f.choose, '(': f.changeCase}[d]
		n := inside(s[i+1:], params)
		if n == 0 {
			return 0
		}
		return i + 1 + n
	case 'p', 'P':
		ok = f.plural(params)
	case 'c', 'C':
		w, given := f.next()
		if ok = given; ok && !heap.IsChar(w) {
			f.c.Fail("type-error", "format: ~c needs a character", w)
			ok = false
		}
		ok = ok && f.add([]byte(string(heap.CharValue(w))))
	default:
		f.c.Fail("range-error", fmt.Sprintf("format: unknown directive %s; known are ~a ~s ~d ~x ~o ~b ~f ~c ~p ~t ~* ~? ~{ ~} ~^ ~[ ~; ~] ~( ~) ~%% ~~", s[:i+1]))
		return 0
	}
	if !ok {
		return 0
	}
	return i + 1
}

func (f *formatter) value(m mode, params string) bool {
	w, ok := f.next()
	if !ok {
		return false
	}
	start := len(f.text)
	if !print(f.c, w, m, f.add) {
		return false
	}
	return f.padTo(start, params, strings.Contains(params, "@"))
}

// padTo brings what was added since start to the width that params begins with.
func (f *formatter) padTo(start int, params string, left bool) bool {
	width, fill := parseWidth(params)
	n := width - len([]rune(string(f.text[start:])))
	if n <= 0 {
		return true
	}
	pad := strings.Repeat(string(fill), n)
	if !left {
		return f.add([]byte(pad))
	}
	text := string(f.text[start:])
	f.text = f.text[:start]
	return f.add([]byte(pad + text))
}

const maxWidth = 10_000

// parseWidth reads the first parameter of a directive, and the character after a quote.
func parseWidth(params string) (width int, fill rune) {
	fill = ' '
	for i, r := range params {
		if r < '0' || r > '9' {
			if q := strings.IndexByte(params[i:], '\''); q >= 0 {
				for _, r := range params[i+q+1:] {
					fill = r
					break
				}
			}
			break
		}
		width = min(width*10+int(r-'0'), maxWidth)
	}
	return width, fill
}

func (f *formatter) integer(radix int, params string) bool {
	w, ok := f.next()
	if !ok {
		return false
	}
	n, isNumber := f.c.Number(w)
	start := len(f.text)
	if !isNumber {
		return print(f.c, w, display, f.add)
	}
	f.c.Charge(uint64(number.BitLen(n)) / 8)
	text := number.Format(n, radix)
	if strings.Contains(params, ":") {
		text = grouped(text)
	}
	if strings.ContainsAny(params, "@+") && text[0] != '-' {
		text = "+" + text
	}
	return f.add([]byte(text)) && f.padTo(start, params, true)
}

// grouped puts a comma before each group of three digits.
func grouped(text string) string {
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	if strings.Trim(text, "0123456789") != "" {
		return sign + text
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return sign + text
}

// fixed is ~f and ~$: ~w,df prints d digits after the point in at least w places.
func (f *formatter) fixed(params string, d byte) bool {
	w, ok := f.next()
	if !ok {
		return false
	}
	n, isNumber := f.c.Number(w)
	if !isNumber {
		f.c.Fail("type-error", "format: ~f needs a number", w)
		return false
	}
	start := len(f.text)
	first, second, both := strings.Cut(params, ",")
	exact, err := number.ToExact(n)
	switch {
	case err == nil && (both || d == '$'):
		k, _ := parseWidth(second)
		if !both {
			k = 2
		}
		if !f.add([]byte(digits.Fixed(exact, k))) {
			return false
		}
	default:
		if !f.add([]byte(number.Format(number.ToInexact(n), 10))) {
			return false
		}
	}
	return f.padTo(start, first, true)
}
