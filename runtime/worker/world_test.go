package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"caper/runtime/worker"
	"caper/runtime/worker/driver"
	"caper/runtime/worker/wire"
	"caper/runtime/worker/wire/dir"
)

// world is a session, a user of it, and a state tree.
type world struct {
	t      *testing.T
	root   string
	tree   worker.Tree
	wire   wire.Wire
	user   *wire.User
	work   string
	config string
}

const polling = "polling: {interval_idle_ms: 50, interval_active_ms: 50, backoff_max_ms: 100}\n"

func newWorld(t *testing.T) *world {
	t.Helper()
	root := t.TempDir()
	w := &world{t: t, root: root, tree: worker.Tree(filepath.Join(root, "tree")), work: filepath.Join(root, "work")}
	d, err := dir.Make(filepath.Join(root, "wire", "s1"))
	ok(t, err)
	ok(t, os.MkdirAll(w.work, 0o700))
	w.wire, w.user = d, wire.NewUser(d, "ann")
	w.config = fmt.Sprintf("wire: %s/wire\n%sconcurrency: {max_agents: 4}\nagents:\n  claude_code:\n    executable: %s\n    env: {SCRIPTED: agent}\n    grace_ms: 300\n"+
		"sections:\n- {name: one, job_type: session_agent_harness, session: {session_id: s1}}\n", root, polling, os.Args[0])
	return w
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) write() {
	w.t.Helper()
	ok(w.t, os.MkdirAll(string(w.tree), 0o700))
	ok(w.t, os.WriteFile(filepath.Join(string(w.tree), "config.yaml"), []byte(w.config), 0o600))
}

var drivers = map[string]driver.Driver{"claude_code": driver.Claude{}, "codex": driver.Codex{}}

func (w *world) worker() *worker.Worker {
	return &worker.Worker{Tree: w.tree, User: "bot", Version: "test", Environ: append(os.Environ(), "SECRET_KEY=sk-secret"),
		Drivers: drivers}
}

// start runs a worker until the answered function is called, which answers how it ended.
func (w *world) start(change ...func(*worker.Worker)) (stop func() error) {
	w.t.Helper()
	w.write()
	k := w.worker()
	for _, c := range change {
		c(k)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- k.Run(ctx) }()
	ended := false
	var err error
	stop = func() error {
		if !ended {
			ended = true
			cancel()
			err = <-done
		}
		return err
	}
	w.t.Cleanup(func() { _ = stop() })
	return stop
}

// hand makes a pending thread that is told something.
func (w *world) hand(alias, say string, settings ...string) {
	w.t.Helper()
	value := fmt.Sprintf(`{"thread":{"metadata":{"workspace":{"work_folder":%q},"agent":{"type":"claude_code"%s},"instance":{"state":"pending"}}}}`, w.work, strings.Join(settings, ""))
	w.raw(alias, value, say)
}

func (w *world) raw(alias, value, say string) {
	w.t.Helper()
	ok(w.t, w.user.CreateValue(w.t.Context(), alias, json.RawMessage(value)))
	if say != "" {
		_, err := w.user.Post(w.t.Context(), alias, say)
		ok(w.t, err)
	}
}

// until waits for a change after which something holds.
func (w *world) until(what string, holds func() bool) {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	defer stop()
	changes, err := w.wire.Watch(ctx)
	ok(w.t, err)
	for !holds() {
		select {
		case <-changes:
		case <-ctx.Done():
			w.t.Fatalf("never: %s", what)
		}
	}
}

func (w *world) state(alias string) wire.State {
	w.t.Helper()
	o, err := w.wire.Get(w.t.Context(), alias)
	ok(w.t, err)
	s, err := wire.StateOf(o.Value)
	ok(w.t, err)
	return s
}

func (w *world) items(alias string) []wire.Item {
	w.t.Helper()
	items, err := w.wire.Items(w.t.Context(), alias, 0, 1<<20)
	ok(w.t, err)
	return items
}

// await waits for the nth item of a type.
func (w *world) await(alias string, kind wire.ItemType, n int) (found wire.Item) {
	w.t.Helper()
	w.until(fmt.Sprintf("%s %d in %s", kind, n, alias), func() bool {
		seen := 0
		for _, i := range w.items(alias) {
			if i.Metadata.Type == kind {
				if seen++; seen == n {
					found = i
					return true
				}
			}
		}
		return false
	})
	return found
}

func (w *world) awaitState(alias string, s wire.State) {
	w.t.Helper()
	w.until(alias+" is "+string(s), func() bool { return w.state(alias) == s })
}

// failure waits until a thread failed and answers what the activity says of it.
func (w *world) failure(alias string) wire.ItemMetadata {
	w.t.Helper()
	w.awaitState(alias, wire.Failed)
	var m wire.ItemMetadata
	w.until("an activity of "+alias, func() bool {
		for _, i := range w.items(wire.WorkerAlias) {
			if i.Metadata.Type == wire.ThreadFailed && i.Metadata.Alias == alias {
				m = i.Metadata
			}
		}
		return m.Alias != ""
	})
	return m
}

func (w *world) thread(alias string) string {
	w.t.Helper()
	b, err := os.ReadFile(filepath.Join(string(w.tree), "jobs", "session_agent_harness-s1", "threads", alias, "thread.yaml"))
	ok(w.t, err)
	return string(b)
}

// lines are items as short text.
func lines(items []wire.Item) string {
	out := ""
	for _, i := range items {
		kind := string(i.Metadata.Type)
		if kind == "" {
			kind = i.UserID
		}
		out += fmt.Sprintf("%s %s%s%s\n", kind, i.TextOf(), i.Metadata.Status, i.Metadata.Resolution)
	}
	return out
}

// alive says whether a process is there, and no zombie.
func alive(pid string) bool {
	b, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && !strings.Contains(string(b), ") Z ")
}

// workerProcess is a worker as a process of its own, to be killed.
func workerProcess() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	k := &worker.Worker{Tree: worker.Tree(os.Getenv("TREE")), User: "bot", Environ: os.Environ(), Drivers: drivers}
	if err := k.Run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
