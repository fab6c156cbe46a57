package session_test

import (
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/store/mem"

	"pgregory.net/rapid"
)

// talk is a conversation in memory that a test grows.
type talk struct {
	t     testing.TB
	st    store.Store
	n     uint64
	agent graph.ID
	heads uint64
	units []graph.ID
}

func newTalk(t testing.TB, standing string) *talk {
	t.Helper()
	st, err := mem.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := &talk{t: t, st: st}
	if k.n, err = st.NewSession(&kind.SessionRoot{SessionID: "s", Path: "/w", StandingPolicy: standing}); err != nil {
		t.Fatal(err)
	}
	if k.heads, err = st.NewBag(k.n); err != nil {
		t.Fatal(err)
	}
	k.agent = graph.ID{Session: k.n, Bag: graph.RootBag}
	genesis := graph.ID{Session: k.n, Bag: graph.RootBag, Ord: 1}
	k.apply(store.Mint{ID: k.agent, Node: &kind.Agent{Head: k.heads}},
		store.Mint{ID: genesis, Node: &kind.SessionSystemPrompt{Agent: *kind.RefTo(k.agent)}},
		store.Note{ID: graph.RootID(k.n), Fact: kind.Fact{What: kind.FactAgent, Value: kind.Of(k.agent.String())}})
	k.units = []graph.ID{genesis}
	k.move(genesis)
	return k
}

func (k *talk) apply(changes ...store.Change) {
	k.t.Helper()
	if _, err := k.st.Apply(k.n, changes...); err != nil {
		k.t.Fatal(err)
	}
}

// move writes the head.
func (k *talk) move(to graph.ID) {
	k.t.Helper()
	_, at, err := session.Head(k.st, k.agent)
	if err != nil {
		k.t.Fatal(err)
	}
	k.apply(store.Mint{ID: at, Node: &kind.HeadMove{Head: *kind.RefTo(to), Verb: kind.VerbRewind}})
}

// turn mints a turn after a unit and moves the head to it.
func (k *talk) turn(tail graph.ID, policy string) graph.ID {
	k.t.Helper()
	u, err := session.At(k.st, tail)
	if err != nil {
		k.t.Fatal(err)
	}
	t, err := session.Continue(k.st, k.agent, u, policy, nil)
	if err != nil {
		k.t.Fatal(err)
	}
	if t.Bag, err = k.st.NewBag(k.n); err != nil {
		k.t.Fatal(err)
	}
	next, err := k.st.Next(k.n, graph.RootBag)
	if err != nil {
		k.t.Fatal(err)
	}
	id := graph.ID{Session: k.n, Bag: graph.RootBag, Ord: next}
	_, at, err := session.Head(k.st, k.agent)
	if err != nil {
		k.t.Fatal(err)
	}
	k.apply(store.Mint{ID: id, Node: t, Open: true}, store.Mint{ID: at, Node: &kind.HeadMove{Head: *kind.RefTo(id), Verb: kind.VerbTurn}})
	k.units = append(k.units, id)
	return id
}

// overlay lays a posture on a turn, as Runner.SetPolicy does.
func (k *talk) overlay(turn graph.ID, policy string) {
	k.t.Helper()
	changes := []store.Change{store.Note{ID: turn, Fact: kind.Fact{What: kind.FactPolicy, Value: kind.Of(policy)}}}
	late, err := session.LateOverlay(k.st, turn)
	if err != nil {
		k.t.Fatal(err)
	}
	if late {
		changes = append(changes, store.Note{ID: k.agent, Fact: kind.Fact{What: kind.FactLate, Value: kind.Of(turn.String())}})
	}
	k.apply(changes...)
}

func (k *talk) policy(turn graph.ID) string {
	k.t.Helper()
	p, err := session.EffectivePolicy(k.st, turn)
	if err != nil {
		k.t.Fatal(err)
	}
	return p
}

// TestWalksOfATree grows conversations with branches at random, and compares what is found by jumps with what a walk over
// all tails finds.
func TestWalksOfATree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k := newTalk(t, rapid.SampledFrom([]string{"", "manual", "auto", "yolo"}).Draw(rt, "standing"))
		tails := map[graph.ID]graph.ID{}
		overlays := map[graph.ID]string{}
		for range rapid.IntRange(1, 60).Draw(rt, "turns") {
			tail := k.units[len(k.units)-1]
			if rapid.IntRange(0, 4).Draw(rt, "branch") == 0 {
				tail = rapid.SampledFrom(k.units).Draw(rt, "tail")
			}
			policy := rapid.SampledFrom([]string{"", "", "", "auto", "yolo", "manual"}).Draw(rt, "policy")
			id := k.turn(tail, policy)
			tails[id] = tail
			if overlays[id] = policy; policy == "" && tail == k.units[0] {
				overlays[id], _ = session.Standing(k.st, k.n)
			}
			if rapid.IntRange(0, 6).Draw(rt, "assign") == 0 && len(k.units) > 1 {
				at := rapid.SampledFrom(k.units[1:]).Draw(rt, "turn")
				overlays[at] = rapid.SampledFrom([]string{"auto", "yolo", "manual"}).Draw(rt, "overlay")
				k.overlay(at, overlays[at])
			}
		}
		walk := func(from graph.ID) map[graph.ID]bool {
			on := map[graph.ID]bool{}
			for at, ok := from, true; ok; at, ok = tails[at] {
				on[at] = true
			}
			return on
		}
		for range 20 {
			head, unit := rapid.SampledFrom(k.units).Draw(rt, "head"), rapid.SampledFrom(k.units).Draw(rt, "unit")
			got, err := session.Reaches(k.st, head, unit)
			if err != nil {
				rt.Fatal(err)
			}
			if want := walk(head)[unit]; got != want {
				rt.Fatalf("%s reaches %s: %v, wanted %v", head, unit, got, want)
			}
			want, _ := session.Standing(k.st, k.n)
			for at, ok := head, true; ok; at, ok = tails[at] {
				if overlays[at] != "" {
					want = overlays[at]
					break
				}
			}
			if got := k.policy(head); got != want {
				rt.Fatalf("the posture of %s is %s, wanted %s", head, got, want)
			}
			left, entered, err := session.Between(k.st, head, unit)
			if err != nil {
				rt.Fatal(err)
			}
			a, b := walk(head), walk(unit)
			for _, u := range left {
				if !a[u.ID] || b[u.ID] {
					rt.Fatalf("%s is said to leave between %s and %s", u.ID, head, unit)
				}
				delete(a, u.ID)
			}
			for _, u := range entered {
				if a[u.ID] || !b[u.ID] {
					rt.Fatalf("%s is said to enter between %s and %s", u.ID, head, unit)
				}
				delete(b, u.ID)
			}
			if len(a) != len(b) {
				rt.Fatalf("between %s and %s %d and %d units are common", head, unit, len(a), len(b))
			}
		}
	})
}

// counted counts what is read of a store.
type counted struct {
	store.Store
	reads int
}

func (c *counted) Entry(id graph.ID) (kind.Entry, error) {
	c.reads++
	return c.Store.Entry(id)
}

func (c *counted) Node(id graph.ID) (kind.Node, error) {
	c.reads++
	return c.Store.Node(id)
}

// TestFarPredecessorsAreFoundInFewReads: a long conversation costs what its logarithm does.
func TestFarPredecessorsAreFoundInFewReads(t *testing.T) {
	k := newTalk(t, "auto")
	at := k.units[0]
	for range 3000 {
		at = k.turn(at, "")
	}
	for _, unit := range []int{0, 1, 2, 1500, 2999, 3000} {
		c := &counted{Store: k.st}
		on, err := session.Reaches(c, at, k.units[unit])
		if err != nil || !on {
			t.Fatalf("turn %d is not found: %v", unit, err)
		}
		if c.reads > 100 {
			t.Errorf("turn %d of 3,000 was found in %d reads", unit, c.reads)
		}
	}
	c := &counted{Store: k.st}
	if p, err := session.EffectivePolicy(c, at); err != nil || p != "auto" || c.reads > 10 {
		t.Errorf("the posture is %s (%v) after %d reads", p, err, c.reads)
	}
}
