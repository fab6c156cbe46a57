package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"caper/interp"
	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// This file defines chains: bags of which each goes on in the machine of the one before it. Replay is the authority: the
// machine that a bag needs is made by running those before it again, as shades, from their journals. Machines that are
// kept in memory only save that work.

// stage holds a machine that bags have one after another. The machine writes to, and reads what it includes for, the bag
// that has it now.
type stage struct {
	m     *interp.Machine
	bag   *bag
	named []named // what its bags made reachable by name: as their definitions, it is there for those that go on in it
}

type named struct {
	what, name string
	p          *procedure
}

// name keeps a procedure; the newest of a name is meant.
func (s *stage) name(n named) {
	s.named = slices.DeleteFunc(s.named, func(old named) bool {
		same := old.what == n.what && old.name == n.name
		if same {
			old.p.letGo()
		}
		return same
	})
	s.named = append(s.named, n)
}

func (s *stage) close() {
	for _, n := range s.named {
		n.p.letGo()
	}
	s.m.Close()
}

func (s *stage) Write(text []byte) bool { return s.bag.out.Write(text) }

func (s *stage) loader() loader { return loader{b: s.bag, ctx: s.bag.ctx, next: &s.bag.nextOrd} }

// Library and Include make it the machine's loader.
func (s *stage) Library(name []string, at syntax.Span) (*syntax.Source, error) {
	return s.loader().Library(name, at)
}

// Include reads a file for the bag that has the machine.
func (s *stage) Include(path string, from *syntax.Source, at syntax.Span) (*syntax.Source, error) {
	return s.loader().Include(path, from, at)
}

// give hands the machine to a bag.
func (s *stage) give(b *bag) {
	s.bag, b.stage, b.chained = b, s, true
	b.use(s.m)
	for _, n := range s.named {
		if end, err := b.calls.Serve(b.spec.Context.Session, n.what, n.name, n.p); err == nil { // it was taken before
			b.undo = append(b.undo, end)
		}
	}
}

// IsLink reports whether what a bag defined stays for those after it: it ended with a value, or raised.
func IsLink(o *kind.Outcome) bool {
	if o == nil {
		return false
	}
	switch o.State {
	case kind.Settled, kind.Denied:
		return true
	case kind.Failed:
		return o.Error == nil || o.Error.Code != "budget" && o.Error.Code != divergence
	}
	return false
}

// earlier reports whether one of two bags was made before the other: they are numbered in the order in which a session makes
// them, and a session that goes on from another is newer than that one.
func earlier(bag, than graph.ID) bool {
	return cmp.Or(cmp.Compare(bag.Session, than.Session), cmp.Compare(bag.Bag, than.Bag)) < 0
}

// within is the bag that a job makes its children in, as an id to compare.
func within(at graph.ID, job *kind.ProgrammaticJob) graph.ID {
	return graph.ID{Session: at.Session, Bag: job.Bag}
}

var newerThanAll = graph.ID{Session: math.MaxUint64, Bag: math.MaxUint64}

// linkAt is the newest link of a chain from a bag on: what ended in another way, or has not ended, is none and never
// becomes one for those that were made after it.
func linkAt(calls *call.Service, at graph.ID) (graph.ID, error) {
	for newest := newerThanAll; !at.IsZero(); {
		e, err := calls.Store.Entry(at)
		if err != nil {
			return at, err
		}
		job, ok := e.Node.(*kind.ProgrammaticJob)
		if !ok || !earlier(within(at, job), newest) {
			return at, fmt.Errorf("%s is no earlier program", at)
		}
		newest = within(at, job)
		if IsLink(e.Outcome) {
			return at, nil
		}
		at = graph.ID{}
		if job.After != nil {
			at = job.After.ID()
		}
	}
	return at, nil
}

// enter gives the bag the machine that the bag before it left, or a new one.
func (b *bag) enter(ctx context.Context) error {
	var again []store.Entry
	var s *stage
	newest := newerThanAll
	if newest.Session = b.spec.Context.Session; b.job != nil {
		newest.Bag = b.job.Bag
	}
	for at := b.spec.After; !at.IsZero() && s == nil; {
		if err := b.open(); err != nil {
			return err
		}
		e, err := b.calls.Store.Entry(at)
		if err != nil {
			return err
		}
		job, ok := e.Node.(*kind.ProgrammaticJob)
		if !ok || !earlier(within(at, job), newest) || !IsLink(e.Outcome) {
			return fmt.Errorf("%s is no earlier program", at)
		}
		newest = within(at, job)
		if s = b.r.kept.take(at); s == nil {
			again = append(again, e)
		}
		at = graph.ID{}
		if job.After != nil {
			at = job.After.ID()
		}
	}
	if s == nil {
		s = &stage{bag: b}
		c := b.config(loader{})
		c.Output, c.Loader = s, s
		m, err := b.r.Engine.NewMachine(c)
		if err != nil {
			return err
		}
		s.m = m
	}
	if err := s.m.Unpark(); err != nil {
		s.close()
		return err
	}
	for _, e := range slices.Backward(again) {
		if err := b.repeat(ctx, s, e); err != nil {
			s.close()
			return err
		}
	}
	s.give(b)
	return nil
}

// repeat runs a link again in the machine, as far as its record goes.
func (b *bag) repeat(ctx context.Context, s *stage, e store.Entry) error {
	job := e.Node.(*kind.ProgrammaticJob)
	spec := Spec{Name: job.Name, Context: b.spec.Context, Libs: job.Libs, Dir: job.Dir, Budget: kind.Budget{Fuel: math.MaxInt64, Output: math.MaxInt64}}
	if err := spec.opened(b.calls, job); err != nil {
		return err
	}
	spec.Open = true
	var err error
	if spec.Source, err = sourceOf(b.calls, job); err != nil {
		return err
	}
	l := b.r.newBag(spec, nil)
	l.calls, l.id, l.ctx, l.link = b.calls, e.ID, ctx, true
	l.asShade()
	if err := l.recognise(e); err != nil {
		return err
	}
	if l.journal, err = readJournal(b.calls.Store, e.ID.Session, job.Bag, 0); err != nil {
		return err
	}
	s.give(l)
	defer func() {
		close(l.idle)
		l.unname()
	}()
	fail, err := l.loadFirst()
	if fail == nil && err == nil {
		_, err = l.execute(ctx)
	}
	switch {
	case ctx.Err() != nil:
		return errLoadRests
	case errors.Is(err, errShade):
		return &Divergence{ID: e.ID, Recorded: "the end of the program", Came: "more"}
	}
	return err
}

// opened reads what an open bag was admitted with.
func (s *Spec) opened(calls *call.Service, job *kind.ProgrammaticJob) error {
	if s.Open = job.Open; job.After != nil {
		s.After = job.After.ID()
	}
	if !s.Open {
		return nil
	}
	d, err := calls.Fetch(job.Args)
	list, _ := d.(graph.List)
	for _, x := range list {
		if _, text := x.(string); text { // a command line
			return err
		}
	}
	s.Data = d
	return err
}

// hand keeps the machine of a bag that ended for the bag that goes on in it.
func (b *bag) hand(r Result) {
	s := b.stage
	if s == nil || b.id.IsZero() || b.m == nil {
		return
	}
	switch r.State {
	case Done, Raised, Denied, Exited:
	default:
		return
	}
	if s.m.Arena().Used() > mostKept || s.m.Park() != nil {
		return
	}
	s.bag, b.stage, b.m = nil, nil, nil
	b.r.kept.put(b.id, s)
}

// A runner keeps the machines of so many bags that others may go on in, each of so many bytes.
const (
	maxKept  = 8
	mostKept = 16 << 20
)

// kept are machines of bags that ended, by the newest bag of each. Whoever takes one has it alone: it is not copied.
type kept struct {
	mu  sync.Mutex
	all []keptStage // the newest last
}

type keptStage struct {
	id graph.ID
	s  *stage
}

func (k *kept) take(id graph.ID) *stage {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, one := range k.all {
		if one.id == id {
			k.all = slices.Delete(k.all, i, i+1)
			return one.s
		}
	}
	return nil
}

func (k *kept) put(id graph.ID, s *stage) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all = append(k.all, keptStage{id, s}); len(k.all) > maxKept {
		k.all[0].s.close()
		k.all = slices.Delete(k.all, 0, 1)
	}
}

// Forget closes the machines that were kept.
func (r *Runner) Forget() {
	r.kept.mu.Lock()
	defer r.kept.mu.Unlock()
	for _, one := range r.kept.all {
		one.s.close()
	}
	r.kept.all = nil
}
