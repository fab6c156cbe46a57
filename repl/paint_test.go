package repl

import (
	"strings"
	"testing"
)

// TestNarrower: rows that a narrower terminal broke are counted, those above the cursor and its own.
func TestNarrower(t *testing.T) {
	s := screen{width: 100, height: 30}
	text := strings.Repeat("x", 266)
	s.paint(s.clip(s.layout(prompt, text, len(text)), nil))
	if s.at != 2 || len(s.rows) != 3 {
		t.Fatalf("row %d of %d", s.at, len(s.rows))
	}
	s.resize(40, 30)
	if s.at != 8 || len(s.rows) != 9 {
		t.Errorf("row %d of %d, want 8 of 9", s.at, len(s.rows))
	}
	if b := s.paint(s.clip(s.layout(prompt, text, len(text)), nil)); !strings.Contains(string(b), "\x1b[8A") {
		t.Errorf("%q", b)
	}
}
