package view

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// screen is a small terminal: it knows what this room writes and refuses everything else.
type screen struct {
	t             testing.TB
	mu            sync.Mutex
	width, height int
	rows          [][]string // of all that was ever on it; the last height ones can be reached
	y, x          int
}

func newScreen(t testing.TB, width, height int) *screen {
	return &screen{t: t, width: width, height: height, rows: [][]string{nil}}
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := string(b)
	for text != "" {
		switch {
		case text[0] == '\r':
			s.x, text = 0, text[1:]
		case text[0] == '\n': // the terminal's driver adds the return
			s.x, text = 0, text[1:]
			s.down()
		case strings.HasPrefix(text, "\x1b["):
			end := strings.IndexFunc(text[2:], func(r rune) bool { return r >= '@' })
			if end < 0 {
				s.t.Fatalf("sequence without an end: %q", text)
			}
			s.control(text[2+end], text[2:2+end])
			text = text[3+end:]
		default:
			end := strings.IndexAny(text, "\r\n\x1b")
			if end < 0 {
				end = len(text)
			}
			for c := range clusters(text[:end]) {
				s.put(c)
			}
			text = text[end:]
		}
	}
	return len(b), nil
}

func (s *screen) down() {
	if s.y++; s.y == len(s.rows) {
		s.rows = append(s.rows, nil)
	}
}

func (s *screen) put(c cluster) {
	if s.x+c.cells > s.width {
		s.x = 0
		s.down()
	}
	row := s.rows[s.y]
	for len(row) < s.x+c.cells {
		row = append(row, " ")
	}
	row[s.x] = c.text
	for i := 1; i < c.cells; i++ {
		row[s.x+i] = ""
	}
	s.rows[s.y], s.x = row, s.x+c.cells
}

func (s *screen) control(letter byte, parameter string) {
	n := 1
	if parameter != "" {
		n, _ = strconv.Atoi(parameter)
	}
	switch letter {
	case 'A':
		s.y -= n
		if top := max(len(s.rows)-s.height, 0); s.y < top {
			s.t.Fatalf("the cursor went above the screen by %d", top-s.y)
		}
	case 'C':
		s.x = min(s.x+n, s.width-1)
	case 'K':
		s.rows[s.y] = s.rows[s.y][:min(s.x, len(s.rows[s.y]))]
	case 'J':
		s.rows[s.y] = s.rows[s.y][:min(s.x, len(s.rows[s.y]))]
		s.rows = s.rows[:s.y+1]
	case 'm', 'h', 'l': // colours; wrapping, which lines of the right length do not need
	default:
		s.t.Fatalf("a sequence that this room has no business with: %q", fmt.Sprint(parameter, string(letter)))
	}
}

// text is what is to be read, without spaces at the ends of lines.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, r := range s.rows {
		out = append(out, strings.TrimRight(strings.Join(r, ""), " "))
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n") + "\n"
}
