package program

import (
	"context"
	"sync"

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
	base := call.Request{Tighten: b.base.Tighten, Posture: b.base.Posture}
	if len(args) == 2 {
		if err := overlay(&base, args[1]); err != nil {
			return b.refuse(c, "type-error", err.Error())
		}
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
	if ended {
		if err := showRecorded(b.calls, *recorded, b.out.to); err != nil {
			return err
		}
	}
	shade, err := b.leaves(recorded)
	if err != nil {
		return err
	}
	if !ended || shade {
		child := b.r.newBag(b.spec, b.out.to)
		child.spec.Name, child.spec.Source, child.base = "background", "", base
		child.backgrounds = b.backgrounds
		child.calls, child.id, child.parent = b.calls, p.id, p.request.Place
		m, err := b.m.Fork(c.ID, child.out)
		if err != nil {
			return b.refuse(c, "type-error", "background: "+err.Error())
		}
		child.m = m
		if err := child.adopt(recorded); err != nil {
			child.close()
			return err
		}
		if shade {
			child.asShade()
		}
		b.backgrounds.start(child)
	}
	b.nextOrd++
	b.answered = true
	return bind.Give(b.m, c.ID, p.id.String())
}

// adopt makes the job of a child bag, or takes what an earlier life recorded of it.
func (b *bag) adopt(recorded *store.Entry) error {
	if recorded == nil {
		b.detached = true
		return b.mint()
	}
	return b.takeUp(recorded)
}

// takeUp goes on with what an earlier life recorded of a child bag.
func (b *bag) takeUp(recorded *store.Entry) error {
	job, ok := recorded.Node.(*kind.ProgrammaticJob)
	if !ok {
		return check(recorded, kind.Place{Fiber: "?"}, "program", nil)
	}
	b.job = job
	b.spec.Context.Bag = job.Bag
	var err error
	b.journal, err = readJournal(b.calls.Store, b.id, job.Bag, recorded.Facts)
	if err == nil {
		b.out.skip = b.journal.output
	}
	return err
}

func (g *backgrounds) start(child *bag) {
	g.all.Add(1)
	go func() {
		defer g.all.Done()
		r, err := child.execute(g.ctx)
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
	}()
}

// join waits for all and adds to the run's result what of theirs waits for a person.
func (g *backgrounds) join(r *Result) error {
	g.all.Wait()
	r.Waiting = append(r.Waiting, g.waiting...)
	sortIDs(r.Waiting)
	r.Rest = g.rest
	return g.err
}
