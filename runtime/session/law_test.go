package session_test

import (
	"reflect"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/store"
)

func fields(v any) (out []string) {
	t := reflect.TypeOf(v)
	for i := range t.NumField() {
		out = append(out, t.Field(i).Name)
	}
	return out
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v, wanted %v", what, got, want)
	}
}

func TestLawS02_OneStoredHead(t *testing.T) {
	k := newTalk(t, "manual")
	one := k.turn(k.units[0], "")
	t.Run("the root's head is the agent's", func(t *testing.T) {
		agent, ok, err := session.AgentOf(k.st, k.n)
		if err != nil || !ok || agent != k.agent {
			t.Fatalf("the root's agent is %s, %v, %v", agent, ok, err)
		}
		if head, _, err := session.Head(k.st, agent); err != nil || head != one {
			t.Errorf("the head is %s (%v), wanted %s", head, err, one)
		}
	})
	t.Run("no other node stores a head", func(t *testing.T) {
		for _, r := range kind.Table() {
			n := reflect.TypeOf(r.New()).Elem()
			for i := range n.NumField() {
				if n.Field(i).Name == "Head" && r.Kind != kind.KindAgent && r.Kind != kind.KindHeadMove {
					t.Errorf("%s has a field Head", r.Name)
				}
			}
		}
	})
	t.Run("two that write it at once: one is refused", func(t *testing.T) {
		_, at, err := session.Head(k.st, k.agent)
		if err != nil {
			t.Fatal(err)
		}
		move := func(to graph.ID) error {
			_, err := k.st.Apply(k.n, store.Mint{ID: at, Node: &kind.HeadMove{Head: *kind.RefTo(to), Verb: kind.VerbRewind}})
			return err
		}
		if err := move(k.units[0]); err != nil {
			t.Fatal(err)
		}
		if err := move(one); err == nil {
			t.Error("both were taken")
		}
	})
}

func TestLawS04_AnAgentIsASpecAndAHead(t *testing.T) {
	same(t, "Agent", fields(kind.Agent{}), []string{"Spec", "Head", "Parent", "Nickname"})
	t.Run("parent and nickname are optional", func(t *testing.T) {
		for _, f := range []string{"Parent", "Nickname"} {
			x, _ := reflect.TypeOf(kind.Agent{}).FieldByName(f)
			if tag := x.Tag.Get("cbor"); tag == "" || tag[len(tag)-len("omitempty"):] != "omitempty" {
				t.Errorf("%s has the tag %q", f, tag)
			}
		}
	})
	t.Run("a recipe has no place, frozen tools or costs", func(t *testing.T) {
		same(t, "AgentSpec", fields(kind.AgentSpec{}), []string{"Name", "Description", "Constitution", "Nature", "KeepAlive", "VoidLegal", "Model", "Tools"})
	})
}

func TestLawS08_TapeCellsHaveATail(t *testing.T) {
	k := newTalk(t, "manual")
	turn := k.turn(k.units[0], "")
	u, err := session.At(k.st, turn)
	if err != nil {
		t.Fatal(err)
	}
	at := func(ord uint64) graph.ID { return graph.ID{Session: k.n, Bag: u.Turn.Bag, Ord: ord} }
	bag := func() uint64 {
		b, err := k.st.NewBag(k.n)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	k.apply(store.Mint{ID: at(0), Node: &kind.TurnPromptChunk{Source: kind.SourceUser}},
		store.Mint{ID: at(1), Node: &kind.CompletionJob{Tail: kind.RefTo(turn), Bag: bag()}, Open: true},
		store.Mint{ID: at(2), Node: &kind.CompletionJob{Bag: bag(), Why: "continue"}, Open: true},
		store.Mint{ID: at(3), Node: &kind.TurnCompactChunk{Tail: *kind.RefTo(at(1))}})
	tape, err := session.TapeOf(k.st, turn)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("an intern without a tail is a child and not on the tape", func(t *testing.T) {
		if len(tape.Children) != 4 || len(tape.Cells()) != 3 {
			t.Errorf("%d children, %d cells", len(tape.Children), len(tape.Cells()))
		}
		for _, c := range tape.Cells() {
			if c.ID == at(2) {
				t.Error("the intern is on the tape")
			}
		}
	})
	t.Run("a cell continues the one before, or the turn", func(t *testing.T) {
		cells := tape.Cells()
		if !cells[1].Completion.Tail.Refers(turn) || !cells[2].Compact.Tail.Refers(cells[1].ID) {
			t.Error("the tails lead elsewhere")
		}
	})
}

func TestLawS14_TheWorkOfTheDocument(t *testing.T) {
	k := newTalk(t, "manual")
	settle := func(id graph.ID) {
		k.apply(store.Settle{ID: id, Outcome: kind.Outcome{State: kind.Settled, Value: kind.Of("x")}})
	}
	far := k.turn(k.units[0], "")
	closed := k.turn(far, "")
	u, err := session.At(k.st, closed)
	if err != nil {
		t.Fatal(err)
	}
	at := func(ord uint64) graph.ID { return graph.ID{Session: k.n, Bag: u.Turn.Bag, Ord: ord} }
	program, tool, joined, ended, cell := at(0), at(1), at(2), at(3), at(4)
	bag, _ := k.st.NewBag(k.n)
	own, _ := k.st.NewBag(k.n)
	call := func(background bool) *kind.SystemToolJob {
		return &kind.SystemToolJob{ToolCallJob: kind.ToolCallJob{Tool: "glob", Background: background}}
	}
	k.apply(store.Mint{ID: program, Node: &kind.ProgrammaticJob{Bag: bag, Background: true}, Open: true},
		store.Mint{ID: tool, Node: call(true), Open: true}, store.Mint{ID: joined, Node: call(false), Open: true}, store.Mint{ID: ended, Node: call(true)},
		store.Mint{ID: cell, Node: &kind.CompletionJob{Tail: kind.RefTo(closed), Bag: own}, Open: true})
	settle(closed)
	abandoned := k.turn(closed, "")
	inbound := k.turn(closed, "")
	head := k.turn(inbound, "")
	if u, err = session.At(k.st, head); err != nil {
		t.Fatal(err)
	}
	tape, prompt := at(1), at(0)
	other, _ := k.st.NewBag(k.n)
	k.apply(store.Mint{ID: prompt, Node: &kind.TurnPromptChunk{Source: kind.SourceUser}, Open: true},
		store.Mint{ID: tape, Node: &kind.CompletionJob{Tail: kind.RefTo(head), Bag: other}, Open: true})
	work, err := session.Work(k.st, k.n)
	if err != nil {
		t.Fatal(err)
	}
	has := map[graph.ID]bool{}
	for _, id := range work {
		if has[id] {
			t.Errorf("%s is there twice", id)
		}
		has[id] = true
	}
	for _, c := range []struct {
		name string
		id   graph.ID
		want bool
	}{
		{"the head", head, true},
		{"an inbound predecessor", inbound, true},
		{"another open turn that the head leads to, behind a closed one", far, true},
		{"a program that a closed turn left in the background", program, true},
		{"a call that a closed turn left in the background", tool, true},
		{"one that has ended", ended, false},
		{"a closed turn", closed, false},
		{"a foreground call of a closed turn", joined, false},
		{"an open turn that the head does not lead to", abandoned, false},
		{"a completion on the head's tape", tape, false},
		{"a prompt on its queue", prompt, false},
		{"a completion on the tape of a closed turn", cell, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if has[c.id] != c.want {
				t.Errorf("it is work: %v", has[c.id])
			}
		})
	}
}

func TestLawS21_DormancyIsComputed(t *testing.T) {
	k := newTalk(t, "manual")
	one := k.turn(k.units[0], "")
	left := k.turn(one, "")
	u, err := session.At(k.st, left)
	if err != nil {
		t.Fatal(err)
	}
	job := graph.ID{Session: k.n, Bag: u.Turn.Bag, Ord: 0}
	k.apply(store.Mint{ID: job, Node: &kind.SystemToolJob{ToolCallJob: kind.ToolCallJob{Tool: "glob"}}, Open: true})
	dormant := func(id graph.ID) bool {
		t.Helper()
		d, err := session.Dormant(k.st, id)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if dormant(job) || dormant(left) {
		t.Error("work on the live head is dormant")
	}
	k.turn(one, "")
	t.Run("work on an abandoned branch", func(t *testing.T) {
		if !dormant(job) || !dormant(left) || dormant(one) {
			t.Error("it is not told apart")
		}
	})
	t.Run("the head comes back", func(t *testing.T) {
		k.move(left)
		if dormant(job) || dormant(left) {
			t.Error("it is still dormant")
		}
	})
	t.Run("it is stored nowhere", func(t *testing.T) {
		for _, r := range kind.Table() {
			for _, f := range fields(reflect.ValueOf(r.New()).Elem().Interface()) {
				if f == "Dormant" || f == "Active" || f == "Live" {
					t.Errorf("%s has a field %s", r.Name, f)
				}
			}
		}
	})
}

func TestLawS22_PolicyIsATurnOverlay(t *testing.T) {
	k := newTalk(t, "auto")
	one := k.turn(k.units[0], "")
	two := k.turn(one, "")
	three := k.turn(two, "yolo")
	four := k.turn(three, "")
	for _, c := range []struct {
		name string
		turn graph.ID
		want string
	}{
		{"the first turn takes the standing posture", one, "auto"},
		{"null inherits the tail", two, "auto"},
		{"a turn with an overlay", three, "yolo"},
		{"null inherits the nearest overlay", four, "yolo"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := k.policy(c.turn); got != c.want {
				t.Errorf("it is %s, wanted %s", got, c.want)
			}
		})
	}
	t.Run("the first turn keeps what it took", func(t *testing.T) {
		k.apply(store.Note{ID: graph.RootID(k.n), Fact: kind.Fact{What: kind.FactPolicy, Value: kind.Of("manual")}})
		if got := k.policy(two); got != "auto" {
			t.Errorf("it is %s", got)
		}
	})
	t.Run("an overlay that comes later holds for what continued the turn", func(t *testing.T) {
		k.overlay(one, "yolo")
		if got := k.policy(two); got != "yolo" {
			t.Errorf("it is %s", got)
		}
	})
	t.Run("unknown and empty strings are manual", func(t *testing.T) {
		k.overlay(four, "anything")
		if got := k.policy(four); got != "manual" {
			t.Errorf("it is %s", got)
		}
		none := newTalk(t, "")
		if got := none.policy(none.turn(none.units[0], "")); got != "manual" {
			t.Errorf("of a session without a posture it is %s", got)
		}
	})
	t.Run("what is in force is computed: no node stores it", func(t *testing.T) {
		for _, r := range kind.Table() {
			for _, f := range fields(reflect.ValueOf(r.New()).Elem().Interface()) {
				if f == "EffectivePolicy" || f == "CurrentPolicy" && r.Kind != kind.KindSessionTurn {
					t.Errorf("%s has a field %s", r.Name, f)
				}
			}
		}
	})
	t.Run("a branch keeps its own", func(t *testing.T) {
		if got := k.policy(k.turn(two, "manual")); got != "manual" {
			t.Errorf("it is %s", got)
		}
		if got := k.policy(three); got != "yolo" {
			t.Errorf("the other is %s", got)
		}
	})
}

func TestLawS16_InboundPredecessors(t *testing.T) {
	k := newTalk(t, "manual")
	one := k.turn(k.units[0], "")
	two := k.turn(one, "")
	three := k.turn(two, "")
	inbound := func(id graph.ID) (ids []graph.ID) {
		t.Helper()
		u, err := session.At(k.st, id)
		if err != nil {
			t.Fatal(err)
		}
		before, err := session.Inbound(k.st, u)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range before {
			ids = append(ids, b.ID)
		}
		return ids
	}
	if got := inbound(three); !reflect.DeepEqual(got, []graph.ID{two, one}) {
		t.Errorf("%v", got)
	}
	k.apply(store.Settle{ID: two, Outcome: kind.Outcome{State: kind.Settled}})
	t.Run("one that closed ends the chain", func(t *testing.T) {
		if got := inbound(three); got != nil {
			t.Errorf("%v", got)
		}
	})
	t.Run("the first turn has none", func(t *testing.T) {
		if got := inbound(one); got != nil {
			t.Errorf("%v", got)
		}
	})
}

// TestLawS38_WhatRunsIsFoundFromTheHead: no list of what runs is kept beside it.
func TestLawS38_WhatRunsIsFoundFromTheHead(t *testing.T) {
	k := newTalk(t, "manual")
	one := k.turn(k.units[0], "")
	k.apply(store.Settle{ID: one, Outcome: kind.Outcome{State: kind.Settled}})
	two := k.turn(one, "")
	runs := func() []graph.ID {
		t.Helper()
		work, err := session.Work(k.st, k.n)
		if err != nil {
			t.Fatal(err)
		}
		return work
	}
	for _, c := range []struct {
		name string
		head graph.ID
		want []graph.ID
	}{
		{"the head runs", two, []graph.ID{two}},
		{"the head left it", k.units[0], nil},
		{"the head is back", two, []graph.ID{two}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k.move(c.head)
			if got := runs(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%v runs, wanted %v", got, c.want)
			}
		})
	}
}
