package sim

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// terminal is a process of the binary under test at a terminal of its own.
type terminal struct {
	t   testing.TB
	cmd *exec.Cmd
	tty *os.File

	mu     sync.Mutex
	text   strings.Builder
	more   chan struct{}
	exited chan struct{}
	err    error
}

// terminal starts the binary at a new terminal.
func (w *world) terminal(dir string, args ...string) *terminal {
	w.t.Helper()
	c := w.command(context.Background(), nil, args...)
	c.Dir = dir
	c.Env = append(c.Env, "TERM=dumb", "NO_COLOR=1")
	tty, err := pty.StartWithSize(c, &pty.Winsize{Rows: 40, Cols: 100})
	if err != nil {
		w.t.Fatal(err)
	}
	x := &terminal{t: w.t, cmd: c, tty: tty, more: make(chan struct{}, 1), exited: make(chan struct{})}
	read := make(chan struct{})
	go func() {
		defer close(read)
		b := make([]byte, 4096)
		for {
			n, err := tty.Read(b)
			x.mu.Lock()
			x.text.Write(b[:n])
			x.mu.Unlock()
			select {
			case x.more <- struct{}{}:
			default:
			}
			if err != nil { // EIO when the process has gone
				return
			}
		}
	}()
	go func() {
		x.err = c.Wait()
		select { // what it wrote last; a command that it left running may hold the terminal open
		case <-read:
		case <-time.After(time.Second):
		}
		close(x.exited)
	}()
	w.t.Cleanup(func() {
		_ = c.Process.Kill()
		<-x.exited
		tty.Close()
	})
	return x
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// shown is all that was shown so far, as plain lines.
func (x *terminal) shown() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return strings.ReplaceAll(escapes.ReplaceAllString(x.text.String(), ""), "\r\n", "\n")
}

// expect waits until the terminal has shown a text.
func (x *terminal) expect(text string) {
	x.t.Helper()
	late := time.After(patience)
	for !strings.Contains(x.shown(), text) {
		select {
		case <-x.more:
		case <-x.exited:
			if !strings.Contains(x.shown(), text) {
				x.t.Fatalf("the process ended (%v) and never showed %q:\n%s", x.err, text, x.shown())
			}
		case <-late:
			x.t.Fatalf("the terminal never showed %q:\n%s", text, x.shown())
		}
	}
}

// asked waits until the terminal has asked n times.
func (x *terminal) asked(n int) {
	x.t.Helper()
	until(x.t, fmt.Sprintf("question %d is asked:\n%s", n, x.shown()), func() bool { return strings.Count(x.shown(), "allow it?") >= n })
}

// yes says yes to every question after the first n, as it comes, until the process ends.
func (x *terminal) yes(n int) {
	x.t.Helper()
	x.answer("allow it?", "y", n)
}

// answer answers every such question after the first n, as it comes, until the process ends.
func (x *terminal) answer(question, answer string, n int) {
	x.t.Helper()
	late := time.After(patience)
	for {
		for ; n < strings.Count(x.shown(), question); n++ {
			if _, err := x.tty.WriteString(answer + "\n"); err != nil {
				return // it has ended
			}
		}
		select {
		case <-x.more:
		case <-x.exited:
			return
		case <-late:
			x.t.Fatalf("it asks and asks:\n%s", x.shown())
		}
	}
}

func (x *terminal) send(text string) {
	x.t.Helper()
	if _, err := x.tty.WriteString(text); err != nil {
		x.t.Fatal(err)
	}
}

func (x *terminal) signal(s syscall.Signal) {
	x.t.Helper()
	if err := x.cmd.Process.Signal(s); err != nil {
		x.t.Fatal(err)
	}
}

// kill is kill -9.
func (x *terminal) kill() {
	x.t.Helper()
	x.signal(syscall.SIGKILL)
	<-x.exited
}

// ends waits for the end and checks the exit code.
func (x *terminal) ends(code int) {
	x.t.Helper()
	select {
	case <-x.exited:
	case <-time.After(patience):
		x.t.Fatalf("the process does not end:\n%s", x.shown())
	}
	if got := x.cmd.ProcessState.ExitCode(); got != code {
		x.t.Fatalf("exit %d, want %d:\n%s", got, code, x.shown())
	}
}

// until waits for something outside to become true.
func until(t testing.TB, what string, is func() bool) {
	t.Helper()
	patience := 20 * time.Second
	deadline := time.Now().Add(patience)
	for !is() {
		if time.Now().After(deadline) {
			t.Fatalf("it never came that %s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func (w *world) mustHave(name, text string) {
	w.t.Helper()
	if got := w.read(name); got != text {
		w.t.Fatalf("%s holds %q, want %q", name, got, text)
	}
}

func (w *world) sub(name string) string {
	w.t.Helper()
	dir := fmt.Sprintf("%s/%s", w.root, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	return dir
}
