package orchestrator_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/orchestrator"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/store/mem"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a session with an agent, and an orchestrator whose bodies settle what they lead and say so.
type house struct {
	t     *testing.T
	st    store.Store
	n     uint64
	agent graph.ID
	o     *orchestrator.Orchestrator

	mu     sync.Mutex
	led    []string
	guards map[graph.ID]int
	wait   map[graph.ID]bool
	rest   map[graph.ID]bool // bodies that come to rest without an outcome
}

func newHouse(t *testing.T) *house {
	t.Helper()
	st, err := mem.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, st: st, guards: map[graph.ID]int{}, wait: map[graph.ID]bool{}, rest: map[graph.ID]bool{}}
	if h.n, err = st.NewSession(&kind.SessionRoot{SessionID: "s", Path: "/w"}); err != nil {
		t.Fatal(err)
	}
	heads := h.bag()
	h.agent = graph.ID{Session: h.n, Bag: graph.RootBag}
	genesis := graph.ID{Session: h.n, Bag: graph.RootBag, Ord: 1}
	h.apply(store.Mint{ID: h.agent, Node: &kind.Agent{Head: heads}}, store.Mint{ID: genesis, Node: &kind.SessionSystemPrompt{Agent: *kind.RefTo(h.agent)}},
		store.Mint{ID: graph.ID{Session: h.n, Bag: heads}, Node: &kind.HeadMove{Head: *kind.RefTo(genesis)}},
		store.Note{ID: graph.RootID(h.n), Fact: kind.Fact{What: kind.FactAgent, Value: kind.Of(h.agent.String())}})
	body := func(what string) func(context.Context, graph.ID) error {
		return func(_ context.Context, id graph.ID) error {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.led = append(h.led, what+" "+id.String())
			if h.rest[id] && len(h.led) < 100 { // what is led for ever is seen, and ends
				return nil
			}
			_, err := st.Apply(h.n, store.Settle{ID: id, Outcome: kind.Outcome{State: kind.Settled}})
			return err
		}
	}
	guard := func(allow orchestrator.Verdict) func(context.Context, kind.Entry) (orchestrator.Verdict, error) {
		return func(_ context.Context, e kind.Entry) (orchestrator.Verdict, error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.guards[e.ID]++
			if h.wait[e.ID] {
				return orchestrator.Wait, nil
			}
			return allow, nil
		}
	}
	h.o = &orchestrator.Orchestrator{Store: st, Known: func(c string) bool { return c == "known:m" },
		Executors: []orchestrator.Executor{
			{Class: kind.KindSessionTurn, Guard: guard(orchestrator.Allow), Execute: body("turn")},
			{Class: kind.KindProgrammaticJob, Guard: guard(orchestrator.Allow), Execute: body("program")},
			{Class: kind.KindAgentCallJob, Guard: guard(orchestrator.Deny), Execute: body("agent"), Refuse: body("refuse")},
		},
		Actors: []orchestrator.Actor{{Kind: kind.KindCompletionExpectation, Connection: func(n kind.Node) string { return n.(*kind.CompletionExpectation).Model }, Fulfil: body("completion")}},
	}
	return h
}

func (h *house) apply(changes ...store.Change) {
	h.t.Helper()
	if _, err := h.st.Apply(h.n, changes...); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) bag() uint64 {
	h.t.Helper()
	b, err := h.st.NewBag(h.n)
	if err != nil {
		h.t.Fatal(err)
	}
	return b
}

func (h *house) next(bag uint64) graph.ID {
	h.t.Helper()
	ord, err := h.st.Next(h.n, bag)
	if err != nil {
		h.t.Fatal(err)
	}
	return graph.ID{Session: h.n, Bag: bag, Ord: ord}
}

func (h *house) turn(tail graph.ID) graph.ID {
	h.t.Helper()
	u, err := session.At(h.st, tail)
	if err != nil {
		h.t.Fatal(err)
	}
	n, err := session.Continue(h.st, h.agent, u, "", nil)
	if err != nil {
		h.t.Fatal(err)
	}
	n.Bag = h.bag()
	id := h.next(graph.RootBag)
	_, at, err := session.Head(h.st, h.agent)
	if err != nil {
		h.t.Fatal(err)
	}
	h.apply(store.Mint{ID: id, Node: n, Open: true}, store.Mint{ID: at, Node: &kind.HeadMove{Head: *kind.RefTo(id)}})
	return id
}

func (h *house) genesis() graph.ID { return graph.ID{Session: h.n, Bag: graph.RootBag, Ord: 1} }

// attend runs the orchestrator until nothing is left to do, and answers what it led.
func (h *house) attend(meanwhile ...func()) map[string]int {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	defer cancel()
	err := h.o.Attend(ctx, h.n, func() {
		if len(meanwhile) > 0 {
			next := meanwhile[0]
			meanwhile = meanwhile[1:]
			next()
			return
		}
		cancel()
	})
	if err != nil {
		h.t.Fatal(err)
	}
	out := map[string]int{}
	for _, s := range h.led {
		out[s]++
	}
	return out
}

func (h *house) pew(job graph.ID, model string) graph.ID {
	h.t.Helper()
	bag := h.bag()
	cell := h.next(job.Bag)
	h.apply(store.Mint{ID: cell, Node: &kind.CompletionJob{Tail: kind.RefTo(job), Bag: bag, Model: model}, Open: true},
		store.Mint{ID: graph.ID{Session: h.n, Bag: bag}, Node: &kind.CompletionExpectation{Model: model}, Open: true})
	return graph.ID{Session: h.n, Bag: bag}
}

func TestLawS13_ABackgroundPEWGetsItsActor(t *testing.T) {
	h := newHouse(t)
	turn := h.turn(h.genesis())
	u, _ := session.At(h.st, turn)
	program := h.next(u.Turn.Bag)
	inner := h.bag()
	h.apply(store.Mint{ID: program, Node: &kind.ProgrammaticJob{Bag: inner, Background: true, WalkBoundary: true}, Open: true})
	h.rest[program] = true // its executor leaves it where it is
	pew := h.pew(graph.ID{Session: h.n, Bag: inner}, "known:m")
	led := h.attend()
	if led["completion "+pew.String()] != 1 {
		t.Errorf("it was led: %v", led)
	}
}

func TestLawS20_HonorTakesLeftoversOnly(t *testing.T) {
	h := newHouse(t)
	turn := h.turn(h.genesis())
	u, _ := session.At(h.st, turn)
	orphan := h.pew(graph.ID{Session: h.n, Bag: u.Turn.Bag}, "known:m")
	tool := h.next(u.Turn.Bag)
	h.apply(store.Mint{ID: tool, Node: &kind.ToolCallJob{Tool: "server/tool", Decision: kind.Decision{Verdict: "ask"}}}, store.Wait{ID: tool})
	h.rest[turn] = true
	elsewhere := h.turn(h.genesis()) // the head leaves the first turn
	h.rest[elsewhere] = true
	eu, _ := session.At(h.st, elsewhere)
	below := graph.ID{Session: h.n, Bag: eu.Turn.Bag}
	live, unknown, done := h.pew(below, "known:m"), h.pew(below, "other:m"), h.pew(below, "known:m")
	h.apply(store.Settle{ID: done, Outcome: kind.Outcome{State: kind.Settled}})
	led := h.attend()
	for _, c := range []struct {
		name string
		key  string
		want int
	}{
		{"a leftover of the live head", "completion " + live.String(), 1},
		{"one that is done", "completion " + done.String(), 0},
		{"one orphaned in the tree", "completion " + orphan.String(), 0},
		{"one that names an unknown connection", "completion " + unknown.String(), 0},
		{"a tool's job", "completion " + tool.String(), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if led[c.key] != c.want {
				t.Errorf("it was led %d times, wanted %d", led[c.key], c.want)
			}
		})
	}
	t.Run("no executor runs an obligation, and no actor leads a job", func(t *testing.T) {
		for _, id := range []graph.ID{live, done, orphan, unknown} {
			if n := h.guards[id]; n != 0 {
				t.Errorf("a guard was asked %d times about the obligation %s", n, id)
			}
		}
		for key, n := range led {
			what, id, _ := strings.Cut(key, " ")
			if (what == "completion") != (id == live.String()) {
				t.Errorf("%s was led as a %s, %d times", id, what, n)
			}
		}
	})
	t.Run("one dispatched at its origin is left to it", func(t *testing.T) {
		h := newHouse(t)
		turn := h.turn(h.genesis())
		h.rest[turn] = true
		u, _ := session.At(h.st, turn)
		pew := h.pew(graph.ID{Session: h.n, Bag: u.Turn.Bag}, "known:m")
		here := true
		h.o.Here = func(id graph.ID) bool { return here && id == pew }
		if led := h.attend(); led["completion "+pew.String()] != 0 {
			t.Errorf("it was led beside its origin: %v", led)
		}
		here = false // its origin is gone
		if led := h.attend(); led["completion "+pew.String()] != 1 {
			t.Errorf("left over, it was led: %v", led)
		}
	})
	t.Run("once", func(t *testing.T) {
		h := newHouse(t)
		turn := h.turn(h.genesis())
		u, _ := session.At(h.st, turn)
		pew := h.pew(graph.ID{Session: h.n, Bag: u.Turn.Bag}, "known:m")
		h.rest[turn], h.rest[pew] = true, true
		var commits []func()
		for range 10 {
			commits = append(commits, func() { h.apply(store.Note{ID: turn, Fact: kind.Fact{What: "looked at"}}) })
		}
		if led := h.attend(commits...); led["completion "+pew.String()] != 1 {
			t.Errorf("it was led: %v", led)
		}
	})
	t.Run("an unlicensed call does not spin", func(t *testing.T) {
		before := 0
		for _, n := range h.guards {
			before += n
		}
		for range 100 { // commits that change nothing for it
			h.apply(store.Note{ID: tool, Fact: kind.Fact{What: "looked at"}})
		}
		h.attend()
		if n := h.guards[tool]; n != 0 {
			t.Errorf("a guard was asked %d times about the tool's job", n)
		}
		after := 0
		for _, n := range h.guards {
			after += n
		}
		if after-before > 5 {
			t.Errorf("guards were asked %d times more", after-before)
		}
	})
}

func TestLawS16_ATurnWaitsForItsPredecessors(t *testing.T) {
	h := newHouse(t)
	one := h.turn(h.genesis())
	two := h.turn(one)
	h.wait[two] = true
	led := h.attend(func() {
		h.mu.Lock()
		if len(h.led) != 1 || h.led[0] != "turn "+one.String() {
			t.Errorf("before its predecessor closed it was led: %v", h.led)
		}
		h.wait[two] = false
		h.mu.Unlock()
		h.apply(store.Note{ID: one, Fact: kind.Fact{What: "looked at"}}) // guards are asked again on commits
	})
	if led["turn "+two.String()] != 1 || led["refuse "+two.String()] != 0 {
		t.Errorf("it was led: %v", led)
	}
}

func TestLawS41_ExecutorsRunEveryReachableJob(t *testing.T) {
	h := newHouse(t)
	one := h.turn(h.genesis())
	u, _ := session.At(h.st, one)
	inside := h.next(u.Turn.Bag)
	h.apply(store.Mint{ID: inside, Node: &kind.ProgrammaticJob{Bag: h.bag(), Background: true, WalkBoundary: true}, Open: true})
	led := h.attend()
	if led["turn "+one.String()] != 1 || led["program "+inside.String()] != 1 {
		t.Errorf("it was led: %v", led)
	}
	t.Run("once, until a person answers", func(t *testing.T) {
		h := newHouse(t)
		one := h.turn(h.genesis())
		h.rest[one] = true
		led := h.attend(func() { h.apply(store.Note{ID: one, Fact: kind.Fact{What: "looked at"}}) })
		if led["turn "+one.String()] != 1 {
			t.Errorf("it was led: %v", led)
		}
		h.apply(store.Note{ID: one, Fact: kind.Fact{What: kind.FactApproved}})
		if led := h.attend(); led["turn "+one.String()] != 2 {
			t.Errorf("after an answer it was led: %v", led)
		}
	})
}
