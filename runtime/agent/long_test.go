package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"caper/runtime/agent"
	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/store/badger"
	"caper/runtime/store/mem"
)

// counting counts what is read from a disk and written to it.
type counting struct {
	*mem.Disk
	reads, bytes atomic.Int64
}

func (c *counting) Get(k []byte) ([]byte, bool, error) {
	c.reads.Add(1)
	return c.Disk.Get(k)
}

func (c *counting) Scan(prefix, from []byte, yield func(k, v []byte) bool) error {
	c.reads.Add(1)
	return c.Disk.Scan(prefix, from, func(k, v []byte) bool { c.reads.Add(1); return yield(k, v) })
}

func (c *counting) Keys(prefix, from []byte, yield func(k []byte) bool) error {
	c.reads.Add(1)
	return c.Disk.Keys(prefix, from, func(k []byte) bool { c.reads.Add(1); return yield(k) })
}

func (c *counting) Last(prefix []byte) ([]byte, []byte, bool, error) {
	c.reads.Add(1)
	return c.Disk.Last(prefix)
}

func (c *counting) Write(pairs []store.Pair, tip store.Tip) error {
	for _, p := range pairs {
		if !p.Delete {
			c.bytes.Add(int64(len(p.Key) + len(p.Value)))
		}
	}
	return c.Disk.Write(pairs, tip)
}

// chatter is a model that answers each turn by a call and a text, and says what it used as a provider would.
func chatter(asked func()) models {
	answer := model.Func(func(_ context.Context, q model.Request, _ func(model.Delta)) (*model.Answer, error) {
		if asked != nil {
			asked()
		}
		n := 0
		for _, m := range q.Messages {
			for _, b := range m.Blocks {
				n += len(b.Text) + len(b.Input)
			}
		}
		a := &model.Answer{Model: "m", Stop: model.StopEnd, Usage: model.Usage{Input: int64(n) / 4, Output: 20}}
		last := q.Messages[len(q.Messages)-1].Blocks
		if last[len(last)-1].Kind == model.Text && len(q.Tools) > 0 {
			a.Blocks = []model.Block{{Kind: model.ToolUse, ID: "use", Name: "read-file", Input: []byte(`{"path":"a"}`)}}
		} else {
			a.Blocks = []model.Block{{Kind: model.Text, Text: "It says what it said before, of course."}}
		}
		return a, nil
	})
	return models{"actor:m": answer}
}

// long is a session that grows.
type long struct {
	t       testing.TB
	home    assembly.Home
	open    func() (store.Store, error)
	system  *assembly.System
	context call.Context
	turns   int
}

func newLong(t testing.TB, open func() (store.Store, error)) *long {
	t.Helper()
	l := &long{t: t, home: assembly.Home{Data: t.TempDir(), Config: t.TempDir()}, open: open}
	workspace, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l.reopen(nil)
	t.Cleanup(func() { l.system.Close() })
	n, err := l.system.Store.NewSession(&kind.SessionRoot{SessionID: "s", Path: workspace, StandingPolicy: kind.Auto})
	if err != nil {
		t.Fatal(err)
	}
	l.context = call.Context{Session: n, Workspace: workspace, Cwd: workspace, Answerability: license.None, Posture: license.Auto}
	_, err = l.system.Agents.Begin(graph.RootBag, &l.context, kind.Spec{AgentSpec: &kind.AgentSpec{Name: "tester", Constitution: kind.Of("You test."), Model: "actor:m"}}, nil, "",
		func(id graph.ID) store.Change {
			return store.Note{ID: graph.RootID(n), Fact: kind.Fact{What: kind.FactAgent, Value: kind.Of(id.String())}}
		})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *long) reopen(asked func()) {
	l.t.Helper()
	l.close()
	l.start(asked)
}

func (l *long) close() {
	if l.system != nil {
		if err := l.system.Close(); err != nil {
			l.t.Fatal(err)
		}
	}
}

func (l *long) start(asked func()) {
	l.t.Helper()
	st, err := l.open()
	if err != nil {
		l.t.Fatal(err)
	}
	if l.system, err = assembly.New(st, assembly.Options{Home: l.home, Models: chatter(asked)}); err != nil {
		l.t.Fatal(err)
	}
	l.system.Agents.Settings = func() (agent.Settings, error) { return agent.Settings{Window: 2000}, nil }
}

// turn is one more, as caper ask makes it.
func (l *long) turn() {
	l.t.Helper()
	id, ok, err := session.AgentOf(l.system.Store, l.context.Session)
	if err != nil || !ok {
		l.t.Fatal(ok, err)
	}
	if _, err := session.SettingsOf(l.system.Store, l.context.Session); err != nil {
		l.t.Fatal(err)
	}
	turn, err := l.system.Agents.Mint(agent.Ask{Agent: id, Prompt: "What does the file a say, and what did it say before?", Context: l.context})
	if err != nil {
		l.t.Fatal(err)
	}
	if res, err := l.system.Agents.Run(l.t.Context(), turn, l.context, nil); err != nil || res.State != kind.Settled {
		l.t.Fatal(res, err)
	}
	l.turns++
}

// TestLongSession: a session of 10,000 turns costs a turn what a short one does, in bytes and in what is read before the
// model is asked. What was said is folded now and then, so both are looked at over several folds. Without CAPER_FULL it is
// a session of 1,500 turns.
func TestLongSession(t *testing.T) {
	turns, part := 1500, 150
	if os.Getenv("CAPER_FULL") != "" {
		turns, part = 10_000, 1000
	}
	disk := &counting{Disk: mem.New()}
	l := newLong(t, func() (store.Store, error) { return store.NewLedger(disk, -1, store.Options{}) })
	const sample = 60
	// prepare makes turns, each in a process of its own, and answers what was read from its begin to the first request.
	prepare := func() (reads int64) {
		for range sample {
			first := true
			var before int64
			l.reopen(func() {
				if first {
					reads += disk.reads.Load() - before
				}
				first = false
			})
			before = disk.reads.Load()
			l.turn()
		}
		return reads / sample
	}
	grow := func(to int) int64 {
		before, from := disk.bytes.Load(), l.turns
		for l.turns < to {
			l.turn()
		}
		return (disk.bytes.Load() - before) / int64(to-from)
	}
	grow(100)
	short := prepare()
	first := grow(part + l.turns)
	grow(turns - part)
	last := grow(turns)
	later := prepare()
	t.Logf("bytes a turn: %d in the first %d, %d in the last; reads before the model is asked: %d after 100 turns, %d after %d", first, part, last, short, later, turns)
	if d := float64(last) / float64(first); d > 1.1 || d < 0.9 {
		t.Errorf("bytes a turn: %.2f times those of the first", d)
	}
	if d := float64(later) / float64(short); d > 1.5 {
		t.Errorf("reads: %.2f times those of a session of 100 turns", d)
	}
}

// BenchmarkNextTurn is what it takes from opening the system to asking the model, on a real store that was last written to
// some seconds ago: what is younger is read anew by each opening.
func BenchmarkNextTurn(b *testing.B) {
	for _, turns := range []int{100, 10_000} {
		b.Run(fmt.Sprint(turns), func(b *testing.B) {
			dir := filepath.Join(b.TempDir(), "store")
			var later time.Duration
			l := newLong(b, func() (store.Store, error) {
				return badger.Open(dir, badger.Options{Balloon: -1, Now: func() time.Time { return time.Now().Add(later) }})
			})
			for l.turns < turns {
				l.turn()
			}
			var asked time.Time
			var opening, preparing []time.Duration
			for b.Loop() {
				l.close()
				later += 3 * time.Second
				asked = time.Time{}
				began := time.Now()
				l.start(func() {
					if asked.IsZero() {
						asked = time.Now()
					}
				})
				opened := time.Now()
				l.turn()
				opening, preparing = append(opening, opened.Sub(began)), append(preparing, asked.Sub(opened))
			}
			b.ReportMetric(float64(median(opening).Microseconds()), "us/open")
			b.ReportMetric(float64(median(preparing).Microseconds()), "us/prepare")
		})
	}
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
