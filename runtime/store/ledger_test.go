package store_test

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
	"caper/runtime/store/mem"
)

// weak is a backend whose writes fail when it is told so.
type weak struct {
	*mem.Disk
	fail   error
	writes int
}

func (w *weak) Write(p []store.Pair, tip store.Tip) error {
	w.writes++
	if w.fail != nil {
		return w.fail
	}
	return w.Disk.Write(p, tip)
}

func ledger(t *testing.T, b store.Backend, o store.Options) *store.Ledger {
	t.Helper()
	l, err := store.NewLedger(b, -1, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func session(t *testing.T, l store.Store) uint64 {
	t.Helper()
	n, err := l.NewSession(&kind.SessionRoot{SessionID: "s"})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func mint(session, ord uint64) store.Mint {
	return store.Mint{ID: graph.ID{Session: session, Bag: 1, Ord: ord}, Open: true, Node: &kind.ToolCallJob{Tool: "t"}}
}

func settle(session, ord uint64) store.Settle {
	return store.Settle{ID: graph.ID{Session: session, Bag: 1, Ord: ord}, Outcome: kind.Outcome{State: kind.Settled}}
}

func TestAFailedCommitPoisonsTheStore(t *testing.T) {
	w := &weak{Disk: mem.New()}
	l := ledger(t, w, store.Options{RideFor: time.Hour})
	n := session(t, l)
	if _, err := l.Apply(n, mint(n, 0), mint(n, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ride(n, settle(n, 0)); err != nil {
		t.Fatal(err)
	}
	w.fail = errors.New("input/output error")
	_, err := l.Apply(n, settle(n, 1))
	if !errors.Is(err, store.ErrPoisoned) || !strings.Contains(err.Error(), "input/output error") {
		t.Fatalf("the commit that failed: %v", err)
	}
	w.fail = nil // the disk is well again, but nobody knows what is on it
	writes := w.writes
	for what, f := range map[string]func() error{
		"apply":   func() error { _, err := l.Apply(n, mint(n, 2)); return err },
		"ride":    func() error { _, err := l.Ride(n, settle(n, 1)); return err },
		"flush":   func() error { return l.Flush(n) },
		"node":    func() error { _, err := l.Node(graph.RootID(n)); return err },
		"session": func() error { _, err := l.NewSession(&kind.SessionRoot{}); return err },
		"bag":     func() error { _, err := l.NewBag(n); return err },
		"forget":  func() error { return l.Forget(n) },
		"close":   func() error { return l.Close() },
	} {
		if err := f(); !errors.Is(err, store.ErrPoisoned) && !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if w.writes != writes {
		t.Errorf("%d writes after the poison", w.writes-writes)
	}
	again := ledger(t, w, store.Options{})
	if err := again.Verify(n); err != nil {
		t.Error(err)
	}
	if last, err := again.LastEvent(n); err != nil || last != 3 {
		t.Errorf("last event %d, %v", last, err)
	}
}

func TestManyCallersShareACommit(t *testing.T) {
	w := &weak{Disk: mem.New()}
	entered, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	armed := false
	l := ledger(t, w, store.Options{RideFor: time.Hour, Hook: func(point string) {
		if armed && point == "before-commit" {
			once.Do(func() { close(entered); <-release })
		}
	}})
	a, b := session(t, l), session(t, l)
	armed = true
	before := w.writes
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := l.Apply(a, mint(a, 0)); err != nil {
			t.Error(err)
		}
	})
	<-entered
	const callers = 50
	if _, err := l.Ride(a, settle(a, 0)); err != nil { // of a node whose mint is being committed
		t.Fatal(err)
	}
	for ord := range uint64(callers) {
		wg.Go(func() {
			if _, err := l.Apply(b, mint(b, ord)); err != nil {
				t.Error(err)
			}
			if _, err := l.Apply(a, settle(a, 0)); !errors.Is(err, store.ErrSettled) {
				t.Errorf("a request that must be dropped: %v", err)
			}
		})
	}
	for l.Queued() < callers+1 {
		runtime.Gosched() // until all have their place behind the first commit
	}
	close(release)
	wg.Wait()
	if got := w.writes - before; got != 2 {
		t.Errorf("%d commits for one caller and %d behind it", got, callers)
	}
	for _, n := range []uint64{a, b} {
		if err := l.Verify(n); err != nil {
			t.Error(err)
		}
	}
}

// TestANodeOnItsWayIsWaitedFor: what Next has counted can be read.
func TestANodeOnItsWayIsWaitedFor(t *testing.T) {
	var l *store.Ledger
	var id graph.ID
	read := make(chan error, 1)
	l = ledger(t, mem.New(), store.Options{Hook: func(point string) {
		if point != "before-commit" || id.IsZero() {
			return
		}
		if next, err := l.Next(id.Session, id.Bag); err != nil || next != id.Ord+1 {
			t.Errorf("next is %d: %v", next, err)
		}
		queued := l.Queued()
		go func() {
			_, err := l.Node(id)
			read <- err
		}()
		for l.Queued() == queued && len(read) == 0 {
			runtime.Gosched() // until it waits behind what is committed now
		}
		id = graph.ID{}
	}})
	n := session(t, l)
	m := mint(n, 0)
	id = m.ID
	if _, err := l.Apply(n, m); err != nil {
		t.Fatal(err)
	}
	if err := <-read; err != nil {
		t.Error(err)
	}
}

func TestForgettingGoesOnAfterACrash(t *testing.T) {
	disk := mem.New()
	var crashed []*mem.Disk
	watch := false
	l := ledger(t, disk, store.Options{Hook: func(point string) {
		if watch && point == "after-commit" {
			crashed = append(crashed, disk.Clone())
		}
	}})
	keep, drop := session(t, l), session(t, l)
	for ord := range uint64(20) {
		for _, n := range []uint64{keep, drop} {
			if _, err := l.Apply(n, mint(n, ord)); err != nil {
				t.Fatal(err)
			}
		}
	}
	watch = true
	if err := l.Forget(drop); err != nil {
		t.Fatal(err)
	}
	if len(crashed) < 4 {
		t.Fatalf("only %d commits to crash after", len(crashed))
	}
	for i, d := range crashed {
		l := ledger(t, d, store.Options{})
		list, err := l.Sessions()
		if err != nil || len(list) != 1 || list[0] != keep {
			t.Errorf("crash %d: sessions %v, %v", i, list, err)
		}
		for id, err := range l.Open(drop) {
			t.Errorf("crash %d: %s is still open (%v)", i, id, err)
		}
		tally, err := store.Count(d)
		if err != nil || tally.Missing() != 0 {
			t.Errorf("crash %d: %+v, %v", i, tally, err)
		}
		if n := session(t, l); n <= drop {
			t.Errorf("crash %d: the number %d is given again", i, n)
		}
		if err := l.Verify(keep); err != nil {
			t.Error(err)
		}
	}
}

func TestVerifyFindsWhatWasTouched(t *testing.T) {
	for _, letter := range []byte("ne") {
		for at := range 6 {
			disk := mem.New()
			l := ledger(t, disk, store.Options{})
			n := session(t, l)
			for ord := range uint64(3) {
				if _, err := l.Apply(n, mint(n, ord), store.Note{ID: mint(n, ord).ID, Fact: kind.Fact{What: "x"}}, settle(n, ord)); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.Verify(n); err != nil {
				t.Fatal(err)
			}
			var keys [][]byte
			disk.Keys([]byte{letter}, nil, func(k []byte) bool { keys = append(keys, k); return true })
			last := letter == 'e' && at == len(keys)-1 // its own hash is the anchor's to know
			if at >= len(keys) || last {
				continue
			}
			v, _, _ := disk.Get(keys[at])
			v = append([]byte{}, v...)
			v[len(v)-1] ^= 1
			disk.Write([]store.Pair{{Key: keys[at], Value: v}}, store.Tip{})
			if err := l.Verify(n); err == nil {
				t.Errorf("a changed value under %q was not found", keys[at])
			}
			disk.Write([]store.Pair{{Key: keys[at], Delete: true}}, store.Tip{})
			if err := l.Verify(n); err == nil {
				t.Errorf("a deleted value under %q was not found", keys[at])
			}
		}
	}
}

func TestWalkingAStore(t *testing.T) {
	l := ledger(t, mem.New(), store.Options{})
	n := session(t, l)
	id := func(bag, ord uint64) graph.ID { return graph.ID{Session: n, Bag: bag, Ord: ord} }
	call := func(bag, ord uint64, background bool) store.Mint {
		return store.Mint{ID: id(bag, ord), Node: &kind.ToolCallJob{Tool: "t", Background: background, Decision: kind.Decision{Verdict: "allow"}}}
	}
	outer, err := l.NewBag(n)
	if err != nil {
		t.Fatal(err)
	}
	inner, err := l.NewBag(n)
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.Apply(n,
		store.Mint{ID: id(1, 0), Node: &kind.ProgrammaticJob{Source: "outer", Bag: outer}},
		call(outer, 0, false), store.Mint{ID: id(outer, 1), Node: &kind.Cell{Read: "clock"}},
		store.Mint{ID: id(outer, 2), Node: &kind.ProgrammaticJob{Source: "inner", Bag: inner, WalkBoundary: true}},
		call(outer, 3, true), call(inner, 0, false), call(inner, 1, false))
	if err != nil {
		t.Fatal(err)
	}
	tree := store.NewTree(l)
	names := func(id graph.ID, walk func(*store.Branch) []string) string {
		b, err := tree.Branch(id)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(walk(b), " ")
	}
	foreground := func(b *store.Branch) (out []string) {
		for j := range b.ForegroundJobs() {
			out = append(out, j.(*store.Branch).ID.String())
		}
		return out
	}
	work := func(b *store.Branch) (out []string) {
		for j := range graph.WalkWork(b) {
			switch j := j.(type) {
			case *store.Branch:
				out = append(out, j.ID.String())
			case *store.Reading:
				out = append(out, "reading")
			}
		}
		return out
	}
	for _, c := range []struct{ what, got, want string }{
		{"foreground of the session", names(graph.RootID(n), foreground), "1.1.0 1.2.0 1.2.2"},
		{"foreground of the inner bag", names(id(outer, 2), foreground), "1.3.0 1.3.1"},
		{"work of the session", names(graph.RootID(n), work), "1.1.0 1.2.0 reading 1.2.2 1.3.0 1.3.1 1.2.3"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, c.got, c.want)
		}
	}
	if _, err := l.Apply(n, store.Note{ID: id(outer, 2), Fact: kind.Fact{What: kind.FactDetached}}); err != nil {
		t.Fatal(err)
	}
	if got := names(id(1, 0), foreground); got != "1.2.0" {
		t.Errorf("foreground after the inner bag was detached: %s", got)
	}
	if tree.Err() != nil {
		t.Error(tree.Err())
	}
}

// TestNumbersAreNotGivenAgain: an accident that took the key of a session leaves others of it, and its number is not given
// to a new one.
func TestNumbersAreNotGivenAgain(t *testing.T) {
	d := mem.New()
	s, err := d.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n, err := s.NewSession(&kind.SessionRoot{SessionID: "lost"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	key := append([]byte{'S'}, 0, 0, 0, 0, 0, 0, 0, byte(n))
	if err := d.Write([]store.Pair{{Key: key, Delete: true}}, store.Tip{}); err != nil {
		t.Fatal(err)
	}
	if s, err = d.Open(store.Options{}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if all, err := s.Sessions(); err != nil || len(all) != 0 {
		t.Fatalf("sessions %v, %v", all, err)
	}
	if again, err := s.NewSession(&kind.SessionRoot{SessionID: "new"}); err != nil || again == n {
		t.Errorf("the new session has number %d (%v)", again, err)
	}
}
