package agent_test

import (
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/session"
	"caper/runtime/store"
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
