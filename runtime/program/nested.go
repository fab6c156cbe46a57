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
	b.send(func() call.Ending {
		left := p.fuel
		defer func() { b.returned.Add(left) }() // also where nobody waits for the call any more
		spec, err := b.childSpec(p)
		if err != nil {
			return b.childFailed(p, recorded, "type-error", err.Error())
		}
		inner := b.r.newBag(spec, b.out.to)
		p.inner = inner
		defer inner.close()
		inner.base, inner.backgrounds = p.request, b.backgrounds
		inner.calls, inner.id, inner.isChild = b.calls, p.id, true
		if recorded != nil {
			if err := inner.takeUp(*recorded); err != nil {
				return call.Ending{ID: p.id, Err: err}
			}
		} else {
			inner.parent = p.request.Place
			if err := inner.mint(); err != nil {
				return call.Ending{ID: p.id, Err: err}
			}
		}
		r, err := inner.execute(ctx)
		left -= int64(spec.Budget.Fuel) - inner.fuel
		if err != nil {
			return call.Ending{ID: p.id, Err: err}
		}
		switch r.State {
		case Parked:
			return call.Ending{ID: p.id, Rest: call.Parked}
		case Uncertain:
			return call.Ending{ID: p.id, Rest: call.Uncertain}
		}
		inner.done.Store(true)
		o, err := inner.outcome(r)
		if err != nil {
			return call.Ending{ID: p.id, Err: err}
		}
		return call.Ending{ID: p.id, Outcome: o}
	})
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
