package format

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"caper/interp/syntax"
)

// This file defines the pieces of a text that the reader has accepted already: here nothing can be wrong any more.

type kind uint8

const (
	atom    kind = iota
	open         // ( [ #( #u8( and the like
	shut         // ) ]
	prefix       // ' ` , ,@ #1= : one datum follows
	skipped      // #; : the datum that follows does not count
	line         // ; comment
	block        // #| comment |#
	header       // what only the system reads: #!/… and #lang
)

// piece is one token or comment as written.
type piece struct {
	kind  kind
	text  string
	lines int // line ends before it
	col   int // in runes, where it began
}

var (
	label    = regexp.MustCompile(`\A#[0-9]+=`)
	pattern  = regexp.MustCompile(`\A#[pr]x"`)
	opening  = regexp.MustCompile(`\A(?:[(\[]|#[A-Za-z0-9]*[(\[])`)
	language = regexp.MustCompile(`\A#lang[^\n]*`)
)

// scan cuts a text into its pieces.
func scan(text string) (pieces []piece) {
	begin, lines := 0, 0 // of the current line; since the last piece
	pos := len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	add := func(k kind, end int) {
		col := utf8.RuneCountInString(text[begin:pos])
		pieces = append(pieces, piece{k, text[pos:end], lines, col})
		if i := strings.LastIndexByte(text[pos:end], '\n'); i >= 0 {
			begin = pos + i + 1
		}
		pos, lines = end, 0
	}
	if n := syntax.Shebang(text[pos:]); n > 0 {
		add(header, pos+len(strings.TrimRight(text[pos:pos+n], "\r\n")))
	}
	for pos < len(text) {
		rest := text[pos:]
		switch c := text[pos]; {
		case c == '\n' || c == '\r':
			if c == '\n' || !strings.HasPrefix(rest, "\r\n") {
				lines++
			}
			pos++
			begin = pos
		case c == ' ' || c == '\t' || c == '\f' || c == '\v':
			pos++
		case c == ';':
			add(line, lineEnd(text, pos))
		case c == ')' || c == ']':
			add(shut, pos+1)
		case c == '\'' || c == '`':
			add(prefix, pos+1)
		case c == ',':
			add(prefix, pos+1+len(rest[1:])-len(strings.TrimPrefix(rest[1:], "@")))
		case c == '"' || c == '|':
			add(atom, quoteEnd(text, pos+1, c))
		case strings.HasPrefix(rest, "#|"):
			add(block, blockEnd(text, pos))
		case strings.HasPrefix(rest, "#;"):
			add(skipped, pos+2)
		case strings.HasPrefix(rest, `#\`):
			_, size := utf8.DecodeRuneInString(rest[2:])
			end := pos + 2 + size
			if first, _ := utf8.DecodeRuneInString(rest[2:]); unicode.IsLetter(first) || unicode.IsDigit(first) {
				end = wordEnd(text, end)
			}
			add(atom, end)
		case strings.HasPrefix(rest, "#:|"):
			add(atom, quoteEnd(text, pos+3, '|'))
		case pattern.MatchString(rest):
			add(atom, quoteEnd(text, pos+4, '"'))
		case language.MatchString(rest):
			add(header, lineEnd(text, pos))
		case label.MatchString(rest):
			add(prefix, pos+len(label.FindString(rest)))
		case opening.MatchString(rest):
			add(open, pos+len(opening.FindString(rest)))
		default:
			if u, size := utf8.DecodeRuneInString(rest); unicode.IsSpace(u) {
				pos += size
				continue
			}
			add(atom, max(wordEnd(text, pos), pos+1))
		}
	}
	return pieces
}

func lineEnd(text string, pos int) int {
	if i := strings.IndexAny(text[pos:], "\r\n"); i >= 0 {
		return pos + i
	}
	return len(text)
}

func quoteEnd(text string, pos int, quote byte) int {
	for ; pos < len(text); pos++ {
		switch text[pos] {
		case '\\':
			pos++
		case quote:
			return pos + 1
		}
	}
	return len(text)
}

func blockEnd(text string, pos int) int {
	depth := 0
	for ; pos+1 < len(text); pos++ {
		switch text[pos : pos+2] {
		case "#|":
			depth++
			pos++
		case "|#":
			depth--
			pos++
			if depth == 0 {
				return pos + 1
			}
		}
	}
	return len(text)
}

func wordEnd(text string, pos int) int {
	for i, c := range text[pos:] {
		if strings.ContainsRune("()[]{}\";'`,|", c) || unicode.IsSpace(c) {
			return pos + i
		}
	}
	return len(text)
}
