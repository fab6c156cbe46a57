package program

import (
	"context"
	"maps"
	"slices"

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
	if p.nested() {
		b.out.showed(p.id.Ord)
	}
	if _, rests := b.waiting[p.id]; p.begun && !rests {
		b.loose[p.id.Ord] = true
		return nil
	}
	delete(b.waiting, p.id)
	if err := b.pass(p); err != nil {
		return err
	}
	if b.shade || !p.begun && b.journal.recorded(p.id.Ord) == nil {
		return nil // it never began
	}
	return b.forsake(p.id)
}

// nested reports whether the call is a program.
func (p *pending) nested() bool { return p.bag != nil && p.bag.op == bind.OpProgram }

// forsake settles a call that rests, or that an earlier life left open, and that nobody waits for any more.
func (b *bag) forsake(id graph.ID) error {
	e, err := b.calls.Store.Entry(id)
	if err != nil || e.Outcome != nil {
		return err
	}
	b.loose[id.Ord] = true
	b.flying++
	go b.send(func() call.Ending { return b.calls.End(context.Background(), &b.spec.Context, e, "program", false) })
	return nil
}

// sweep ends what is left open in this bag: what an earlier life began and this one never waited for to the end.
func (b *bag) sweep() error {
	if b.job == nil {
		return nil
	}
	left, err := b.left()
	if err != nil {
		return err
	}
	return b.calls.EndAll(context.Background(), &b.spec.Context, func(yield func(store.Entry, error) bool) {
		for _, id := range left {
			if e, err := b.calls.Store.Entry(id); !yield(e, err) || err != nil {
				return
			}
		}
	}, "program", false)
}

// left are the children that may have no outcome: those that are begun, those that wait for a person, and those of an
// earlier life, which may be neither because an answer came.
func (b *bag) left() ([]graph.ID, error) {
	st, session, bag := b.calls.Store, b.spec.Context.Session, b.job.Bag
	found := map[graph.ID]bool{}
	for id, err := range st.OpenFrom(session, bag, 0) {
		if err != nil {
			return nil, err
		}
		found[id] = true
	}
	for id, err := range st.Waiting() {
		if err != nil {
			return nil, err
		}
		if id.Session == session && id.Bag == bag {
			found[id] = true
		}
	}
	for _, e := range b.journal.entries {
		if _, reading := e.Node.(*kind.Cell); e.Outcome == nil && !reading {
			found[e.ID] = true
		}
	}
	ids := slices.Collect(maps.Keys(found))
	sortIDs(ids)
	return ids, nil
}
