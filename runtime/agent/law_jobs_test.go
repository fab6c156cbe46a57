package agent_test

import (
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/view"
)

// under reports whether a job hangs below another.
func (w *world) under(id, top graph.ID) bool {
	w.t.Helper()
	below, err := w.system.Calls.Below(id, top)
	if err != nil {
		w.t.Fatal(err)
	}
	return below
}

func TestLawS17_AProgramIsASequence(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.hosted(models{"actor:m": w.script(calls(use{"scheme", map[string]any{"program": `(read-file "a") (guard (e (#t 'no)) (write-file "b" "x")) (car '())`}}), say("done"))})
	w.file("a", "text")
	res := w.ask(w.prompt("do it"))
	programs := w.below(kind.KindProgrammaticJob)
	if len(programs) != 1 || !w.under(programs[0].ID, res.ID) {
		t.Fatalf("%d programs", len(programs))
	}
	bag := programs[0]
	b, err := store.NewTree(w.system.Store).Branch(bag.ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("its guard is true", func(t *testing.T) {
		if b.OrchestrationResult == nil || !*b.OrchestrationResult {
			t.Error("it is not")
		}
	})
	t.Run("its calls are licensed one by one, as its own children", func(t *testing.T) {
		var got []string
		for n := range b.Children() {
			c, ok := n.(*store.Branch)
			if !ok {
				continue
			}
			job := c.Node.(kind.ToolCall).Call()
			got = append(got, job.Tool+" "+string(c.Outcome.State)+" "+job.Decision.Verdict)
		}
		if len(got) != 2 || got[0] != "read-file settled allow" || got[1][:len("write-file denied")] != "write-file denied" {
			t.Errorf("%q", got)
		}
	})
	t.Run("the bag is sealed in the end, also where it raises", func(t *testing.T) {
		if bag.Outcome == nil || bag.Outcome.State != kind.Failed {
			t.Errorf("%+v", bag.Outcome)
		}
	})
}

func TestLawS44_TenantsOfATurn(t *testing.T) {
	w := newWorld(t, license.Yolo)
	w.hosted(models{"actor:m": w.script(
		calls(bash("true", true), use{"scheme", map[string]any{"program": `(background (lambda () (read-file "a")))`}}), say("done"), say("told"), say("told"))})
	w.file("a", "text")
	before, err := w.system.Store.LastEvent(w.context.Session)
	if err != nil {
		t.Fatal(err)
	}
	res := w.ask(w.prompt("do it"))
	first, err := session.At(w.system.Store, res.ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("a tool and a bag in the background hang on the turn that made them", func(t *testing.T) {
		found := map[string]bool{}
		for _, e := range append(w.below(kind.KindSystemToolJob), w.below(kind.KindProgrammaticJob)...) {
			if e.InBackground() {
				found[e.Node.Kind().Name()] = w.under(e.ID, first.ID)
			}
		}
		if len(found) != 2 || !found["SystemToolJob"] || !found["ProgrammaticJob"] {
			t.Errorf("%v", found)
		}
	})
	t.Run("an agent in the background hangs on the turn that made it", func(t *testing.T) {
		w := newWorld(t, license.Yolo)
		child := map[string]any{"spec": map[string]any{"name": "c", "constitution": "c", "model": "child:m"}, "prompt": "work", "background": true}
		w.hosted(models{"actor:m": w.script(calls(use{"spawn-agent", child}), say("done"), say("told")), "child:m": w.echo()})
		res := w.ask(w.prompt("do it"))
		w.runner.Rest(t.Context(), w.context.Session)
		calls, agents := w.below(kind.KindAgentCallJob), w.below(kind.KindAgent)
		if len(calls) != 1 || !calls[0].InBackground() || !w.under(calls[0].ID, res.ID) {
			t.Errorf("its call: %+v", calls)
		}
		if last := agents[len(agents)-1]; len(agents) != 2 || !w.under(last.ID, res.ID) {
			t.Errorf("%d agents, the last is %s", len(agents), last.ID)
		}
	})
	t.Run("a watch names hosted children", func(t *testing.T) {
		named := false
		for e, err := range w.system.Store.Events(w.context.Session, before+1) {
			if err != nil {
				t.Fatal(err)
			}
			if e.What == store.EventMint && e.Kind == kind.KindProgrammaticJob && w.under(e.ID, first.ID) {
				named = true
			}
		}
		if !named {
			t.Error("no event names it")
		}
	})
}

// TestLawS34_TheQueueHoldsWhatNeedsAPerson: calls that wait for a person's yes, each below its sequence, and nothing else.
func TestLawS34_TheQueueHoldsWhatNeedsAPerson(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.context.Answerability = license.Queue
	w.file("a", "text")
	res := w.turn("do it", calls(use{"read-file", map[string]any{"path": "a"}}, bash("echo x", false), write("b", "x")), say("done"))
	queue := func() (tools []string) {
		t.Helper()
		for id, err := range w.system.Store.Waiting() {
			if err != nil {
				t.Fatal(err)
			}
			n, err := w.system.Store.Node(id)
			if err != nil {
				t.Fatal(err)
			}
			c, ok := n.(kind.ToolCall)
			if !ok {
				t.Fatalf("%s waits, and is a %s", id, n.Kind().Name())
			}
			if !w.under(id, res.ID) {
				t.Errorf("%s is not below its turn", id)
			}
			tools = append(tools, c.Call().Tool)
		}
		return tools
	}
	t.Run("the leaves that need one", func(t *testing.T) {
		if got := queue(); len(got) != 2 || got[0] != "bash" || got[1] != "write-file" {
			t.Errorf("%v waits", got)
		}
	})
	t.Run("it is no collector", func(t *testing.T) {
		b, err := store.NewTree(w.system.Store).Branch(res.ID)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for range b.Jobs() {
			n++
		}
		if n != 3 {
			t.Errorf("the turn has %d jobs", n)
		}
	})
	t.Run("it is not the work", func(t *testing.T) {
		work, err := session.Work(w.system.Store, w.context.Session)
		if err != nil || len(work) != 1 || work[0] != res.ID {
			t.Errorf("%v %v", work, err)
		}
	})
	t.Run("what was answered has left it", func(t *testing.T) {
		if all := w.approveAll(); len(all) != 2 || len(queue()) != 0 {
			t.Errorf("%v were answered, %v waits", all, queue())
		}
	})
}

// TestLawS21_AnAbandonedBranchIsNotShown: neither what waits there nor its turn is in the lists, until the head is back.
func TestLawS21_AnAbandonedBranchIsNotShown(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.context.Answerability = license.Queue
	one := w.turn("one", say("first"))
	two := w.turn("two", calls(bash("echo x", false)))
	for _, c := range []struct {
		name  string
		head  graph.ID
		shown int
	}{{"the head is there", two.ID, 1}, {"the head has left", one.ID, 0}, {"the head is back", two.ID, 1}} {
		t.Run(c.name, func(t *testing.T) {
			w.head(c.head, kind.VerbRewind)
			waits, err := view.Approvals(w.system.Store, w.system.Calls)
			if err != nil || len(waits.Rows) != c.shown {
				t.Errorf("%d calls wait, %v", len(waits.Rows), err)
			}
			jobs, err := view.Jobs(w.system.Store, w.system.Calls, false)
			listed := 0
			for _, row := range jobs.Rows {
				if row[0] == two.ID.String() {
					listed++
				}
			}
			if err != nil || listed != c.shown {
				t.Errorf("its turn is listed %d times, %v", listed, err)
			}
		})
	}
}
