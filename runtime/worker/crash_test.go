package worker_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"caper/runtime/worker"
	"caper/runtime/worker/wire"
)

// TestCrashes kills two workers of one session again and again while they drive many threads: each thread comes to its end,
// none is driven by two, and the items of every turn are in order. CAPER_FULL does it with a hundred threads.
func TestCrashes(t *testing.T) {
	threads, kills := 12, 6
	if os.Getenv("CAPER_FULL") != "" {
		threads, kills = 100, 150
	}
	w := newWorld(t)
	trees := []worker.Tree{worker.Tree(filepath.Join(w.root, "one")), worker.Tree(filepath.Join(w.root, "two"))}
	ids := map[string]bool{}
	for _, tree := range trees {
		w.tree = tree
		id, err := tree.Identity("bot")
		ok(t, err)
		ids[id.Worker] = true
	}
	for i := range threads {
		work := filepath.Join(w.root, fmt.Sprintf("work%d", i))
		ok(t, os.MkdirAll(work, 0o700))
		w.work = work
		w.hand(fmt.Sprintf("t%d", i), "think\nsay one\nrun echo $$ >> log; sleep 0.05\nsay two", `,"permissions":"autonomous"`)
	}
	procs := make([]*exec.Cmd, 2)
	up := func(i int) {
		w.tree = trees[i]
		procs[i] = w.process()
	}
	down := func(i int) {
		_ = procs[i].Process.Kill()
		_ = procs[i].Wait()
	}
	up(0)
	up(1)
	defer func() { down(0); down(1) }()
	ended := func(alias string) bool {
		for _, i := range w.items(alias) {
			if i.Metadata.Type == wire.TurnEnd {
				return true
			}
		}
		return false
	}
	finish := func() (open int) { // the user completes what has had its turn, which frees the slot
		for i := range threads {
			alias := fmt.Sprintf("t%d", i)
			switch s := w.state(alias); {
			case s == wire.Active && ended(alias):
				ok(t, w.user.SetState(t.Context(), alias, wire.Completed))
			case s != wire.Completed && s != wire.Failed:
				open++
			}
		}
		return open
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range kills {
		time.Sleep(time.Duration(r.IntN(400)) * time.Millisecond) // when they die is the point
		i := r.IntN(2)
		down(i)
		up(i)
		finish()
	}
	w.until("all threads end", func() bool { return finish() == 0 })
	for i := range threads {
		alias := fmt.Sprintf("t%d", i)
		o, err := w.wire.Get(t.Context(), alias)
		ok(t, err)
		th, err := wire.Read(o.Value)
		ok(t, err)
		if !ids[th.Instance.Worker] {
			t.Errorf("%s: %s", alias, o.Value)
		}
		if th.Instance.State == wire.Failed {
			t.Errorf("%s failed:\n%s", alias, lines(w.items(alias)))
		}
		open, turns := map[string]bool{}, 0
		for _, item := range w.items(alias) {
			switch m := item.Metadata; m.Type {
			case wire.ToolCall:
				if open[m.Tool.InvocationID] {
					t.Errorf("%s: %s is called twice", alias, m.Tool.InvocationID)
				}
				open[m.Tool.InvocationID] = true
			case wire.ToolResult:
				if !open[m.InvocationID] {
					t.Errorf("%s: a result of nothing", alias)
				}
				delete(open, m.InvocationID)
			case wire.TurnEnd:
				turns++
			}
		}
		if len(open) > 0 || turns != 1 {
			t.Errorf("%s: %d calls open, %d turns\n%s", alias, len(open), turns, lines(w.items(alias)))
		}
	}
}
