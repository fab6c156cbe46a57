package orchestrator

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/store"
)

// Verdict is what a guard says of a job.
type Verdict int

const (
	Wait  Verdict = iota // not yet: look again when something was committed
	Allow                // its body runs
	Deny                 // its body does not run: a receipt ends it
)

// Executor runs the jobs of one class. Guard writes nothing and may be asked often; Execute leads a job to its rest.
type Executor struct {
	Class   kind.Kind
	Guard   func(ctx context.Context, e kind.Entry) (Verdict, error)
	Execute func(ctx context.Context, id graph.ID) error
	// Refuse ends a job that the guard denied, with a receipt.
	Refuse func(ctx context.Context, id graph.ID) error
}

// Actor fulfils the obligations of one kind. There is one for a kind.
type Actor struct {
	Kind kind.Kind
	// Connection is the connection that the obligation names.
	Connection func(n kind.Node) string
	Fulfil     func(ctx context.Context, id graph.ID) error
}

// Orchestrator takes up the work of a store's sessions.
type Orchestrator struct {
	Store     store.Store
	Executors []Executor
	Actors    []Actor
	// Known reports whether a connection is there: an obligation that names another waits.
	Known func(connection string) bool
	// Here reports whether a job or an obligation is being worked on in this process already: it was dispatched at its
	// origin.
	Here func(id graph.ID) bool
	// Failed hears what a body could not do; the job stays as it is.
	Failed func(id graph.ID, err error)

	mu     sync.Mutex
	busy   map[graph.ID]bool
	rested map[graph.ID]uint64 // what was taken up in this life, by the newest event at which it had come to rest
}

// attendance is what runs for one session.
type attendance struct {
	running sync.WaitGroup
	done    chan struct{} // something came to rest
}

// Attend takes up the work of a session, and again whatever becomes ready as things are committed, until ctx ends; then it
// waits for what runs. idle, unless nil, is called each time that nothing runs and nothing can be begun.
func (o *Orchestrator) Attend(ctx context.Context, n uint64, idle func()) error {
	watch, stop := o.Store.Watch(n)
	defer stop()
	a := &attendance{done: make(chan struct{}, 1)}
	defer a.running.Wait()
	for {
		begun, err := o.pass(ctx, n, a)
		if err != nil {
			return err
		}
		if begun == 0 && idle != nil && o.quiet() {
			idle()
		}
		select {
		case <-watch:
		case <-a.done:
		case <-ctx.Done():
			return nil
		}
	}
}

func (o *Orchestrator) quiet() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.busy) == 0
}

// pass begins what can be begun now.
func (o *Orchestrator) pass(ctx context.Context, n uint64, a *attendance) (begun int, err error) {
	work, err := session.Work(o.Store, n)
	if err != nil {
		return 0, err
	}
	for _, id := range work {
		b, err := o.takeUp(ctx, id, a)
		if err != nil {
			return begun, err
		}
		begun += b
	}
	b, err := o.honor(ctx, work, a)
	return begun + b, err
}

// takeUp executes a job if it is unresolved, of a class that has an executor, and its guard lets it.
func (o *Orchestrator) takeUp(ctx context.Context, id graph.ID, a *attendance) (int, error) {
	e, err := o.Store.Entry(id)
	if err != nil || e.Outcome != nil || o.here(id) {
		return 0, err
	}
	if woken, err := o.woken(id); err != nil || !woken {
		return 0, err
	}
	for _, x := range o.Executors {
		if x.Class != e.Node.Kind() {
			continue
		}
		v, err := x.Guard(ctx, e)
		if err != nil {
			return 0, fmt.Errorf("guard of %s: %w", id, err)
		}
		switch v {
		case Allow:
			return o.run(ctx, id, x.Execute, a), nil
		case Deny:
			return o.run(ctx, id, x.Refuse, a), nil
		}
	}
	return 0, nil
}

// here reports whether a job or an obligation is worked on in this process.
func (o *Orchestrator) here(id graph.ID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.busy[id] || o.Here != nil && o.Here(id)
}

// woken reports whether a job may be taken up: it was not yet in this life, or a person has answered something in its
// session since it came to rest. What rests is not begun again by itself.
func (o *Orchestrator) woken(id graph.ID) (bool, error) {
	o.mu.Lock()
	since, again := o.rested[id]
	o.mu.Unlock()
	if !again {
		return true, nil
	}
	for e, err := range o.Store.Events(id.Session, since+1) {
		if err != nil {
			return false, err
		}
		since = e.Seq
		switch {
		case e.What == store.EventUnwait, e.What == store.EventNote && answers[e.Detail], e.What == store.EventMint && e.Kind == kind.KindHeadMove:
			return true, nil
		}
	}
	o.mu.Lock()
	o.rested[id] = since
	o.mu.Unlock()
	return false, nil
}

var answers = map[string]bool{kind.FactApproved: true, kind.FactDeniedBy: true, kind.FactResolved: true}

// run leads one job or obligation in a goroutine of its own, once.
func (o *Orchestrator) run(ctx context.Context, id graph.ID, body func(context.Context, graph.ID) error, a *attendance) int {
	o.mu.Lock()
	if o.busy == nil {
		o.busy, o.rested = map[graph.ID]bool{}, map[graph.ID]uint64{}
	}
	if o.busy[id] {
		o.mu.Unlock()
		return 0
	}
	o.busy[id] = true
	o.mu.Unlock()
	a.running.Go(func() {
		before, _ := o.Store.LastEvent(id.Session) // an answer that comes while it runs may come too late for it
		err := body(ctx, id)
		o.mu.Lock()
		delete(o.busy, id)
		o.rested[id] = before
		o.mu.Unlock()
		if err != nil && ctx.Err() == nil && o.Failed != nil {
			o.Failed(id, err)
		}
		select {
		case a.done <- struct{}{}:
		default:
		}
	})
	return 1
}

// honor fulfils the obligations that were left open: it walks the work, boundaries and background included. It skips what
// is done, what an executor of the same work leads already, and what names a connection that is not there. It knows
// nothing of approvals and never sees a tool's job.
func (o *Orchestrator) honor(ctx context.Context, work []graph.ID, a *attendance) (begun int, err error) {
	tree := store.NewTree(o.Store)
	for _, id := range work {
		if o.here(id) {
			continue // its executor dispatches what it finds open, at its origin
		}
		b, err := tree.Branch(id)
		if err != nil {
			return begun, err
		}
		for n := range graph.WalkWork(b) {
			pew, ok := n.(*store.Obligation)
			if !ok || pew.Outcome != nil || o.here(pew.ID) || o.done(pew.ID) {
				continue
			}
			if led, err := o.led(pew.ID); err != nil || led {
				if err != nil {
					return begun, err
				}
				continue // what made it runs here and dispatches it itself
			}
			for _, x := range o.Actors {
				if x.Kind != pew.Node.Kind() || o.Known != nil && !o.Known(x.Connection(pew.Node)) {
					continue
				}
				begun += o.run(ctx, pew.ID, x.Fulfil, a)
			}
		}
		if err := tree.Err(); err != nil {
			return begun, err
		}
	}
	return begun, nil
}

// done reports whether an obligation was taken up in this life: it is dispatched once.
func (o *Orchestrator) done(id graph.ID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, ok := o.rested[id]
	return ok
}

// led reports whether anything that an obligation hangs below is worked on in this process.
func (o *Orchestrator) led(id graph.ID) (bool, error) {
	for id.Bag > graph.RootBag {
		up, err := o.Store.Owner(id.Session, id.Bag)
		if err != nil {
			return false, err
		}
		if o.here(up) {
			return true, nil
		}
		id = up
	}
	return false, nil
}

// AttendAll attends every session there is, and those that are made meanwhile, until ctx ends.
func (o *Orchestrator) AttendAll(ctx context.Context, idle func()) error {
	watch, stop := o.Store.Watch(0)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	defer all.Wait()
	attended := map[uint64]bool{}
	for {
		sessions, err := o.Store.Sessions()
		if err != nil {
			return err
		}
		for _, n := range sessions {
			if attended[n] {
				continue
			}
			attended[n] = true
			all.Add(1)
			go func() {
				defer all.Done()
				if err := o.Attend(ctx, n, idle); err != nil && !errors.Is(err, store.ErrNoSession) && !errors.Is(err, store.ErrNotFound) {
					cancel(err)
				}
			}()
		}
		select {
		case <-watch:
		case <-ctx.Done():
			if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
				return cause
			}
			return nil
		}
	}
}
