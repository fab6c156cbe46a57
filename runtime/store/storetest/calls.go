package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

func callLife(t *testing.T, p Place) {
	s := opened(t, p)
	defer closing(t, s)
	n := newSession(t, s)
	id := at(n, 1, 0)
	want(t, "mint", apply(t, s, n, store.Mint{ID: id, Node: call("read-file", 0), Open: true}), store.Receipt{First: 2, Last: 2})
	want(t, "open", ids(t, s.Open(n)), "1.1.0")
	apply(t, s, n, store.Note{ID: id, Fact: kind.Fact{What: kind.FactMeasuredAgain, By: "call"}})
	r := apply(t, s, n, store.Settle{ID: id, Outcome: value("text")})
	want(t, "settle", r, store.Receipt{First: 4, Last: 4})
	want(t, "open after the settle", ids(t, s.Open(n)), "")

	e, err := s.Entry(id)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := e.Node.(*kind.SystemToolJob)
	if !ok || got.Tool != "read-file" || !graph.Equal(got.Args.Datum, graph.List{graph.Symbol("x"), int64(0)}) {
		t.Errorf("node came back as %#v", e.Node)
	}
	if e.Outcome == nil || e.Outcome.Seq != 4 || e.Outcome.Value.Datum != "text" {
		t.Errorf("outcome came back as %#v", e.Outcome)
	}
	if len(e.Facts) != 1 || e.Facts[0].What != kind.FactMeasuredAgain || e.Facts[0].Seq != 3 {
		t.Errorf("facts came back as %#v", e.Facts)
	}
	want(t, "events", told(t, s, n, 1), "1 session 1.0.0; 2 mint 1.1.0; 3 note 1.1.0 measured-again; 4 settle 1.1.0 settled")
	want(t, "events from 3", told(t, s, n, 3), "3 note 1.1.0 measured-again; 4 settle 1.1.0 settled")
	if err := s.Verify(n); err != nil {
		t.Error(err)
	}
}

func refusals(t *testing.T, p Place) {
	s := opened(t, p)
	defer closing(t, s)
	n := newSession(t, s)
	done, live := at(n, 1, 0), at(n, 1, 1)
	apply(t, s, n, store.Mint{ID: done, Node: call("a", 0)}, store.Mint{ID: live, Node: call("b", 1)})
	apply(t, s, n, store.Settle{ID: done, Outcome: value(int64(1))})
	before := told(t, s, n, 1)
	none, other := at(n, 1, 9), at(n+7, 1, 0)
	for _, c := range []struct {
		what    string
		changes []store.Change
		err     error
	}{
		{"a second mint", []store.Change{store.Mint{ID: done, Node: call("a", 0)}}, store.ErrExists},
		{"a mint in the root's place", []store.Change{store.Mint{ID: at(n, 0, 0), Node: call("a", 0)}}, store.ErrExists},
		{"the same mint twice in one request", []store.Change{store.Mint{ID: none, Node: call("a", 0)}, store.Mint{ID: none, Node: call("a", 0)}}, store.ErrExists},
		{"a second settle", []store.Change{store.Settle{ID: done, Outcome: value(int64(2))}}, store.ErrSettled},
		{"the same settle twice in one request", []store.Change{store.Settle{ID: live, Outcome: value(int64(2))}, store.Settle{ID: live, Outcome: value(int64(2))}}, store.ErrSettled},
		{"to start what is settled", []store.Change{store.Start{ID: done}}, store.ErrSettled},
		{"to wait for what is settled", []store.Change{store.Wait{ID: done}}, store.ErrSettled},
		{"a settle of nothing", []store.Change{store.Settle{ID: none, Outcome: value(int64(2))}}, store.ErrNotFound},
		{"a note on nothing", []store.Change{store.Note{ID: none}}, store.ErrNotFound},
		{"another session's node", []store.Change{store.Note{ID: other}}, store.ErrNotFound},
		{"good changes before a bad one", []store.Change{store.Mint{ID: none, Node: call("c", 2), Open: true}, store.Settle{ID: live, Outcome: value(int64(2))}, store.Start{ID: done}}, store.ErrSettled},
		{"nothing", nil, store.ErrEmpty},
	} {
		_, err := s.Apply(n, c.changes...)
		wantErr(t, c.what, err, c.err)
	}
	_, err := s.Apply(n+7, store.Note{ID: other})
	wantErr(t, "a session that is not there", err, store.ErrNoSession)
	want(t, "events", told(t, s, n, 1), before)
	_, err = s.Node(none)
	wantErr(t, "node of a refused mint", err, store.ErrNotFound)
	apply(t, s, n, store.Mint{ID: none, Node: call("c", 2)}, store.Settle{ID: live, Outcome: value(int64(3))})
	if err := s.Verify(n); err != nil {
		t.Error(err)
	}
}

func oneSettleWins(t *testing.T, p Place) {
	s := opened(t, p)
	defer closing(t, s)
	n := newSession(t, s)
	for ord := range uint64(20) {
		id := at(n, 1, ord)
		apply(t, s, n, store.Mint{ID: id, Node: call("race", ord), Open: true})
		var won atomic.Int64
		var wg sync.WaitGroup
		for g := range 16 {
			wg.Go(func() {
				settle := store.Settle{ID: id, Outcome: value(int64(g))}
				var err error
				if g%2 == 0 {
					_, err = s.Apply(n, settle)
				} else {
					_, err = s.Ride(n, settle)
				}
				switch {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, store.ErrSettled):
					t.Errorf("settle: %v", err)
				}
			})
		}
		wg.Wait()
		want(t, "winners", won.Load(), 1)
	}
	settles := 0
	for _, e := range events(t, s, n, 1) {
		if e.What == store.EventSettle {
			settles++
		}
	}
	want(t, "settle events", settles, 20)
}

func gaplessChain(t *testing.T, p Place) {
	s := opened(t, p)
	defer closing(t, s)
	sessions := []uint64{newSession(t, s), newSession(t, s), newSession(t, s)}
	var wg sync.WaitGroup
	for g := range 12 {
		wg.Go(func() {
			n := sessions[g%3]
			bag := uint64(10 + g)
			for ord := range uint64(25) {
				id := at(n, bag, ord)
				if _, err := s.Apply(n, store.Mint{ID: id, Node: call("t", ord), Open: true}, store.Note{ID: id, Fact: kind.Fact{What: "x"}}); err != nil {
					t.Error(err)
				}
				settle := store.Settle{ID: id, Outcome: value(int64(ord))}
				if ord%3 == 0 {
					if _, err := s.Ride(n, settle); err != nil {
						t.Error(err)
					}
					continue
				}
				if _, err := s.Apply(n, settle); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for _, n := range sessions {
		if err := s.Flush(n); err != nil {
			t.Fatal(err)
		}
		next := uint64(1)
		for _, e := range events(t, s, n, 1) {
			if e.Seq != next {
				t.Fatalf("session %d: event %d where %d should be", n, e.Seq, next)
			}
			next++
		}
		want(t, "events of the session", next-1, 1+4*25*3)
		if err := s.Verify(n); err != nil {
			t.Error(err)
		}
		want(t, "open", ids(t, s.Open(n)), "")
	}
}

func settleOrder(t *testing.T, p Place) {
	s := opened(t, p)
	defer closing(t, s)
	n := newSession(t, s)
	const calls = 200
	var mints []store.Change
	for ord := range uint64(calls) {
		mints = append(mints, store.Mint{ID: at(n, 1, ord), Node: call("t", ord), Open: true})
	}
	apply(t, s, n, mints...)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for ord := uint64(g); ord < calls; ord += 8 {
				if _, err := s.Ride(n, store.Settle{ID: at(n, 1, ord), Outcome: value(int64(ord))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	seqOf := map[graph.ID]uint64{}
	for e, err := range s.Children(n, 1, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Outcome == nil {
			t.Fatalf("%s has no outcome", e.ID)
		}
		seqOf[e.ID] = e.Outcome.Seq
	}
	for _, e := range events(t, s, n, 1) {
		if e.What == store.EventSettle && seqOf[e.ID] != e.Seq {
			t.Errorf("%s: its outcome says %d, its event %d", e.ID, seqOf[e.ID], e.Seq)
		}
	}
}

func reopen(t *testing.T, p Place) {
	s := opened(t, p)
	n := newSession(t, s)
	apply(t, s, n, store.Mint{ID: at(n, 1, 0), Node: call("a", 0), Open: true}, store.Mint{ID: at(n, 1, 1), Node: call("b", 1), Open: true})
	apply(t, s, n, store.Mint{ID: at(n, 1, 2), Node: call("c", 2)}, store.Wait{ID: at(n, 1, 2)})
	if _, err := s.Ride(n, store.Settle{ID: at(n, 1, 0), Outcome: value("ridden")}); err != nil {
		t.Fatal(err)
	}
	before := told(t, s, n, 1)
	closing(t, s)

	s = opened(t, p)
	defer closing(t, s)
	want(t, "events", told(t, s, n, 1), before)
	want(t, "open", ids(t, s.Open(n)), "1.1.1")
	want(t, "waiting", ids(t, s.Waiting()), "1.1.2")
	o, err := s.Outcome(at(n, 1, 0))
	if err != nil || o == nil || o.Value.Datum != "ridden" {
		t.Errorf("outcome %v, %v", o, err)
	}
	_, err = s.Apply(n, store.Settle{ID: at(n, 1, 0), Outcome: value("again")})
	wantErr(t, "settle of what was settled before", err, store.ErrSettled)
	_, err = s.Apply(n, store.Mint{ID: at(n, 1, 2), Node: call("c", 2)})
	wantErr(t, "mint of what was minted before", err, store.ErrExists)
	want(t, "the next event", apply(t, s, n, store.Settle{ID: at(n, 1, 1), Outcome: value("b")}).First, 7)
	apply(t, s, n, store.Start{ID: at(n, 1, 2)})
	want(t, "waiting after the start", ids(t, s.Waiting()), "")
	want(t, "open after the start", ids(t, s.Open(n)), "1.1.2")
	want(t, "a new session", newSession(t, s), n+1)
	if err := s.Verify(n); err != nil {
		t.Error(err)
	}
}

// links: every moment of a session has a name that holds from then on and in no other history.
func links(t *testing.T, p Place) {
	s := p.Open(t, store.Options{Now: Clock(), RideFor: time.Hour})
	n, other := newSession(t, s), newSession(t, s)
	var all []store.Link
	note := func() {
		t.Helper()
		l, err := s.LastLink(n)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	note()
	apply(t, s, n, store.Mint{ID: at(n, 1, 0), Node: call("a", 0), Open: true}, store.Mint{ID: at(n, 1, 1), Node: call("b", 1), Open: true})
	note()
	if _, err := s.Ride(n, store.Settle{ID: at(n, 1, 0), Outcome: value(int64(1))}); err != nil {
		t.Fatal(err)
	}
	note() // of what is not durable yet
	apply(t, s, n, store.Settle{ID: at(n, 1, 1), Outcome: value(int64(2))})
	note()
	holds := func(s store.Store, session uint64, l store.Link, yes bool) {
		t.Helper()
		got, err := s.Holds(session, l)
		if err != nil || got != yes {
			t.Errorf("session %d, event %d: %v (%v), want %v", session, l.Seq, got, err, yes)
		}
	}
	for range 2 {
		for i, l := range all {
			holds(s, n, l, true)
			holds(s, other, l, false)
			holds(s, n, store.Link{Seq: l.Seq, Sum: all[(i+1)%len(all)].Sum}, false)
			holds(s, n, store.Link{Seq: l.Seq + 1, Sum: l.Sum}, false)
			holds(s, n, store.Link{Seq: l.Seq + 1000, Sum: l.Sum}, false)
		}
		holds(s, n, store.Link{}, true) // the beginning of every history
		closing(t, s)
		s = opened(t, p)
	}
	closing(t, s)
	_, err := s.Holds(n, all[0])
	wantErr(t, "a link of a closed store", err, store.ErrClosed)
}
