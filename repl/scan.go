package repl

import (
	"strings"
	"unicode/utf8"
)

// scanner follows text through strings, comments and brackets, as far as an editor must know. It may be given a text in
// pieces that end with lines.
type scanner struct {
	open  []bracket
	state byte // 0, or '"' '|' inside a string or symbol
	block int  // depth of #| |#
	base  int  // bytes scanned before
	any   bool // there was anything but space and comments
	begun bool // a prefix, such as a quote, waits for its datum
}

// bracket is one that is open: where it is, and in which column.
type bracket struct {
	at, column int
	sign       byte
	items      []int // columns of what follows on its own line: the operator, and its first argument
	head       string
}

// complete says that nothing is open.
func (s *scanner) complete() bool {
	return len(s.open) == 0 && s.state == 0 && s.block == 0 && s.any && !s.begun
}

// inText says that the end is inside a string, a symbol in bars or a comment.
func (s *scanner) inText() bool { return s.state != 0 || s.block > 0 }

// scan takes in more text.
func (s *scanner) scan(text string) {
	column, fresh := 0, true // fresh: an item may begin here
	for i := 0; i < len(text); {
		c := text[i]
		_, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case s.block > 0:
			if strings.HasPrefix(text[i:], "|#") {
				s.block--
				n = 2
			} else if strings.HasPrefix(text[i:], "#|") {
				s.block++
				n = 2
			}
		case s.state != 0:
			if c == '\\' && i+1 < len(text) {
				_, m := utf8.DecodeRuneInString(text[i+1:])
				n = 1 + m
			} else if c == s.state {
				s.state = 0
			}
		case c == ';':
			if n = strings.IndexByte(text[i:], '\n'); n < 0 {
				n = len(text) - i
			}
			fresh = true
		case strings.HasPrefix(text[i:], "#|"):
			s.block, n = 1, 2
		case strings.HasPrefix(text[i:], "#;"):
			s.begun, s.any, n = true, true, 2
		case strings.HasPrefix(text[i:], `#\`):
			if fresh {
				s.item(column)
			}
			n = 2
			if i+2 < len(text) {
				_, m := utf8.DecodeRuneInString(text[i+2:])
				n += m
			}
			fresh, s.any, s.begun = false, true, false
		case c == '\'' || c == '`' || c == ',' || c == '@' && s.begun:
			if fresh {
				s.item(column)
			}
			s.begun, s.any, fresh = true, true, false
		case c == '"' || c == '|':
			if fresh {
				s.item(column)
			}
			s.state = c
			fresh, s.any, s.begun = false, true, false
		case c == '(' || c == '[':
			if fresh {
				s.item(column)
			}
			s.open = append(s.open, bracket{at: s.base + i, column: column, sign: c})
			fresh, s.any, s.begun = true, true, false
		case c == ')' || c == ']':
			if len(s.open) > 0 {
				s.open = s.open[:len(s.open)-1]
			}
			fresh, s.any, s.begun = true, true, false
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			fresh = true
		default:
			if fresh {
				s.item(column)
				if k := len(s.open) - 1; k >= 0 && len(s.open[k].items) == 1 {
					s.open[k].head = word(text[i:])
				}
			}
			fresh, s.any, s.begun = false, true, false
		}
		if k := strings.LastIndexByte(text[i:i+n], '\n'); k >= 0 {
			column = utf8.RuneCountInString(text[i+k+1 : i+n])
			for k := range s.open {
				if len(s.open[k].items) == 1 {
					s.open[k].items = append(s.open[k].items, -1) // no argument stands beside the operator
				}
			}
		} else {
			column += utf8.RuneCountInString(text[i : i+n])
		}
		i += n
	}
	s.base += len(text)
}

// item notes where an item of the innermost bracket begins, as far as indentation asks for it.
func (s *scanner) item(column int) {
	if k := len(s.open) - 1; k >= 0 && len(s.open[k].items) < 2 {
		s.open[k].items = append(s.open[k].items, column)
	}
}

// word is the word that a text begins with.
func word(text string) string {
	if i := strings.IndexAny(text, " \t\r\n()[]\"';`,"); i >= 0 {
		return text[:i]
	}
	return text
}

// bodies are forms whose parts are indented by two, whatever stands on the first line.
var bodies = map[string]bool{
	"lambda": true, "let": true, "let*": true, "letrec": true, "letrec*": true, "let-values": true, "let*-values": true, "when": true, "unless": true,
	"do": true, "case": true, "case-lambda": true, "guard": true, "parameterize": true, "syntax-rules": true, "let-syntax": true, "letrec-syntax": true,
	"begin": true, "dynamic-wind": true, "receive": true, "with-timeout": true, "with-budget": true, "with-policy": true, "library": true,
}

// indent is the column in which the line after a text begins.
func (s *scanner) indent() int {
	if s.inText() || len(s.open) == 0 {
		return 0
	}
	b := s.open[len(s.open)-1]
	switch {
	case b.head == "" && len(b.items) > 0:
		return b.items[0]
	case strings.HasPrefix(b.head, "define") || bodies[b.head]:
		return b.column + 2
	case len(b.items) == 2 && b.items[1] >= 0:
		return b.items[1]
	}
	return b.column + 1
}
