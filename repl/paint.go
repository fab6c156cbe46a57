package repl

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"caper/runtime/view"
)

// screen is the region of the terminal in which an input is edited: rows from some line down, above which nothing is
// touched. No table knows how wide text is on every terminal. So rows are broken early, by what text takes at most, with
// the terminal's own breaking off; and the cursor is placed by writing the row up to it again.
type screen struct {
	style         view.Style
	width, height int
	rows          []string // what is painted
	at            int      // the row in which the cursor is
	before        string   // what stands left of it
	shown         bool
}

// picture is what is to be painted.
type picture struct {
	rows   []string
	at     int
	before string // what stands left of the cursor in its row
}

// most is how many cells text takes at most: signs beyond ASCII take two, or more where they are joined and a terminal
// does not know it.
func most(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			n++
		case unicode.IsMark(r) || r == 0x200d:
		default:
			n += 2
		}
	}
	return n
}

// layout breaks text into rows. The first one begins with the prompt, others with as many spaces.
func (s *screen) layout(prompt, text string, cursor int) picture {
	var p picture
	width := max(s.width, 4) - 1
	blank := strings.Repeat(" ", min(len(prompt), width/2))
	var row strings.Builder
	row.WriteString(prompt)
	column := most(prompt)
	place := func(at int) {
		if at == cursor {
			p.at, p.before = len(p.rows), row.String()
		}
	}
	newRow := func() {
		p.rows = append(p.rows, row.String())
		row.Reset()
		row.WriteString(blank)
		column = len(blank)
	}
	for i := 0; i < len(text); {
		if text[i] == '\n' {
			place(i)
			newRow()
			i++
			continue
		}
		n := clusterLen(text[i:])
		sign := text[i : i+n]
		if n == 1 && sign[0] < utf8.RuneSelf {
			sign = s.plain(sign, column)
		} else {
			sign = s.style.Clean(sign)
		}
		cells := most(sign)
		if column+cells > width && column > len(blank) {
			newRow()
		}
		place(i)
		for most(sign) > width { // an escape on a terminal that is narrower than it
			_, last := utf8.DecodeLastRuneInString(sign)
			sign = sign[:len(sign)-last]
		}
		row.WriteString(sign)
		column += cells
		i += n
	}
	if cursor >= len(text) {
		if column >= width {
			newRow()
		}
		p.at, p.before = len(p.rows), row.String()
	}
	p.rows = append(p.rows, row.String())
	return p
}

// plain is how a byte of ASCII is shown.
func (s *screen) plain(sign string, column int) string {
	if sign == "\t" {
		return strings.Repeat(" ", 8-column%8)
	}
	if sign[0] < ' ' || sign[0] == 0x7f {
		return s.style.Clean(sign)
	}
	return sign
}

// fit cuts a line of our own, such as a candidate, to the width.
func (s *screen) fit(text string) string {
	text = s.style.Clean(text)
	if most(text) < s.width {
		return text
	}
	n := 0
	for i, r := range text {
		if n += most(string(r)); n >= s.width-1 {
			return text[:i]
		}
	}
	return text
}

// clip keeps the rows around the cursor that the terminal has place for, and status rows below them.
func (s *screen) clip(p picture, status []string) picture {
	room := max(s.height-1, 1)
	status = status[:min(len(status), max(room-1, 0), 12)]
	if room -= len(status); len(p.rows) > room {
		from := min(max(p.at-room/2, 0), len(p.rows)-room)
		p.rows, p.at = p.rows[from:from+room], p.at-from
	}
	p.rows = p.rows[:len(p.rows):len(p.rows)]
	for _, t := range status {
		p.rows = append(p.rows, s.fit(t))
	}
	return p
}

// paint writes what changed since the picture before.
func (s *screen) paint(p picture) []byte {
	var b bytes.Buffer
	b.WriteString("\x1b[?25l\x1b[?7l")
	if s.shown && s.at > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", s.at)
	}
	b.WriteByte('\r')
	for i, row := range p.rows {
		if i > 0 {
			b.WriteString("\r\n")
		}
		if !s.shown || i >= len(s.rows) || s.rows[i] != row {
			b.WriteString("\r" + row + "\x1b[K")
		}
	}
	down := len(p.rows) - 1
	if s.shown && len(s.rows) > len(p.rows) {
		b.WriteString("\r\n\x1b[J")
		down++
	}
	if up := down - p.at; up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	b.WriteString("\r" + p.before + "\x1b[?7h\x1b[?25h")
	s.rows, s.at, s.before, s.shown = p.rows, p.at, p.before, true
	return b.Bytes()
}

// erase takes the region away and leaves the cursor where it began.
func (s *screen) erase() []byte {
	if !s.shown {
		return nil
	}
	var b bytes.Buffer
	if s.at > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", s.at)
	}
	b.WriteString("\r\x1b[K")
	if len(s.rows) > 1 { // erased from the first row, some terminals would keep a copy
		b.WriteString("\n\r\x1b[J\x1b[1A\r")
	}
	s.shown, s.rows, s.at = false, nil, 0
	return b.Bytes()
}

// resize takes on a new size. A terminal that became narrower has broken rows that were painted. How many is not known
// for sure: rather a row is left behind than one above the region taken.
func (s *screen) resize(width, height int) {
	if s.shown && width > 0 && width < s.width {
		n := max(0, s.style.Cells(s.before)-1) / width
		for _, row := range s.rows[:min(s.at, len(s.rows))] {
			n += max(0, s.style.Cells(strings.TrimRight(row, " "))-1) / width
		}
		s.at += n
		s.rows = append(make([]string, n), s.rows...)
	}
	for i := range s.rows {
		s.rows[i] = "\x00" // none is as it was
	}
	s.width, s.height = width, height
}
