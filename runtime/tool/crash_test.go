package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// These tests kill a real process at every border of every effect, again while it recovers, and check that finishing then yields
// exactly the one effect.

// crashRun is what a child process is told.
type crashRun struct {
	Tool, Dir, Spool, Blobs, Facts string
	Args                           map[string]any
	Point                          string // to die at
	Nth                            int    // occurrence of the point, from 1
	Finish                         bool   // recover first
	Streamed                       bool   // die at the first output instead
}

func TestMain(m *testing.M) {
	if text := os.Getenv("CRASH_RUN"); text != "" {
		var run crashRun
		if err := json.Unmarshal([]byte(text), &run); err != nil {
			panic(err)
		}
		if _, err := run.do(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if mark := os.Getenv("END_MARKED"); mark != "" {
		if err := endBesideOthers(mark); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

type dirBlobs string

func (b dirBlobs) Put(pieces ...[]byte) (string, error) {
	data := bytes.Join(pieces, nil)
	ref := hashOf(data)
	return ref, os.WriteFile(filepath.Join(string(b), ref), data, 0o600)
}

func (b dirBlobs) Get(ref string) ([]byte, error) { return os.ReadFile(filepath.Join(string(b), ref)) }

func (c *crashRun) env() *Env {
	seen := 0
	e := &Env{
		Workspace: c.Dir, Cwd: c.Dir, Environ: os.Environ(), Spool: c.Spool, CallID: "crash." + filepath.Base(filepath.Dir(c.Facts)) + ".1",
		Blobs: dirBlobs(c.Blobs), Umask: 0o022, Sync: true,
	}
	e.CallID = strings.ReplaceAll(e.CallID, "/", ".") + hashOf([]byte(c.Facts))[:8]
	die := func() { syscall.Kill(os.Getpid(), syscall.SIGKILL) }
	if c.Point != "" {
		e.Fault = func(p string) {
			if p == c.Point {
				if seen++; seen == c.Nth {
					die()
				}
			}
		}
	}
	if c.Streamed {
		e.Stream = func(string, []byte) { die() }
	}
	return e
}

func (c *crashRun) tool() *Tool {
	for _, t := range All() {
		if t.Name == c.Tool {
			return t
		}
	}
	panic(c.Tool)
}

func (c *crashRun) args() Args {
	args := Args{}
	for k, v := range c.Args {
		args[k] = v
	}
	return args
}

// do runs the call, or finishes it, and keeps its facts in a file before each effect.
func (c *crashRun) do() (Result, error) {
	ctx, env, tool, args := context.Background(), c.env(), c.tool(), c.args()
	defer env.Close()
	for range 10 {
		f, r, err := c.facts(ctx, env, tool, args)
		if err != nil || r != nil {
			return *r, err
		}
		if env.Resolved, err = Resolve(env, tool, args); err != nil {
			return Result{}, err
		}
		if f == nil {
			if f, err = tool.Prepare(ctx, env, args); err != nil {
				return Result{}, err
			}
		}
		text, _ := json.Marshal(f)
		if err := os.WriteFile(c.Facts+".new", text, 0o600); err != nil {
			return Result{}, err
		}
		if err := os.Rename(c.Facts+".new", c.Facts); err != nil {
			return Result{}, err
		}
		result, err := tool.Perform(ctx, env, args, f)
		if !Stale(err) {
			return result, err
		}
	}
	return Result{}, errors.New("the facts never held")
}

// facts answers the facts to perform with (nil: measure them), or the result if recovery found the effect done.
func (c *crashRun) facts(ctx context.Context, env *Env, tool *Tool, args Args) (Facts, *Result, error) {
	text, err := os.ReadFile(c.Facts)
	if !c.Finish || err != nil {
		return nil, nil, nil
	}
	f := Facts{}
	var raw map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&raw); err != nil {
		return nil, &Result{}, err
	}
	for k, v := range raw {
		if n, ok := v.(json.Number); ok {
			f[k], _ = n.Int64()
		} else {
			f[k] = v
		}
	}
	r, err := tool.Recover(ctx, env, args, f)
	switch {
	case err != nil:
		return nil, &Result{}, err
	case r.Outcome == NotDone:
		return nil, nil, nil
	case r.Outcome == Redo:
		return r.Facts, nil, nil
	case r.Outcome == Done:
		return nil, &r.Result, nil
	}
	return nil, &Result{}, fmt.Errorf("%v: %s", r.Outcome, r.Reason)
}

// child runs c in a process of its own and reports whether it was killed.
func (c crashRun) child(t *testing.T) bool {
	t.Helper()
	text, _ := json.Marshal(c)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CRASH_RUN="+string(text))
	out, err := cmd.CombinedOutput()
	if err == nil {
		return false
	}
	if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGKILL {
		t.Fatalf("%v: %s", err, out)
	}
	return true
}

type crashCase struct {
	name, tool string
	args       map[string]any
	setup      func(w *world)
	want       map[string]string // all files afterwards
}

func crashCases() []crashCase {
	long := strings.Repeat("before\n", 50)
	return []crashCase{
		{"write new", "write-file", map[string]any{"path": "a/b/f", "data": "new"}, func(w *world) {}, map[string]string{"a/b/f": "new"}},
		{"write over", "write-file", map[string]any{"path": "f", "data": "new"}, func(w *world) { w.write("f", long) }, map[string]string{"f": "new"}},
		{"write the same", "write-file", map[string]any{"path": "f", "data": "same"}, func(w *world) { w.write("f", "same") }, map[string]string{"f": "same"}},
		{"write empty", "write-file", map[string]any{"path": "f", "data": ""}, func(w *world) { w.write("f", "x") }, map[string]string{"f": ""}},
		{"write through a link", "write-file", map[string]any{"path": "l", "data": "new"}, func(w *world) {
			w.write("f", "x")
			os.Symlink("f", filepath.Join(w.dir, "l"))
		}, map[string]string{"f": "new", "l": "new"}},
		{"write a file of two names", "write-file", map[string]any{"path": "f", "data": "newer and shorter"}, func(w *world) {
			w.write("f", long)
			os.Link(filepath.Join(w.dir, "f"), filepath.Join(w.dir, "g"))
		}, map[string]string{"f": "newer and shorter", "g": "newer and shorter"}},
		{"write more to a file of two names", "write-file", map[string]any{"path": "f", "data": long + long}, func(w *world) {
			w.write("f", "short")
			os.Link(filepath.Join(w.dir, "f"), filepath.Join(w.dir, "g"))
		}, map[string]string{"f": long + long, "g": long + long}},
		{"append", "append-file", map[string]any{"path": "f", "data": "more"}, func(w *world) { w.write("f", "some ") }, map[string]string{"f": "some more"}},
		{"append to new", "append-file", map[string]any{"path": "a/f", "data": "more"}, func(w *world) {}, map[string]string{"a/f": "more"}},
		{"append what is there", "append-file", map[string]any{"path": "f", "data": "xx"}, func(w *world) { w.write("f", "xx") }, map[string]string{"f": "xxxx"}},
		{"edit", "edit-file", map[string]any{"path": "f", "old": "b", "new": "bbb"}, func(w *world) { w.write("f", "abc") }, map[string]string{"f": "abbbc"}},
		{"edit a file of two names", "edit-file", map[string]any{"path": "f", "old": "before", "new": "then", "all": true}, func(w *world) {
			w.write("f", long)
			os.Link(filepath.Join(w.dir, "f"), filepath.Join(w.dir, "g"))
		}, map[string]string{"f": strings.ReplaceAll(long, "before", "then"), "g": strings.ReplaceAll(long, "before", "then")}},
		{"move", "move-file", map[string]any{"from": "f", "to": "a/g"}, func(w *world) { w.write("f", "x") }, map[string]string{"a/g": "x"}},
		{"move a folder", "move-file", map[string]any{"from": "d", "to": "e"}, func(w *world) { w.write("d/f", "x") }, map[string]string{"e/f": "x"}},
		{"delete", "delete-file", map[string]any{"path": "f"}, func(w *world) { w.write("f", "x", "g", "y") }, map[string]string{"g": "y"}},
		{"delete a folder", "delete-file", map[string]any{"path": "d"}, func(w *world) { os.Mkdir(filepath.Join(w.dir, "d"), 0o755) }, map[string]string{}},
		{"make a folder", "make-dir", map[string]any{"path": "a/b/c"}, func(w *world) {}, map[string]string{}},
	}
}

// start makes a fresh world for a case.
func (c crashCase) start(t *testing.T) (*world, crashRun) {
	w := newWorld(t)
	c.setup(w)
	keep := t.TempDir()
	return w, crashRun{Tool: c.tool, Args: c.args, Dir: w.dir, Spool: filepath.Join(keep, "spool"), Blobs: keep, Facts: filepath.Join(keep, "facts")}
}

// points lists the borders that a call passes, with how often, and the receipt of the call.
func (c crashCase) points(t *testing.T) ([]crashRun, Receipt) {
	_, run := c.start(t)
	env := run.env()
	counts := map[string]int{}
	var all []crashRun
	env.Fault = func(p string) {
		counts[p]++
		all = append(all, crashRun{Point: p, Nth: counts[p]})
	}
	tool, args := run.tool(), run.args()
	var err error
	if env.Resolved, err = Resolve(env, tool, args); err != nil {
		t.Fatal(err)
	}
	f, err := tool.Prepare(context.Background(), env, args)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tool.Perform(context.Background(), env, args, f)
	if err != nil {
		t.Fatal(err)
	}
	return all, r.Receipt
}

func (c crashCase) check(t *testing.T, w *world, run crashRun, receipt Receipt, what string) {
	t.Helper()
	run.Finish = true
	run.Point = ""
	r, err := run.do()
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if diff := cmp.Diff(receipt, r.Receipt); diff != "" {
		t.Errorf("%s: the receipt (-unbroken +recovered):\n%s", what, diff)
	}
	var files []string
	for _, name := range w.names() {
		if info, err := os.Stat(filepath.Join(w.dir, name)); err == nil && !info.IsDir() {
			files = append(files, name)
			if got := w.read(name); got != c.want[name] {
				t.Errorf("%s: %s has %.60q, want %.60q", what, name, got, c.want[name])
			}
		}
	}
	if len(files) != len(c.want) {
		t.Errorf("%s: files %q", what, files)
	}
	_, err = os.Stat(filepath.Join(w.dir, "a/b/c"))
	if c.tool == "make-dir" && err != nil || c.name == "delete a folder" && slices.Contains(w.names(), "d") {
		t.Errorf("%s: %q", what, w.names())
	}
}

func TestCrashAtEveryBorder(t *testing.T) {
	for _, c := range crashCases() {
		t.Run(c.name, func(t *testing.T) {
			points, receipt := c.points(t)
			if len(points) < 2 {
				t.Fatalf("borders: %v", points)
			}
			for _, p := range points {
				w, run := c.start(t)
				run.Point, run.Nth = p.Point, p.Nth
				if !run.child(t) {
					t.Fatalf("%s %d was not reached", p.Point, p.Nth)
				}
				c.check(t, w, run, receipt, p.Point)
			}
			if testing.Short() {
				return
			}
			// A second kill, while finishing.
			for _, p := range points {
				for _, q := range points {
					w, run := c.start(t)
					run.Point, run.Nth = p.Point, p.Nth
					run.child(t)
					run.Finish = true
					run.Point, run.Nth = q.Point, q.Nth
					run.child(t) // it need not get there again
					c.check(t, w, run, receipt, p.Point+", then "+q.Point)
				}
			}
		})
	}
}

func TestBashOwnerKilled(t *testing.T) {
	const quick = "echo x >>effects; echo out; echo err >&2; exit 4"
	for _, c := range []struct {
		point    string
		command  string
		streamed bool
		outcomes []Outcome
		effects  int // −1: none or one
	}{
		{"before-release", quick, false, []Outcome{NotDone}, 0},
		{"released", quick, false, []Outcome{NotDone, Done, Unknown}, -1},
		{"exited", quick, false, []Outcome{Done}, 1},
		{"spooled", quick, false, []Outcome{Done}, 1},
		{"", "echo x >>effects; echo out; sleep 60", true, []Outcome{Unknown}, 1},
		{"", "echo x >>effects; echo out; setsid sleep 60 & sleep 60", true, []Outcome{Unknown}, 1},
		{"", "trap '' TERM; echo x >>effects; echo out; while :; do sleep 60; done", true, []Outcome{Unknown}, 1},
	} {
		w := newWorld(t)
		keep := t.TempDir()
		run := crashRun{Tool: "bash", Args: map[string]any{"command": c.command}, Dir: w.dir, Spool: filepath.Join(keep, "spool"),
			Blobs: keep, Facts: filepath.Join(keep, "facts"), Point: c.point, Nth: 1, Streamed: c.streamed}
		if !run.child(t) {
			t.Fatalf("%s: not killed", c.point)
		}
		env := run.env()
		var f Facts
		text, _ := os.ReadFile(run.Facts)
		var raw map[string]any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		d.Decode(&raw)
		f = Facts{}
		for k, v := range raw {
			if n, ok := v.(json.Number); ok {
				f[k], _ = n.Int64()
			} else {
				f[k] = v
			}
		}
		for range 2 { // recovery answers the same again
			r, err := Bash().Recover(context.Background(), env, run.args(), f)
			if err != nil {
				t.Fatal(err)
			}
			gone(t, env.CallID)
			effects := strings.Count(w.read("effects"), "x\n")
			if !slices.Contains(c.outcomes, r.Outcome) || c.effects >= 0 && effects != c.effects || effects > 1 || r.Outcome == NotDone && effects != 0 {
				t.Errorf("%q, %s: %v with %d effects: %s", c.point, c.command, r.Outcome, effects, r.Reason)
				continue
			}
			switch r.Outcome {
			case Done:
				if field(t, r.Result.Value, "exit-code") != int64(4) || field(t, r.Result.Value, "stdout") != "out\n" || field(t, r.Result.Value, "stderr") != "err\n" {
					t.Errorf("%q: %v", c.point, r.Result.Value)
				}
			case Unknown:
				if c.streamed && field(t, r.Result.Value, "stdout") != "out\n" {
					t.Errorf("%q: %v", c.point, r.Result.Value)
				}
			}
		}
	}
}
