package call

import (
	"context"

	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/tool"
)

// Question is what a person is asked: exactly what would happen, why it needs asking, and what each answer remembers.
type Question struct {
	ID       graph.ID
	Tool     string
	Args     tool.Args
	Decision license.Decision
	Preview  tool.Preview
	Doubt    *Doubt // not whether to do it is asked, but what became of it
}

// Answer is a person's answer.
type Answer struct {
	Yes   bool
	Scope string      // once, session, project: the latter two remember what the question suggests for them
	By    string      // who, and from where
	How   string      // to a doubt: Happened, DidNot or Retry; "" leaves it open
	Value graph.Datum // with Happened: what the call answers; nil takes what was left of its output
}

// Asker asks at a terminal. It may be called from many goroutines and asks one question at a time. When ctx ends, because
// someone answered elsewhere, it takes the question back.
type Asker interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// Answer gives an answer to a call of this process that waits; false when there is none.
func (s *Service) Answer(id graph.ID, a Answer) bool {
	s.init()
	s.mu.Lock()
	ch, ok := s.waiting[id]
	if ok {
		delete(s.waiting, id)
	}
	s.mu.Unlock()
	if ok {
		ch <- a
	}
	return ok
}

// Waiting reports whether a call of this process waits for a person.
func (s *Service) Waiting(id graph.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.waiting[id]
	return ok
}

// await waits for an answer from anywhere: the terminal, when there is one, or Answer.
func (s *Service) await(ctx context.Context, asker Asker, q Question) (Answer, error) {
	ch := make(chan Answer, 2) // one from the terminal, one from Answer
	s.mu.Lock()
	s.waiting[q.ID] = ch
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		if s.waiting[q.ID] == ch {
			delete(s.waiting, q.ID)
		}
		s.mu.Unlock()
	}()
	failed := make(chan error, 1)
	if asker != nil {
		ask, stop := context.WithCancel(ctx)
		defer stop()
		go func() {
			a, err := asker.Ask(ask, q)
			if err != nil {
				failed <- err
				return
			}
			ch <- a
		}()
	}
	select {
	case a := <-ch:
		return a, nil
	case err := <-failed:
		return Answer{}, err
	case <-ctx.Done():
		return Answer{}, context.Cause(ctx)
	}
}
