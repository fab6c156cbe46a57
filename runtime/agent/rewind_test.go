package agent_test

import (
	"os"
	"path/filepath"
	"testing"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/session"

	"github.com/google/go-cmp/cmp"
)

// move makes the call of a person who moves the head of the session.
func (w *world) move(tool string, node graph.ID, keywords map[string]graph.Datum) graph.Datum {
	w.t.Helper()
	st := w.system.Store
	next, err := st.Next(w.context.Session, graph.RootBag)
	if err != nil {
		w.t.Fatal(err)
	}
	c := w.context
	c.Bag = graph.RootBag
	end := w.system.Calls.Begin(w.t.Context(), &c, call.Request{ID: graph.ID{Session: c.Session, Bag: graph.RootBag, Ord: next}, Tool: tool,
		Positional: []graph.Datum{node.String()}, Keywords: keywords, Operator: true})
	if end.Release != nil {
		defer end.Release()
	}
	if end.Err != nil {
		w.t.Fatal(end.Err)
	}
	if err := w.system.Calls.Settle(end); err != nil {
		w.t.Fatal(err)
	}
	if end.Outcome.State != kind.Settled {
		w.t.Fatalf("%s %s: %v", tool, node, end.Outcome.Error)
	}
	d, err := w.system.Calls.Fetch(end.Outcome.Value)
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

func (w *world) files() map[string]string {
	w.t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(w.context.Workspace)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(w.context.Workspace, e.Name()))
		if err != nil {
			w.t.Fatal(err)
		}
		out[e.Name()] = string(text)
	}
	return out
}

func (w *world) policy() string {
	w.t.Helper()
	p, err := w.runner.CurrentPolicy(w.context.Session)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func write(path, data string) use {
	return use{"write-file", map[string]any{"path": path, "data": data}}
}

func TestRewindBringsBackPostureAndFiles(t *testing.T) {
	w := newWorld(t, license.Yolo)
	w.file("kept", "by a person")
	one := w.turn("one", calls(write("a", "first"), write("b", "first")), say("done"))
	before := w.files()
	two := w.turn("two", calls(write("a", "second"), use{"delete-file", map[string]any{"path": "b"}}, write("c", "new"), use{"bash", map[string]any{"command": "echo x > made"}}), say("done"))
	if err := w.runner.SetPolicy(w.context.Session, "auto", "a test"); err != nil {
		t.Fatal(err)
	}
	after := w.files()
	if got := w.policy(); got != "auto" {
		t.Errorf("the posture is %s after it was set to auto", got)
	}

	d := w.move("rewind!", one.ID, map[string]graph.Datum{"files": true})
	if got := w.policy(); got != "yolo" {
		t.Errorf("the posture of the first round is %s", got)
	}
	before["made"] = "x\n" // what bash did stays, and is listed
	if diff := cmp.Diff(before, w.files()); diff != "" {
		t.Errorf("files after going back:\n%s", diff)
	}
	if list, _ := graph.Field(d, "commands").(graph.List); len(list) != 1 || list[0] != "echo x > made" {
		t.Errorf("commands %v", list)
	}

	w.file("a", "edited by a person")
	d = w.move("rewind!", two.ID, map[string]graph.Datum{"files": true})
	if got := w.policy(); got != "auto" {
		t.Errorf("forward again the posture is %s", got)
	}
	after["a"] = "edited by a person"
	if diff := cmp.Diff(after, w.files()); diff != "" {
		t.Errorf("files after going forward:\n%s", diff)
	}
	if left, _ := graph.Field(d, "left").(graph.List); len(left) != 1 {
		t.Errorf("left alone: %v", left)
	}
}

func TestForkSharesWhatCameBefore(t *testing.T) {
	w := newWorld(t, license.Manual)
	one := w.turn("one", say("first answer"))
	w.turn("two", say("second answer"))
	d := w.move("fork!", one.ID, nil)
	n, _ := graph.Field(d, "session").(int64)
	fork, ok, err := session.AgentOf(w.system.Store, uint64(n))
	if err != nil || !ok {
		t.Fatalf("the fork has no agent: %v", err)
	}
	w.asked = nil
	w.runner.Models = models{"actor:m": w.script(say("third answer"))}
	c := w.context
	c.Session = uint64(n)
	res := w.ask(agent.Ask{Agent: fork, Prompt: "three", Context: c})
	if res.Text != "third answer" || res.ID.Session != uint64(n) {
		t.Errorf("the fork answers %q as %s", res.Text, res.ID)
	}
	var said []string
	for _, m := range w.asked[0].Messages {
		for _, b := range m.Blocks {
			said = append(said, b.Text)
		}
	}
	if diff := cmp.Diff([]string{"one", "first answer", "three"}, said); diff != "" {
		t.Error(diff)
	}
	if err := w.system.Forget(w.context.Session); err == nil {
		t.Error("a session was forgotten that another goes on from")
	}
}
