package program

import (
	"context"
	"errors"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program/bind"
	"caper/runtime/store"
)

// abandon ends the call of a fiber that was ended: the loser of a race.
func (b *bag) abandon(id uint64) error {
	p, ok := b.active[id]
	if !ok {
		return nil
	}
	b.unawait(p)
	if p.cancel != nil {
		p.cancel()
	}
	if _, rests := b.waiting[p.id]; p.begun && !rests {
		return nil
	}
	delete(b.waiting, p.id)
	if err := b.showNested(p); err != nil {
		return err
	}
	if !p.begun && b.journal.recorded(p.id.Ord) == nil {
		return nil // it never began
	}
	return b.forsake(p.id)
}

// forsake settles a call that rests, or that an earlier life left open, and that nobody waits for any more.
func (b *bag) forsake(id graph.ID) error {
	e, err := b.calls.Store.Entry(id)
	if err != nil || e.Outcome != nil {
		return err
	}
	b.flying++
	go b.send(func() call.Ending { return b.sweepEntry(e) })
	return nil
}

// sweep settles what an earlier life left open in this bag and this one never waited for to the end.
func (b *bag) sweep() error {
	if b.job == nil {
		return nil
	}
	return b.sweepBag(b.job.Bag)
}

func (b *bag) sweepBag(bag uint64) error {
	st, session := b.calls.Store, b.spec.Context.Session
	left := map[graph.ID]bool{}
	for id, err := range st.OpenFrom(session, bag, 0) {
		if err != nil {
			return err
		}
		left[id] = true
	}
	for id, err := range st.Waiting() {
		if err != nil {
			return err
		}
		if id.Session == session && id.Bag == bag {
			left[id] = true
		}
	}
	ids := make([]graph.ID, 0, len(left))
	for id := range left {
		ids = append(ids, id)
	}
	sortIDs(ids)
	for _, id := range ids {
		e, err := st.Entry(id)
		if err != nil {
			return err
		}
		if job, ok := e.Node.(*kind.ProgrammaticJob); e.Outcome != nil || ok && job.Background { // the latter outlives its parent
			continue
		}
		end := b.sweepEntry(e)
		if end.Err == nil {
			_, end.Err = st.Apply(session, store.Settle{ID: id, Outcome: end.Outcome})
		}
		if end.Release != nil {
			end.Release()
		}
		if end.Err == nil && end.Spooled {
			_ = b.calls.Clean(id) // what cannot be removed goes with the session
		}
		if end.Err != nil && !errors.Is(end.Err, store.ErrSettled) {
			return end.Err
		}
	}
	return nil
}

// sweepEntry ends what is left of a job that nobody waits for and answers the outcome that closes it.
func (b *bag) sweepEntry(e store.Entry) call.Ending {
	end := call.Ending{ID: e.ID, Outcome: kind.Outcome{State: kind.Cancelled, By: "program", Effect: "none",
		Error: &kind.Error{Code: "cancelled", Message: "cancelled"}}}
	switch n := e.Node.(type) {
	case *kind.ProgrammaticJob:
		end.Err = b.sweepBag(n.Bag)
	case kind.ToolCall:
		r, err := b.calls.RequestOf(e)
		if err != nil {
			end.Err = err
			return end
		}
		return b.calls.Sweep(context.Background(), &b.spec.Context, r, e)
	}
	return end
}

// showNested shows what a nested program of an earlier life wrote, where its answer, or its end, comes from the journal.
func (b *bag) showNested(p *pending) error {
	e := b.journal.recorded(p.id.Ord)
	if e == nil || p.begun || p.bag == nil || p.bag.op != bind.OpProgram {
		return nil
	}
	return showRecorded(b.calls, *e, b.out.to)
}
