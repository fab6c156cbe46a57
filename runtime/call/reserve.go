package call

import (
	"context"
	"slices"
	"sync"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// reservations are the paths of calls that an earlier process began, held from the moment their program is taken up again
// until each call is led on: nothing new may touch them before, or the facts on record would not decide any more what was
// done.
type reservations struct {
	mu   sync.Mutex
	held map[graph.ID]reservation
}

type reservation struct {
	paths []string
	free  func()
}

// Reserve holds the paths of all calls that were begun in the tree of a program and have no outcome. What nobody claims
// is let go by the answer.
func (s *Service) Reserve(ctx context.Context, program graph.ID) (release func(), err error) {
	s.init()
	var mine []graph.ID
	taken := map[string]bool{}
	release = func() {
		for _, id := range mine {
			s.letGo(id)
		}
	}
	for id, err := range s.Store.Open(program.Session) {
		if err != nil {
			return release, err
		}
		e, err := s.Store.Entry(id)
		if err != nil {
			return release, err
		}
		n, ok := e.Node.(*kind.FileMutateToolJob)
		if !ok || len(n.Paths) == 0 || !readHistory(e).started {
			continue
		}
		if below, err := s.Below(id, program); err != nil || !below {
			if err != nil {
				return release, err
			}
			continue
		}
		if slices.ContainsFunc(n.Paths, func(p string) bool { return taken[p] }) {
			continue // two cannot have been at one path; if so, they take turns
		}
		if s.reserved(id) {
			continue // by a program around this one, which is taken up too
		}
		free, err := s.locks.take(ctx, slices.Clone(n.Paths))
		if err != nil {
			return release, err
		}
		for _, p := range n.Paths {
			taken[p] = true
		}
		s.kept.mu.Lock()
		if s.kept.held == nil {
			s.kept.held = map[graph.ID]reservation{}
		}
		s.kept.held[id] = reservation{n.Paths, free}
		s.kept.mu.Unlock()
		mine = append(mine, id)
	}
	return release, nil
}

func (s *Service) reserved(id graph.ID) bool {
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	_, ok := s.kept.held[id]
	return ok
}

// Below reports whether a call belongs to a program or to one nested in it.
func (s *Service) Below(id, program graph.ID) (bool, error) {
	for id.Bag != graph.RootBag {
		up, err := s.Store.Owner(id.Session, id.Bag)
		if err != nil {
			return false, err
		}
		if up == program {
			return true, nil
		}
		id = up
	}
	return id == program, nil
}

// letGo ends a reservation that the call did not need.
func (s *Service) letGo(id graph.ID) {
	if free := s.claim(id, nil); free != nil {
		free()
	}
}

// claim hands a reservation over to the call that it was made for: how to let go, nil for none. One of other paths is let
// go.
func (s *Service) claim(id graph.ID, paths []string) (free func()) {
	s.kept.mu.Lock()
	r, ok := s.kept.held[id]
	delete(s.kept.held, id)
	s.kept.mu.Unlock()
	if !ok {
		return nil
	}
	if paths == nil || slices.Equal(slices.Sorted(slices.Values(r.paths)), slices.Sorted(slices.Values(paths))) {
		return r.free
	}
	r.free()
	return nil
}
