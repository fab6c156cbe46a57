package program

import (
	"errors"

	"caper/runtime/call"
	"caper/runtime/program/bind"
	"caper/runtime/store"
)

// deliver resumes the fiber that waits for an outcome, unless it is gone.
func (b *bag) deliver(d delivery) error {
	p, ok := b.active[d.call]
	if !ok {
		return nil
	}
	if p.cancel != nil {
		p.cancel() // or its context would stay with the bag's
	}
	b.unawait(p)
	b.grown++
	if p.nested() {
		b.out.showed(p.id.Ord)
	}
	b.fault("resuming")
	if err := b.m.Unpark(); err != nil {
		return err
	}
	return bind.Answer(b.m, d.call, p.call.Name, d.outcome, b.calls)
}

// settle writes the outcome of a call that came to rest, with those of all others that did meanwhile, and queues them for
// the machine in that order.
func (b *bag) settle(first call.Ending) (err error) {
	endings := []call.Ending{first}
	for more := true; more; {
		select {
		case e := <-b.ended:
			endings = append(endings, *e)
		default:
			more = false
		}
	}
	b.flying -= len(endings)
	b.fuel += b.returned.Swap(0)
	defer func() {
		if err != nil { // nothing may stay held or counted: the bag ends, its owner perhaps does not
			for _, e := range endings {
				if e.Release != nil {
					e.Release()
				}
			}
		}
	}()
	var changes []store.Change
	var plain []call.Ending
	flush := func() error {
		if len(changes) == 0 {
			return nil
		}
		_, err := b.calls.Store.Apply(b.spec.Context.Session, changes...)
		if err == nil {
			b.settled(plain)
		}
		changes, plain = nil, nil
		return err
	}
	for _, e := range endings {
		switch {
		case e.Err != nil:
			return errors.Join(e.Err, flush())
		case e.Rest != call.Settled:
			if e.Release != nil {
				e.Release()
			}
			if b.awaited[e.ID.Ord] == nil { // its fiber ended meanwhile
				if err := b.forsake(e.ID); err != nil {
					return errors.Join(err, flush())
				}
				continue
			}
			b.waiting[e.ID] = e
		case e.Ride:
			if err := flush(); err != nil {
				return err
			}
			if _, err := b.calls.Store.Ride(b.spec.Context.Session, store.Settle{ID: e.ID, Outcome: e.Outcome}); err != nil {
				return err
			}
			b.settled([]call.Ending{e})
		default:
			if e.Mint != nil {
				changes = append(changes, *e.Mint)
			}
			changes = append(changes, store.Settle{ID: e.ID, Outcome: e.Outcome})
			plain = append(plain, e)
		}
	}
	return flush()
}

func (b *bag) settled(endings []call.Ending) {
	b.fault("settled")
	for _, e := range endings {
		delete(b.loose, e.ID.Ord)
		if p := b.nests[e.ID.Ord]; p != nil {
			delete(b.nests, e.ID.Ord)
			if p.inner != nil && !p.inner.gone() {
				b.addKid(kid{Ord: e.ID.Ord, bag: p.inner, nested: true})
			}
		}
		if e.Release != nil {
			e.Release()
		}
		if e.Spooled {
			_ = b.calls.Clean(e.ID) // what cannot be removed goes with the session
		}
		if p := b.awaited[e.ID.Ord]; p != nil {
			b.ready = append(b.ready, delivery{p.call.ID, e.Outcome})
		}
	}
}
