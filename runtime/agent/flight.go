package agent

import (
	"context"
	"errors"
	"fmt"
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
	begun      bool // an earlier process left some of it
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
// It answers false for one that is under way already.
func (r *Runner) fly(ctx context.Context, turn graph.ID, c *call.Context, f *flight) bool {
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
	_, twice := r.flights.all[f.request.ID]
	if !twice {
		r.flights.all[f.request.ID] = f
	}
	if r.flights.closed {
		cancel(call.ErrParking)
	}
	r.flights.mu.Unlock()
	if twice {
		stop()
		cancel(nil)
		return false
	}
	go func() {
		defer cancel(nil)
		defer stop()
		var e call.Ending
		over := false
		if !f.comes(own) {
			e.Rest = call.Parked
		} else if f.begun {
			var now kind.Entry // whoever led it until a moment ago may have ended it
			if now, e.Err = r.Calls.Store.Entry(f.request.ID); e.Err == nil && now.Outcome == nil {
				e = r.Calls.Continue(own, c, f.request, now)
			}
			over = now.Outcome != nil
		} else {
			e = r.Calls.Begin(own, c, f.request)
		}
		f.rest, f.err = e.Rest, e.Err
		if e.Err == nil && e.Rest == call.Settled && !over {
			f.err = r.settle(f, e)
		}
		if e.Release != nil {
			e.Release()
		}
		if (f.err != nil || f.rest != call.Settled) && (f.background || r.isDetached(f)) {
			r.leave(f.request.ID)
			if now, err := r.Calls.Store.Entry(f.request.ID); err == nil && now.Detached() {
				f.once.Do(func() { close(f.freed) }) // nobody waits for it
			}
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
	return true
}

// comes waits for the call that comes first; false where that rests: then this one waits too.
func (f *flight) comes(ctx context.Context) bool {
	if f.before == nil {
		return true
	}
	select {
	case <-f.before.over:
		return f.before.free() || f.before.err == nil && f.before.rest == call.Settled
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
