package call

import (
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// Track names a program of this process and how to stop it, until the answer is called; false when it runs here already.
func (s *Service) Track(id graph.ID, stop func()) (done func(), ok bool) {
	s.init()
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, twice := s.running[id]; twice {
		return func() {}, false
	}
	s.running[id] = stop
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, id)
	}, true
}

// Running reports whether a program runs in this process.
func (s *Service) Running(id graph.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.running[id]
	return ok
}

// Stop ends a program of this process; false when it does not run here.
func (s *Service) Stop(id graph.ID) bool {
	s.init()
	s.mu.Lock()
	stop, ok := s.running[id]
	s.mu.Unlock()
	if ok {
		stop()
	}
	return ok
}

// RunningIn reports whether a program of the session runs in this process.
func (s *Service) RunningIn(session uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.running {
		if id.Session == session {
			return true
		}
	}
	return false
}

// RequestOf is the request that a recorded call was.
func (s *Service) RequestOf(e store.Entry) (Request, error) {
	r := Request{ID: e.ID}
	n, ok := e.Node.(kind.ToolCall)
	if !ok {
		return r, nil
	}
	given, err := s.Fetch(n.Call().Args)
	if err != nil {
		return r, err
	}
	list, _ := given.(graph.List)
	r.Place, r.Tool = n.Call().Place, n.Call().Tool
	r.Positional, r.Keywords, err = SplitArgs(list)
	return r, err
}
