package owner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"syscall"
)

// ErrGone says that the owner went away before the command was done. Job, when not empty, is what to go on with.
type ErrGone struct{ Job string }

func (e *ErrGone) Error() string { return "the process that owned the store went away" }

// ErrNoOwner says that nobody serves the store at this moment: its owner begins, ends, or is gone.
var ErrNoOwner = errors.New("nobody serves the store")

// Terminal is the attached process's side of questions, and of standard input.
type Terminal interface {
	// Flush drops what was typed before: called before a question is shown, so that nothing typed ahead answers it.
	Flush()
	ReadLine(ctx context.Context) (string, error)
}

// Attach has the owner behind the socket run a command and copies what it writes. ctx's end is passed on: as an
// interrupt, or as parking when its cause is ErrPark.
func Attach(ctx context.Context, path string, r Request, stdout, stderr io.Writer, term Terminal) (exit int, err error) {
	short, done, err := address(path)
	if err != nil {
		return 0, fmt.Errorf("attach to the owner of the store: %w", err)
	}
	defer done()
	c, err := net.Dial("unix", short)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return 0, ErrNoOwner
	}
	if err != nil {
		return 0, fmt.Errorf("attach to the owner of the store: %w", err)
	}
	defer c.Close()
	w := newWire(c)
	if err := w.write(frame{Request: &r}); err != nil {
		return 0, &ErrGone{}
	}
	stop := context.AfterFunc(ctx, func() {
		signal := "interrupt"
		if errors.Is(context.Cause(ctx), ErrPark) {
			signal = "park"
		}
		_ = w.write(frame{Signal: signal}) // a dead owner is noticed by the reader
	})
	defer stop()
	asking := map[uint64]context.CancelFunc{}
	defer func() {
		for _, stop := range asking {
			stop()
		}
	}()
	job := ""
	for {
		f, err := w.read()
		if err != nil {
			if errors.Is(err, errFrame) {
				return 0, err
			}
			return 0, &ErrGone{Job: job}
		}
		switch {
		case f.Exit != nil:
			return *f.Exit, nil
		case f.Job != "":
			if job = f.Job; r.Told != nil {
				r.Told(job)
			}
		case f.Held != nil:
			go func() {
				reply := json.RawMessage("{}")
				if r.Held != nil {
					reply = r.Held(ctx, f.Held)
				}
				_ = w.write(frame{Restart: reply})
			}()
		case f.Free:
			if r.Freed != nil {
				r.Freed()
			}
		case f.Out != nil:
			if _, err := stdout.Write(f.Out); err != nil {
				return 0, err
			}
		case f.Err != nil:
			if _, err := stderr.Write(f.Err); err != nil {
				return 0, err
			}
		case f.Flush && term != nil:
			term.Flush()
		case f.Unask != 0 && asking[f.Unask] != nil:
			asking[f.Unask]()
			delete(asking, f.Unask)
		case f.Ask != 0 && term != nil:
			var question context.Context
			question, asking[f.Ask] = context.WithCancel(context.Background())
			go func() {
				text, err := term.ReadLine(question)
				reply := frame{Ask: f.Ask, Line: []byte(text)}
				if err != nil || text == "" {
					reply = frame{Ask: f.Ask, EOF: true}
				}
				_ = w.write(reply)
			}()
		}
	}
}
