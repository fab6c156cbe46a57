package owner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// Guest is an attached process, as a command in the owner sees it.
type Guest struct {
	Request
	Stdout, Stderr io.Writer
	// Again says that a command which the owner's end cut short is to be taken over by the guest. Others are done when
	// they return.
	Again bool
	PID   int // of the process at the other end
	wire  *wire
	mu    sync.Mutex
	asked uint64
	lines map[uint64]chan line // questions that stand, by number: a late answer to another must not answer them

	restart chan json.RawMessage
}

type line struct {
	text string
	err  error
}

// Flush drops what was typed at the guest's terminal.
func (g *Guest) Flush() { _ = g.wire.write(frame{Flush: true}) } // a guest that is gone asks nobody

// ReadLine asks the guest's terminal for one line.
func (g *Guest) ReadLine(ctx context.Context) (string, error) {
	g.mu.Lock()
	g.asked++
	n, answer := g.asked, make(chan line, 1)
	g.lines[n] = answer
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.lines, n)
	}()
	if err := g.wire.write(frame{Ask: n}); err != nil {
		return "", err
	}
	select {
	case l := <-answer:
		return l.text, l.err
	case <-ctx.Done():
		_ = g.wire.write(frame{Unask: n}) // a guest that is gone asks nobody
		return "", ctx.Err()
	}
}

func (g *Guest) answer(n uint64, l line) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c, ok := g.lines[n]; ok {
		delete(g.lines, n)
		c <- l
	}
}

// Job tells the guest which job it would take over if the owner died.
func (g *Guest) Job(id string) error { return g.wire.write(frame{Job: id}) }

// Free tells the guest that the command only goes on in the background.
func (g *Guest) Free() { _ = g.wire.write(frame{Free: true}) } // a guest that is gone waits for nothing

// Hold asks the guest how what failed goes on.
func (g *Guest) Hold(ctx context.Context, failure json.RawMessage) (json.RawMessage, error) {
	if err := g.wire.write(frame{Held: failure}); err != nil {
		return nil, err
	}
	select {
	case r := <-g.restart:
		return r, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Causes of the end of a guest's context.
var (
	ErrInterrupt = errors.New("interrupted")
	ErrPark      = errors.New("the terminal is gone")
	ErrHandover  = errors.New("the owner of the store goes")
)

// Handler runs a guest's command and answers its exit code.
type Handler func(ctx context.Context, g *Guest) int

// Server serves guests on a Unix socket.
type Server struct {
	l    net.Listener
	done func() // gives back what the socket's address needs
	wg   sync.WaitGroup
	stop context.CancelCauseFunc
}

// Serve listens on the socket at path, which only this user may use, until Close.
func Serve(path, version string, handle Handler) (*Server, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) { // a dead owner's: we hold its lock
		return nil, err
	}
	short, done, err := address(path)
	if err != nil {
		return nil, fmt.Errorf("listen on the owner socket: %w", err)
	}
	l, err := net.Listen("unix", short)
	if err != nil {
		done()
		return nil, fmt.Errorf("listen on the owner socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		err = errors.Join(err, l.Close())
		done()
		return nil, err
	}
	ctx, stop := context.WithCancelCause(context.Background())
	s := &Server{l: l, done: done, stop: stop}
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.wg.Add(1)
			go func() {
				defer s.wg.Done()
				defer c.Close()
				s.guest(ctx, c.(*net.UnixConn), version, handle)
			}()
		}
	}()
	return s, nil
}

// Close lets the effects that guests have begun come to their end, parks their programs and waits for it: they take over
// themselves.
func (s *Server) Close() error {
	s.stop(ErrHandover)
	err := s.l.Close() // removes the socket
	s.done()
	s.wg.Wait()
	return err
}

// sameUser checks who is at the other end and answers its process.
func sameUser(c *net.UnixConn) (pid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var uid int
	var peerErr error
	if err := raw.Control(func(fd uintptr) { uid, pid, peerErr = peer(int(fd)) }); err != nil {
		return 0, err
	}
	if peerErr != nil {
		return 0, peerErr
	}
	if uid != os.Getuid() {
		return 0, fmt.Errorf("user %d may not attach to the store of user %d", uid, os.Getuid())
	}
	return pid, nil
}

func (s *Server) guest(server context.Context, c *net.UnixConn, version string, handle Handler) {
	pid, err := sameUser(c)
	if err != nil {
		return
	}
	w := newWire(c)
	heard := context.AfterFunc(server, func() { _ = c.SetReadDeadline(time.Unix(1, 0)) }) // who asks for nothing holds up no end
	first, err := w.read()
	if !heard() || err != nil || first.Request == nil {
		return
	}
	// A guest that reads nothing holds up no end either.
	defer context.AfterFunc(server, func() { _ = c.SetWriteDeadline(time.Now().Add(5 * time.Second)) })()
	g := &Guest{Request: *first.Request, wire: w, PID: pid, lines: map[uint64]chan line{}, restart: make(chan json.RawMessage, 1)}
	g.Stdout = chunks{w, func(b []byte) frame { return frame{Out: b} }}
	g.Stderr = chunks{w, func(b []byte) frame { return frame{Err: b} }}
	ctx, cancel := context.WithCancelCause(server)
	defer cancel(nil)
	if g.Version != version {
		fmt.Fprintf(g.Stderr, "caper: the store is owned by a process of version %s, this is %s: let it end first\n", version, g.Version)
		code := 6
		_ = w.write(frame{Exit: &code})
		return
	}
	go func() {
		for {
			f, err := w.read()
			switch {
			case err != nil:
				cancel(ErrPark)
				return
			case f.Signal == "interrupt":
				cancel(ErrInterrupt)
			case f.Signal == "park":
				cancel(ErrPark)
			case f.Line != nil:
				g.answer(f.Ask, line{text: string(f.Line)})
			case f.Restart != nil:
				select {
				case g.restart <- f.Restart:
				default: // it was not asked for
				}
			case f.EOF:
				g.answer(f.Ask, line{err: io.EOF})
			}
		}
	}()
	code := handle(ctx, g)
	if server.Err() != nil && g.Again {
		return // the owner goes: no exit, so that the guest takes over
	}
	_ = w.write(frame{Exit: &code}) // a guest that is gone needs no answer
}
