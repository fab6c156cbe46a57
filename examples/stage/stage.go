// Package stage runs the examples as real processes, with a home, a workspace and a store of their own, with or without
// a terminal. Only the tests of the examples import it.
package stage

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"caper/runtime/command"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
)

// Main makes the test binary answer to the name caper too.
func Main(m *testing.M) {
	testscript.Main(m, map[string]func(){"caper": func() { os.Exit(command.Main()) }})
}

// Stage is a home and a workspace.
type Stage struct {
	t         *testing.T
	Home, Dir string
}

// New makes an empty stage.
func New(t *testing.T) *Stage {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &Stage{t: t, Home: filepath.Join(base, "home"), Dir: filepath.Join(base, "work")}
	for _, d := range []string{s.Home, s.Dir} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// Clone puts the folder of the example where it lies in a clone of the repository: what a README says is said from there.
func (s *Stage) Clone() *Stage {
	s.t.Helper()
	here := s.Example("")
	to := filepath.Join(s.Dir, "examples", filepath.Base(here))
	if err := os.CopyFS(to, os.DirFS(here)); err != nil {
		s.t.Fatal(err)
	}
	return s
}

var (
	commands = regexp.MustCompile(`(?m)^    caper ([^#\n]*)`)
	words    = regexp.MustCompile(`'([^']*)'|(\S+)`)
)

// Readme are the commands of caper that the README names, each as its words.
func (s *Stage) Readme() (all [][]string) {
	s.t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		s.t.Fatal(err)
	}
	for _, line := range commands.FindAllStringSubmatch(string(text), -1) {
		var args []string
		for _, w := range words.FindAllStringSubmatch(line[1], -1) {
			args = append(args, w[1]+w[2])
		}
		all = append(all, args)
	}
	return all
}

// Example is the absolute path of a file beside the test.
func (s *Stage) Example(name string) string {
	s.t.Helper()
	p, err := filepath.Abs(name)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// Write puts a file into the workspace.
func (s *Stage) Write(name, text string, mode os.FileMode) {
	s.t.Helper()
	p := filepath.Join(s.Dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), mode); err != nil {
		s.t.Fatal(err)
	}
}

// Read is a file of the workspace; "" when there is none.
func (s *Stage) Read(name string) string {
	b, err := os.ReadFile(filepath.Join(s.Dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.t.Fatal(err)
	}
	return string(b)
}

// Ended is what a process left behind.
type Ended struct {
	Out, Err string
	Code     int
	Took     time.Duration
}

func (r Ended) String() string { return fmt.Sprintf("exit %d\n%s%s", r.Code, r.Out, r.Err) }

func (s *Stage) command(dir, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "CAPER_HOME="+filepath.Join(s.Home, ".caper"), "HOME="+s.Home, "TERM=xterm", "NO_COLOR=1", "LANG=C.UTF-8", "LC_ALL=")
	return c
}

// Run runs caper without a terminal.
func (s *Stage) Run(args ...string) Ended {
	s.t.Helper()
	c := s.command(s.Dir, "caper", args...)
	var out, errs strings.Builder
	c.Stdout, c.Stderr = &out, &errs
	begin := time.Now()
	err := c.Run()
	return Ended{out.String(), errs.String(), s.code(err), time.Since(begin)}
}

// Does runs caper, which has to come to a good end, and answers what it printed.
func (s *Stage) Does(args ...string) string {
	s.t.Helper()
	r := s.Run(args...)
	if r.Code != 0 {
		s.t.Fatalf("caper %s: %v", strings.Join(args, " "), r)
	}
	return r.Out
}

func (s *Stage) code(err error) int {
	s.t.Helper()
	var e *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return e.ExitCode()
	}
	s.t.Fatal(err)
	return -1
}

// Terminal is a running process with a person before it.
type Terminal struct {
	s    *Stage
	cmd  *exec.Cmd
	tty  *os.File
	mu   sync.Mutex
	text strings.Builder
	more chan struct{}
	gone chan struct{}
}

// Open starts caper at a terminal.
func (s *Stage) Open(args ...string) *Terminal {
	s.t.Helper()
	return s.open(s.command(s.Dir, "caper", args...))
}

// Shell has a shell at a terminal run a line in a folder.
func (s *Stage) Shell(dir, line string) *Terminal {
	s.t.Helper()
	return s.open(s.command(dir, "sh", "-c", line))
}

func (s *Stage) open(c *exec.Cmd) *Terminal {
	s.t.Helper()
	tty, err := pty.StartWithSize(c, &pty.Winsize{Rows: 50, Cols: 120})
	if err != nil {
		s.t.Fatal(err)
	}
	x := &Terminal{s: s, cmd: c, tty: tty, more: make(chan struct{}, 1), gone: make(chan struct{})}
	go func() {
		defer close(x.gone)
		_, _ = io.Copy(writer{x}, tty) // ends with an error when the process has gone
	}()
	s.t.Cleanup(func() {
		_ = c.Process.Kill()
		tty.Close()
	})
	return x
}

type writer struct{ x *Terminal }

func (w writer) Write(b []byte) (int, error) {
	w.x.mu.Lock()
	defer w.x.mu.Unlock()
	w.x.text.Write(b)
	select {
	case w.x.more <- struct{}{}:
	default:
	}
	return len(b), nil
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// Shown is all that was shown, without what moves the cursor.
func (x *Terminal) Shown() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return strings.ReplaceAll(escapes.ReplaceAllString(x.text.String(), ""), "\r", "")
}

const patience = 2 * time.Minute

// await waits until the terminal shows a text, and reports false when it did not within the time.
func (x *Terminal) await(text string, within time.Duration) bool {
	limit := time.After(within)
	for !strings.Contains(x.Shown(), text) {
		select {
		case <-x.more:
		case <-x.gone:
			return strings.Contains(x.Shown(), text)
		case <-limit:
			return false
		}
	}
	return true
}

// Answer waits for a question and types an answer until the text that follows it is shown: what is typed before a
// question stands is dropped.
func (x *Terminal) Answer(question, answer, then string) {
	x.s.t.Helper()
	if !x.await(question, patience) {
		x.s.t.Fatalf("never asked %q:\n%s", question, x.Shown())
	}
	for range 30 {
		if _, err := io.WriteString(x.tty, answer+"\r"); err != nil {
			break
		}
		if x.await(then, 2*time.Second) {
			return
		}
	}
	x.s.t.Fatalf("after %q never showed %q:\n%s", answer, then, x.Shown())
}

// Wait waits for the end.
func (x *Terminal) Wait() Ended {
	x.s.t.Helper()
	err := x.cmd.Wait()
	<-x.gone
	return Ended{Out: x.Shown(), Code: x.s.code(err)}
}
