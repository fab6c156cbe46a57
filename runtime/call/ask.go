package call

import (
	"context"

	"caper/runtime/graph"
	"caper/runtime/kind"
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
	To    string      // of one that is on record: the digest of the question that it was given to; "" is the one that is asked now
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
	s.init()
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.waiting[id]
	return ok
}

// told is the answer that came onto the record while nobody here could hear it: the queue had the question already.
func (s *Service) told(id graph.ID, digest string) (a Answer, ok bool) {
	e, err := s.Store.Entry(id)
	if err != nil {
		return a, false
	}
	past := readHistory(e)
	switch {
	case past.refused != nil:
		return Answer{By: past.refused.By}, true
	case past.approved == digest:
		return Answer{Yes: true, Scope: "once", By: e.Newest(kind.FactApproved).By, To: digest}, true
	}
	return a, false
}

// await waits for an answer from anywhere: the terminal, when there is one, or Answer. digest is what a yes binds to, "" for
// a doubt, of which the record is not looked at again.
func (s *Service) await(ctx context.Context, asker Asker, q Question, digest string) (Answer, error) {
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
	if digest != "" {
		if a, ok := s.told(q.ID, digest); ok {
			return a, nil
		}
	}
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
