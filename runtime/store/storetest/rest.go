package storetest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

func riding(t *testing.T, p Place) {
	commits := 0
	s := p.Open(t, store.Options{Now: Clock(), RideFor: time.Hour, Hook: func(point string) {
		if point == "after-commit" {
			commits++
		}
	}})
	defer closing(t, s)
	n := newSession(t, s)
	apply(t, s, n, store.Mint{ID: at(n, 1, 0), Node: call("a", 0), Open: true}, store.Mint{ID: at(n, 1, 1), Node: call("b", 1), Open: true})
	before := commits
	r, err := s.Ride(n, store.Settle{ID: at(n, 1, 0), Outcome: value(int64(1))})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "its place", r, store.Receipt{First: 4, Last: 4})
	_, err = s.Ride(n, store.Settle{ID: at(n, 1, 0), Outcome: value(int64(2))})
	wantErr(t, "a second settle while the first rides", err, store.ErrSettled)
	want(t, "commits for a ride", commits-before, 0)
	want(t, "what comes after it", apply(t, s, n, store.Mint{ID: at(n, 1, 2), Node: call("c", 2), Open: true}).First, 5)
	want(t, "commits for both", commits-before, 1)

	if _, err := s.Ride(n, store.Settle{ID: at(n, 1, 1), Outcome: value(int64(1))}); err != nil {
		t.Fatal(err)
	}
	if o, err := s.Outcome(at(n, 1, 1)); err != nil || o == nil {
		t.Errorf("a reader got %v, %v", o, err)
	}
	want(t, "commits after a reader", commits-before, 2)
	if _, err := s.Ride(n, store.Settle{ID: at(n, 1, 2), Outcome: value(int64(1))}); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(n); err != nil {
		t.Fatal(err)
	}
	want(t, "commits after a flush", commits-before, 3)
	if err := s.Flush(n); err != nil {
		t.Fatal(err)
	}
	want(t, "commits after an idle flush", commits-before, 3)
}

func rideTimer(t *testing.T, p Place) {
	s := opened(t, p)
	defer closing(t, s)
	n := newSession(t, s)
	apply(t, s, n, store.Mint{ID: at(n, 1, 0), Node: call("a", 0), Open: true})
	tokens, stop := s.Watch(n)
	defer stop()
	<-tokens
	if _, err := s.Ride(n, store.Settle{ID: at(n, 1, 0), Outcome: value(int64(1))}); err != nil {
		t.Fatal(err)
	}
	<-tokens // nobody else commits: only the timer can
	last, err := s.LastEvent(n)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "last durable event", last, 3)
}

func waiting(t *testing.T, p Place) {
	s := opened(t, p)
	defer closing(t, s)
	a, b := newSession(t, s), newSession(t, s)
	for _, n := range []uint64{b, a} {
		for ord := range uint64(3) {
			id := at(n, 1, ord)
			apply(t, s, n, store.Mint{ID: id, Node: call("t", ord)}, store.Note{ID: id, Fact: kind.Fact{What: kind.FactParked}}, store.Wait{ID: id})
		}
	}
	want(t, "waiting", ids(t, s.Waiting()), "1.1.0 1.1.1 1.1.2 2.1.0 2.1.1 2.1.2")
	apply(t, s, a, store.Settle{ID: at(a, 1, 1), Outcome: kind.Outcome{State: kind.Denied}})
	apply(t, s, b, store.Start{ID: at(b, 1, 0)})
	apply(t, s, b, store.Unwait{ID: at(b, 1, 2)})
	want(t, "waiting after the answers", ids(t, s.Waiting()), "1.1.0 1.1.2 2.1.1")
	want(t, "open", ids(t, s.Open(b)), "2.1.0")
}

func openCalls(t *testing.T, p Place) {
	s := opened(t, p)
	defer closing(t, s)
	n := newSession(t, s)
	for _, bag := range []uint64{1, 2} {
		for ord := range uint64(4) {
			apply(t, s, n, store.Mint{ID: at(n, bag, ord), Node: call("t", ord), Open: true})
		}
	}
	apply(t, s, n, store.Settle{ID: at(n, 2, 2), Outcome: value(int64(1))})
	want(t, "from 1 in bag 2", ids(t, s.OpenFrom(n, 2, 1)), "1.2.1 1.2.3")
	want(t, "all", ids(t, s.Open(n)), "1.1.0 1.1.1 1.1.2 1.1.3 1.2.0 1.2.1 1.2.3")
}

func bags(t *testing.T, p Place) {
	s := opened(t, p)
	n := newSession(t, s)
	bag := func() uint64 {
		b, err := s.NewBag(n)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	first, second := bag(), bag()
	if first == second || first <= graph.RootBag {
		t.Errorf("bags %d and %d", first, second)
	}
	id := at(n, 1, 0)
	apply(t, s, n, store.Mint{ID: id, Node: &kind.ProgrammaticJob{Source: "1", Bag: second}})
	_, err := s.Apply(n, store.Mint{ID: at(n, 1, 1), Node: &kind.ProgrammaticJob{Source: "1", Bag: second}})
	wantErr(t, "a bag with two owners", err, store.ErrExists)
	closing(t, s)

	s = opened(t, p)
	defer closing(t, s)
	if b := bag(); b <= second {
		t.Errorf("bag %d is given again; %d is owned", b, second)
	}
	owner, err := s.Owner(n, second)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "owner", owner, id)
	owner, _ = s.Owner(n, graph.RootBag)
	want(t, "owner of the root bag", owner, graph.RootID(n))
	_, err = s.Owner(n, 99)
	wantErr(t, "owner of no bag", err, store.ErrNotFound)
	_, err = s.Apply(n, store.Mint{ID: at(n, 1, 1), Node: &kind.ProgrammaticJob{Source: "1", Bag: second}})
	wantErr(t, "a bag with two owners, later", err, store.ErrExists)
}

func children(t *testing.T, p Place) {
	s := opened(t, p)
	defer closing(t, s)
	n := newSession(t, s)
	const calls = 300
	for ord := range uint64(calls) {
		id := at(n, 5, ord)
		apply(t, s, n, store.Mint{ID: id, Node: call("t", ord), Open: true}, store.Note{ID: id, Fact: kind.Fact{What: "one"}})
		apply(t, s, n, store.Note{ID: id, Fact: kind.Fact{What: "two"}}, store.Settle{ID: id, Outcome: value(int64(ord))})
	}
	apply(t, s, n, store.Mint{ID: at(n, 6, 0), Node: call("other bag", 0)})
	apply(t, s, n, store.Mint{ID: at(n, 4, 0), Node: call("other bag", 0)})
	for bag, want := range map[uint64]uint64{5: calls, 6: 1, 9: 0} {
		if next, err := s.Next(n, bag); err != nil || next != want {
			t.Errorf("the next child of bag %d is %d (%v), wanted %d", bag, next, err, want)
		}
	}
	for _, from := range []uint64{0, 1, 150, calls - 1, calls} {
		next := from
		for e, err := range s.Children(n, 5, from) {
			if err != nil {
				t.Fatal(err)
			}
			if e.ID != at(n, 5, next) || e.Outcome == nil || e.Outcome.Value.Datum != int64(next) || len(e.Facts) != 2 {
				t.Fatalf("from %d: child %d came as %+v", from, next, e)
			}
			next++
		}
		want(t, "children", next, calls)
	}
	seen := 0
	for range s.Children(n, 5, 0) {
		if seen++; seen == 3 {
			break
		}
	}
	want(t, "children before a break", seen, 3)
}

func unknownKinds(t *testing.T, p Place) {
	s := opened(t, p)
	n := newSession(t, s)
	id := at(n, 1, 0)
	future := &kind.Unknown{Number: 9001, Version: 3, Body: []byte{0xa1, 0x01, 0x63, 'n', 'e', 'w'}}
	apply(t, s, n, store.Mint{ID: id, Node: future}, store.Settle{ID: id, Outcome: value(graph.Void{})})
	closing(t, s)
	s = opened(t, p)
	defer closing(t, s)
	got, err := s.Node(id)
	if err != nil {
		t.Fatal(err)
	}
	u, ok := got.(*kind.Unknown)
	if !ok || u.Number != future.Number || u.Version != future.Version || !bytes.Equal(u.Body, future.Body) {
		t.Errorf("came back as %#v", got)
	}
}

func largeValues(t *testing.T, p Place) {
	s := opened(t, p)
	defer closing(t, s)
	n := newSession(t, s)
	text := strings.Repeat("é", kind.MaxInline)
	id := at(n, 1, 0)
	apply(t, s, n, store.Mint{ID: id, Node: call("t", 0)}, store.Settle{ID: id, Outcome: value(text)})
	o, err := s.Outcome(id)
	if err != nil || o.Value.Datum != text {
		t.Errorf("a value of %d bytes came back otherwise (%v)", len(text), err)
	}
	id.Ord = 1
	apply(t, s, n, store.Mint{ID: id, Node: call("t", 1)})
	_, err = s.Apply(n, store.Settle{ID: id, Outcome: value(strings.Repeat("x", store.MaxValue))})
	wantErr(t, "a value beyond the limit", err, store.ErrTooBig)
}

func largeBatch(t *testing.T, p Place) {
	s := opened(t, p)
	defer closing(t, s)
	n := newSession(t, s)
	for bag, size := range map[uint64]int{10: 0, 11: 3000} {
		const calls = 2500
		var changes []store.Change
		for ord := range uint64(calls) {
			node := call("t", ord)
			node.Args = kind.Of(strings.Repeat("x", size))
			changes = append(changes, store.Mint{ID: at(n, bag, ord), Node: node, Open: true})
		}
		r := apply(t, s, n, changes...)
		want(t, "events", r.Last-r.First+1, calls)
		_, err := s.Apply(n, append(changes, store.Mint{ID: at(n, bag, 0), Node: call("t", 0)})...)
		wantErr(t, "a large request with a bad end", err, store.ErrExists)
	}
	last := uint64(0)
	for _, e := range events(t, s, n, 1) {
		if e.Seq != last+1 {
			t.Fatalf("event %d after %d", e.Seq, last)
		}
		last = e.Seq
	}
	want(t, "events", last, 5001)
	for _, from := range []uint64{2, 1334, 2501, 5001} {
		want(t, fmt.Sprintf("events from %d", from), events(t, s, n, from)[0].Seq, from)
	}
	if err := s.Verify(n); err != nil {
		t.Error(err)
	}
}

func watching(t *testing.T, p Place) {
	s := opened(t, p)
	a, b := newSession(t, s), newSession(t, s)
	one, stop := s.Watch(a)
	all, stopAll := s.Watch(0)
	defer stopAll()
	<-one
	<-all
	apply(t, s, b, store.Mint{ID: at(b, 1, 0), Node: call("t", 0)})
	<-all
	select {
	case <-one:
		t.Error("a watcher heard of another session")
	default:
	}
	apply(t, s, a, store.Mint{ID: at(a, 1, 0), Node: call("t", 0)})
	<-one
	<-all
	stop()
	apply(t, s, a, store.Mint{ID: at(a, 1, 1), Node: call("t", 0)})
	select {
	case <-one:
		t.Error("a watcher heard after it stopped")
	default:
	}
	<-all
	closing(t, s)
	if _, ok := <-all; ok {
		t.Error("the watch outlives the store")
	}
}

func forgetting(t *testing.T, p Place) {
	s := opened(t, p)
	a, b := newSession(t, s), newSession(t, s)
	for _, n := range []uint64{a, b} {
		for ord := range uint64(30) {
			id := at(n, 1, ord)
			apply(t, s, n, store.Mint{ID: id, Node: call("t", ord), Open: true}, store.Note{ID: id}, store.Wait{ID: id})
		}
	}
	if err := s.Forget(b); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		_, err := s.Node(at(b, 1, 0))
		wantErr(t, "node", err, store.ErrNotFound)
		_, err = s.Node(graph.RootID(b))
		wantErr(t, "root", err, store.ErrNotFound)
		_, err = s.Apply(b, store.Note{ID: at(b, 1, 0)})
		wantErr(t, "apply", err, store.ErrNoSession)
		wantErr(t, "forget again", s.Forget(b), store.ErrNoSession)
		want(t, "events", len(events(t, s, b, 1)), 0)
		want(t, "open", ids(t, s.Open(b)), "")
		want(t, "waiting", strings.Count(ids(t, s.Waiting()), " ")+1, 30)
		list, err := s.Sessions()
		if err != nil || len(list) != 1 || list[0] != a {
			t.Errorf("sessions %v, %v", list, err)
		}
		if err := s.Verify(a); err != nil {
			t.Error(err)
		}
	}
	check()
	closing(t, s)
	s = opened(t, p)
	defer closing(t, s)
	check()
	want(t, "the next session", newSession(t, s), b+1)
}

func closed(t *testing.T, p Place) {
	s := opened(t, p)
	n := newSession(t, s)
	closing(t, s)
	_, err := s.Apply(n, store.Note{ID: graph.RootID(n)})
	wantErr(t, "apply", err, store.ErrClosed)
	_, err = s.Node(graph.RootID(n))
	wantErr(t, "node", err, store.ErrClosed)
	_, err = s.NewSession(&kind.SessionRoot{})
	wantErr(t, "new session", err, store.ErrClosed)
	wantErr(t, "close", s.Close(), store.ErrClosed)
}

func writeWhileReading(t *testing.T, p Place) {
	s := opened(t, p)
	defer closing(t, s)
	n := newSession(t, s)
	for ord := range uint64(200) {
		apply(t, s, n, store.Mint{ID: at(n, 1, ord), Node: call("t", ord), Open: true})
	}
	for id, err := range s.Open(n) {
		if err != nil {
			t.Fatal(err)
		}
		apply(t, s, n, store.Settle{ID: id, Outcome: value(int64(id.Ord))})
	}
	want(t, "open", ids(t, s.Open(n)), "")
}
