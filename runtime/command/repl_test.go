package command_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// session is a REPL of the real program at a pseudo terminal.
type session struct {
	t    *testing.T
	tty  *os.File
	cmd  *exec.Cmd
	dir  string
	mu   sync.Mutex
	more *sync.Cond
	out  []byte
	seen int // what was waited for and came
	over bool
	done chan struct{}
}

// patience is how long something may take before a test gives up: it is no measure of anything.
const patience = 20 * time.Second

func begin(t *testing.T, columns uint16, args ...string) *session {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{"home", "work"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return beginIn(t, dir, columns, args...)
}

func beginIn(t *testing.T, dir string, columns uint16, args ...string) *session {
	t.Helper()
	s := &session{t: t, dir: dir, done: make(chan struct{})}
	s.more = sync.NewCond(&s.mu)
	s.cmd = exec.Command("caper", args...)
	s.cmd.Dir = filepath.Join(dir, "work")
	s.cmd.Env = append(os.Environ(), "HOME="+filepath.Join(dir, "home"), "CAPER_HOME="+filepath.Join(dir, "home", "caper"), "TERM=xterm", "LC_ALL=C.UTF-8", "NO_COLOR=1")
	var err error
	if s.tty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.done)
		b := make([]byte, 4096)
		for {
			n, err := s.tty.Read(b)
			s.mu.Lock()
			s.out = append(s.out, b[:n]...)
			s.over = err != nil
			s.more.Broadcast()
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		_ = s.tty.Close()
		<-s.done
	})
	return s
}

func (s *session) send(text string) {
	s.t.Helper()
	if _, err := s.tty.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// expect waits for text after what was waited for before.
func (s *session) expect(text string) string {
	s.t.Helper()
	late := time.AfterFunc(patience, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.over = true
		s.more.Broadcast()
	})
	defer late.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if i := bytes.Index(s.out[s.seen:], []byte(text)); i >= 0 {
			before := string(s.out[s.seen : s.seen+i])
			s.seen += i + len(text)
			return before
		}
		if s.over {
			s.t.Fatalf("%q never came; there was\n%q", text, s.out[s.seen:])
		}
		s.more.Wait()
	}
}

// enter types an input and Enter.
func (s *session) enter(text string) { s.t.Helper(); s.send(text + "\r") }

// wait waits for the end of the program and answers its exit code.
func (s *session) wait() int {
	s.t.Helper()
	late := time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
	defer late.Stop()
	<-s.done
	_ = s.cmd.Wait()
	return s.cmd.ProcessState.ExitCode()
}

const ready = "caper> "

func TestReplAtTerminal(t *testing.T) {
	s := begin(t, 80, "--policy", "yolo")
	s.expect("This is the first run here.")
	s.expect(",help")
	s.expect(ready)
	s.enter("(+ 40 2)")
	s.expect("$1 = 42\r\n")
	s.expect(ready)
	// A form over several lines; the editor indents.
	s.send("(define (double x)\r(* x 2))\r")
	s.expect(ready)
	s.enter("(double $1)")
	s.expect("$3 = 84\r\n")
	s.expect(ready)
	// What fails is shown with its place, and the session goes on.
	s.enter("(car 7)")
	s.expect("input-4:1:1: type-error")
	s.expect("waits)> ")
	// Two inputs typed ahead are two inputs.
	s.send("(list 1)\r(list 2)\r")
	s.expect("$5 = (1)\r\n")
	s.expect("$6 = (2)\r\n")
	// The history goes back over a form as a whole.
	s.expect(ready)
	s.send("\x1b[A\x1b[A\r")
	s.expect("$7 = (1)\r\n")
	s.expect(ready)
	// A search in it: the newest that holds the text.
	s.send("\x12dou")
	s.expect("(double $1)")
	s.send("\r")
	s.expect("$8 = 84\r\n")
	s.expect(ready)
	// Completion: of a name that was defined here, of a command, of a keyword, of a file.
	s.send("(doub\t 4)\r")
	s.expect("$9 = 8\r\n")
	s.expect(ready)
	if err := os.WriteFile(filepath.Join(s.dir, "work", "some-file.txt"), []byte("inside"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.send("(read-file \"some-f\t\" #:off\t 1)\r")
	s.expect("$10 = \"inside\"\r\n")
	s.expect(ready)
	s.send(",sess\t")
	s.expect("list the sessions")
	s.send("\x15\x15(vector-fil\t")
	s.expect("(vector-fill! vector value [start [end]]) Replaces those elements.")
	s.send("\x03")
	s.expect("^C")
	s.expect(ready)
	s.send("\x04")
	if code := s.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	// What was typed is remembered by the next session.
	s = beginIn(t, s.dir, 80, "--policy", "yolo")
	s.expect(ready)
	s.send("\x12some-f")
	s.expect("read-file")
	s.send("\x03\x03\x04")
	s.wait()
}

// groupLives reports whether a process of a group runs. What has ended and waits for whoever is process 1 to take note of it
// runs no more: in a container that may never happen.
func groupLives(group int) bool {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		return syscall.Kill(-group, 0) == nil
	}
	return slices.ContainsFunc(stats, func(path string) bool {
		text, _ := os.ReadFile(path) // one that is gone is empty
		fields := strings.Fields(string(text[1+bytes.LastIndexByte(text, ')'):]))
		return len(fields) > 2 && fields[0] != "Z" && fields[0] != "X" && fields[2] == strconv.Itoa(group)
	})
}

func TestReplInterrupt(t *testing.T) {
	s := begin(t, 80, "--policy", "yolo")
	s.expect(ready)
	// In one write, before the evaluation has begun.
	s.send("(let loop () (loop))\r\x03")
	s.expect("^C")
	s.expect(ready)
	// In the middle of it; what was typed ahead goes with it.
	s.enter("(begin (display \"begun\") (newline) (let loop () (loop)))")
	s.expect("begun\r\n")
	s.send("(display \"ahead\")\r\x03")
	s.expect("^C")
	if between := s.expect(ready); strings.Contains(between, "ahead") {
		t.Errorf("typed ahead and run: %q", between)
	}
	// A command of the program: its whole group is gone.
	s.enter(`(bash "echo $$ > pid; sleep 1000 & sleep 1000")`)
	pid := 0
	for deadline := time.Now().Add(patience); pid == 0; {
		text, _ := os.ReadFile(filepath.Join(s.dir, "work", "pid"))
		if strings.HasSuffix(string(text), "\n") {
			fmt.Sscan(string(text), &pid)
		}
		if time.Now().After(deadline) {
			t.Fatal("the command never began")
		}
	}
	group, err := syscall.Getpgid(pid)
	if err != nil {
		t.Fatal(err)
	}
	s.send("\x03")
	s.expect("^C")
	s.expect(ready)
	for deadline := time.Now().Add(patience); groupLives(group); {
		if time.Now().After(deadline) {
			t.Fatal("the process group is still there")
		}
	}
	s.enter("(+ 1 1)")
	s.expect(" = 2\r\n")
	s.expect(ready)
	s.send("\x04")
	if code := s.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestReplPaste(t *testing.T) {
	s := begin(t, 80)
	s.expect(ready)
	var text strings.Builder
	text.WriteString("(define pasted \"")
	for i := range 500 {
		fmt.Fprintf(&text, "line %d\twith λ 日本 👩‍👩‍👧 e\u0301 \\\\ and more\r\n", i)
	}
	text.WriteString("\")")
	s.send("\x1b[200~" + text.String() + "\x1b[201~")
	s.send("\r")
	s.expect(ready)
	want := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(text.String(), "(define pasted \""), "\")"), "\r\n", "\n")
	want = strings.ReplaceAll(want, `\\`, `\`)
	s.enter(`(call-with-output-file "out.txt" (lambda (p) (write-string pasted p)))`)
	s.expect("y once")
	s.send("y\r")
	s.expect(ready)
	got, err := os.ReadFile(filepath.Join(s.dir, "work", "out.txt"))
	if err != nil || string(got) != want {
		t.Errorf("%d bytes, %v, want %d", len(got), err, len(want))
	}
	s.send("\x04")
	s.wait()
}

func TestReplQuestion(t *testing.T) {
	s := begin(t, 80)
	if err := os.WriteFile(filepath.Join(s.dir, "work", "a.txt"), []byte("old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.expect(ready)
	// A y typed before the question stands is no answer to it; d shows the difference.
	s.send("(write-file \"a.txt\" \"new\\n\")\ry\r")
	s.expect("y once")
	s.send("d\r")
	s.expect("-old")
	s.expect("+new")
	if text, _ := os.ReadFile(filepath.Join(s.dir, "work", "a.txt")); string(text) != "old\n" {
		t.Error("written before it was allowed")
	}
	s.send("n\r")
	s.expect("denied")
	s.expect("waits)> ")
	s.enter("(write-file \"a.txt\" \"new\\n\")")
	s.expect("y once")
	s.send("y\r")
	s.expect(ready)
	if text, _ := os.ReadFile(filepath.Join(s.dir, "work", "a.txt")); string(text) != "new\n" {
		t.Errorf("a.txt holds %q", text)
	}
	// Ctrl-C at a question ends what asks.
	s.enter("(write-file \"a.txt\" \"never\\n\")")
	s.expect("y once")
	s.send("\x03")
	s.expect(ready)
	s.send("\x04")
	s.wait()
}

func TestReplBackground(t *testing.T) {
	s := begin(t, 80, "--policy", "yolo")
	s.expect(ready)
	s.enter(`(define job (background (lambda () (bash "while ! test -e go; do sleep 0.01; done; echo ended"))))`)
	s.expect(ready)
	s.send("(list 'typed-mean")
	s.expect("typed-mean")
	if err := os.WriteFile(filepath.Join(s.dir, "work", "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s.expect("; background ")
	s.expect("ended")
	s.expect("(list 'typed-mean")
	s.send("while)\r")
	s.expect("$2 = (typed-meanwhile)\r\n")
	s.expect(ready)
	s.send("\x04")
	if code := s.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestReplLiner(t *testing.T) {
	s := begin(t, 80, "--editor=liner")
	s.expect(ready)
	s.enter("(+ 40 2)")
	s.expect("$1 = 42\r\n")
	s.expect(ready)
	s.enter("(define (f x)")
	s.expect("     > ")
	s.enter("(* x 2))")
	s.expect(ready)
	s.enter("(begin (display \"begun\") (newline) (let loop () (loop)))")
	s.expect("begun\r\n")
	s.send("\x03")
	s.expect(ready)
	s.enter("(f $1)")
	s.expect("$4 = 84\r\n")
	s.expect(ready)
	s.enter("(write-file \"a.txt\" \"new\")")
	s.expect("y once")
	s.enter("n")
	s.expect("denied")
	s.expect("waits)> ")
	s.send("\x04")
	if code := s.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestReplPlain(t *testing.T) {
	s := begin(t, 80, "--editor=plain")
	s.expect(ready)
	s.enter("(+ 40 2)")
	s.expect("$1 = 42\r\n")
	s.expect(ready)
	s.enter("(begin (display \"begun\") (newline) (let loop () (loop)))")
	s.expect("begun\r\n")
	s.send("\x03")
	s.expect(ready)
	s.enter("(half typed")
	s.expect("     > ")
	s.send("\x03")
	s.expect(ready)
	s.enter("(+ $1 1)")
	s.expect(" = 43\r\n")
	s.expect(ready)
	s.send("\x04")
	if code := s.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// beginTwo is a session that owns the store, and one beside it.
func beginTwo(t *testing.T) (owns, guest *session) {
	t.Helper()
	owns = begin(t, 80, "--policy", "yolo")
	owns.expect(ready)
	owns.enter("(+ 1 1)")
	owns.expect("$1 = 2\r\n")
	owns.expect(ready)
	guest = beginIn(t, owns.dir, 80, "--policy", "yolo")
	guest.expect(ready)
	return owns, guest
}

// TestReplGuest: a session beside another, which owns the store, and on after that one is gone.
func TestReplGuest(t *testing.T) {
	owns, s := beginTwo(t)
	s.enter("(define (f x) (* x 2))")
	s.expect(ready)
	s.enter("(f 21)")
	s.expect("$2 = 42\r\n")
	s.expect(ready)
	s.enter("(begin (display \"begun\") (newline) (let loop () (loop)))")
	s.expect("begun\r\n")
	s.send("\x03")
	s.expect("^C")
	s.expect(ready)
	s.enter("(background (lambda () (bash \"while ! test -e go; do sleep 0.01; done\")))")
	s.expect("$4 = ")
	s.expect(ready)
	if err := os.WriteFile(filepath.Join(s.dir, "work", "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s.expect("; background ")
	owns.send("\x04")
	if code := owns.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.enter("(f $2)")
	s.expect(" = 84\r\n")
	s.expect(ready)
	s.send("\x04")
	if code := s.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestReplEdit: an input is written anew by an editor, which has the terminal meanwhile.
func TestReplEdit(t *testing.T) {
	s := begin(t, 80)
	editor := filepath.Join(s.dir, "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\necho at work\nread line\necho \"(list $line)\" > \"$1\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.expect(ready)
	s.send("\x04")
	s.wait()
	t.Setenv("VISUAL", editor)
	s = beginIn(t, s.dir, 80)
	s.expect(ready)
	s.enter("(list 1)")
	s.expect("$1 = (1)\r\n")
	s.expect(ready)
	s.send(",edit\r")
	s.expect("at work")
	s.send("7 8\n")
	s.expect("$2 = (7 8)\r\n")
	s.expect(ready)
	s.enter("(+ 1 2)")
	s.expect("$3 = 3\r\n")
	s.expect(ready)
	s.send("\x04")
	s.wait()
}

// TestReplHangUp: a terminal that goes away ends the session, and what runs.
func TestReplHangUp(t *testing.T) {
	s := begin(t, 80, "--policy", "yolo")
	s.expect(ready)
	s.enter("(begin (display \"begun\") (newline) (let loop () (loop)))")
	s.expect("begun\r\n")
	if err := s.tty.Close(); err != nil {
		t.Fatal(err)
	}
	s.wait()
	if s.cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		t.Error("it went on without a terminal")
	}
}

// TestReplNarrow: any width will do.
func TestReplNarrow(t *testing.T) {
	for _, columns := range []uint16{0, 10, 40, 300} {
		s := begin(t, columns)
		s.expect("caper> ")
		s.enter("(+ 40 2)")
		s.expect("= 42")
		s.expect("caper> ")
		s.send("\x04")
		if code := s.wait(); code != 0 {
			t.Errorf("%d columns: exit code %d", columns, code)
		}
	}
}

// TestReplSplit: sequences and signs that come byte by byte are whole; messages leave a search alone.
func TestReplSplit(t *testing.T) {
	s := begin(t, 80)
	s.expect(ready)
	for _, b := range []byte("\x1b[200~(string-length \"λ日👍\")\x1b[201~\x1b[D\x1b[C\r") {
		s.send(string([]byte{b}))
	}
	s.expect("$1 = 3\r\n")
	s.expect(ready)
	s.send("\x12str")
	s.expect("history: str")
	s.send("\x07")
	s.expect(ready)
	s.send("\x04")
	s.wait()
}

// TestReplPipe: a line of a pipe may be long, and nothing but results is written.
func TestReplPipe(t *testing.T) {
	long := strings.Repeat("λ", 100_000)
	c := exec.Command("caper", "--unattended")
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "CAPER_HOME="+c.Dir+"/home")
	c.Stdin = strings.NewReader("(string-length \"" + long + "\")\n(read-line)\nthis line\n(list (read-line))\nnext line\n")
	out, err := c.Output()
	if want := "100000\n\"this line\"\n(\"next line\")\n"; err != nil || string(out) != want {
		t.Errorf("%v: %q, want %q", err, out, want)
	}
}

// TestReplBackgroundAsks: what asks in the background takes no key of what is being typed; it is answered by a command.
func TestReplBackgroundAsks(t *testing.T) {
	s := begin(t, 100)
	s.expect(ready)
	s.enter("(define job (background (lambda () (bash \"echo yes > asked\"))))")
	s.expect(",approve ")
	id, _, _ := strings.Cut(s.expect(" answers"), " ")
	s.send("(list 'y)\r")
	s.expect("$2 = (y)\r\n")
	s.expect(ready)
	if _, err := os.Stat(filepath.Join(s.dir, "work", "asked")); err == nil {
		t.Error("done before it was allowed")
	}
	s.enter(",approve " + id)
	s.expect("; background ")
	s.expect("settled")
	s.send("\x04")
	if code := s.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if text, _ := os.ReadFile(filepath.Join(s.dir, "work", "asked")); string(text) != "yes\n" {
		t.Errorf("%q was written", text)
	}
}

// TestReplLeaves: what still runs in the background when the session ends is parked, and can be gone on with.
func TestReplLeaves(t *testing.T) {
	s := begin(t, 100, "--policy", "yolo")
	s.expect(ready)
	s.enter("(define job (background (lambda () (bash \"echo begun > begun; sleep 1000\"))))")
	s.expect(ready)
	s.enter("job")
	s.expect("$2 = ")
	s.expect(ready)
	s.send("\x04")
	if code := s.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestRestarts: an input that failed waits, and goes on with a call made again or with a value; a session that is made again
// from its record, and a script of it, come to the same.
func TestRestarts(t *testing.T) {
	s := begin(t, 100, "--policy", "yolo")
	late := filepath.Join(s.dir, "work", "late.txt")
	s.expect(ready)
	s.enter(`(define (got) (string-append "got " (read-file "late.txt")))`)
	s.expect(ready)
	s.enter(`(define text (got))`)
	s.expect("in got at input-1:1:")
	s.expect(`,retry makes the call (read-file "late.txt") again`)
	s.expect("caper (input 2 waits)> ")
	s.enter(",retry") // nothing has changed
	s.expect("in got at input-1:1:")
	s.expect("waits)> ")
	if err := os.WriteFile(late, []byte("it"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.enter(",retry")
	s.expect(ready)
	s.enter("text")
	s.expect(`$3 = "got it"`)
	s.expect(ready)
	s.enter("(define (f x) (+ 1 (car x)))")
	s.expect(ready)
	s.enter("(list (f 7) 2)")
	s.expect("waits)> ")
	s.enter(",locals")
	s.expect("x = 7\r\n")
	s.enter(",use")
	s.expect("wants one expression")
	s.enter(",use (vector-ref (vector) (string-length $3))") // fails too
	s.expect("vector-ref")
	s.expect("waits)> ")
	s.enter(",retry")
	s.expect("no call failed")
	s.enter(",use (string-length $3) ; as long")
	s.expect("$5 = (7 2)")
	s.expect(ready)
	s.enter("(f 8)")
	s.expect("waits)> ")
	s.enter(",abort")
	s.expect("caper> ")
	s.enter(",abort")
	s.expect("no input waits")
	s.enter("(f 9)")
	s.expect("waits)> ")
	s.enter("(define last (f '(41)))") // ends the one that waits
	s.expect(ready)
	s.enter("last")
	s.expect("$9 = 42")
	s.expect(ready)
	if err := os.Remove(late); err != nil {
		t.Fatal(err)
	}
	s.enter(",rewind 5") // its machine is made again from the record
	s.expect(ready)
	s.enter("(list text $5)")
	s.expect(`$10 = ("got it" (7 2))`)
	s.expect(ready)
	s.enter("(define again (list text $5)) again")
	s.expect(ready)
	s.enter(",save saved.scm")
	s.expect("holds 11 inputs")
	s.enter("(f 10)")
	s.expect("waits)> ")
	s.enter(",quit")
	if code := s.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if err := os.WriteFile(late, []byte("it"), 0o644); err != nil {
		t.Fatal(err)
	}
	fresh := exec.Command("caper", "run", "--value", "--policy", "yolo", "saved.scm")
	fresh.Dir, fresh.Env = s.cmd.Dir, append(s.cmd.Env, "CAPER_HOME="+filepath.Join(s.dir, "fresh"))
	out, err := fresh.CombinedOutput()
	if err != nil || string(out) != "(\"got it\" (7 2))\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// TestReplHandedOver: an input goes on, and has its value, when the session that owned the store ends in the middle of it.
func TestReplHandedOver(t *testing.T) {
	owns, s := beginTwo(t)
	s.enter("(define x 40)")
	s.expect(ready)
	s.enter("(begin (bash \"while ! test -e go; do sleep 0.01; done\") (+ x 2))")
	s.expect("while ! test") // it is typed,
	s.expect("● input-2")    // and runs
	owns.send("\x04")
	owns.expect("still running here")
	if err := os.WriteFile(filepath.Join(s.dir, "work", "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s.expect("$2 = 42\r\n")
	s.expect(ready)
	s.enter("(list x $2)")
	s.expect("$3 = (40 42)\r\n")
	if code := owns.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	s.send("\x04")
	if code := s.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestRestartsOfGuest: an input waits for its person also where another process has the store.
func TestRestartsOfGuest(t *testing.T) {
	owner := begin(t, 80)
	owner.expect(ready)
	owner.enter("1")
	owner.expect("$1 = 1")
	s := beginIn(t, owner.dir, 80)
	s.expect(ready)
	s.enter("(define (f x) (+ 1 (car x)))")
	s.expect(ready)
	s.enter("(f 5)")
	s.expect("waits)> ")
	s.enter(",locals")
	s.expect("x = 5\r\n")
	s.enter(",use 41 ; a number")
	s.expect("$2 = 42\r\n")
	s.expect(ready)
	s.enter("(f 6)")
	s.expect("waits)> ")
	s.enter("(+ 1 1)")
	s.expect("$4 = 2\r\n")
}
