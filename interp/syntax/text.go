package syntax

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file defines the text between quotes: strings, symbols in bars, regular expressions.

type escapes uint8

const (
	stringEscapes escapes = iota
	// regexpEscapes knows only the escapes that strings and regular expressions read differently, so that both "\\d"
	// as in a string and "\d" as in a pattern mean a digit. All others keep their backslash.
	regexpEscapes
)

// quoted reads from pos, which stands after the opening quote at start, up to and over the closing quote.
func (r *Reader) quoted(start int, quote byte, mode escapes) (string, error) {
	var out strings.Builder
	copied := false
	run := r.pos // what follows has not been written to out yet
	for r.pos < len(r.text) {
		switch c := r.text[r.pos]; c {
		case quote:
			text := r.text[run:r.pos]
			r.pos++
			r.passed(start)
			if copied {
				out.WriteString(text)
				text = out.String()
			}
			return text, nil
		case '\\', '\r':
			out.WriteString(r.text[run:r.pos])
			copied = true
			var err error
			if c == '\r' { // every line ending reads as one newline
				r.pos++
				if r.pos < len(r.text) && r.text[r.pos] == '\n' {
					r.pos++
				}
				out.WriteByte('\n')
			} else if mode == regexpEscapes {
				r.regexpEscape(&out)
			} else {
				err = r.escape(&out)
			}
			if err != nil {
				return "", err
			}
			run = r.pos
		default:
			r.pos++
		}
	}
	open := r.span(start, start+1)
	what, hint := "a string", "its first \" stands at "+at(open)
	if quote == '|' {
		what, hint = "a symbol in bars", "its first | stands at "+at(open)
	}
	return "", r.endsInside(what, open, hint)
}

// simpleEscape is the character of a one-letter escape. Past R7RS, \e \f \v \0 \' are what other Schemes, JSON and C
// write.
func simpleEscape(c byte) (byte, bool) {
	i := strings.IndexByte(`abtnrefv0"\|'`, c)
	if i < 0 {
		return 0, false
	}
	return "\a\b\t\n\r\x1b\f\v\x00\"\\|'"[i], true
}

// escape reads the escape at pos.
func (r *Reader) escape(out *strings.Builder) error {
	start := r.pos
	if start+1 >= len(r.text) {
		r.pos = len(r.text) // the caller reports the open string
		return nil
	}
	c := r.text[start+1]
	if e, ok := simpleEscape(c); ok {
		r.pos += 2
		out.WriteByte(e)
		return nil
	}
	switch c {
	case 'x', 'X':
		return r.hexEscape(out)
	case 'u', 'U':
		return r.unicodeEscape(out)
	}
	if r.continuation() {
		return nil
	}
	_, size := utf8.DecodeRuneInString(r.text[start+1:])
	end := start + 1 + size
	hint := `a backslash itself is written \\`
	if strings.IndexByte("dDwWsSBpP.*+?()[]{}^$-", c) >= 0 {
		hint = `in a regular expression write \\` + r.text[start+1:end] + ` or use #px"…"`
	}
	return r.fail(start, end, "unknown escape "+printable(r.text[start:end]), hint)
}

// continuation passes over a backslash, blanks, the end of the line, and the next line's indentation.
func (r *Reader) continuation() bool {
	rest := strings.TrimLeft(r.text[r.pos+1:], " \t")
	switch {
	case strings.HasPrefix(rest, "\r\n"):
		rest = rest[2:]
	case strings.HasPrefix(rest, "\n"), strings.HasPrefix(rest, "\r"):
		rest = rest[1:]
	default:
		return false
	}
	r.pos = len(r.text) - len(strings.TrimLeft(rest, " \t"))
	return true
}

// hexEscape reads \x41;
func (r *Reader) hexEscape(out *strings.Builder) error {
	start := r.pos
	end := start + 2
	for end < len(r.text) && isHex(r.text[end]) {
		end++
	}
	if end == len(r.text) {
		r.pos = end
		return nil
	}
	if end == start+2 || r.text[end] != ';' {
		return r.fail(start, end, `\x needs hexadecimal digits and a semicolon`, `as in \x41;`)
	}
	c, ok := scalar(r.text[start+2 : end])
	if !ok {
		return r.fail(start, end+1, r.text[start:min(end, start+12)]+" is no Unicode character", "")
	}
	out.WriteRune(c)
	r.pos = end + 1
	return nil
}

// unicodeEscape reads \u03bb and \U0001F600 as Racket and JSON write them, with JSON's pairs of surrogates.
func (r *Reader) unicodeEscape(out *strings.Builder) error {
	start := r.pos
	c, end := r.unicodeDigits(start)
	if 0xd800 <= c && c < 0xdc00 && strings.HasPrefix(r.text[end:], `\u`) {
		if low, after := r.unicodeDigits(end); 0xdc00 <= low && low < 0xe000 {
			c, end = (c-0xd800)<<10+(low-0xdc00)+0x10000, after
		}
	}
	if end == start+2 || !utf8.ValidRune(c) {
		return r.fail(start, end, r.text[start:end]+" is no Unicode character", `write \x41; or \u0041`)
	}
	out.WriteRune(c)
	r.pos = end
	return nil
}

// unicodeDigits is the value of up to four digits after \u or eight after \U, and where they end.
func (r *Reader) unicodeDigits(start int) (rune, int) {
	limit := 4
	if r.text[start+1] == 'U' {
		limit = 8
	}
	end := start + 2
	for end < len(r.text) && end < start+2+limit && isHex(r.text[end]) {
		end++
	}
	v, _ := strconv.ParseUint("0"+r.text[start+2:end], 16, 64)
	return rune(min(v, 0x110000)), end
}

// regexpEscape reads the escape at pos inside a regular expression.
func (r *Reader) regexpEscape(out *strings.Builder) {
	if r.pos+1 >= len(r.text) {
		r.pos = len(r.text)
		return
	}
	c := r.text[r.pos+1]
	switch c {
	case '\\', '"':
		out.WriteByte(c)
	case 'a', 't', 'n', 'r':
		e, _ := simpleEscape(c)
		out.WriteByte(e)
	default:
		if r.continuation() {
			return
		}
		out.WriteByte('\\')
		r.pos++
		return
	}
	r.pos += 2
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// scalar is the Unicode scalar value of hexadecimal digits.
func scalar(hex string) (rune, bool) {
	v, err := strconv.ParseUint(hex, 16, 64)
	if err != nil || v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
		return 0, false
	}
	return rune(v), true
}

// charNames are the names of R7RS and the older ones that other Schemes know. Where two name one character the first
// is written.
var charNames = []struct {
	name string
	char rune
}{
	{"alarm", 7}, {"backspace", 8}, {"delete", 0x7f}, {"escape", 0x1b}, {"newline", '\n'}, {"null", 0},
	{"return", '\r'}, {"space", ' '}, {"tab", '\t'},
	{"nul", 0}, {"linefeed", '\n'}, {"page", '\f'}, {"vtab", '\v'}, {"rubout", 0x7f}, {"altmode", 0x1b}, {"esc", 0x1b},
	{"nbsp", 0xa0},
}

// character reads a literal at pos, which stands at #\.
func (r *Reader) character() (*Syntax, error) {
	start := r.pos
	first := start + 2
	if first >= len(r.text) {
		return nil, r.endsInside("a character", r.span(start, first), `#\ takes a character or its name`)
	}
	c, size := utf8.DecodeRuneInString(r.text[first:])
	end := first + size
	if isNameStart(c) {
		end = r.wordEnd(first)
	}
	name := r.text[first:end]
	if len(name) > size {
		var ok bool
		if c, ok = namedChar(name); !ok {
			return nil, r.fail(start, end, fmt.Sprintf(`no character is named #\%s`, firstRunes(name, 40)),
				`names are space, newline, tab, return, null, delete, escape, alarm, backspace, or #\x41 by number`)
		}
	}
	r.pos = end
	if c == '\n' || c == '\r' {
		r.passed(start)
	}
	return r.atom(start, Char(c)), nil
}

func namedChar(name string) (rune, bool) {
	if name[0]|0x20 == 'x' || name[0]|0x20 == 'u' {
		if c, ok := scalar(name[1:]); ok {
			return c, true
		}
	}
	for _, n := range charNames {
		if strings.EqualFold(n.name, name) {
			return n.char, true
		}
	}
	return 0, false
}
