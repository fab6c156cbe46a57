package view

import (
	"strings"
)

// Style is what the other end can show.
type Style struct {
	Width int  // columns; 0 when it is not known
	Color bool // the terminal shows colours
	ASCII bool // the locale has no UTF-8: nothing but ASCII may leave
	Live  bool // it is a terminal that moves its cursor
}

// Bounds of the columns that are made use of.
const (
	minWidth     = 40
	maxWidth     = 300
	defaultWidth = 80
)

// TerminalStyle is the style of a terminal of so many columns in an environment.
func TerminalStyle(width int, getenv func(string) string) Style {
	dumb := getenv("TERM") == "dumb"
	s := Style{Width: width, Color: getenv("NO_COLOR") == "" && !dumb, Live: !dumb}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first that is set holds, as in POSIX
		if v := getenv(name); v != "" {
			v = strings.ToLower(v)
			s.ASCII = !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
			return s
		}
	}
	s.ASCII = true
	return s
}

// columns is how many cells of a line are used: one less than there are, so that no terminal wraps a full line.
func (s Style) columns() int {
	w := s.Width
	if w <= 0 {
		w = defaultWidth
	}
	return min(max(w, minWidth), maxWidth) - 1
}

// prose is how many cells a line of running text may take: without a terminal nothing is broken, so that a line of a log
// is one message.
func (s Style) prose() int {
	if s.Width <= 0 {
		return 1 << 20
	}
	return s.columns()
}

// glyph chooses between the two spellings of a sign of our own.
func (s Style) glyph(utf8, ascii string) string {
	if s.ASCII {
		return ascii
	}
	return utf8
}

func (s Style) ellipsis() string { return s.glyph("…", "...") }
func (s Style) dot() string      { return s.glyph(" · ", ", ") }

// paint is the parameter of a terminal's SGR sequence, "" for none.
type paint string

const (
	plain   paint = ""
	bold    paint = "1"
	dim     paint = "2"
	red     paint = "31"
	green   paint = "32"
	yellow  paint = "33"
	magenta paint = "35"
	cyan    paint = "36"
)

// span is a piece of a line: text that is clean already, and its colour.
type span struct {
	text  string
	paint paint
}

// line is what is shown on one line, before it is cut and coloured.
type line []span

// own is text of our own, without anything from outside.
func own(p paint, text string) span { return span{text, p} }

// data is text from outside: what a terminal would act on is escaped.
func (s Style) data(p paint, text string) span { return span{s.clean(text), p} }

func (l line) cells(s Style) int {
	n := 0
	for _, x := range l {
		n += s.cells(x.text)
	}
	return n
}

// cut keeps the first cells of a line, and says with an ellipsis that there was more.
func (l line) cut(s Style, cells int) line {
	if l.cells(s) <= cells {
		return l
	}
	var out line
	left := cells - s.cells(s.ellipsis())
	for _, x := range l {
		n := s.cells(x.text)
		if n > left {
			return append(out, span{s.head(x.text, left) + s.ellipsis(), x.paint})
		}
		out, left = append(out, x), left-n
	}
	return out
}

// pad adds spaces up to a number of cells.
func (l line) pad(s Style, cells int) line {
	if n := cells - l.cells(s); n > 0 {
		l = append(l[:len(l):len(l)], own(plain, strings.Repeat(" ", n)))
	}
	return l
}

// text is the line as it is written, without a newline and without spaces at its end.
func (l line) text(s Style) string {
	var b strings.Builder
	for i, x := range l {
		t := x.text
		if i == len(l)-1 || (line)(l[i+1:]).blank() {
			t = strings.TrimRight(t, " ")
		}
		if t == "" {
			continue
		}
		if s.Color && x.paint != plain {
			b.WriteString("\x1b[" + string(x.paint) + "m" + t + "\x1b[0m")
			continue
		}
		b.WriteString(t)
	}
	return b.String()
}

func (l line) blank() bool {
	for _, x := range l {
		if strings.TrimRight(x.text, " ") != "" {
			return false
		}
	}
	return true
}

// paragraph collects lines of text.
type paragraph struct {
	s Style
	b strings.Builder
}

// add writes a line as it is, cut to the width.
func (p *paragraph) add(spans ...span) {
	p.b.WriteString(line(spans).cut(p.s, p.s.prose()).text(p.s))
	p.b.WriteByte('\n')
}

// wrap writes text from outside behind a head of our own, on as many lines as it takes; nothing of it is lost.
func (p *paragraph) wrap(head string, c paint, text string) {
	for _, part := range splitLines(text) {
		for _, piece := range p.s.words(p.s.clean(part), p.s.prose()-len(head)) {
			p.b.WriteString(line{own(plain, head), span{piece, c}}.text(p.s))
			p.b.WriteByte('\n')
			head = strings.Repeat(" ", len(head))
		}
	}
}

// flow writes pieces that belong together on a line, or on several where they do not fit; none of them is cut.
func (p *paragraph) flow(list ...line) {
	at := line{}
	for _, l := range list {
		if len(at) > 0 && at.cells(p.s)+3+l.cells(p.s) > p.s.columns() {
			p.whole(at)
			at = line{}
		}
		gap := "   "
		if len(at) == 0 {
			gap = "  "
		}
		at = append(append(at, own(plain, gap)), l...)
	}
	p.whole(at)
}

// whole writes a line, on several lines when it is too long for one.
func (p *paragraph) whole(l line) {
	if l.cells(p.s) <= p.s.columns() {
		p.add(l...)
		return
	}
	text := ""
	for _, x := range l {
		text += x.text
	}
	indent := "  "
	for _, piece := range p.s.words(strings.TrimSpace(text), p.s.columns()-6) {
		p.add(own(plain, indent), span{piece, plain})
		indent = "      "
	}
}

func (p *paragraph) String() string { return p.b.String() }

// splitLines cuts text at its newlines; one at the end makes no line of its own.
func splitLines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
