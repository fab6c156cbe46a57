package repl

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/peterh/liner"
)

// Liner is the front end that edits lines with peterh/liner: a form over several lines is typed line by line. While a
// program runs the terminal is as it was, and an interrupt comes as a signal, through Interrupt.
type Liner struct {
	*Plain
	state *liner.State
}

// NewLiner takes the terminal on standard input and output over until Close.
func NewLiner(base context.Context, out io.Writer, cause error, complete Completer, history *History) *Liner {
	l := &Liner{state: liner.NewLiner()}
	l.state.SetCtrlCAborts(true)
	l.state.SetTabCompletionStyle(liner.TabPrints)
	l.state.SetWordCompleter(words(complete))
	l.state.SetMultiLineMode(true)
	if history != nil {
		for _, text := range history.All() {
			if !strings.Contains(strings.TrimSpace(text), "\n") {
				l.state.AppendHistory(strings.TrimSpace(text))
			}
		}
	}
	in := &linerLines{state: l.state}
	l.Plain = NewPlain(base, in, out, false, cause)
	l.Plain.read = func(ctx context.Context, prompt string) (string, error) { return in.prompt(prompt) }
	l.Plain.typed = func(text string) {
		if text = strings.TrimSpace(text); !strings.Contains(text, "\n") {
			l.state.AppendHistory(text)
		}
	}
	return l
}

// words makes liner's completer of ours.
func words(complete Completer) liner.WordCompleter {
	return func(text string, at int) (head string, all []string, tail string) {
		if at = byteOf(text, at); complete == nil {
			return text[:at], nil, text[at:]
		}
		from, found := complete(text, at)
		for _, c := range found {
			all = append(all, c.Text)
		}
		return text[:from], all, text[at:]
	}
}

// byteOf is where a number of runes ends.
func byteOf(text string, runes int) int {
	for i := range text {
		if runes == 0 {
			return i
		}
		runes--
	}
	return len(text)
}

// Close gives the terminal back.
func (l *Liner) Close() error { return l.state.Close() }

// linerLines reads lines with liner, one at a time.
type linerLines struct {
	mu    sync.Mutex
	state *liner.State
}

func (l *linerLines) Flush() { flushInput(0) }

func (l *linerLines) prompt(prompt string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text, err := l.state.Prompt(prompt)
	if err != nil {
		return "", err
	}
	return text + "\n", nil
}

// ReadLine implements LineReader: for questions and for programs that read.
func (l *linerLines) ReadLine(ctx context.Context) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	text, err := l.prompt("")
	if errors.Is(err, liner.ErrPromptAborted) {
		err = context.Canceled
	}
	return text, err
}
