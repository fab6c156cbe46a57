package owner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// Request is a command line that an attached process wants run in the owner, under the attached process's own folder,
// environment and terminal.
type Request struct {
	Version  string   `json:"version"` // both sides must be the same Caper
	Args     []string `json:"args"`
	Cwd      string   `json:"cwd"`
	Environ  []string `json:"environ"`
	Terminal bool     `json:"terminal"` // questions can be asked there
	Screen   bool     `json:"screen"`   // what is written goes to a terminal
	Width    int      `json:"width,omitempty"`
	Color    bool     `json:"color,omitempty"`
	ASCII    bool     `json:"ascii,omitempty"`

	Holds bool `json:"holds,omitempty"` // it answers how a failed input goes on

	// Held is asked that, of a failure and for a restart in the words of the command: see Holds.
	Held func(context.Context, json.RawMessage) json.RawMessage `json:"-"`
	// Told, unless nil, hears the job that the command works on, Freed that it only goes on in the background.
	Told  func(job string) `json:"-"`
	Freed func()           `json:"-"`
}

// frame is one line on the socket, in either direction; one field is set.
type frame struct {
	Request *Request `json:"request,omitempty"` // client: first, once
	Line    []byte   `json:"line,omitempty"`    // client: an answer to the Ask of the same number
	EOF     bool     `json:"eof,omitempty"`     // client: the terminal is gone
	Signal  string   `json:"signal,omitempty"`  // client: interrupt or park
	Out     []byte   `json:"out,omitempty"`     // owner
	Err     []byte   `json:"err,omitempty"`     // owner
	Ask     uint64   `json:"ask,omitempty"`     // owner: read one line for question number Ask; client: which one is answered
	Flush   bool     `json:"flush,omitempty"`   // owner: drop what was typed
	Unask   uint64   `json:"unask,omitempty"`   // owner: the question is off, answered elsewhere
	Job     string   `json:"job,omitempty"`     // owner: what to take over when the owner dies
	Free    bool     `json:"free,omitempty"`    // owner: what still goes on leaves the terminal alone
	Exit    *int     `json:"exit,omitempty"`    // owner: last, once

	Held    json.RawMessage `json:"held,omitempty"`    // owner: how does what failed go on; one at a time
	Restart json.RawMessage `json:"restart,omitempty"` // client: so
}

// maxFrame bounds one frame: an environment or a chunk of output is far smaller.
const maxFrame = 16 << 20

var errFrame = errors.New("owner socket: malformed frame")

// wire reads and writes frames; many may write.
type wire struct {
	dec *json.Decoder
	lim *io.LimitedReader
	mu  sync.Mutex
	w   io.Writer
}

func newWire(rw io.ReadWriter) *wire {
	lim := &io.LimitedReader{R: rw, N: maxFrame}
	return &wire{dec: json.NewDecoder(lim), lim: lim, w: rw}
}

func (w *wire) read() (frame, error) {
	w.lim.N = maxFrame
	var f frame
	if err := w.dec.Decode(&f); err != nil {
		var broken *net.OpError // the other side was killed
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &broken) {
			return f, io.EOF
		}
		return f, fmt.Errorf("%w: %w", errFrame, err)
	}
	return f, nil
}

func (w *wire) write(f frame) error {
	b, err := json.Marshal(f)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = w.w.Write(append(b, '\n'))
	return err
}

// chunks is an io.Writer that sends what is written as frames.
type chunks struct {
	w    *wire
	make func([]byte) frame
}

func (c chunks) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		n := min(len(rest), 64<<10)
		if err := c.w.write(c.make(rest[:n])); err != nil {
			return 0, err
		}
		rest = rest[n:]
	}
	return len(b), nil
}
