package graph

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Write answers the external form of d as Scheme's write does: what read would make the same datum of. What has no such
// form is written in angle brackets. It counts its depth on a stack of its own.
func Write(d Datum) string { return string(AppendWrite(nil, d)) }

// AppendWrite appends the external form of d to b.
func AppendWrite(b []byte, d Datum) []byte {
	// A frame is a list that is being written: the items still to come, then perhaps a tail, then what closes it.
	type frame struct {
		items  []Datum
		tail   Datum
		dotted bool
	}
	var stack []frame
	open := func(f frame, head string) {
		b = append(b, head...)
		stack = append(stack, f)
	}
	var one func(d Datum)
	one = func(d Datum) {
		switch d := d.(type) {
		case List:
			open(frame{items: d}, "(")
		case Vector:
			open(frame{items: d}, "#(")
		case *Dotted:
			items, tail, err := flatten(d)
			switch {
			case err != nil:
				b = append(b, "#<not-a-datum>"...)
			case len(items) == 0:
				one(tail) // which is no pair: no deeper than this
			default:
				if l, ok := tail.(List); ok {
					open(frame{items: append(items, l...)}, "(")
				} else {
					open(frame{items: items, tail: tail, dotted: true}, "(")
				}
			}
		default:
			b = appendAtom(b, d)
		}
	}
	one(d)
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		first := b[len(b)-1] == '('
		switch {
		case len(f.items) > 0:
			d := f.items[0]
			f.items = f.items[1:]
			if !first {
				b = append(b, ' ')
			}
			one(d)
		case f.dotted:
			tail := f.tail
			f.dotted = false
			b = append(b, " . "...)
			one(tail)
		default:
			stack = stack[:len(stack)-1]
			b = append(b, ')')
		}
	}
	return b
}

func appendAtom(b []byte, d Datum) []byte {
	switch d := d.(type) {
	case bool:
		if d {
			return append(b, "#t"...)
		}
		return append(b, "#f"...)
	case int64:
		return strconv.AppendInt(b, d, 10)
	case *big.Int:
		return d.Append(b, 10)
	case *big.Rat:
		if d == nil {
			return append(b, "#<not-a-datum>"...)
		}
		return append(b, d.RatString()...)
	case float64:
		return appendFloat(b, d)
	case string:
		return appendString(b, d)
	case Symbol:
		return appendSymbol(b, string(d))
	case Keyword:
		return appendSymbol(append(b, "#:"...), string(d))
	case Char:
		return appendChar(b, rune(d))
	case []byte:
		b = append(b, "#u8("...)
		for i, c := range d {
			if i > 0 {
				b = append(b, ' ')
			}
			b = strconv.AppendUint(b, uint64(c), 10)
		}
		return append(b, ')')
	case Void:
		return append(b, "#<void>"...)
	case Opaque:
		return append(b, d.Text...)
	}
	return append(b, "#<not-a-datum>"...)
}

func appendFloat(b []byte, f float64) []byte {
	switch {
	case f != f:
		return append(b, "+nan.0"...)
	case math.IsInf(f, 1):
		return append(b, "+inf.0"...)
	case math.IsInf(f, -1):
		return append(b, "-inf.0"...)
	}
	if size := math.Abs(f); size != 0 && (size < 1e-7 || size >= 1e21) {
		text := strconv.FormatFloat(f, 'e', -1, 64)
		return append(b, strings.NewReplacer("e+", "e", "e-0", "e-").Replace(text)...)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return append(b, text...)
}

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = fmt.Appendf(b, `\x%x;`, s[i])
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\a':
			b = append(b, `\a`...)
		case r == '\b':
			b = append(b, `\b`...)
		case unicode.IsPrint(r):
			b = append(b, s[i:i+n]...)
		default:
			b = fmt.Appendf(b, `\x%x;`, r)
		}
		i += n
	}
	return append(b, '"')
}

func appendSymbol(b []byte, s string) []byte {
	if plainSymbol(s) {
		return append(b, s...)
	}
	b = append(b, '|')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = fmt.Appendf(b, `\x%x;`, s[i])
		case r == '|' || r == '\\':
			b = append(b, '\\', byte(r))
		case unicode.IsPrint(r):
			b = append(b, s[i:i+n]...)
		default:
			b = fmt.Appendf(b, `\x%x;`, r)
		}
		i += n
	}
	return append(b, '|')
}

// plainSymbol reports that a symbol needs no bars: an identifier or a peculiar identifier of R7RS §7.1.1 that cannot be
// taken for a number.
func plainSymbol(s string) bool {
	if s == "" || s == "." || !utf8.ValidString(s) {
		return false
	}
	for i, r := range s {
		if r < utf8.RuneSelf {
			if !strings.ContainsRune("!$%&*/:<=>?^_~+-.@", r) && !isAlnum(r) {
				return false
			}
			if i == 0 && (r >= '0' && r <= '9' || r == '@') {
				return false
			}
		} else if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) && !unicode.IsSymbol(r) && !unicode.IsPunct(r) || r == utf8.RuneError {
			return false
		}
	}
	if s[0] != '+' && s[0] != '-' && s[0] != '.' {
		return true
	}
	rest := s[1:]
	if s[0] != '.' {
		if rest == "" {
			return true
		}
		switch strings.ToLower(rest) {
		case "i", "inf.0", "nan.0", "inf.0i", "nan.0i":
			return false
		}
		if lower := strings.ToLower(rest); strings.HasPrefix(lower, "inf.0") || strings.HasPrefix(lower, "nan.0") {
			return false
		}
	}
	rest = strings.TrimPrefix(rest, ".")
	return rest == "" || rest[0] < '0' || rest[0] > '9'
}

func isAlnum(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// charName is a name of R7RS §6.6, or nothing.
func charName(r rune) string {
	switch r {
	case 0:
		return "null"
	case 7:
		return "alarm"
	case 8:
		return "backspace"
	case 9:
		return "tab"
	case 10:
		return "newline"
	case 13:
		return "return"
	case 27:
		return "escape"
	case 32:
		return "space"
	case 127:
		return "delete"
	}
	return ""
}

func appendChar(b []byte, r rune) []byte {
	b = append(b, `#\`...)
	if name := charName(r); name != "" {
		return append(b, name...)
	}
	if unicode.IsPrint(r) && !unicode.IsMark(r) {
		return utf8.AppendRune(b, r)
	}
	return fmt.Appendf(b, "x%x", r)
}
