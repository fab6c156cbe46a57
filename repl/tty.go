package repl

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"

	"caper/runtime/view"

	"golang.org/x/sys/unix"
)

// TTY is the form editor: the front end of a terminal. It is the only reader of the terminal, and all that is written goes
// through it, so that what is typed and what is shown do not meet. While a program runs the terminal stays raw: Ctrl-C is
// a byte like others, and seen as soon as it comes.
type TTY struct {
	editor
	in    int
	out   io.Writer
	base  context.Context
	cause error // of an interrupt
	saved *unix.Termios

	mu      sync.Mutex
	pending []byte // typed, and not taken yet
	mode    mode
	busy    context.CancelCauseFunc // of what is evaluated, nil for nothing
	column0 bool                    // the cursor is at the beginning of a line
	held    []byte                  // an unfinished line that came while something is typed
	inputs  chan Input
	asked   *question
	gone    chan struct{} // closed when the terminal is
	over    bool
	wake    [2]int
	paused  chan struct{} // the reader stands still; then: it may go on
	signals chan os.Signal
	all     sync.WaitGroup
}

type mode byte

const (
	idle    mode = iota // what is typed waits
	editing             // it goes to the editor
	asking              // it answers a question
)

type question struct {
	buffer
	reply  chan reply
	parted bool // something else was written since it was asked
}

type reply struct {
	text string
	err  error
}

// TTYOptions are what an editor is made of.
type TTYOptions struct {
	In    int // the file descriptor of the terminal
	Out   io.Writer
	Style view.Style
	Base  context.Context // its end is that of the terminal
	Cause error           // what an interrupt gives to contexts

	Complete Completer
	History  *History
}

// NewTTY takes a terminal over until Close.
func NewTTY(o TTYOptions) (*TTY, error) {
	saved, err := unix.IoctlGetTermios(o.In, getTermios)
	if err != nil {
		return nil, err
	}
	t := &TTY{in: o.In, out: o.Out, base: o.Base, cause: o.Cause, saved: saved, column0: true, inputs: make(chan Input, 1), gone: make(chan struct{}), paused: make(chan struct{}), signals: make(chan os.Signal, 4)}
	t.complete, t.history = o.Complete, o.History
	t.screen.style = o.Style
	if err := unix.Pipe(t.wake[:]); err != nil {
		return nil, err
	}
	unix.CloseOnExec(t.wake[0])
	unix.CloseOnExec(t.wake[1])
	t.screen.width, t.screen.height = t.size()
	t.raw()
	signal.Notify(t.signals, unix.SIGWINCH, unix.SIGCONT)
	t.all.Go(t.read)
	t.all.Go(t.watch)
	return t, nil
}

// raw lets bytes come as they are typed; what is written still goes to the beginning of lines by itself.
func (t *TTY) raw() {
	m := *t.saved
	m.Iflag &^= unix.BRKINT | unix.ICRNL | unix.INLCR | unix.IGNCR | unix.ISTRIP | unix.IXON
	m.Lflag &^= unix.ECHO | unix.ICANON | unix.ISIG | unix.IEXTEN
	m.Cc[unix.VMIN], m.Cc[unix.VTIME] = 1, 0
	_ = unix.IoctlSetTermios(t.in, setTermios, &m)
}

func (t *TTY) restore() { _ = unix.IoctlSetTermios(t.in, setTermios, t.saved) }

func (t *TTY) size() (width, height int) {
	w, err := unix.IoctlGetWinsize(t.in, unix.TIOCGWINSZ)
	if err != nil || w.Col == 0 {
		return 80, 24
	}
	return int(w.Col), max(int(w.Row), 2)
}

// Interrupt is a Ctrl-C that came as a signal.
func (t *TTY) Interrupt() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy != nil {
		t.busy(t.cause)
	}
}

// Size is how many columns and rows there are.
func (t *TTY) Size() (width, height int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen.width, t.screen.height
}

// Close gives the terminal back as it was.
func (t *TTY) Close() error {
	signal.Stop(t.signals)
	close(t.signals)
	_, _ = unix.Write(t.wake[1], []byte{0})
	t.all.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.leave()
	t.restore()
	_ = unix.Close(t.wake[0])
	return unix.Close(t.wake[1])
}

// read is the goroutine that reads the terminal.
func (t *TTY) read() {
	defer close(t.gone)
	b := make([]byte, 64<<10)
	fds := []unix.PollFd{{Fd: int32(t.in), Events: unix.POLLIN}, {Fd: int32(t.wake[0]), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(fds, -1); errors.Is(err, unix.EINTR) {
			continue
		} else if err != nil {
			return
		} else if fds[1].Revents != 0 {
			var why [1]byte
			if n, _ := unix.Read(t.wake[0], why[:]); n != 1 || why[0] == 0 {
				return
			}
			t.paused <- struct{}{}
			<-t.paused
			continue
		}
		n, err := unix.Read(t.in, b)
		if errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN) {
			continue
		}
		if n <= 0 || err != nil {
			t.mu.Lock()
			if t.busy != nil { // nobody is there any more
				t.busy(t.cause)
			}
			t.mu.Unlock()
			return
		}
		t.mu.Lock()
		t.pending = append(t.pending, b[:n]...)
		t.pump()
		t.mu.Unlock()
	}
}

// watch follows the size of the terminal, and takes it again after a stop.
func (t *TTY) watch() {
	for s := range t.signals {
		t.mu.Lock()
		if s == unix.SIGCONT {
			t.raw()
		}
		t.screen.resize(t.size())
		if t.mode == editing {
			t.paint()
		}
		t.mu.Unlock()
	}
}

// pump gives what is pending to whoever takes it.
func (t *TTY) pump() {
	dirty := false
	for {
		if t.mode != editing && t.busy != nil || t.mode == idle {
			if i := interrupted(t.pending); i >= 0 { // what was typed before it is given up too
				t.pending = t.pending[i:]
				if t.busy != nil {
					t.write([]byte("^C\n"))
					t.busy(t.cause)
				}
			}
		}
		if t.mode == idle {
			return
		}
		k, n := next(t.pending)
		if n == 0 {
			break
		}
		t.pending = t.pending[n:]
		if t.mode == asking {
			t.answer(k)
			continue
		}
		dirty = true
		switch t.edit(k) {
		case submit:
			t.finish()
			ctx, cancel := context.WithCancelCause(t.base)
			t.busy = cancel
			t.inputs <- Input{Text: t.text, Ctx: ctx, Done: func() { t.done(cancel) }}
			dirty = false
		case giveUp:
			t.finish()
			t.write([]byte("^C\n"))
			t.begin()
		case clear:
			t.write([]byte("\x1b[H\x1b[2J\x1b[3J"))
			t.screen.shown = false
		case leave:
			t.finish()
			t.over = true
			t.inputs <- Input{}
			dirty = false
		case stop:
			t.finish()
			t.restore()
			_ = unix.Kill(0, unix.SIGTSTP) // it goes on here after SIGCONT
			t.raw()
			t.mode = editing
			t.paste(true)
		}
	}
	if dirty && t.mode == editing {
		t.paint()
	}
}

func (t *TTY) done(cancel context.CancelCauseFunc) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy = nil
	cancel(nil)
}

func (t *TTY) write(b []byte) {
	if len(b) > 0 {
		_, _ = t.out.Write(b)
		t.column0 = b[len(b)-1] == '\n'
	}
}

func (t *TTY) paste(on bool) {
	if on {
		_, _ = io.WriteString(t.out, "\x1b[?2004h")
	} else {
		_, _ = io.WriteString(t.out, "\x1b[?2004l")
	}
}

func (t *TTY) paint() {
	p := t.picture()
	_, _ = t.out.Write(t.screen.paint(t.screen.clip(p, t.status)))
}

// finish leaves what was typed on the screen and goes below it.
func (t *TTY) finish() {
	t.status = nil
	at := t.at
	t.at = len(t.text)
	t.paint()
	t.at = at
	t.screen.shown, t.screen.rows, t.screen.at = false, nil, 0
	t.mode = idle
	t.paste(false)
	t.write([]byte("\n"))
	if len(t.held) > 0 {
		t.write(t.held)
		t.held = nil
	}
}

// leave takes away an input that is not finished.
func (t *TTY) leave() {
	if t.mode == editing {
		_, _ = t.out.Write(t.screen.erase())
		t.mode = idle
		t.paste(false)
	}
}

// begin begins a new input.
func (t *TTY) begin() {
	if !t.column0 {
		t.write([]byte("\n"))
	}
	t.reset()
	t.mode = editing
	t.paste(true)
	t.paint()
}

// Read implements Front.
func (t *TTY) Read(prompt string) (Input, error) {
	t.mu.Lock()
	if t.over {
		t.mu.Unlock()
		return Input{}, io.EOF
	}
	t.prompt = prompt
	t.begin()
	t.pump()
	t.mu.Unlock()
	select {
	case in := <-t.inputs:
		if in.Ctx == nil {
			return in, io.EOF
		}
		return in, nil
	case <-t.base.Done():
		return Input{}, context.Cause(t.base)
	case <-t.gone:
		return Input{}, errors.New("the terminal is gone")
	}
}

// Write implements Front: above what is typed, line by line.
func (t *TTY) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch t.mode {
	case idle:
		t.write(b)
		return len(b), nil
	case asking: // what is typed goes on behind it
		q := t.asked
		if !t.column0 && (!q.parted || q.text != "") {
			t.write([]byte("\n"))
		}
		t.write(b)
		q.parted = true
		_, _ = io.WriteString(t.out, "\x1b7")
		t.write([]byte(t.screen.style.Clean(q.text)))
		return len(b), nil
	}
	t.held = append(t.held, b...)
	end := len(t.held)
	for end > 0 && t.held[end-1] != '\n' {
		end--
	}
	if end == 0 {
		return len(b), nil
	}
	_, _ = t.out.Write(append(t.screen.erase(), t.held[:end]...))
	t.held = append([]byte(nil), t.held[end:]...)
	t.paint()
	return len(b), nil
}

// Away gives the terminal to another program, and reads nothing meanwhile.
func (t *TTY) Away(run func() error) error {
	_, _ = unix.Write(t.wake[1], []byte{1})
	var err error
	select {
	case <-t.paused:
		t.restore()
		err = run()
		t.raw()
		t.paused <- struct{}{}
	case <-t.gone:
		err = errors.New("the terminal is gone")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.column0 = true
	return err
}

// Flush implements Front.
func (t *TTY) Flush() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pending = nil
	flushInput(t.in)
}

// ReadLine implements Front: an input that is being typed makes place for it.
func (t *TTY) ReadLine(ctx context.Context) (string, error) {
	t.mu.Lock()
	before := t.mode
	if before == editing {
		_, _ = t.out.Write(t.screen.erase())
	}
	q := &question{reply: make(chan reply, 1)}
	t.asked, t.mode = q, asking
	_, _ = io.WriteString(t.out, "\x1b7")
	t.pump()
	t.mu.Unlock()
	var r reply
	select {
	case r = <-q.reply:
	case <-ctx.Done():
		r.err = ctx.Err()
	case <-t.gone:
		r.err = io.EOF
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asked == q && t.mode == asking {
		t.asked, t.mode = nil, before
		if before == editing {
			t.paint()
		}
	}
	return r.text, r.err
}

// answer does a key of an answer to a question.
func (t *TTY) answer(k key) {
	q := t.asked
	switch {
	case k.name == "enter" || k.name == "newline":
		t.write([]byte("\n"))
		t.mode = idle
		q.reply <- reply{q.text + "\n", nil}
		return
	case k.name == "eof" && q.text == "":
		t.mode = idle
		q.reply <- reply{"", io.EOF}
		return
	case k.name == "" || k.name == "paste":
		q.at = len(q.text)
		q.insert(line(k.text))
	case k.name == "backspace" || k.name == "kill-word" || k.name == "kill-back":
		q.move(k.name)
	default:
		return
	}
	_, _ = io.WriteString(t.out, "\x1b8\x1b[K"+t.screen.style.Clean(q.text))
	t.column0 = false
}
