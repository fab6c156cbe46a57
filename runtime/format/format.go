package format

import (
	"errors"
	"strings"
	"unicode/utf8"

	"caper/interp/syntax"

	"github.com/mattn/go-runewidth"
)

// ErrChanged says that a text would have read otherwise once formatted: a defect of this package, found before it harms.
var ErrChanged = errors.New("formatting would change what is read; the text is left as it is")

// maxNesting bounds what is formatted: no line is indented farther than this many brackets.
const maxNesting = 10_000

// Source formats a text. A text that cannot be read is answered with the reader's error.
func Source(name, text string) (string, error) {
	before, err := syntax.ReadAllWith(syntax.NewSource(name, text), syntax.ReaderOptions{MaxDepth: maxNesting})
	if err != nil {
		return "", err
	}
	out := layOut(text)
	after, err := syntax.ReadAllWith(syntax.NewSource(name, out), syntax.ReaderOptions{MaxDepth: maxNesting})
	if err != nil || !Same(before, after) {
		return "", ErrChanged
	}
	return out, nil
}

func layOut(text string) string {
	pieces := scan(text)
	f := &formatter{macros: shapes(pieces)}
	for _, p := range pieces {
		f.put(p)
	}
	return f.text()
}

// frame is an open bracket.
type frame struct {
	col      int    // where its first datum begins
	head     string // its first datum, when that is a word of code
	special  int    // see special
	first    int    // where the second datum stands when it is on the line of the first, else -1
	parts    int    // data so far
	data     bool   // quoted: no call
	list     bool   // names or bindings, or one binding: no call
	bindings bool   // names or bindings: what is in it is a list too
	quoted   int    // 0 code, 1 quasiquoted, -1 quoted
	pending  []pend // prefixes that wait for their datum
}

type pend uint8

const (
	pendPlain pend = iota
	pendQuote
	pendQuasi
	pendUnquote
	pendSkip
)

// outLine is one line of the result. A line inside a string or a block comment is raw.
type outLine struct {
	code, comment string
	raw           bool
	cont          bool // a comment alone that stood under the one above it
	col           int  // where the comment stood
}

type formatter struct {
	macros map[string]int
	lines  []outLine
	width  int // columns of the line so far
	frames []frame
	last   kind
	prior  string // the last piece
	begun  bool
}

// put lays out one piece.
func (f *formatter) put(p piece) {
	text := p.text
	if p.kind == line {
		text = strings.TrimRight(text, " \t\f\v")
	}
	if len(f.frames) == 0 {
		f.frames = []frame{{special: -1, first: -1, list: true}}
	}
	t := &f.frames[len(f.frames)-1]
	breaks := !f.begun || f.last == line || f.last == header
	if p.lines > 0 && p.kind != shut && f.last != prefix && f.last != skipped {
		breaks = true
	}
	if p.kind == line && !breaks {
		l := &f.lines[len(f.lines)-1]
		l.comment, l.col = text, p.col
		f.last, f.prior = line, text
		return
	}
	if breaks {
		if p.lines > 1 && f.begun && f.last != open && p.kind != shut {
			f.lines = append(f.lines, outLine{})
		}
		f.newLine(f.indent(t, text))
		if p.kind == line {
			l := &f.lines[len(f.lines)-1]
			if len(f.lines) > 1 {
				above := f.lines[len(f.lines)-2]
				l.cont = p.lines == 1 && above.comment != "" && above.col == p.col && (above.cont || above.code != "") && !strings.HasPrefix(text, ";;")
			}
			l.comment, l.col = text, p.col
			f.last, f.prior, f.begun = line, text, true
			return
		}
	} else if f.spaced(p) {
		f.write(" ")
	}
	col := f.width
	f.write(text)
	f.last, f.prior, f.begun = p.kind, text, true
	f.note(t, p, col, breaks)
}

// spaced reports whether a space goes before a piece in the middle of a line.
func (f *formatter) spaced(p piece) bool {
	switch {
	case p.kind == shut:
		return false
	case f.last == open:
		return false
	case f.last == prefix || f.last == skipped:
		return p.kind == line || p.kind == block || f.prior == "," && strings.HasPrefix(p.text, "@")
	}
	return true
}

// note keeps account of where in its list a piece stands.
func (f *formatter) note(t *frame, p piece, col int, broke bool) {
	switch p.kind {
	case line, block, header:
		return
	case shut:
		if len(f.frames) > 1 {
			f.frames = f.frames[:len(f.frames)-1]
		}
		f.done(&f.frames[len(f.frames)-1])
		return
	}
	if len(t.pending) == 0 || t.pending[0] != pendSkip {
		if t.parts == 1 && t.first < 0 && !broke {
			t.first = col
		}
	}
	switch p.kind {
	case prefix, skipped:
		t.pending = append(t.pending, pendOf(p.text))
	case open:
		f.frames = append(f.frames, f.opened(t, p.text))
	default:
		if t.parts == 0 && len(t.pending) == 0 && !t.data && !t.list {
			t.head = p.text
			t.special = f.special(p.text)
			if c := p.text[0]; c == '"' || c == '#' || c >= '0' && c <= '9' {
				t.data = true
			}
		} else if t.parts == 1 && t.head == "let" && t.special == 1 {
			t.special = 2 // a named let
		}
		f.done(t)
	}
}

func pendOf(text string) pend {
	switch text {
	case "'":
		return pendQuote
	case "`":
		return pendQuasi
	case ",", ",@":
		return pendUnquote
	case "#;":
		return pendSkip
	}
	return pendPlain
}

// opened is the frame of a bracket just written inside t.
func (f *formatter) opened(t *frame, bracket string) frame {
	n := frame{col: f.width, special: -1, first: -1, quoted: t.quoted}
	for _, p := range t.pending {
		switch p {
		case pendQuote:
			n.quoted = -1
		case pendQuasi:
			n.quoted = 1
		case pendUnquote:
			n.quoted = 0
		}
	}
	n.data = n.quoted != 0 || len(bracket) > 1
	n.bindings = !n.data && lists[t.head] && (t.parts == 1 || t.parts == 2 && t.special == 2 && t.head == "let")
	n.list = n.bindings || !n.data && t.bindings
	return n
}

// done tells a list that one datum of it is complete.
func (f *formatter) done(t *frame) {
	skip := false
	for _, p := range t.pending {
		skip = skip || p == pendSkip
	}
	t.pending = t.pending[:0]
	if !skip {
		t.parts++
	}
}

// indent is where a line begins in the innermost list.
func (f *formatter) indent(t *frame, text string) int {
	if len(f.frames) == 1 {
		if text == "=>" {
			return 2 // what the test above it gives
		}
		return 0
	}
	if t.data || t.list || t.head == "" || t.parts == 0 {
		return t.col
	}
	n := t.parts - 1 // of this part, after the head
	switch {
	case t.special < 0 || t.special == 0:
		if t.first >= 0 {
			return t.first
		}
		return t.col + 1
	case n < t.special:
		return t.col + 3
	}
	return t.col + 1
}

func (f *formatter) newLine(indent int) {
	f.lines = append(f.lines, outLine{code: strings.Repeat(" ", indent)})
	f.width = indent
}

// write adds to the line; what spans lines of its own begins new ones.
func (f *formatter) write(s string) {
	parts := strings.Split(s, "\n")
	f.lines[len(f.lines)-1].code += parts[0]
	f.width += columns(parts[0])
	for _, p := range parts[1:] {
		f.lines = append(f.lines, outLine{code: p, raw: true})
		f.width = columns(p)
	}
}

func columns(s string) int {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return runewidth.StringWidth(s)
		}
	}
	return len(s)
}

// text is the result: the comments at the ends of lines that follow each other stand in one column.
func (f *formatter) text() string {
	var b strings.Builder
	for i := 0; i < len(f.lines); {
		j, column := i, 0
		for ; j < len(f.lines) && f.lines[j].comment != "" && (strings.TrimSpace(f.lines[j].code) != "" || j > i && f.lines[j].cont); j++ {
			if !f.lines[j].cont {
				column = max(column, columns(f.lines[j].code)+1)
			}
		}
		for _, l := range f.lines[i:j] {
			code := l.code
			if l.cont {
				code = ""
			}
			b.WriteString(code + strings.Repeat(" ", column-columns(code)) + l.comment + "\n")
		}
		if j == i {
			l := f.lines[i]
			code := l.code + l.comment
			b.WriteString(code + "\n")
			j++
		}
		i = j
	}
	return b.String()
}
