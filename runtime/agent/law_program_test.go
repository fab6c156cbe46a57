package agent_test

import (
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/session"

	"github.com/google/go-cmp/cmp"
)

// TestLawS17_ProgrammaticJob: the guard of a program is true; its inner calls are nested jobs on its own children, licensed
// one by one; however it ends, it is sealed.
func TestLawS17_ProgrammaticJob(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.file("a.txt", "text of a")
	run := func(u use) (job *kind.ProgrammaticJob, o *kind.Outcome, made []string) {
		t.Helper()
		res := w.turn("do it", calls(u), say("done"))
		tape, err := session.TapeOf(w.system.Store, res.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range tape.Cells() {
			if c.React == nil {
				continue
			}
			bag := c.Calls[0].Entry.Node.(kind.ToolCall).Call().Bag
			e, err := w.system.Store.Entry(graph.ID{Session: res.ID.Session, Bag: bag})
			if err != nil {
				t.Fatal(err)
			}
			job, o = e.Node.(*kind.ProgrammaticJob), e.Outcome
		}
		for e, err := range w.system.Store.Children(w.context.Session, job.Bag, 0) {
			if err != nil {
				t.Fatal(err)
			}
			n, ok := e.Node.(kind.ToolCall)
			if !ok {
				t.Fatalf("%s is a %s", e.ID, e.Node.Kind().Name())
			}
			made = append(made, n.Call().Tool+" "+n.Call().Decision.Verdict+" "+string(e.Outcome.State))
		}
		return job, o, made
	}
	t.Run("guard is true", func(t *testing.T) {
		job, o, _ := run(scheme("1")) // under manual, which asks for what is not known
		if job == nil || o == nil || o.State != kind.Settled {
			t.Errorf("%+v", o)
		}
	})
	t.Run("inner calls are nested jobs, licensed one by one", func(t *testing.T) {
		_, _, made := run(scheme(`(define (try thunk) (guard (e ((denied? e) 'denied)) (thunk)))
			(list (read-file "a.txt") (try (lambda () (write-file "b.txt" "x"))) (read-file "a.txt"))`))
		if d := cmp.Diff([]string{"read-file allow settled", "write-file ask denied", "read-file allow settled"}, made); d != "" {
			t.Error(d)
		}
	})
	for _, row := range []struct {
		name string
		use  use
		want kind.State
	}{
		{"sealed with a value", scheme("1"), kind.Settled},
		{"sealed when it raises", scheme("(car 5)"), kind.Failed},
		{"sealed when it is denied", scheme(`(write-file "b.txt" "x")`), kind.Denied},
		{"sealed when it exits", scheme("(exit 2)"), kind.Settled},
		{"sealed when a budget is spent", use{"scheme", map[string]any{"program": "(let loop () (loop))", "fuel": 10_000}}, kind.Failed},
		{"sealed when it has a mistake", scheme("(car"), kind.Failed},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, o, _ := run(row.use); o == nil || o.State != row.want {
				t.Errorf("%+v, wanted %s", o, row.want)
			}
		})
	}
}
