package command

import (
	"bytes"
	"fmt"
	"sync"
	"unicode/utf8"
)

// curtain keeps a program's output back while a question stands: what is printed then could change, or look like, the
// question.
type curtain struct {
	mu       sync.Mutex
	standing int
	held     []byte
	show     func([]byte) error
}

// pass shows output, now or when no question stands any more.
func (c *curtain) pass(b []byte, show func([]byte) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.standing > 0 { // bounded by the program's budget of output
		c.held, c.show = append(c.held, b...), show
		return nil
	}
	return show(b)
}

// close keeps output back until the answer is called.
func (c *curtain) close() (open func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.standing++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.standing--; c.standing == 0 && len(c.held) > 0 {
			_ = c.show(c.held) // a terminal that is gone ends the program by other ways
			c.held = nil
		}
	}
}

// tame takes from output what could move a terminal's cursor, hide what is written later, or make the terminal type an
// answer: of its control sequences only colours are left, and they cannot conceal.
func tame(b []byte) []byte {
	if plain(b) {
		return b
	}
	var out bytes.Buffer
	for i := 0; i < len(b); {
		if n := colour(b[i:]); n > 0 {
			out.Write(b[i : i+n])
			i += n
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case r == '\n' || r == '\t' || r >= ' ' && r < 0x7f || r > 0x9f && r != utf8.RuneError && !turns(r):
			out.Write(b[i : i+n])
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&out, `\x%x;`, b[i])
		case r == utf8.RuneError:
			out.Write(b[i : i+n])
		case r == '\r' && i+1 < len(b) && b[i+1] == '\n':
		default:
			fmt.Fprintf(&out, `\x%x;`, r)
		}
		i += n
	}
	return out.Bytes()
}

func plain(b []byte) bool {
	for _, c := range b {
		if c != '\n' && c != '\t' && (c < ' ' || c > '~') {
			return false
		}
	}
	return true
}

// turns says that a sign changes the direction of what follows.
func turns(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

// colour answers the length of a sequence that sets colours or weight, 0 where there is none.
func colour(b []byte) int {
	if len(b) < 3 || b[0] != 0x1b || b[1] != '[' {
		return 0
	}
	for i := 2; i < len(b) && i < 24; i++ {
		switch c := b[i]; {
		case c == 'm':
			for part := range bytes.SplitSeq(b[2:i], []byte(";")) {
				if string(bytes.TrimLeft(part, "0")) == "8" { // conceal; a colour of a palette is written without it
					return 0
				}
			}
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}
