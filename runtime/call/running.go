package call

import (
	"context"
	"fmt"
	"sync"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// Track names a program or a turn of this process and how to stop it (for a cause, or nil: as Ctrl-C does), until the answer is called; false when it runs here already.
func (s *Service) Track(id graph.ID, stop func(cause error)) (done func(), ok bool) {
	s.init()
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, twice := s.running[id]; twice {
		return func() {}, false
	}
	at := tracked{stop, make(chan struct{})}
	s.running[id] = at
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, id)
		close(at.over)
	}), true
}

// tracked is a program or a turn that runs in this process.
type tracked struct {
	stop func(cause error)
	over chan struct{}
}

// Leave parks a program or a turn of this process and waits until it rests; false when it does not run here.
func (s *Service) Leave(ctx context.Context, id graph.ID) (bool, error) {
	return s.wait(ctx, id, func(at tracked) { at.stop(ErrParking) })
}

// Wait waits until a program or a turn of this process rests; false when it does not run here.
func (s *Service) Wait(ctx context.Context, id graph.ID) (bool, error) {
	return s.wait(ctx, id, func(tracked) {})
}

func (s *Service) wait(ctx context.Context, id graph.ID, first func(tracked)) (bool, error) {
	s.init()
	s.mu.Lock()
	at, ok := s.running[id]
	s.mu.Unlock()
	if !ok {
		return false, nil
	}
	first(at)
	select {
	case <-at.over:
		return true, nil
	case <-ctx.Done():
		return true, ctx.Err()
	}
}

// Running reports whether a program runs in this process.
func (s *Service) Running(id graph.ID) bool {
	s.init()
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.running[id]
	return ok
}

// Stop ends a program of this process; false when it does not run here.
func (s *Service) Stop(id graph.ID) bool {
	s.init()
	s.mu.Lock()
	at, ok := s.running[id]
	s.mu.Unlock()
	if ok {
		at.stop(nil)
	}
	return ok
}

// RunningIn reports whether a program of the session runs in this process.
func (s *Service) RunningIn(session uint64) bool {
	s.init()
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.running {
		if id.Session == session {
			return true
		}
	}
	return false
}

// Did is what a call that has ended was given, and what was measured before it.
func (s *Service) Did(e store.Entry) (tool.Args, tool.Facts, error) {
	r, err := s.RequestOf(e)
	if err != nil {
		return nil, nil, err
	}
	t, ok := s.Tools.Get(r.Tool)
	if !ok {
		return nil, nil, fmt.Errorf("%s: there is no tool %s any more", e.ID, r.Tool)
	}
	args, err := tool.Bind(t, r.Positional, r.Keywords)
	if err != nil {
		return nil, nil, err
	}
	d, err := s.Fetch(readHistory(e).facts)
	if err != nil || d == nil {
		return args, nil, err
	}
	facts, err := tool.FactsOf(d)
	return args, facts, err
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
