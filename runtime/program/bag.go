package program

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"caper/interp"
	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
)

// bag is one running ProgrammaticJob. One goroutine, run's, owns everything in it; the goroutines of calls only send to
// ended.
type bag struct {
	r     *Runner
	calls *call.Service // nil until the first call: a program that makes none needs no store
	spec  Spec
	id    graph.ID // of the job; zero until it is minted
	job   *kind.ProgrammaticJob
	m     *interp.Machine
	out   *output

	journal     *journal
	nextOrd     uint64              // ordinal of the next child
	active      map[uint64]*pending // by the machine's number of the call
	awaited     map[uint64]*pending // the same, by ordinal
	todo        []*pending          // those of them that no goroutine leads yet, and some that nobody waits for any more
	flying      int                 // goroutines that will send to ended
	ended       chan *call.Ending
	ready       []delivery   // settled, not yet given to the machine; strictly one a Run
	answered    bool         // a reading of this step was answered at once
	fuel        int64        // left
	returned    atomic.Int64 // fuel that nested bags gave back, not yet in fuel
	exit        *int
	waiting     map[graph.ID]call.Ending
	seed        uint64       // of random numbers
	detached    bool         // a child in the background
	shade       bool         // it has ended: see shade.go
	base        call.Request // what with-policy forms around the whole bag add to each call
	backgrounds *backgrounds // shared by all bags of a run
	isChild     bool         // the parent's trampoline writes this bag's outcome
	parent      kind.Place   // the call that made it
	broken      error        // why loading failed, when it is not the program's fault
	told        func(graph.ID)
	stopped     func(cause error) // ends an outermost bag as Ctrl-C does; nil for others
	untrack     func()
	idle        chan func() // what goroutines that have led a call wait for
	idlers      atomic.Int32
	clock       *time.Timer // until the machine is parked
	asleep      atomic.Bool // no goroutine leads the bag: see park.go
	unwatch     func() bool // set while it sleeps
	ctx         context.Context
	rested      func(Result, error)
	stage       *stage           // holds a machine that other bags had before, or may get
	copies      bool             // the machine was copied since the last call was admitted
	link        bool             // a shade whose machine goes on to another bag
	chained     bool             // its machine has run more texts than its own
	text        *syntax.Source   // what the machine loaded
	texts       []*syntax.Source // what it is still to load
	loaded      *bag             // the bag that loaded it: this one, or one that put this into the background

	loose      map[uint64]bool     // ordinals of calls that nobody waits for any more and that have not ended
	nests      map[uint64]*pending // nested programs that run, by ordinal
	kids       []kid
	kidRoom    int // how many there may be before those that ended are dropped
	back       *restored
	kept       atomic.Bool // there may be a snapshot
	tried      bool        // to write one
	done       atomic.Bool // it ended for good
	astray     bool        // the machine was told what is not on record: no snapshot of it
	procedures served
	gaps       int      // of them that are gone
	undo       []func() // takes back what it made reachable by name
	used       int64    // fuel
	grown      int      // answers since the last snapshot
	savedUsed  int64    // fuel used then
	savedSize  int      // its bytes
}

// pending is a host call of the machine that has no answer yet.
type pending struct {
	call    interp.Call
	id      graph.ID
	cancel  context.CancelFunc
	request call.Request
	begun   bool // a goroutine leads it
	bag     *child
	fuel    int64 // of a nested bag: reserved from this one
	inner   *bag  // the nested bag, once its call has ended
	ran     bool  // that tool's body took own
	own     *bag  // has a copy of the machine, made at the call, in which the tool runs that the program defines
}

// delivery is an outcome on its way into the machine.
type delivery struct {
	call    uint64
	outcome kind.Outcome
}

// slice is how long the machine runs before output and cancellation are looked at, in fuel.
const slice = 2_000_000

// Run executes a new bag to its end or until nothing can go on. told, unless nil, hears the bag's id as soon as it has one:
// at once, or with the first call of a lazy bag.
func (r *Runner) Run(ctx context.Context, spec Spec, out Output, told func(graph.ID)) (Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b := r.newBag(spec, out)
	defer b.close()
	b.id = spec.At
	b.backgrounds.ctx = ctx
	b.told, b.stopped = told, stopBy(cancel)
	defer func() { b.untrack() }()
	if !spec.After.IsZero() {
		if err := b.open(); err != nil {
			return Result{}, err
		}
		var err error
		if b.spec.After, err = linkAt(b.calls, spec.After); err != nil {
			return Result{}, err
		}
	}
	if !spec.Lazy {
		if err := b.mint(); err != nil {
			return Result{}, err
		}
	}
	return b.whole(ctx)
}

// Resume continues a bag that an earlier process left.
func (r *Runner) Resume(ctx context.Context, id graph.ID, spec func(*kind.ProgrammaticJob) (Spec, error), out Output) (Result, error) {
	calls, err := r.Open()
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	untrack, ok := calls.Track(id, stopBy(cancel))
	if !ok {
		return Result{}, &RunningError{ID: id}
	}
	defer untrack()
	e, err := calls.Store.Entry(id)
	if err != nil {
		return Result{}, err
	}
	job, ok := e.Node.(*kind.ProgrammaticJob)
	if !ok {
		return Result{}, fmt.Errorf("%s is a %s, not a program", id, e.Node.Kind().Name())
	}
	if e.Outcome != nil {
		open, err := Unfinished(calls, id)
		if err != nil {
			return Result{}, err
		}
		if !open {
			return settledResult(calls, id, e, out)
		}
	}
	s, err := spec(job)
	if err != nil {
		return Result{}, err
	}
	if s.Source, err = sourceOf(calls, job); err != nil {
		return Result{}, err
	}
	if err := s.opened(calls, job); err != nil {
		return Result{}, err
	}
	b := r.newBag(s, out)
	defer b.close()
	b.backgrounds.ctx = ctx
	b.calls, b.id = calls, id
	release, err := calls.Reserve(ctx, id)
	defer release()
	if err != nil {
		return Result{}, err
	}
	if err := b.takeUp(e); err != nil {
		return Result{}, err
	}
	return b.whole(ctx)
}

// whole executes the outermost bag of a run and waits for what went to the background.
func (b *bag) whole(ctx context.Context) (Result, error) {
	var r Result
	var err error
	rests := make(chan struct{})
	b.lead(ctx, func(end Result, fail error) {
		r, err = end, fail
		close(rests)
	})
	<-rests
	if b.spec.Ended != nil && b.backgrounds.flying.Load() > 0 {
		b.spec.Ended(r, err)
	}
	err = errors.Join(err, b.backgrounds.join(&r))
	if err == nil && r.State != Parked && r.State != Uncertain {
		b.drop()
	}
	if err == nil {
		b.hand(r)
	}
	return r, err
}

func (r *Runner) newBag(spec Spec, out Output) *bag {
	b := &bag{r: r, spec: spec, active: map[uint64]*pending{}, awaited: map[uint64]*pending{}, ended: make(chan *call.Ending, 64), idle: make(chan func()), journal: &journal{},
		loose: map[uint64]bool{}, nests: map[uint64]*pending{}, waiting: map[graph.ID]call.Ending{}, untrack: func() {}}
	b.seed, b.backgrounds = seed(), &backgrounds{}
	b.fuel = int64(orDefault(spec.Budget.Fuel, DefaultFuel))
	b.out = &output{to: out, left: int64(orDefault(spec.Budget.Output, DefaultOutput))}
	return b
}

func orDefault(n, d uint64) uint64 {
	if n == 0 {
		return d
	}
	return n
}

func (b *bag) close() {
	b.cancelAll()
	for b.flying > 0 { // their effects end soon: they were cancelled
		e := <-b.ended
		b.flying--
		if e.Release != nil {
			e.Release()
		}
	}
	for _, p := range b.active {
		if p.own != nil && !p.begun {
			p.own.close()
		}
	}
	close(b.idle)
	if b.clock != nil {
		b.clock.Stop()
	}
	b.unname()
	switch {
	case b.stage != nil:
		b.stage.close()
	case b.m != nil:
		b.m.Close()
	}
}

// unname takes back what the bag made reachable, and lets its procedures go.
func (b *bag) unname() {
	for _, f := range b.undo {
		f()
	}
	b.procedures.close()
}

// maxIdle bounds the goroutines that wait for the next call.
const maxIdle = 2

// async runs f in a goroutine, one that has run such a thing before if it can: its stack has grown already.
func (b *bag) async(f func()) {
	select {
	case b.idle <- f:
		return
	default:
	}
	idle := b.idle
	go func() {
		f()
		for b.idlers.Add(1) <= maxIdle {
			next, more := <-idle
			b.idlers.Add(-1)
			if !more {
				return
			}
			next()
		}
		b.idlers.Add(-1)
	}()
}

// execute loads the program and runs the trampoline until the bag rests, or sleeps: then it answers errAsleep and is to be
// called again.
func (b *bag) execute(ctx context.Context) (Result, error) {
	if b.m == nil {
		if fail, err := b.load(ctx); fail != nil || err != nil {
			return b.unbegun(ctx, fail, err)
		}
	}
	stop := context.AfterFunc(ctx, b.m.Interrupt)
	defer stop()
	if b.woken() {
		if r, over, err := b.wait(ctx); over || err != nil {
			return r, err
		}
	}
	for {
		if ctx.Err() != nil {
			return b.stop(ctx)
		}
		b.answered = false
		step := b.m.Run(min(slice, b.fuel))
		b.fuel -= step.Used
		b.used += step.Used
		if err := b.flush(); err != nil {
			return Result{}, err
		}
		for _, id := range step.Cancelled {
			if err := b.abandon(id); err != nil {
				return Result{}, err
			}
		}
		if err := b.admitAll(ctx, step.Calls); err != nil {
			return Result{}, err
		}
		if b.exit != nil {
			return b.finish(Result{State: Exited, Code: *b.exit})
		}
		switch step.Kind {
		case interp.Done:
			if len(b.texts) > 0 {
				if fail, err := b.begun(b.loadText()); fail != nil || err != nil {
					return b.unbegun(ctx, fail, err)
				}
				continue
			}
			return b.finish(b.value(step.Value))
		case interp.Raised:
			return b.finish(b.raised(step.Value))
		case interp.Exhausted:
			if r, over := b.spent(step.Which); over {
				return b.finish(r)
			}
		case interp.Suspended:
			if b.answered { // a reading was given to the machine already
				continue
			}
			if r, over, err := b.wait(ctx); over || err != nil {
				return r, err
			}
		}
	}
}

// unbegun is a bag whose text could not be loaded, or not yet.
func (b *bag) unbegun(ctx context.Context, fail *Failure, err error) (Result, error) {
	switch {
	case errors.Is(err, errLoadRests) && ctx.Err() != nil:
		return b.stop(ctx)
	case errors.Is(err, errLoadRests):
		r, _, err := b.rest()
		return r, err
	case err != nil:
		return Result{}, err
	}
	return b.finish(Result{State: Raised, Error: fail})
}

// spent reports whether an exhausted step ends the bag: a slice of fuel or an interrupt does not by itself.
func (b *bag) spent(which string) (Result, bool) {
	if which == "fuel" && b.fuel > 0 || which == "interrupt" {
		return Result{}, false
	}
	f := &Failure{Kind: "budget"}
	switch which {
	case "fuel":
		f.Message = fmt.Sprintf("the program used up its fuel, %d calls and loop turns", orDefault(b.spec.Budget.Fuel, DefaultFuel))
		f.Hints = []string{"--fuel N gives it more"}
	case "memory":
		f.Message = fmt.Sprintf("the program used up its memory, %d MiB", orDefault(b.spec.Budget.Memory, DefaultMemory)>>20)
		f.Hints = []string{"--memory N gives it more"}
	case "output":
		f.Message = fmt.Sprintf("the program wrote more than its output budget allows, %d bytes", orDefault(b.spec.Budget.Output, DefaultOutput))
	}
	return Result{State: Budget, Error: f}, true
}

// wait gives the machine its next answer: one that is ready, else the next of the journal, else the next that settles.
func (b *bag) wait(ctx context.Context) (Result, bool, error) {
	for len(b.ready) == 0 {
		if d, ok := b.journal.next(b.awaited); ok {
			if err := b.pass(b.active[d.call]); err != nil {
				return Result{}, true, err
			}
			b.ready = append(b.ready, d)
			break
		}
		if b.shade {
			return Result{}, true, nil
		}
		b.begin(ctx)
		if b.flying == 0 {
			return b.rest()
		}
		b.save(1)
		select {
		case e := <-b.ended:
			if err := b.settle(*e); err != nil {
				return Result{}, true, err
			}
		case <-b.parkTime():
			if err := b.m.Park(); err != nil {
				return Result{}, true, err
			}
			b.fault("parked")
			if b.sleep(ctx) {
				return Result{}, true, errAsleep
			}
		case <-ctx.Done():
			r, err := b.stop(ctx)
			return r, true, err
		}
	}
	d := b.ready[0]
	b.ready = b.ready[1:]
	return Result{}, false, b.deliver(d)
}
