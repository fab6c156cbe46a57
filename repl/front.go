package repl

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// Front is where a person types and reads.
type Front interface {
	// Read answers the next input. It belongs to an evaluation from then on: its context ends when the person interrupts,
	// however soon after the input that was.
	Read(prompt string) (Input, error)
	// Write shows text, also while something is being typed.
	io.Writer
	// Flush drops what was typed, ReadLine reads a line: for questions and for programs that read.
	Flush()
	ReadLine(ctx context.Context) (string, error)
	Close() error
}

// Input is what was typed.
type Input struct {
	Text string
	Ctx  context.Context
	// Done ends the evaluation; until then an interrupt reaches Ctx.
	Done func()
}

// Candidate is what a word may be completed to.
type Candidate struct {
	Text string
	Use  string // how it is used, where that is more than the text
	Doc  string // one line
}

// line is what a list shows of it.
func (c Candidate) line() string {
	shown := c.Text
	if c.Use != "" {
		shown = c.Use
	}
	return strings.TrimRight(fmt.Sprintf("%-24s %s", shown, c.Doc), " ")
}

// Completer answers where the word before a place in a text begins, and what it may be.
type Completer func(text string, at int) (from int, all []Candidate)
