package repl

import (
	"context"
	"io"
)

// Host runs command lines.
type Host interface {
	// Run runs one and answers its exit code.
	Run(ctx context.Context, l Line) int
	// Names are the words that programs may use, in order, with a line of doc where there is one.
	Names() []Candidate
	// Tool reports whether a name is that of a tool.
	Tool(name string) bool
	// Keywords are those of a tool, without #:.
	Keywords(tool string) []Candidate
	// Explain answers what a text becomes before it runs, after texts that were evaluated before.
	Explain(before []string, text string) (core, code string, err error)
	// Doc is what is known of a name, "" for nothing.
	Doc(name string) string
}

// Line is a command line.
type Line struct {
	Args []string
	// Job is told the job that the line makes; Freed that what goes on of it leaves the terminal alone.
	Job   func(id string)
	Freed func()
	// Held, unless nil, is asked how to go on when an input fails.
	Held func(context.Context, Failure) Restart
	// Errors, unless nil, gets a copy of what is said of errors, from several goroutines.
	Errors io.Writer
}
