package syntax

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"caper/interp/number"
)

// This file defines what stands between data, and the tokens that do not begin with #.

// token reads one token. It answers an atom or a datum that the token completes, or nil when the token only changed
// the stack.
func (r *Reader) token() (*Syntax, error) {
	if err := r.skip(); err != nil {
		return nil, err
	}
	if r.pos == len(r.text) {
		if len(r.frames) == 0 {
			return nil, io.EOF
		}
		return nil, r.unclosed()
	}
	start, c := r.pos, r.text[r.pos]
	if r.fresh && c != ')' && c != ']' {
		r.noteIndentation()
	}
	r.fresh = false
	switch c {
	case '(', '[':
		return nil, r.open(inList, start, 1)
	case ')', ']':
		return r.close(c)
	case '\'':
		return nil, r.push(frame{kind: inQuote}, start, 1)
	case '`':
		return nil, r.push(frame{kind: inQuasiquote}, start, 1)
	case ',':
		if strings.HasPrefix(r.text[start:], ",@") {
			return nil, r.push(frame{kind: inUnquoteSplicing}, start, 2)
		}
		return nil, r.push(frame{kind: inUnquote}, start, 1)
	case '"':
		r.pos++
		s, err := r.quoted(start, '"', stringEscapes)
		return r.atom(start, String(s)), err
	case '|':
		name, err := r.barred(start)
		if err != nil {
			return nil, err
		}
		return r.atom(start, Intern(name)), nil
	case '#':
		return r.hash()
	case '{', '}':
		return nil, r.fail(start, start+1, fmt.Sprintf("%c has no meaning here", c), "use ( ) or [ ]")
	}
	return r.word()
}

func (r *Reader) atom(start int, datum any) *Syntax {
	return r.node(datum, r.span(start, r.pos))
}

// node makes a datum. They come in small blocks: a text has many, which live and die together.
func (r *Reader) node(datum any, at Span) *Syntax {
	if len(r.block) == 0 {
		r.block = make([]Syntax, 32)
	}
	s := &r.block[0]
	r.block = r.block[1:]
	s.Datum, s.Span = datum, at
	return s
}

// barred reads a symbol's name between vertical bars at start.
func (r *Reader) barred(start int) (string, error) {
	r.pos = start + 1
	return r.quoted(start, '|', stringEscapes)
}

// skipShebang passes over what is for the operating system.
func (r *Reader) skipShebang() { r.pos += Shebang(r.text[r.pos:]) }

// Shebang is the length of what begins a text and is for the operating system: a first line, or what Guile ends with a line !#.
func Shebang(text string) int {
	if block := guileScript.FindString(text); block != "" {
		return len(block)
	}
	if strings.HasPrefix(text, "#!/") || strings.HasPrefix(text, "#! ") {
		if end := strings.IndexAny(text, "\r\n"); end >= 0 {
			return end
		}
		return len(text)
	}
	return 0
}

var guileScript = regexp.MustCompile(`\A#![/ ][^\r\n]*(?:\r\n?|\n)(?:[^\r\n]*(?:\r\n?|\n)){0,8}?!#[ \t\f\v]*(?:\r\n?|\n|\z)`)

// skip passes over white space and comments.
func (r *Reader) skip() error {
	for r.pos < len(r.text) {
		switch c := r.text[r.pos]; {
		case c == '\n' || c == '\r':
			r.pos++
			r.lineStart, r.fresh = r.pos, true
		case c == ' ' || c == '\t' || c == '\f' || c == '\v':
			r.pos++
		case c == ';':
			if end := strings.IndexAny(r.text[r.pos:], "\r\n"); end >= 0 {
				r.pos += end
			} else {
				r.pos = len(r.text)
			}
		case c == '#' && strings.HasPrefix(r.text[r.pos:], "#|"):
			if err := r.skipBlock(); err != nil {
				return err
			}
		case c < utf8.RuneSelf:
			return nil
		default:
			u, size := utf8.DecodeRuneInString(r.text[r.pos:])
			if !unicode.IsSpace(u) {
				return nil
			}
			r.pos += size
		}
	}
	return nil
}

// skipBlock passes over a nested #| comment |#.
func (r *Reader) skipBlock() error {
	start, depth := r.pos, 0
	for i := start; i+1 < len(r.text); i++ {
		switch {
		case r.text[i] == '#' && r.text[i+1] == '|':
			depth++
			i++
		case r.text[i] == '|' && r.text[i+1] == '#':
			depth--
			i++
			if depth == 0 {
				r.pos = i + 1
				r.passed(start)
				return nil
			}
		}
	}
	return r.endsInside("a #| comment", r.span(start, start+2), "it starts at "+at(r.span(start, start+2))+" and needs a |#")
}

// passed takes note of lines that ended inside a token that began at start.
func (r *Reader) passed(start int) {
	if i := strings.LastIndexAny(r.text[start:r.pos], "\r\n"); i >= 0 {
		r.lineStart = start + i + 1
	}
}

// wordEnd is where the run of characters from i on ends that may belong to a symbol or number.
func (r *Reader) wordEnd(i int) int {
	for i < len(r.text) {
		c := r.text[i]
		if c < utf8.RuneSelf {
			if delimiter(c) {
				return i
			}
			i++
			continue
		}
		u, size := utf8.DecodeRuneInString(r.text[i:])
		if unicode.IsSpace(u) {
			return i
		}
		i += size
	}
	return i
}

func delimiter(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', '\f', '\v', '(', ')', '[', ']', '{', '}', '"', ';', '\'', '`', ',', '|':
		return true
	}
	return false
}

// word reads a number, a symbol or the dot.
func (r *Reader) word() (*Syntax, error) {
	start := r.pos
	end := r.wordEnd(start)
	text := r.text[start:end]
	if text == "." {
		return nil, r.dot()
	}
	if startsNumber(text) {
		if n, ok := number.Parse(text, 10); ok {
			r.pos = end
			return r.atom(start, n), nil
		}
		if message, hint := badNumber(text); message != "" {
			return nil, r.fail(start, end, message, hint)
		}
	}
	if i := badSymbol(text); i >= 0 {
		return nil, r.badCharacter(start + i)
	}
	r.pos = end
	return r.atom(start, Intern(r.folded(text))), nil
}

// dot handles a lone dot, which announces the tail of a list.
func (r *Reader) dot() error {
	f := r.top()
	switch {
	case f == nil:
		return r.fail(r.pos, r.pos+1, "a dot outside of a list", "")
	case f.kind != inList && f.kind != inSplice:
		return r.fail(r.pos, r.pos+1, "a dot belongs between the last two data of a list", "")
	case f.dot != noDot:
		return r.fail(r.pos, r.pos+1, "a second dot in a list", "a dot is followed by exactly one datum: (a . b)")
	case len(r.values) == int(f.base):
		return r.fail(r.pos, r.pos+1, "no datum before the dot", "a dotted list is (a . b)")
	}
	f.dot = afterDot
	r.pos++
	return nil
}

// startsNumber is a cheap look at what may be a number.
func startsNumber(text string) bool {
	c := text[0]
	return '0' <= c && c <= '9' || (c == '+' || c == '-' || c == '.') && len(text) > 1
}

// Few texts have a word that these must look at.
var (
	zeroDenominator = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[+-]?[0-9]+/0+$`) })
)

// badNumber explains a word that is no number but can only have been meant as one. Others, such as 1+ or ->x, are
// symbols.
func badNumber(text string) (message, hint string) {
	switch {
	case len(text) > number.MaxText:
		return fmt.Sprintf("a number or symbol of more than %d characters", number.MaxText), ""
	case zeroDenominator().MatchString(text):
		return "a ratio with the denominator zero", ""
	}
	return "", ""
}

// badSymbol is the index of the first character that may not stand in a symbol outside of bars, or -1.
func badSymbol(text string) int {
	for i, c := range text {
		switch {
		case c == '\\', c < ' ', 0x7f <= c && c < 0xa0:
			return i
		case c < utf8.RuneSelf:
		case c == '“', c == '”', unicode.Is(unicode.Cf, c) && c != '\u200c' && c != '\u200d':
			return i
		}
	}
	return -1
}

func (r *Reader) badCharacter(i int) error {
	c, size := utf8.DecodeRuneInString(r.text[i:])
	switch {
	case c == '\\':
		return r.fail(i, i+size, `a \ outside of a string`, `a character is written #\a, a symbol with odd characters |a b|`)
	case c == '“', c == '”':
		return r.fail(i, i+size, fmt.Sprintf("the typographic quotation mark %c", c), `strings stand between plain "`)
	}
	return r.fail(i, i+size, fmt.Sprintf("the invisible character U+%04X", c), "delete it")
}

// folded is the name of a symbol as #!fold-case wants it.
func (r *Reader) folded(name string) string {
	if r.opts.FoldCase {
		return strings.ToLower(name)
	}
	return name
}
