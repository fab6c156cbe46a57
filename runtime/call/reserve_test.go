package call

import (
	"context"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/store"
	"caper/runtime/store/mem"
)

// begun makes a store in which an earlier process began an append in a program, and one in a program beside it.
func begun(t *testing.T) (*Service, graph.ID, graph.ID) {
	t.Helper()
	st, err := mem.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	session, err := st.NewSession(&kind.SessionRoot{})
	if err != nil {
		t.Fatal(err)
	}
	var ids []graph.ID
	var changes []store.Change
	for ord, path := range []string{"/w/a", "/w/b"} {
		bag, err := st.NewBag(session)
		if err != nil {
			t.Fatal(err)
		}
		program := graph.ID{Session: session, Bag: graph.RootBag, Ord: uint64(ord)}
		node := &kind.FileMutateToolJob{Paths: []string{path}}
		node.Tool, node.Decision.Verdict = "append-file", string(license.Allow)
		ids = append(ids, program, graph.ID{Session: session, Bag: bag})
		changes = append(changes, store.Mint{ID: program, Node: &kind.ProgrammaticJob{Bag: bag}, Open: true},
			store.Mint{ID: graph.ID{Session: session, Bag: bag}, Node: node, Open: true})
	}
	if _, err := st.Apply(session, changes...); err != nil {
		t.Fatal(err)
	}
	return &Service{Store: st}, ids[0], ids[1]
}

func free(s *Service, path string) bool {
	ctx, stop := context.WithCancel(context.Background())
	stop() // a lock that is free may still be taken: try until it is not
	for range 64 {
		if release, err := s.locks.take(ctx, []string{path}); err == nil {
			release()
			return true
		}
	}
	return false
}

// TestReserve: what a program began holds its path until the call is led on or the program ends; another program's does
// not.
func TestReserve(t *testing.T) {
	s, program, call := begun(t)
	release, err := s.Reserve(context.Background(), program)
	if err != nil {
		t.Fatal(err)
	}
	if free(s, "/w/a") {
		t.Error("the path of a call that was begun is free")
	}
	if !free(s, "/w/b") {
		t.Error("the path of another program's call is held")
	}
	claimed := s.claim(call, []string{"/w/a"})
	if claimed == nil {
		t.Fatal("the call cannot claim its path")
	}
	if s.claim(call, []string{"/w/a"}) != nil {
		t.Error("a path is claimed twice")
	}
	release()
	if free(s, "/w/a") {
		t.Error("the end of the reservation took the path from the call that claimed it")
	}
	claimed()
	if !free(s, "/w/a") {
		t.Error("the path is still held")
	}
}

// TestReserveElsewhere: a call whose link leads elsewhere today lets go of what it held.
func TestReserveElsewhere(t *testing.T) {
	s, program, call := begun(t)
	release, err := s.Reserve(context.Background(), program)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if s.claim(call, []string{"/w/c"}) != nil {
		t.Error("a reservation of another path was handed over")
	}
	if !free(s, "/w/a") {
		t.Error("the path is still held")
	}
}
