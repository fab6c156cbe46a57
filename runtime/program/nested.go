package program

import (
	"context"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program/bind"
	"caper/runtime/store"
)

// child is a host call that is a job of its own: a nested bag or a timer.
type child struct {
	op   string
	args graph.List
}

// nested runs a program as a child job: its calls are licensed one by one on its own bag, its budget is taken from the
// parent's, and its value is the call's.
func (b *bag) nested(ctx context.Context, p *pending, recorded *store.Entry) {
	spec, err := b.childSpec(p)
	if err != nil {
		b.returned.Add(p.fuel)
		b.send(func() call.Ending { return b.childFailed(p, recorded, "type-error", err.Error()) })
		return
	}
	inner := b.r.newBag(spec, b.out.to)
	p.inner = inner
	inner.base, inner.backgrounds = p.request, b.backgrounds
	inner.calls, inner.id, inner.isChild = b.calls, p.id, true
	over := func(r Result, err error) {
		e := inner.ending(r, err)
		inner.close()
		b.returned.Add(p.fuel - (int64(spec.Budget.Fuel) - inner.fuel)) // also where nobody waits for the call any more
		b.end(&e)
	}
	if recorded != nil {
		err = inner.takeUp(*recorded)
	} else {
		inner.parent = p.request.Place
		err = inner.mint()
	}
	if err != nil {
		over(Result{}, err)
		return
	}
	inner.lead(ctx, over)
}

// ending is how the call ends that a nested bag is.
func (b *bag) ending(r Result, err error) call.Ending {
	e := call.Ending{ID: b.id, Err: err}
	switch {
	case err != nil:
	case r.State == Parked:
		e.Rest, e.Inside = call.Parked, r.Waiting
	case r.State == Uncertain:
		e.Rest, e.Inside = call.Uncertain, r.Waiting
	default:
		b.done.Store(true)
		e.Outcome, e.Err = b.outcome(r)
	}
	return e
}

func (b *bag) childSpec(p *pending) (Spec, error) {
	source, args, budget, err := bind.Program(p.bag.args)
	if err != nil {
		return Spec{}, err
	}
	s := Spec{Name: "program", Source: source, Data: args, Context: b.spec.Context, Libs: b.spec.Libs, Dir: b.spec.Dir}
	s.Budget = b.spec.Budget
	s.Budget.Fuel = least(uint64(max(p.fuel, 1)), budget.Fuel)
	s.Budget.Memory = least(orDefault(s.Budget.Memory, DefaultMemory), budget.Memory)
	s.Budget.Output = least(orDefault(s.Budget.Output, DefaultOutput), budget.Output)
	return s, nil
}

// least is what a child may spend: what there is, or less where that is asked for.
func least(have, want uint64) uint64 {
	if want > 0 {
		return min(have, want)
	}
	return have
}

// childFailed is a child job that cannot even begin.
func (b *bag) childFailed(p *pending, recorded *store.Entry, code, message string) call.Ending {
	e := call.Ending{ID: p.id, Outcome: kind.Outcome{State: kind.Failed, By: "runtime", Error: &kind.Error{Code: code, Message: message}}}
	if recorded == nil {
		e.Mint = &store.Mint{ID: p.id, Node: &kind.Cell{Read: p.bag.op, Place: p.request.Place}}
	}
	return e
}
