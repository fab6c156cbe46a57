package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// A program may move the head, but never to where the posture is looser: that is a person's to say.
func TestAProgramDoesNotLoosenByRewinding(t *testing.T) {
	w := newWorld(t, license.Yolo)
	w.hosted(models{"actor:m": w.script(say("first"), say("second"), say("third"))})
	one := w.ask(w.prompt("one"))
	if err := w.runner.SetPolicy(w.context.Session, "manual", "a test"); err != nil {
		t.Fatal(err)
	}
	loose := w.ask(w.prompt("two"))
	if err := w.runner.SetPolicy(w.context.Session, "auto", "a test"); err != nil {
		t.Fatal(err)
	}
	tight := w.ask(agent.Ask{Agent: w.agent, Prompt: "three", Policy: "manual", Context: w.context})
	for _, c := range []struct {
		name string
		to   graph.ID
		ok   bool
	}{{"to manual", one.ID, true}, {"to auto", loose.ID, false}, {"where it is", tight.ID, true}} {
		r := w.program(fmt.Sprintf("(rewind! %q)", c.to))
		if (r.Error == nil) != c.ok {
			t.Errorf("%s: %+v", c.name, r.Error)
		}
		if r.Error != nil && !strings.Contains(r.Error.Message, "only a person loosens it") {
			t.Errorf("%s: %s", c.name, r.Error.Message)
		}
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

// TestLawS21_WhatRunsAbortsWhenItsTurnLeaves: the head leaves a turn whose command runs; the command's group is ended and
// its call says that its effect is not known. When the head comes back the turn goes on from its tape.
func TestLawS21_WhatRunsAbortsWhenItsTurnLeaves(t *testing.T) {
	w := newWorld(t, license.Yolo)
	one := w.turn("one", say("first"))
	w.runner.Models = models{"actor:m": w.script(calls(use{"bash", map[string]any{"command": "echo begun > begun; sleep 600"}}), say("gone on"))}
	w.system.Agents.Models = w.runner.Models
	watch, stop := w.system.Store.Watch(w.context.Session)
	defer stop()
	id, err := w.system.Agents.Mint(agent.Ask{Agent: w.agent, Prompt: "two", Context: w.context})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan agent.Result)
	go func() {
		res, err := w.system.Agents.Run(context.WithoutCancel(t.Context()), id, w.context, nil)
		if err != nil {
			t.Error(err)
		}
		ended <- res
	}()
	bash := func() *kind.Entry {
		tape, err := session.TapeOf(w.system.Store, id)
		if err != nil {
			t.Fatal(err)
		}
		for i := range tape.Children {
			if c, ok := tape.Children[i].Node.(kind.ToolCall); ok && c.Call().Tool == "bash" {
				return &tape.Children[i]
			}
		}
		return nil
	}
	for bash() == nil { // it is minted when it is begun
		<-watch
	}
	w.move("rewind!", one.ID, nil)
	if res := <-ended; res.Rest != call.Parked {
		t.Errorf("the turn that was left came to rest as %+v", res)
	}
	u, err := session.At(w.system.Store, id)
	if err != nil || u.Closed() {
		t.Errorf("the turn is closed (%v)", err)
	}
	if o := bash().Outcome; o == nil || o.State != kind.Cancelled || o.Effect != "unknown" && o.Effect != "none" {
		t.Errorf("its call ended as %+v", o)
	}
	t.Run("the head comes back: it is taken up again", func(t *testing.T) {
		w.move("rewind!", id, nil)
		res, err := w.system.Agents.Run(t.Context(), id, w.context, nil)
		if err != nil || res.Text != "gone on" {
			t.Errorf("%+v %v", res, err)
		}
		if diff := cmp.Diff([]string{"prompt user", "completion settled", "calls cancelled", "completion settled"}, w.tape(id)[:4]); diff != "" {
			t.Error(diff)
		}
	})
}
