package driver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode/utf8"

	"caper/runtime/tool"
)

const (
	maxLine   = 16 << 20 // of what an agent says at once
	maxStderr = 4 << 10  // that is kept for a message
	maxBad    = 20       // lines in a row that are no JSON
)

// process is a client that speaks a JSON object a line.
type process struct {
	spec  Spec
	cmd   *exec.Cmd
	in    io.WriteCloser
	write sync.Mutex
	lines chan json.RawMessage // closed when nothing more comes
	heard atomic.Int64         // when the last line came
	asked atomic.Int32         // questions that wait for a person

	stderr tail
	broken error // why lines was closed; read after that
	closed chan struct{}
	once   sync.Once
	ended  error
}

// tail keeps the end of what was written.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if len(t.b) > maxStderr {
		t.b = append([]byte(nil), t.b[len(t.b)-maxStderr:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.b), "�"))
}

// logged serialises writers of a log.
type logged struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.w.Write(p) // a log that cannot be written stops nobody
	return len(p), nil
}

func start(s Spec, args []string, environ ...string) (*process, error) {
	if s.Silence == 0 {
		s.Silence = 15 * time.Minute
	}
	if s.Grace == 0 {
		s.Grace = 5 * time.Second
	}
	if s.Log == nil {
		s.Log = io.Discard
	}
	s.Log = logged{new(sync.Mutex), s.Log}
	cmd := exec.Command(s.Executable, args...)
	cmd.Dir = s.WorkFolder
	cmd.Env = append(append(append([]string(nil), s.Environ...), environ...), "PWD="+s.WorkFolder, "CAPER_CALL="+s.Mark)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p := &process{spec: s, cmd: cmd, lines: make(chan json.RawMessage, 16), closed: make(chan struct{})}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	// Pipes of our own: the command's would make Wait wait for grandchildren that hold them.
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	er, ew, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, r.Close(), w.Close())
	}
	cmd.Stdout, cmd.Stderr = w, ew
	err = cmd.Start()
	_ = w.Close()
	_ = ew.Close()
	if err != nil {
		_ = r.Close()
		_ = er.Close()
		_ = in.Close()
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOEXEC) || errors.Is(err, syscall.EISDIR) {
			return nil, failed(CodeExecutable, "%s cannot be run: %v", s.Executable, err)
		}
		return nil, failed(CodeCrashed, "%s did not start: %v", s.Executable, err)
	}
	p.heard.Store(time.Now().UnixNano())
	fmt.Fprintf(s.Log, "-- started %q in %s, process %d\n", append([]string{s.Executable}, args...), s.WorkFolder, cmd.Process.Pid)
	go func() { _, _ = io.Copy(io.MultiWriter(&p.stderr, s.Log), er) }()
	go p.read(r)
	go func() { // both are closed only when all that could write is gone
		<-p.closed
		_ = r.Close()
		_ = er.Close()
	}()
	return p, nil
}

// read hands on each line that is a JSON object.
func (p *process) read(r io.Reader) {
	defer close(p.lines)
	b := bufio.NewReaderSize(r, 64<<10)
	bad := 0
	for {
		var line []byte
		for {
			part, err := b.ReadSlice('\n')
			line = append(line, part...)
			if len(line) > maxLine {
				p.broken = failed(CodeProtocol, "%s wrote a line of more than %d MB", p.spec.Executable, maxLine>>20)
				return
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil {
				if len(line) > 0 {
					p.broken = failed(CodeProtocol, "%s ended in the middle of a line: %s", p.spec.Executable, excerpt(string(line), 200))
				}
				return
			}
			break
		}
		p.heard.Store(time.Now().UnixNano())
		_, _ = p.spec.Log.Write(append([]byte("< "), line...))
		if len(strings.TrimSpace(string(line))) == 0 {
			continue
		}
		var object map[string]json.RawMessage
		if !utf8.Valid(line) || json.Unmarshal(line, &object) != nil {
			if bad++; bad >= maxBad {
				p.broken = failed(CodeProtocol, "%s writes what is no JSON: %s", p.spec.Executable, excerpt(string(line), 200))
				return
			}
			continue
		}
		bad = 0
		select {
		case p.lines <- json.RawMessage(line):
		case <-p.closed:
			return
		}
	}
}

// excerpt is the beginning of a text, on one line.
func excerpt(s string, most int) string {
	s = strings.ToValidUTF8(s, "�")
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// send writes an object as a line.
func (p *process) send(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	p.write.Lock()
	defer p.write.Unlock()
	_, _ = p.spec.Log.Write(append(append([]byte("> "), b...), '\n'))
	_, err = p.in.Write(append(b, '\n'))
	if err != nil {
		return failed(CodeCrashed, "%s does not listen: %v", p.spec.Executable, err)
	}
	return nil
}

// next waits for a line. A turn in which nothing comes for too long, with nobody asked, has stalled.
func (p *process) next(ctx context.Context) (json.RawMessage, error) {
	for {
		quiet := time.Until(time.Unix(0, p.heard.Load()).Add(p.spec.Silence))
		if p.asked.Load() > 0 {
			quiet = p.spec.Silence
		}
		timer := time.NewTimer(max(quiet, time.Millisecond))
		select {
		case line, ok := <-p.lines:
			timer.Stop()
			if !ok {
				return nil, p.gone()
			}
			return line, nil
		case <-timer.C:
			if p.asked.Load() == 0 && time.Until(time.Unix(0, p.heard.Load()).Add(p.spec.Silence)) <= 0 {
				return nil, failed(CodeTimedOut, "%s said nothing for %s", p.spec.Executable, p.spec.Silence)
			}
		case <-ctx.Done():
			timer.Stop()
			return nil, context.Cause(ctx)
		}
	}
}

// gone says why no more lines come.
func (p *process) gone() error {
	if p.broken != nil {
		return p.broken
	}
	_ = p.Close()
	text := p.stderr.String()
	if text == "" {
		text = "it said nothing about it"
	}
	state := "ended"
	if s := p.cmd.ProcessState; s != nil {
		state = "ended (" + s.String() + ")"
	}
	return failed(CodeCrashed, "%s %s in the middle of its work: %s", p.spec.Executable, state, excerpt(text, 500))
}

// waiting counts a question while it is with a person: that is no silence.
func (p *process) waiting() func() {
	p.asked.Add(1)
	return func() {
		p.heard.Store(time.Now().UnixNano())
		p.asked.Add(-1)
	}
}

// Close ends the client and everything that it started: TERM, a grace, KILL. Its input ends after it: a client whose question
// is open takes that for a no, and goes on with its turn.
func (p *process) Close() error {
	p.once.Do(func() {
		_, p.ended = tool.EndMarked(p.spec.Mark, p.cmd.Process.Pid, p.spec.Grace)
		_ = p.in.Close()
		close(p.closed)
		_ = p.cmd.Wait()
		fmt.Fprintf(p.spec.Log, "-- ended: %v\n", p.cmd.ProcessState)
	})
	return p.ended
}
