package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/store"
)

// flight is one call of a turn that runs in this process, from its begin until it rests.
type flight struct {
	request    call.Request
	entry      *kind.Entry // what an earlier process left of it
	turn       graph.ID
	before     *flight // the call of the round that comes first, where their tool takes turns
	background bool    // asked for when the call was made
	landed     chan<- *flight
	cancel     context.CancelCauseFunc
	freed      chan struct{} // closed when the turn let it go
	once       sync.Once
	untrack    func()

	detached, ending bool // under saying: somebody moved it to the background; its end is being written

	rest call.Rest // once it landed
	err  error
	over chan struct{}
}

// flights are the calls of this process, by their ids.
type flights struct {
	mu     sync.Mutex
	all    map[graph.ID]*flight
	pokes  map[graph.ID]chan struct{} // of turns that wait for a round: a call of theirs was detached
	closed bool
}

// fly begins a call, or goes on with it. It ends with the turn's context as long as the turn has not let it go.
func (r *Runner) fly(ctx context.Context, turn graph.ID, c *call.Context, f *flight) {
	own, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	f.turn, f.cancel, f.over = turn, cancel, make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		if !f.free() {
			cancel(context.Cause(ctx))
		}
	})
	r.flights.mu.Lock()
	if r.flights.all == nil {
		r.flights.all = map[graph.ID]*flight{}
	}
	r.flights.all[f.request.ID] = f
	if r.flights.closed {
		cancel(call.ErrParking)
	}
	r.flights.mu.Unlock()
	go func() {
		defer cancel(nil)
		defer stop()
		var e call.Ending
		if !f.comes(own) {
			e.Rest = call.Parked
		} else if f.entry != nil {
			e = r.Calls.Continue(own, c, f.request, *f.entry)
		} else {
			e = r.Calls.Begin(own, c, f.request)
		}
		f.rest, f.err = e.Rest, e.Err
		if e.Err == nil && e.Rest == call.Settled {
			f.err = r.settle(f, e)
		}
		if e.Release != nil {
			e.Release()
		}
		r.flights.mu.Lock()
		delete(r.flights.all, f.request.ID)
		if len(r.flights.all) == 0 {
			r.flights.pokes = nil
		}
		if f.untrack != nil {
			f.untrack()
		}
		r.flights.mu.Unlock()
		close(f.over)
		f.landed <- f
	}()
}

// comes waits for the call that comes first; false where that rests: then this one waits too.
func (f *flight) comes(ctx context.Context) bool {
	if f.before == nil {
		return true
	}
	select {
	case <-f.before.over:
		return f.before.err == nil && f.before.rest == call.Settled
	case <-f.before.freed:
	case <-ctx.Done():
		return !call.Parking(ctx)
	}
	return true
}

// settle writes how a call ended. Of one in the background a note goes to the agent, in the same transaction.
func (r *Runner) settle(f *flight, e call.Ending) error {
	r.saying.Lock()
	f.ending = true
	if !f.background && !f.detached {
		r.saying.Unlock()
		return r.Calls.Settle(e)
	}
	defer r.saying.Unlock()
	for {
		note, err := r.endNote(f, e)
		if err != nil {
			return err
		}
		if err = r.Calls.Settle(e, note...); note == nil || !errors.Is(err, store.ErrExists) {
			return err
		} // else the turn put something on its tape
	}
}

// endNote tells the agent of the end of a call in the background, nothing where the call never got past its guard: that
// is told in its place.
func (r *Runner) endNote(f *flight, e call.Ending) ([]store.Change, error) {
	entry := kind.Entry{ID: e.ID}
	if e.Mint != nil {
		entry.Node = e.Mint.Node
	} else {
		var err error
		if entry, err = r.Calls.Store.Entry(e.ID); err != nil {
			return nil, err
		}
	}
	entry.Outcome = &e.Outcome
	if !entry.Detached() {
		return nil, nil
	}
	turn, err := session.At(r.Calls.Store, f.turn)
	if err != nil {
		return nil, err
	}
	at, on, err := r.hearing(turn.Agent(), f.turn)
	if err != nil || !on {
		return nil, err
	}
	text, _, err := r.outcomeText(&entry)
	if err != nil {
		return nil, err
	}
	tool := "call"
	if n, ok := entry.Node.(kind.ToolCall); ok {
		tool = n.Call().Tool
	}
	text = fmt.Sprintf("The job %s (%s), which ran in the background, ended: %s\n%s", e.ID, tool, e.Outcome.State, excerpt(text, e.ID, noteBudget))
	c, err := r.chunk(at, kind.SourceNote, text, &e.ID)
	return []store.Change{c}, err
}

// noteBudget is how many bytes of an outcome a note tells.
const noteBudget = 4 << 10

// isDetached reports whether somebody moved the call to the background.
func (r *Runner) isDetached(f *flight) bool {
	r.saying.Lock()
	defer r.saying.Unlock()
	return f.detached
}

// release lets a call go on without its turn. From then on it can be cancelled alone.
func (r *Runner) release(f *flight) {
	f.once.Do(func() { close(f.freed) })
	r.flights.mu.Lock()
	defer r.flights.mu.Unlock()
	if r.flights.all[f.request.ID] == f {
		f.untrack, _ = r.Calls.Track(f.request.ID, func(cause error) { f.cancel(cause) })
	}
}

// poked answers the channel on which a turn that waits for a round is told of a detached call.
func (r *Runner) poked(turn graph.ID) <-chan struct{} {
	r.flights.mu.Lock()
	defer r.flights.mu.Unlock()
	if r.flights.pokes == nil {
		r.flights.pokes = map[graph.ID]chan struct{}{}
	}
	c, ok := r.flights.pokes[turn]
	if !ok {
		c = make(chan struct{}, 1)
		r.flights.pokes[turn] = c
	}
	return c
}

// Detach moves a running call of a turn to the background: the turn goes on without it and is told when it ends. The call
// stays where it is in the tree.
func (r *Runner) Detach(id graph.ID, by string) error {
	r.flights.mu.Lock()
	f := r.flights.all[id]
	r.flights.mu.Unlock()
	e, err := r.Calls.Store.Entry(id)
	switch {
	case err != nil && !(f != nil && errors.Is(err, store.ErrNotFound)):
		return err
	case err != nil:
		return fmt.Errorf("%s has not begun yet", id)
	case e.Outcome != nil:
		return fmt.Errorf("%s has ended already: %s", id, e.Outcome.State)
	case e.InBackground():
		return fmt.Errorf("%s is in the background already", id)
	}
	if err := r.detachable(&e); err != nil {
		return err
	}
	r.saying.Lock()
	defer r.saying.Unlock()
	if f != nil && f.ending {
		return fmt.Errorf("%s has just ended", id)
	}
	if _, err := r.Calls.Store.Apply(id.Session, store.Note{ID: id, Fact: kind.Fact{What: kind.FactDetached, By: by, At: r.Calls.Now()}}); err != nil {
		return err
	}
	if f == nil {
		return nil // it is in the background when its turn goes on
	}
	f.detached = true
	r.flights.mu.Lock()
	defer r.flights.mu.Unlock()
	select {
	case r.flights.pokes[f.turn] <- struct{}{}:
	default:
	}
	return nil
}

// detachable says why a job cannot be moved: its parent must be a turn, which can go on without its value.
func (r *Runner) detachable(e *kind.Entry) error {
	if _, ok := e.Node.(kind.ToolCall); ok {
		up, err := r.Calls.Store.Owner(e.ID.Session, e.ID.Bag)
		if err != nil {
			return err
		}
		n, err := r.Calls.Store.Node(up)
		if err != nil {
			return err
		}
		if _, ok := n.(*kind.SessionTurn); ok {
			return nil
		}
	}
	return fmt.Errorf("%s is no call of a turn: what waits for it needs its value", e.ID)
}

// Rest waits until the calls of a session that go on in the background rest. When ctx ends they do as it says: they park,
// or are cancelled.
func (r *Runner) Rest(ctx context.Context, session uint64) {
	r.await(ctx, func(f *flight) bool { return f.request.ID.Session == session && f.free() })
}

func (f *flight) free() bool {
	select {
	case <-f.freed:
		return true
	default:
		return false
	}
}

func (r *Runner) await(ctx context.Context, is func(*flight) bool) {
	for {
		f := r.flights.any(is)
		if f == nil {
			return
		}
		select {
		case <-f.over:
		case <-ctx.Done():
			f.cancel(context.Cause(ctx))
			<-f.over
		}
	}
}

// Flying are the calls of a session that go on in the background in this process.
func (r *Runner) Flying(session uint64) (ids []graph.ID) {
	r.flights.mu.Lock()
	defer r.flights.mu.Unlock()
	for id, f := range r.flights.all {
		if id.Session == session && f.free() {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b graph.ID) int { return cmp.Or(cmp.Compare(a.Bag, b.Bag), cmp.Compare(a.Ord, b.Ord)) })
	return ids
}

// leaveFlights aborts the calls in the background of turns that are not on the walk to a new head.
func (r *Runner) leaveFlights(ctx context.Context, agent, to graph.ID, c *call.Context) error {
	st := r.Calls.Store
	for {
		var err error
		var turn *session.Unit
		f := r.flights.any(func(f *flight) bool {
			var on bool
			if err != nil || f.turn.Session != agent.Session {
				return false
			}
			if turn, err = session.At(st, f.turn); err != nil || !turn.Closed() || turn.Agent() != agent {
				return false
			}
			on, err = session.Reaches(st, to, f.turn)
			return err == nil && !on
		})
		if err != nil || f == nil {
			return err
		}
		f.cancel(call.ErrParking)
		<-f.over
		if err := r.Calls.EndStarted(ctx, c, turn.ID.Session, turn.Turn.Bag, "rewind"); err != nil {
			return err
		}
	}
}

// Close parks what is still in the background, for the next life, and waits for it.
func (r *Runner) Close() {
	r.flights.mu.Lock()
	r.flights.closed = true
	for _, f := range r.flights.all {
		f.cancel(call.ErrParking)
	}
	r.flights.mu.Unlock()
	r.await(context.Background(), func(*flight) bool { return true })
}

func (s *flights) any(is func(*flight) bool) *flight {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.all {
		if is(f) {
			return f
		}
	}
	return nil
}

// left are the calls in the background of a session's turns that have not ended and do not run here.
func (r *Runner) left(n uint64) (left []kind.Entry, err error) {
	st := r.Calls.Store
	seen := map[graph.ID]bool{}
	for _, ids := range []iter.Seq2[graph.ID, error]{st.Open(n), st.Waiting()} {
		for id, err := range ids {
			if err != nil {
				return nil, err
			}
			if id.Session != n || seen[id] || r.flights.any(func(f *flight) bool { return f.request.ID == id }) != nil {
				continue
			}
			seen[id] = true
			e, err := st.Entry(id)
			if err != nil {
				return nil, err
			}
			if _, ok := e.Node.(kind.ToolCall); ok && e.Outcome == nil && e.Detached() {
				left = append(left, e)
			}
		}
	}
	return left, nil
}

// Left reports whether a turn has calls in the background that have not ended and do not run here.
func (r *Runner) Left(turn graph.ID) (bool, error) {
	all, err := r.left(turn.Session)
	if err != nil {
		return false, err
	}
	for _, e := range all {
		if up, err := r.Calls.Store.Owner(e.ID.Session, e.ID.Bag); err != nil || up == turn {
			return err == nil, err
		}
	}
	return false, nil
}

// takeUp goes on with the calls in the background that an earlier process left: those of turns on the walk from the head,
// closed or not. What hangs on an abandoned branch waits until its head comes back (law S21).
func (r *Runner) takeUp(ctx context.Context, head graph.ID, c call.Context) error {
	st := r.Calls.Store
	left, err := r.left(head.Session)
	if err != nil {
		return err
	}
	for _, e := range left {
		turn, err := st.Owner(e.ID.Session, e.ID.Bag)
		if err != nil {
			return err
		}
		u, err := session.At(st, turn)
		if err != nil {
			continue // a call of a program, which goes on with it
		}
		if on, err := session.Reaches(st, head, turn); err != nil || !on {
			if err != nil {
				return err
			}
			continue
		}
		request, err := r.Calls.RequestOf(e)
		if err != nil {
			return err
		}
		t := newTurn(r, turn, u.Turn, c)
		current, err := t.current()
		if err != nil {
			return err
		}
		f := &flight{request: request, entry: &e, background: true, landed: make(chan *flight, 1), freed: make(chan struct{})}
		r.fly(ctx, turn, current, f)
		r.release(f)
	}
	return nil
}
