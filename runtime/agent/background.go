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

// release lets a call go on without its turn. From then on it can be cancelled alone.
func (r *Runner) release(f *flight) {
	f.once.Do(func() { close(f.freed) })
	r.flights.mu.Lock()
	defer r.flights.mu.Unlock()
	if r.flights.all[f.request.ID] == f {
		f.untrack, _ = r.Calls.Track(f.request.ID, func(cause error) { f.cancel(cause) })
	}
}

// poked answers the channel on which a turn that waits for a round is told of a detached call, also of one that was detached
// before it waits.
func (r *Runner) poked(turn graph.ID) chan struct{} {
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

// Answer is how a call answered that goes on in the background.
type Answer struct {
	Text   string
	Failed bool
}

// Detach moves a running call of a turn to the background: the turn goes on without it and is told when it ends. The call
// stays where it is in the tree. answer, unless nil, is what the model is told of it at once.
func (r *Runner) Detach(id graph.ID, by string, answer *Answer) error {
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
	fact := kind.Fact{What: kind.FactDetached, By: by, At: r.Calls.Now()}
	if answer != nil {
		if fact.Value, err = r.Calls.Keep(graph.List{graph.Pair("text", answer.Text), graph.Pair("failed", answer.Failed)}); err != nil {
			return err
		}
	}
	r.saying.Lock()
	defer r.saying.Unlock()
	if f != nil && f.ending {
		return fmt.Errorf("%s has just ended", id)
	}
	changes := []store.Change{store.Note{ID: id, Fact: fact}}
	if _, goes := e.Admitted(); goes && f == nil { // it may have been approved and not begun
		changes = append(changes, store.Start{ID: id})
	}
	if _, err := r.Calls.Store.Apply(id.Session, changes...); err != nil {
		return err
	}
	r.leave(id) // also where it comes to rest at this moment
	if f == nil {
		return nil // it is in the background when its turn goes on
	}
	f.detached = true
	select {
	case r.poked(f.turn) <- struct{}{}:
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

// leaveFlights aborts the calls in the background of turns that are not on the walk to a new head. What else a turn that is
// open has begun ends with it.
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
			if turn, err = session.At(st, f.turn); err != nil || !turn.Closed() && !f.free() || turn.Agent() != agent {
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
		if !turn.Closed() {
			continue
		}
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
			if id.Session != n || seen[id] || r.flights.has(id) {
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

// leftovers are the calls of a session that may have been left in the background. An earlier process left what the record
// shows when it is first looked at; from then on there are added those that come to rest in this one without an end.
type leftovers struct {
	mu sync.Mutex
	of map[uint64]map[graph.ID]bool // by session
}

// leave notes that a call does not go on here any more.
func (r *Runner) leave(id graph.ID) {
	r.leftovers.mu.Lock()
	defer r.leftovers.mu.Unlock()
	if ids, ok := r.leftovers.of[id.Session]; ok {
		ids[id] = true
	}
}

// leftIn are the calls of a session that wait in the background to be gone on with.
func (r *Runner) leftIn(n uint64) (left []kind.Entry, err error) {
	r.leftovers.mu.Lock()
	defer r.leftovers.mu.Unlock()
	ids, ok := r.leftovers.of[n]
	if !ok {
		if left, err = r.left(n); err != nil {
			return nil, err
		}
		ids = map[graph.ID]bool{}
		for _, e := range left {
			ids[e.ID] = true
		}
		if r.leftovers.of == nil {
			r.leftovers.of = map[uint64]map[graph.ID]bool{}
		}
		r.leftovers.of[n] = ids
		return left, nil
	}
	for id := range ids {
		if r.flights.has(id) {
			continue
		}
		e, err := r.Calls.Store.Entry(id)
		switch {
		case errors.Is(err, store.ErrNotFound) || err == nil && e.Outcome != nil:
			delete(ids, id)
		case err != nil:
			return nil, err
		case e.Detached():
			left = append(left, e)
		}
	}
	slices.SortFunc(left, func(a, b kind.Entry) int {
		return cmp.Or(cmp.Compare(a.ID.Bag, b.ID.Bag), cmp.Compare(a.ID.Ord, b.ID.Ord))
	})
	return left, nil
}

func (s *flights) has(id graph.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[id] != nil
}

// takeUp goes on with the calls in the background that were left: those of turns on the walk from the head,
// closed or not. What hangs on an abandoned branch waits until its head comes back (law S21).
func (r *Runner) takeUp(ctx context.Context, head graph.ID, c call.Context) error {
	left, err := r.leftIn(head.Session)
	if err != nil {
		return err
	}
	for _, e := range left {
		on, err := r.onWalk(head, e.ID)
		if err != nil {
			return err
		}
		if on {
			if _, err := r.goOn(ctx, e, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// onWalk reports whether a call is one of a turn on the walk from a head.
func (r *Runner) onWalk(head, id graph.ID) (bool, error) {
	turn, err := r.Calls.Store.Owner(id.Session, id.Bag)
	if err != nil {
		return false, err
	}
	n, err := r.Calls.Store.Node(turn)
	if err != nil {
		return false, err
	}
	if _, ok := n.(*kind.SessionTurn); !ok {
		return false, nil // of a program, which goes on with it
	}
	return session.Reaches(r.Calls.Store, head, turn)
}

// goOn goes on with a call in the background that an earlier process left; nil where that runs here already.
func (r *Runner) goOn(ctx context.Context, e kind.Entry, c call.Context) (*flight, error) {
	turn, err := r.Calls.Store.Owner(e.ID.Session, e.ID.Bag)
	if err != nil {
		return nil, err
	}
	u, err := session.At(r.Calls.Store, turn)
	if err != nil {
		return nil, err
	}
	request, err := r.Calls.RequestOf(e)
	if err != nil {
		return nil, err
	}
	t, err := newTurn(r, turn, u.Turn, c)
	if err != nil {
		return nil, err
	}
	current, err := t.current()
	if err != nil {
		return nil, err
	}
	f := &flight{request: request, begun: true, background: true, landed: make(chan *flight, 1), freed: make(chan struct{})}
	if !r.fly(ctx, turn, current, f) {
		return nil, nil
	}
	r.release(f)
	return f, nil
}

// TakeUp goes on with a call in the background that an earlier process left, until it rests: what an executor of calls
// does (law S41). When ctx ends it parks.
func (r *Runner) TakeUp(ctx context.Context, id graph.ID, c call.Context) error {
	e, err := r.Calls.Store.Entry(id)
	if err != nil || e.Outcome != nil || !e.Detached() {
		return err
	}
	f, err := r.goOn(ctx, e, c)
	if err != nil || f == nil {
		return err
	}
	select {
	case <-f.over:
	case <-ctx.Done():
		f.cancel(call.ErrParking)
		<-f.over
	}
	return f.err
}
