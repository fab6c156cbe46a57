package program

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"caper/interp"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program/bind"
	"caper/runtime/store"
)

// backgrounds are the bags that a run sent to the background: each has a machine of its own, a copy made at the moment of
// the call, and outlives the bag that made it. The run, that is its outermost bag, stays until they rest.
type backgrounds struct {
	ctx     context.Context // of the run: the end of a bag is not the end of what it sent to the background
	all     sync.WaitGroup
	flying  atomic.Int32
	mu      sync.Mutex
	waiting []graph.ID
	rest    State
	err     error
}

// background answers with the id of a child bag that runs the thunk from now on. Both lives of the program make the copy
// at the same point, so that a child that had not ended goes on from its own journal.
func (b *bag) background(c interp.Call, args graph.List) error {
	if err := b.mint(); err != nil {
		return err
	}
	p := &pending{call: c, id: graph.ID{Session: b.spec.Context.Session, Bag: b.job.Bag, Ord: b.nextOrd}}
	p.request.Place = kind.Place{Fiber: c.Fiber, Ordinal: uint64(c.Ordinal)}
	k := kid{Ord: p.id.Ord}
	if len(args) == 2 {
		k.Overlay = kind.Of(args[1])
	}
	base, err := b.around(k)
	if err != nil {
		return b.refuse(c, "type-error", err.Error())
	}
	recorded := b.journal.recorded(p.id.Ord)
	if recorded != nil {
		if err := check(recorded, p.request.Place, "program", nil); err != nil {
			return err
		}
	}
	ended := recorded != nil && recorded.Outcome != nil
	if recorded == nil && b.shade {
		return errShade
	}
	if b.link { // whoever leads that bag leads its children
		b.nextOrd++
		b.answered = true
		return bind.Give(b.m, c.ID, c.Name, p.id.String())
	}
	if ended {
		if err := b.showJob(*recorded); err != nil {
			return err
		}
	}
	shade, err := b.leaves(recorded)
	if err != nil {
		return err
	}
	if !ended || shade {
		k.bag = b.beside(p.id, p.request.Place, base)
		if shade {
			k.bag.asShade()
		}
		if recorded != nil {
			if err := k.bag.takeUp(*recorded); err != nil {
				k.bag.close()
				return err
			}
		}
		if k.bag.m == nil {
			b.copies = true
			m, err := b.m.Fork(c.ID, k.bag.out)
			if err != nil {
				k.bag.close()
				return b.refuse(c, "type-error", "background: "+err.Error())
			}
			k.bag.use(m)
		}
		if err := k.bag.mint(); err != nil {
			k.bag.close()
			return err
		}
		b.addKid(k)
		b.backgrounds.start(k.bag)
	}
	b.out.showed(p.id.Ord)
	b.nextOrd++
	b.answered = true
	return bind.Give(b.m, c.ID, c.Name, p.id.String())
}

// kid is a child bag in the background that had not ended when its parent last looked.
type kid struct {
	Ord     uint64     `cbor:"1,keyasint"`
	Overlay kind.Value `cbor:"2,keyasint,omitzero"` // what with-policy forms were around the call
	bag     *bag
	nested  bool // no kid, but a nested program that ended and left some: no snapshot brings them back
}

// addKid notes a kid that runs.
func (b *bag) addKid(k kid) {
	if len(b.kids) >= b.kidRoom {
		b.dropKids()
		b.kidRoom = 2*len(b.kids) + 16
	}
	b.kids = append(b.kids, k)
}

// dropKids forgets those that ended with all their own.
func (b *bag) dropKids() {
	b.kids = slices.DeleteFunc(b.kids, func(k kid) bool {
		gone := k.bag.gone()
		if gone {
			k.bag.drop() // it ended before its own kids did
		}
		return gone
	})
}

// gone reports whether nothing of a kid goes on. What ended has no goroutine that changes its kids any more.
func (b *bag) gone() bool {
	return b.done.Load() && !slices.ContainsFunc(b.kids, func(k kid) bool { return !k.bag.gone() })
}

// around is what holds for every call of a kid.
func (b *bag) around(k kid) (call.Request, error) {
	base := call.Request{Tighten: b.base.Tighten, Posture: b.base.Posture, Consult: b.base.Consult}
	return base, b.overlay(&base, k.Overlay.Datum)
}

// beside is a child bag that runs the same text as this one.
func (b *bag) beside(id graph.ID, parent kind.Place, base call.Request) *bag {
	child := b.r.newBag(b.spec, b.out.to)
	child.spec.Name, child.spec.Source, child.base = "background", "", base
	child.spec.Open, child.spec.After, child.chained, child.spec.Restart = false, graph.ID{}, b.chained, nil
	child.text, child.loaded, child.backgrounds = b.text, b.loaded, b.backgrounds
	child.calls, child.id, child.parent, child.detached = b.calls, id, parent, true
	child.procedures, child.gaps = b.procedures.copy(), b.gaps
	return child
}

// takeUp goes on with what an earlier life recorded of a bag: from its snapshot where there is a good one, else from the
// beginning of its journal.
func (b *bag) takeUp(recorded store.Entry) error {
	if err := b.recognise(recorded); err != nil {
		return err
	}
	doubt := b.restore(recorded.Facts)
	if b.back != nil {
		return b.goOn()
	}
	if doubt != nil {
		fact := kind.Fact{What: kind.FactReplayed, Value: kind.Of(doubt.Error()), By: "runtime", At: b.now()}
		if _, err := b.calls.Store.Apply(b.id.Session, store.Note{ID: b.id, Fact: fact}); err != nil {
			return err
		}
	}
	var err error
	if b.journal, err = readJournal(b.calls.Store, b.id.Session, b.job.Bag, 0); err != nil {
		return err
	}
	text, err := written(b.calls, recorded.Facts)
	b.out.skip = max(b.out.skip, int64(len(text)))
	return err
}

// recognise makes a recorded job this bag's.
func (b *bag) recognise(recorded store.Entry) error {
	job, ok := recorded.Node.(*kind.ProgrammaticJob)
	if !ok {
		return check(&recorded, kind.Place{Fiber: "?"}, "program", nil)
	}
	b.job = job
	b.spec.Context.Session, b.spec.Context.Bag = b.id.Session, job.Bag
	return nil
}

func (g *backgrounds) start(child *bag) {
	g.all.Add(1)
	g.flying.Add(1)
	ctx, cancel := context.WithCancelCause(g.ctx)
	untrack := func() {}
	if !child.shade {
		untrack, _ = child.calls.Track(child.id, stopBy(cancel))
	}
	go child.lead(ctx, func(r Result, err error) {
		defer g.all.Done()
		defer g.flying.Add(-1)
		defer cancel(nil)
		defer untrack()
		child.done.Store(err == nil && r.State != Parked && r.State != Uncertain)
		child.close()
		if child.shade {
			err = shadeError(err)
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		if err != nil {
			g.err = err
		}
		if r.State == Parked && g.rest == "" || r.State == Uncertain {
			g.rest = r.State
		}
		g.waiting = append(g.waiting, r.Waiting...)
	})
}

// join waits for all and adds to the run's result what of theirs waits for a person.
func (g *backgrounds) join(r *Result) error {
	g.all.Wait()
	r.Waiting = append(r.Waiting, g.waiting...)
	sortIDs(r.Waiting)
	r.Rest = g.rest
	return g.err
}
