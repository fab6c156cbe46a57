package worker_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"caper/runtime/worker"
	"caper/runtime/worker/driver/drivertest"
	"caper/runtime/worker/wire"
)

// TestCrashes kills two workers of one session at random while they drive many threads: each thread comes to its end, none is
// ever driven by two, and the items of every turn are in order. CAPER_FULL does it with a hundred threads, for five minutes.
func TestCrashes(t *testing.T) {
	threads, long := 12, 3*time.Second
	if os.Getenv("CAPER_FULL") != "" {
		threads, long = 100, 5*time.Minute
	}
	w := newWorld(t)
	state := filepath.Join(w.root, "state")
	ok(t, os.Mkdir(state, 0o700))
	w.config = strings.Replace(w.config, "{SCRIPTED: agent}", fmt.Sprintf("{SCRIPTED: agent, %s: %s, %s: alone}", drivertest.State, state, drivertest.Alone), 1)
	trees := []worker.Tree{worker.Tree(filepath.Join(w.root, "one")), worker.Tree(filepath.Join(w.root, "two"))}
	ids := map[string]bool{}
	for _, tree := range trees {
		w.tree = tree
		id, err := tree.Identity("bot")
		ok(t, err)
		ids[id.Worker] = true
	}
	const turn = "think\nsay one\nrun echo $$ >> log; sleep 0.05\nsay two"
	all := make([]crashed, threads)
	for i := range all {
		c := &all[i]
		*c = crashed{alias: fmt.Sprintf("t%d", i), folder: filepath.Join(w.root, fmt.Sprintf("work%d", i)), told: 1}
		ok(t, os.MkdirAll(c.folder, 0o700))
		w.work = c.folder
		say := turn
		switch i % 10 {
		case 3:
			c.fails, say = true, "say one\ncrash"
		case 7:
			c.hangs, say = true, "say one\nrun sleep 1000"
		}
		w.hand(c.alias, say, `,"permissions":"autonomous"`)
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
	began := time.Now()
	// The user completes threads so that the last ends with the time, which frees their slots; until then it goes on with them.
	finish := func() (open int) {
		ended := 0
		for i := range all {
			c := &all[i]
			s := w.state(c.alias)
			due := float64(ended) < float64(threads)*time.Since(began).Seconds()/long.Seconds()
			switch {
			case s == wire.Completed || s == wire.Failed:
				ended++
				continue
			case s != wire.Active:
			case c.hangs && due, due && c.told == w.turns(c.alias):
				ok(t, w.user.SetState(t.Context(), c.alias, wire.Completed))
				ended++
				continue
			case !c.hangs && !c.fails && c.told == w.turns(c.alias):
				_, err := w.user.Post(t.Context(), c.alias, turn)
				ok(t, err)
				c.told++
			}
			open++
		}
		return open
	}
	r := rand.New(rand.NewPCG(1, 2))
	kills := 0
	for ; time.Since(began) < long; kills++ {
		time.Sleep(time.Duration(r.IntN(600)) * time.Millisecond) // when they die is the point
		i := r.IntN(2)
		down(i)
		up(i)
		finish()
	}
	w.until("all threads end", func() bool { return finish() == 0 })
	for w.untidied(all) || len(drivertest.Left(state)) > 0 { // the workers end what is left of completed threads
		time.Sleep(10 * time.Millisecond)
	}
	turns := 0
	for _, c := range all {
		o, err := w.wire.Get(t.Context(), c.alias)
		ok(t, err)
		th, err := wire.Read(o.Value)
		ok(t, err)
		if !ids[th.Instance.Worker] || (th.Instance.State == wire.Failed) != c.fails {
			t.Errorf("%s: %s\n%s", c.alias, o.Value, lines(w.items(c.alias)))
		}
		if by, err := os.ReadFile(filepath.Join(c.folder, "alone.two")); err == nil {
			t.Errorf("%s was driven by two at once, the first was %s", c.alias, by)
		}
		turns += w.ordered(c)
	}
	t.Logf("%d kills, %d threads, %d turns", kills, threads, turns)
}

// crashed is a thread whose workers are killed.
type crashed struct {
	alias, folder string
	told          int // turns
	fails, hangs  bool
}

// untidied says whether a worker has yet to tidy a thread that a user completed.
func (w *world) untidied(all []crashed) bool {
	for _, c := range all {
		files, err := filepath.Glob(filepath.Join(w.root, "*/jobs/*/threads", c.alias, "thread.yaml"))
		ok(w.t, err)
		for _, f := range files {
			if b, err := os.ReadFile(f); !c.fails && (err != nil || strings.Contains(string(b), "state: active")) {
				return true
			}
		}
	}
	return false
}

// turns counts the turns of a thread that ended.
func (w *world) turns(alias string) (n int) {
	for _, i := range w.items(alias) {
		if i.Metadata.Type == wire.TurnEnd {
			n++
		}
	}
	return n
}

// A turn as letters: thinks, says one, calls, gets the result, says two, ends. What an interrupted one was about is begun again.
var (
	whole  = regexp.MustCompile(`^(T*1*(CR)*2*)+E$`)
	begun  = regexp.MustCompile(`^(T*1*(CR)*2*)+$`)
	letter = map[wire.ItemType]string{wire.Thinking: "T", wire.ToolCall: "C", wire.ToolResult: "R", wire.TurnEnd: "E"}
)

// ordered checks that the items of each turn are in order, and answers how many turns ended.
func (w *world) ordered(c crashed) (ended int) {
	w.t.Helper()
	turns := map[uint64]string{}
	calls := map[string]bool{}
	last := uint64(0)
	for _, i := range w.items(c.alias) {
		m := i.Metadata
		switch {
		case m.Type == "":
			continue
		case m.Type == wire.Text && i.TextOf() == "one":
			turns[m.Turn] += "1"
		case m.Type == wire.Text:
			turns[m.Turn] += "2"
		case m.Type == wire.ToolResult && m.Turn == 0: // of recovery, which tells no turn
			turns[last] += "R"
			continue
		default:
			turns[m.Turn] += letter[m.Type]
		}
		if m.Type == wire.ToolCall {
			if calls[m.Tool.InvocationID] {
				w.t.Errorf("%s: %s is called twice", c.alias, m.Tool.InvocationID)
			}
			calls[m.Tool.InvocationID] = true
		}
		if m.Type == wire.ToolResult && !calls[m.InvocationID] {
			w.t.Errorf("%s: a result of nothing", c.alias)
		}
		if m.Turn < last {
			w.t.Errorf("%s: turn %d after turn %d", c.alias, m.Turn, last)
		}
		last = m.Turn
	}
	for n := uint64(1); n <= uint64(len(turns)); n++ {
		if n == uint64(c.told) && (c.fails || c.hangs) {
			if !begun.MatchString(turns[n]) {
				w.t.Errorf("%s: turn %d is %s", c.alias, n, turns[n])
			}
			continue
		}
		ended++
		if !whole.MatchString(turns[n]) {
			w.t.Errorf("%s: turn %d is %s", c.alias, n, turns[n])
		}
	}
	if want := c.told; ended != want && !c.fails && !c.hangs {
		w.t.Errorf("%s: %d turns ended, want %d", c.alias, ended, want)
	}
	return ended
}
