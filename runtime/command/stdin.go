package command

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
)

// pipe reads standard input that is no terminal, line by line. A read whose asker went away is kept for the next: when the
// owner of the store changes, no line is lost.
type pipe struct {
	in   *bufio.Reader
	mu   sync.Mutex
	next chan piped // the read under way, nil for none
}

type piped struct {
	text string
	err  error
}

func newPipe(r io.Reader) *pipe { return &pipe{in: bufio.NewReaderSize(r, maxLine)} }

// Flush implements owner.Terminal: what came through a pipe was meant.
func (p *pipe) Flush() {}

// ReadLine answers the next line, or a piece of one that is longer than maxLine.
func (p *pipe) ReadLine(ctx context.Context) (string, error) {
	p.mu.Lock()
	if p.next == nil {
		p.next = make(chan piped, 1)
		go func(next chan piped) {
			line, err := p.in.ReadSlice('\n')
			if errors.Is(err, bufio.ErrBufferFull) || len(line) > 0 {
				err = nil // the end comes with the next read
			}
			next <- piped{string(line), err}
		}(p.next)
	}
	next := p.next
	p.mu.Unlock()
	select {
	case l := <-next:
		p.mu.Lock()
		p.next = nil
		p.mu.Unlock()
		return l.text, l.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// lines is an io.Reader over something that answers lines.
type lines struct {
	ctx  context.Context
	read func(context.Context) (string, error)
	rest string
}

func (l *lines) Read(b []byte) (int, error) {
	if l.rest == "" {
		var err error
		if l.rest, err = l.read(l.ctx); err != nil {
			return 0, err
		}
	}
	n := copy(b, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}
