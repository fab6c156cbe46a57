package repl

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/peterh/liner"
)

// LineReader reads standard input line by line.
type LineReader interface {
	Flush()
	ReadLine(ctx context.Context) (string, error)
}

// Plain is the front end of pipes, and of terminals that only show lines. Prompts are shown where asked; interrupts come
// through Interrupt.
type Plain struct {
	LineReader
	out io.Writer

	read  func(ctx context.Context, prompt string) (string, error) // shows the prompt and reads a line
	typed func(text string)                                        // hears whole inputs; nil: nobody does

	base   context.Context
	mu     sync.Mutex
	cancel context.CancelCauseFunc // of what is read or evaluated
	cause  error
}

// NewPlain reads from in and shows on out, until base ends. cause is what an interrupt gives to contexts.
func NewPlain(base context.Context, in LineReader, out io.Writer, prompts bool, cause error) *Plain {
	p := &Plain{base: base, LineReader: in, out: out, cause: cause}
	p.read = func(ctx context.Context, prompt string) (string, error) {
		if prompts {
			_, _ = io.WriteString(p, prompt)
		}
		return p.ReadLine(ctx)
	}
	return p
}

func (p *Plain) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

// Close has nothing to give back.
func (p *Plain) Close() error { return nil }

// Interrupt ends what is evaluated, or what was typed of an input.
func (p *Plain) Interrupt() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancel != nil {
		p.cancel(p.cause)
	}
}

func (p *Plain) begin() context.Context {
	ctx, cancel := context.WithCancelCause(p.base)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cancel = cancel
	return ctx
}

func (p *Plain) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancel != nil {
		p.cancel(nil)
		p.cancel = nil
	}
}

// Read answers the lines up to the end of a form, or one command.
func (p *Plain) Read(prompt string) (Input, error) {
	var text strings.Builder
	var s scanner
	ctx := p.begin()
	show := prompt
	for {
		line, err := p.read(ctx, show)
		switch {
		case p.base.Err() != nil:
			return Input{}, p.base.Err()
		case ctx.Err() != nil || errors.Is(err, liner.ErrPromptAborted): // what was typed is given up
			_, _ = io.WriteString(p, "\n")
			text.Reset()
			s, show = scanner{}, prompt
			ctx = p.begin()
			continue
		case err != nil && (!errors.Is(err, io.EOF) || strings.TrimSpace(text.String()+line) == ""):
			p.done()
			return Input{}, err
		}
		first := strings.TrimSpace(text.String()) == ""
		text.WriteString(line)
		if s.scan(line); err != nil || s.complete() || first && Command(line) {
			if p.typed != nil {
				p.typed(text.String())
			}
			return Input{Text: text.String(), Ctx: ctx, Done: p.done}, nil
		}
		if s.any || s.block > 0 {
			show = strings.Repeat(" ", max(len(prompt)-2, 0)) + "> "
		}
	}
}

// Lines makes a LineReader of a reader, for tests and for what is read to its end.
func Lines(r io.Reader) LineReader { return &lines{bufio.NewReader(r)} }

type lines struct{ in *bufio.Reader }

func (l *lines) Flush() {}
func (l *lines) ReadLine(context.Context) (string, error) {
	text, err := l.in.ReadString('\n')
	if text != "" {
		err = nil
	}
	return text, err
}
