package command

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestPipeKeepsWhatNobodyTook reads lines for askers of whom one goes away: no line is lost, and the last needs no newline.
func TestPipeKeepsWhatNobodyTook(t *testing.T) {
	r, w := io.Pipe()
	p := newPipe(r)
	gone, leave := context.WithCancel(context.Background())
	leave()
	if _, err := p.ReadLine(gone); !errors.Is(err, context.Canceled) {
		t.Fatalf("an asker that went away got %v", err)
	}
	go func() {
		_, _ = io.WriteString(w, "first\nsecond\n\xff\nlast")
		w.Close()
	}()
	text, err := io.ReadAll(&lines{ctx: context.Background(), read: p.ReadLine})
	if err != nil || string(text) != "first\nsecond\n\xff\nlast" {
		t.Errorf("read %q, %v", text, err)
	}
}

// TestPipeCutsLongLines answers a line without end in pieces.
func TestPipeCutsLongLines(t *testing.T) {
	p := newPipe(strings.NewReader(strings.Repeat("x", 3*maxLine)))
	for range 3 {
		if text, err := p.ReadLine(context.Background()); err != nil || len(text) != maxLine {
			t.Fatalf("%d bytes, %v", len(text), err)
		}
	}
	if _, err := p.ReadLine(context.Background()); !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
}
