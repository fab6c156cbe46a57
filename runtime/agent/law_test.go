package agent_test

import (
	"reflect"
	"strings"
	"testing"

	"caper/runtime/agent"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/store"

	"github.com/google/go-cmp/cmp"
)

// said are the texts of a request's messages.
func said(q model.Request) (out []string) {
	for _, m := range q.Messages {
		for _, b := range m.Blocks {
			if b.Text != "" {
				out = append(out, b.Text)
			}
		}
	}
	return out
}

func TestLawS01_HistoryIsTheWalk(t *testing.T) {
	t.Run("no node stores a list of messages", func(t *testing.T) {
		for _, r := range kind.Table() {
			n := reflect.TypeOf(r.New()).Elem()
			for i := range n.NumField() {
				f := n.Field(i)
				if f.Type.Kind() == reflect.Slice && (strings.Contains(f.Name, "Message") || strings.Contains(f.Name, "History") || f.Type.Elem() == reflect.TypeFor[kind.Ref]()) {
					t.Errorf("%s.%s is a %s", r.Name, f.Name, f.Type)
				}
			}
		}
	})
	t.Run("what is sent is derived from the head", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		one := w.turn("one", say("first"))
		w.turn("two", say("second"))
		w.move("rewind!", one.ID, nil)
		w.asked = nil
		w.turn("three", say("third"))
		if diff := cmp.Diff([]string{"one", "first", "three"}, said(w.asked[0])); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("an answer is stored once", func(t *testing.T) {
		w := newWorld(t, license.Manual)
		const mark = "an answer that is nowhere else"
		w.turn("one", say(mark))
		w.turn("two", say("second"))
		found := 0
		var look func(bag uint64)
		look = func(bag uint64) {
			for e, err := range w.system.Store.Children(w.context.Session, bag, 0) {
				if err != nil {
					t.Fatal(err)
				}
				if e.Outcome != nil && strings.Contains(graph.Write(e.Outcome.Value.Datum), mark) && e.Node.Kind() != kind.KindSessionTurn {
					found++
				}
				if o, ok := e.Node.(interface{ OwnBag() uint64 }); ok && o.OwnBag() != 0 {
					look(o.OwnBag())
				}
			}
		}
		look(graph.RootBag)
		if found != 1 {
			t.Errorf("it is stored %d times", found)
		}
	})
}

func TestLawS07_GenesisAndTurns(t *testing.T) {
	w := newWorld(t, license.Manual)
	st := w.system.Store
	head := func() *session.Unit {
		t.Helper()
		id, _, err := session.Head(st, w.agent)
		if err != nil {
			t.Fatal(err)
		}
		u, err := session.At(st, id)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	genesis := head()
	t.Run("genesis is the constitution and the environment", func(t *testing.T) {
		if genesis.Genesis == nil || genesis.Genesis.Constitution.Datum != "You test." || genesis.Genesis.Env["folder"] != w.context.Cwd {
			t.Errorf("%+v", genesis.Genesis)
		}
	})
	before, err := st.LastEvent(w.context.Session)
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.runner.Mint(agent.Ask{Agent: w.agent, Prompt: "one", Context: w.context})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("the next turn's tail is the old head, and it is the head", func(t *testing.T) {
		if u := head(); u.ID != id || !u.Turn.Tail.Refers(genesis.ID) {
			t.Errorf("the head is %s after %s", u.ID, u.Turn.Tail.ID())
		}
	})
	t.Run("in one transaction", func(t *testing.T) {
		var at []string
		for e, err := range st.Events(w.context.Session, before+1) {
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, e.Kind.Name()+" "+e.At.String())
		}
		if len(at) != 3 { // events of one transaction have one time
			t.Fatalf("%d events: %v", len(at), at)
		}
		for _, a := range at[1:] {
			if strings.SplitN(a, " ", 2)[1] != strings.SplitN(at[0], " ", 2)[1] {
				t.Errorf("%v", at)
			}
		}
	})
	t.Run("a refused turn leaves the head", func(t *testing.T) {
		_, move, err := session.Head(st, w.agent)
		if err != nil {
			t.Fatal(err)
		}
		next, _ := st.Next(w.context.Session, graph.RootBag)
		bag, _ := st.NewBag(w.context.Session)
		move.Ord-- // the place is taken
		lost := graph.ID{Session: w.context.Session, Bag: graph.RootBag, Ord: next}
		_, err = st.Apply(w.context.Session, store.Mint{ID: lost, Node: &kind.SessionTurn{Bag: bag}, Open: true}, store.Mint{ID: move, Node: &kind.HeadMove{Head: *kind.RefTo(lost)}})
		if err == nil || head().ID != id {
			t.Errorf("err %v, the head is %s", err, head().ID)
		}
		if _, err := st.Node(lost); err == nil {
			t.Error("the turn is there")
		}
	})
}

func TestLawS09_TheTapeIsReferences(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.file("a", "text")
	res := w.turn("do it", calls(use{"read-file", map[string]any{"path": "a"}}), say("done"))
	tape, err := session.TapeOf(w.system.Store, res.ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("what is on it is among the children", func(t *testing.T) {
		owned := map[graph.ID]bool{}
		for _, e := range tape.Children {
			owned[e.ID] = true
		}
		for _, c := range tape.Cells() {
			if !owned[c.ID] {
				t.Errorf("%s is on the tape and no child", c.ID)
			}
			for _, one := range c.Calls {
				if !owned[one.ID] {
					t.Errorf("%s is referred to and no child", one.ID)
				}
			}
		}
	})
	t.Run("doneWork and queue are all of it", func(t *testing.T) {
		if len(tape.Done) != 4 || len(tape.Queue) != 0 {
			t.Errorf("%d done, %d queued", len(tape.Done), len(tape.Queue))
		}
	})
	t.Run("a background child is not painted beside it", func(t *testing.T) {
		turn, err := session.At(w.system.Store, res.ID)
		if err != nil {
			t.Fatal(err)
		}
		next, _ := w.system.Store.Next(res.ID.Session, turn.Turn.Bag)
		if _, err := w.system.Store.Apply(res.ID.Session, store.Mint{ID: graph.ID{Session: res.ID.Session, Bag: turn.Turn.Bag, Ord: next},
			Node: &kind.SystemToolJob{ToolCallJob: kind.ToolCallJob{Tool: "glob", Background: true}}}); err != nil {
			t.Fatal(err)
		}
		units, err := w.runner.Paint(w.agent, 0)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(units[1].Cells); n != 4 {
			t.Errorf("%d cells are painted", n)
		}
	})
}

func TestLawS15_ClosedIsThatTheReducerExited(t *testing.T) {
	w := newWorld(t, license.Manual)
	res := w.turn("one", say("done"))
	u, err := session.At(w.system.Store, res.ID)
	if err != nil {
		t.Fatal(err)
	}
	bag, _ := w.system.Store.NewBag(res.ID.Session)
	next, _ := w.system.Store.Next(res.ID.Session, u.Turn.Bag)
	if _, err := w.system.Store.Apply(res.ID.Session, store.Mint{ID: graph.ID{Session: res.ID.Session, Bag: u.Turn.Bag, Ord: next},
		Node: &kind.ProgrammaticJob{Bag: bag, Background: true}, Open: true}); err != nil {
		t.Fatal(err)
	}
	if u, _ = session.At(w.system.Store, res.ID); !u.Closed() {
		t.Error("an open child in the background holds it")
	}
}

func TestLawS18_GuardsAndReceipts(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.file("a", "text")
	res := w.turn("do it", calls(use{"read-file", map[string]any{"path": "a"}}, write("b", "x")), say("done"))
	tape, err := session.TapeOf(w.system.Store, res.ID)
	if err != nil {
		t.Fatal(err)
	}
	round := tape.Done[2].Calls
	t.Run("allowed: the body ran, the outcome is on the job", func(t *testing.T) {
		o := round[0].Entry.Outcome
		if o.State != kind.Settled || o.Value.Datum != "text" {
			t.Errorf("%+v", o)
		}
	})
	t.Run("denied: a receipt, and it is complete", func(t *testing.T) {
		o := round[1].Entry.Outcome
		if o.State != kind.Denied || o.Error == nil || graph.TextField(o.Error.Data.Datum, "rule") == "" {
			t.Errorf("%+v", o)
		}
		if _, there := w.files()["b"]; there {
			t.Error("its body ran")
		}
	})
	t.Run("cancelled: a receipt, and it is complete", func(t *testing.T) {
		id, err := w.runner.Mint(agent.Ask{Agent: w.agent, Prompt: "again", Context: w.context})
		if err != nil {
			t.Fatal(err)
		}
		u, _ := session.At(w.system.Store, id)
		next, _ := w.system.Store.Next(id.Session, u.Turn.Bag)
		job := graph.ID{Session: id.Session, Bag: u.Turn.Bag, Ord: next}
		if _, err := w.system.Store.Apply(id.Session, store.Mint{ID: job, Node: &kind.SystemToolJob{ToolCallJob: kind.ToolCallJob{Tool: "glob", Decision: kind.Decision{Verdict: "allow"}}}, Open: true}); err != nil {
			t.Fatal(err)
		}
		e, _ := w.system.Store.Entry(id)
		c := w.context
		if err := w.system.Calls.Close(w.system.Calls.End(t.Context(), &c, e, "a test", true)); err != nil {
			t.Fatal(err)
		}
		for _, x := range []graph.ID{job, id} {
			o, err := w.system.Store.Outcome(x)
			if err != nil || o == nil || o.State != kind.Cancelled || o.Error == nil {
				t.Errorf("%s: %+v %v", x, o, err)
			}
		}
	})
}

func TestLawS23_AssigningThePolicy(t *testing.T) {
	w := newWorld(t, license.Manual)
	one := w.turn("one", say("first"))
	two := w.turn("two", say("second"))
	if err := w.runner.SetPolicy(w.context.Session, "yolo", "a test"); err != nil {
		t.Fatal(err)
	}
	t.Run("writes the standing policy", func(t *testing.T) {
		if p, err := session.Standing(w.system.Store, w.context.Session); err != nil || p != "yolo" {
			t.Errorf("%s %v", p, err)
		}
	})
	t.Run("and the overlay of the head", func(t *testing.T) {
		if p, err := session.EffectivePolicy(w.system.Store, two.ID); err != nil || p != "yolo" {
			t.Errorf("%s %v", p, err)
		}
	})
	t.Run("repointing the head brings that round's policy back", func(t *testing.T) {
		w.move("rewind!", one.ID, nil)
		if p := w.policy(); p != "manual" {
			t.Errorf("%s", p)
		}
	})
	t.Run("the license reads what is inherited", func(t *testing.T) {
		if res := w.turn("three", calls(write("a", "x")), say("done")); w.tape(res.ID)[2] != "calls denied" {
			t.Errorf("%v", w.tape(res.ID))
		}
		w.move("rewind!", two.ID, nil)
		if res := w.turn("four", calls(write("a", "x")), say("done")); w.tape(res.ID)[2] != "calls settled" {
			t.Errorf("%v", w.tape(res.ID))
		}
	})
	t.Run("without a head only the standing policy is written", func(t *testing.T) {
		n, err := w.system.Store.NewSession(&kind.SessionRoot{SessionID: "x", Path: w.context.Workspace})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.runner.SetPolicy(n, "auto", "a test"); err != nil {
			t.Fatal(err)
		}
		if p, err := w.runner.CurrentPolicy(n); err != nil || p != "auto" {
			t.Errorf("%s %v", p, err)
		}
	})
}

func TestLawS27_ModeIsTheSessions(t *testing.T) {
	w := newWorld(t, license.Yolo)
	one := w.turn("one", say("first"))
	w.turn("two", say("second"))
	if _, err := w.system.Store.Apply(w.context.Session, store.Note{ID: graph.RootID(w.context.Session), Fact: kind.Fact{What: kind.FactMode, Value: kind.Of("plan")}}); err != nil {
		t.Fatal(err)
	}
	w.move("rewind!", one.ID, nil)
	w.file("b", "text")
	res := w.turn("three", calls(write("a", "x"), use{"read-file", map[string]any{"path": "b"}}), say("done"))
	if got := w.tape(res.ID)[2]; got != "calls denied settled" {
		t.Errorf("after the head moved, in mode plan: %s", got)
	}
}

func TestLawS39_ToolsAreFrozenForTheRound(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.agent = w.begin(kind.Spec{AgentSpec: &kind.AgentSpec{Name: "reader", Model: "actor:m", Tools: []string{"read-file", "glob", "nothing-of-the-kind"}}})
	one := w.turn("one", calls(write("a", "x")), say("done"))
	two := w.turn("two", say("done"))
	t.Run("the first turn's definition is the ceiling of what there is", func(t *testing.T) {
		got, err := session.EffectiveTools(w.system.Store, one.ID)
		if diff := cmp.Diff([]string{"glob", "read-file"}, got); diff != "" || err != nil {
			t.Error(diff, err)
		}
	})
	t.Run("a later one inherits it", func(t *testing.T) {
		u, _ := session.At(w.system.Store, two.ID)
		if u.Turn.ToolsDefinition != nil || !u.Turn.ToolsFrom.Refers(one.ID) {
			t.Errorf("%+v", u.Turn)
		}
		if got, _ := session.EffectiveTools(w.system.Store, two.ID); len(got) != 2 {
			t.Errorf("%v", got)
		}
	})
	t.Run("the model is told of these and may call no other", func(t *testing.T) {
		if n := len(w.asked[0].Tools); n != 2 {
			t.Errorf("%d tools", n)
		}
		if got := w.tape(one.ID)[2]; got != "calls failed" {
			t.Errorf("%s", got)
		}
		three := w.turn("three", calls(use{"define-agent", map[string]any{"name": "x", "constitution": "c"}}), say("done")) // which a program may
		if got := w.tape(three.ID)[2]; got != "calls failed" {
			t.Errorf("a call of what only programs have: %s", got)
		}
	})
}

func TestLawS43_ACompletionIsACellAndItsObligationAPEW(t *testing.T) {
	w := newWorld(t, license.Manual)
	res := w.turn("one", say("done"))
	b, err := store.NewTree(w.system.Store).Branch(res.ID)
	if err != nil {
		t.Fatal(err)
	}
	var cells, pews int
	for n := range graph.WalkWork(b) {
		switch n := n.(type) {
		case *store.Chunk:
			if j, ok := n.Node.(*kind.CompletionJob); ok && j.Tail != nil {
				cells++
			}
		case *store.Obligation:
			if n.Node.Kind() == kind.KindCompletionExpectation {
				pews++
			}
			var container graph.WorkContainer = n
			if _, isPEW := container.(graph.PEW); !isPEW || graph.JobOf(n) != nil {
				t.Error("the obligation is no PEW, or a job")
			}
		}
	}
	if cells != 1 || pews != 1 {
		t.Errorf("%d cells and %d obligations", cells, pews)
	}
	n := 0
	for range b.Jobs() {
		n++
	}
	if n != 0 {
		t.Errorf("the collectors show %d jobs", n)
	}
}

// TestCeilingHoldsForPrograms: what a recipe withholds from an agent no program of it reaches either.
func TestCeilingHoldsForPrograms(t *testing.T) {
	w := newWorld(t, license.Yolo)
	w.file("a", "text")
	w.agent = w.begin(kind.Spec{AgentSpec: &kind.AgentSpec{Name: "reader", Model: "actor:m", Tools: []string{"read-file", "scheme"}}})
	try := func(call string) string { return "(guard (e (#t (condition/report-string e))) " + call + ")" }
	for _, c := range []struct{ program, want string }{
		{`(read-file "a")`, `value: "text"`},
		{try(`(bash "true")`), "bash is not among the tools of this agent"},
		{try(`(run-program (program "(bash \"true\")"))`), "bash is not among the tools of this agent"},
		{try(`(call-tool 'write-file "b" "x")`), "write-file is not among the tools of this agent"},
	} {
		if got := w.scheme(c.program); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.program, got)
		}
	}
	if _, there := w.files()["b"]; there {
		t.Error("a file was written")
	}
}
