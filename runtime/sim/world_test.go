package sim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"
)

// world is one home, one workspace and one file outside of both in which external effects leave a line each.
type world struct {
	t          testing.TB
	root       string
	home, work string
	counter    string
	durability string
}

func newWorld(t testing.TB, durability string) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, root: root, home: filepath.Join(root, "home"), work: filepath.Join(root, "work"),
		counter: filepath.Join(root, "counter"), durability: durability}
	for _, d := range []string{w.work, w.home} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(w.killLeft)
	return w
}

// write puts a file into the workspace.
func (w *world) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.work, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(path string) string {
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	return string(b)
}

// lines answers the lines of the counter, sorted: the external effects that took place, seen from outside.
func (w *world) lines() []string {
	text := strings.TrimSuffix(w.read(w.counter), "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	sort.Strings(lines)
	return lines
}

// files is the workspace as one text: every path with its content.
func (w *world) files() string {
	var out strings.Builder
	err := filepath.WalkDir(w.work, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && path != w.work {
				fmt.Fprintf(&out, "%s/\n", strings.TrimPrefix(path, w.work))
			}
			return err
		}
		fmt.Fprintf(&out, "%s: %q\n", strings.TrimPrefix(path, w.work), w.read(path))
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out.String()
}

// environ is what the process under test sees. Programs are saved at every wait.
func (w *world) environ(extra ...string) []string {
	return append([]string{"HOME=" + w.root, "CAPER_HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "USER=tester",
		"COUNTER=" + w.counter, "CAPER_SNAPSHOT=1"}, extra...)
}

// result is how a process ended.
type result struct {
	stdout, stderr string
	code           int
	killed         bool // by SIGKILL
}

func (r result) String() string {
	return fmt.Sprintf("exit %d killed %v\nstdout: %s\nstderr: %s", r.code, r.killed, r.stdout, r.stderr)
}

// patience is how long one process may take on a machine that is busy.
const patience = 40 * time.Second

// command is a process of the binary under test, in the workspace.
func (w *world) command(ctx context.Context, env []string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, caper, args...)
	c.Dir, c.Env = w.work, w.environ(env...)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGQUIT) } // what hangs says where
	c.WaitDelay = 5 * time.Second
	return c
}

// caper runs the binary under test to its end.
func (w *world) caper(env []string, args ...string) result {
	w.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	c := w.command(ctx, env, args...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	err := c.Run()
	if ctx.Err() != nil {
		w.t.Fatalf("caper %v did not end within %v\nstdout: %s\nstderr: %s", args, patience, &stdout, &stderr)
	}
	return ended(w.t, err, stdout.String(), stderr.String())
}

func ended(t testing.TB, err error, stdout, stderr string) result {
	t.Helper()
	r := result{stdout: stdout, stderr: stderr}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		status := exit.Sys().(syscall.WaitStatus)
		r.killed = status.Signaled() && status.Signal() == syscall.SIGKILL
		r.code = exit.ExitCode()
	} else if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		t.Fatal(err)
	}
	return r
}

// ok runs a command that must succeed and answers what it printed.
func (w *world) ok(args ...string) string {
	w.t.Helper()
	r := w.caper(nil, args...)
	if r.code != 0 {
		w.t.Fatalf("caper %v: %v", args, r)
	}
	return r.stdout
}

// left lists the processes that carry the mark of this world's store: commands that a killed owner left running.
func (w *world) left() []int {
	id := strings.TrimSpace(w.read(filepath.Join(w.home, "id")))
	if id == "" {
		return nil
	}
	var pids []int
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range all {
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(env, []byte("CAPER_CALL="+id+".")) {
			continue
		}
		var pid int
		if _, err := fmt.Sscanf(path, "/proc/%d/environ", &pid); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// killLeft ends what a failed test left running.
func (w *world) killLeft() {
	for _, pid := range w.left() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// noneLeft fails when a marked process lives. One that is being torn down has a moment to go.
func (w *world) noneLeft() error {
	deadline := time.Now().Add(3 * time.Second)
	for {
		pids := w.left()
		if len(pids) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("processes left over: %v", pids)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
