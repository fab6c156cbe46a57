package program

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"caper/interp"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/program/bind"
	"caper/runtime/store"
)

// admitAll takes the calls of a step. A copy of the machine moves what it holds: then those that are left lie elsewhere.
func (b *bag) admitAll(ctx context.Context, calls []interp.Call) error {
	var moved map[uint64]interp.Call
	for _, c := range calls {
		if b.copies {
			b.copies, moved = false, map[uint64]interp.Call{}
			for _, now := range b.m.Pending() {
				moved[now.ID] = now
			}
		}
		if now, ok := moved[c.ID]; ok {
			c = now
		}
		if err := b.admit(ctx, c); err != nil {
			return err
		}
	}
	b.copies = false
	return nil
}

// admit takes what the machine asks of its host. Readings are answered at once, in both lives at the same moment; calls
// wait until the journal has nothing more to deliver, and then begin.
func (b *bag) admit(ctx context.Context, c interp.Call) error {
	if c.Name == bind.OpUncaught {
		return b.uncaught(ctx, c)
	}
	op, args, err := bind.Operation(b.m, c)
	if err != nil {
		return b.refuse(c, "type-error", err.Error())
	}
	switch op {
	case bind.OpExit:
		code, err := bind.ExitCode(args)
		if err != nil {
			return b.refuse(c, "range-error", err.Error())
		}
		b.exit = &code
		return nil
	case bind.OpArgument:
		return b.argument(c, args)
	case bind.OpName: // on record with the job
		b.answered = true
		return bind.Give(b.m, c.ID, op, b.spec.Name)
	case bind.OpBackground:
		return b.background(c, args)
	case bind.OpServe:
		return b.serve(c, args)
	case bind.OpUnserve:
		return b.unserve(c, args)
	case bind.OpOwnTool:
		return b.ownTool(c, args)
	case bind.OpTool, bind.OpProgram, bind.OpTimer:
		return b.place(c, op, args)
	}
	return b.read(ctx, c, op, args)
}

// place gives a call its number among the bag's children. The number depends on the program alone.
func (b *bag) place(c interp.Call, op string, args graph.List) error {
	if err := b.mint(); err != nil {
		return err
	}
	p, name, err := b.pending(c, b.nextOrd, op, args)
	if err != nil {
		return b.refuse(c, "type-error", err.Error())
	}
	b.nextOrd++
	b.await(p)
	return b.checked(p, name)
}

// checked compares a call with what an earlier life recorded at its place.
func (b *bag) checked(p *pending, name string) error {
	if e := b.journal.recorded(p.id.Ord); e != nil {
		return check(e, p.request.Place, name, b.calls.Digest(p.request))
	}
	return nil
}

// pending reads a call that is to be a child of the bag.
func (b *bag) pending(c interp.Call, ord uint64, op string, args graph.List) (p *pending, name string, err error) {
	p = &pending{call: c, id: graph.ID{Session: b.spec.Context.Session, Bag: b.job.Bag, Ord: ord}}
	p.request = call.Request{ID: p.id, Tighten: b.base.Tighten, Posture: b.base.Posture, Consult: b.base.Consult, Place: kind.Place{Fiber: c.Fiber, Ordinal: uint64(c.Ordinal)}}
	if op == bind.OpTool {
		err := b.toolRequest(&p.request, args)
		return p, p.request.Tool, err
	}
	if op == bind.OpProgram && len(args) == 4 { // what is around the call holds for every call of the program too
		if err := b.overlay(&p.request, args[3]); err != nil {
			return nil, "", err
		}
		args = args[:3]
	}
	p.bag = &child{op: op, args: args}
	p.request.Positional = args
	return p, op, nil
}

// toolRequest reads (tool name arguments overlay) as the library sends it.
func (b *bag) toolRequest(r *call.Request, args graph.List) error {
	if len(args) != 3 {
		return fmt.Errorf("a tool call has a name, arguments and a policy overlay; found %d parts", len(args))
	}
	name, ok := args[0].(graph.Symbol)
	if !ok {
		return fmt.Errorf("the name of a tool must be a symbol")
	}
	given, ok := args[1].(graph.List)
	if !ok {
		return fmt.Errorf("the arguments of a tool must be a list")
	}
	r.Tool = string(name)
	var err error
	if r.Positional, r.Keywords, err = call.SplitArgs(given); err != nil {
		return err
	}
	if v, ok := r.Keywords["on-uncertain"]; ok {
		if v != graph.Symbol("raise") && v != graph.Symbol("ask") {
			return fmt.Errorf("#:on-uncertain is 'raise or 'ask; found %s", graph.Write(v))
		}
		r.RaiseUncertain = v == graph.Symbol("raise")
		delete(r.Keywords, "on-uncertain")
	}
	return b.overlay(r, args[2])
}

// overlay reads what with-policy forms around the call say: postures and rules, all of which may only tighten.
func (b *bag) overlay(r *call.Request, d graph.Datum) error {
	forms, _ := d.(graph.List)
	for _, f := range forms {
		switch f := f.(type) {
		case graph.Symbol:
			p, err := license.NamedPosture(string(f))
			if err != nil {
				return fmt.Errorf("with-policy: %w", err)
			}
			if r.Posture == "" || p.Tighter(r.Posture) {
				r.Posture = p
			}
		case int64:
			p, err := b.procedures.get(f)
			if err != nil {
				return err
			}
			r.Consult = append(slices.Clip(r.Consult), p)
		case graph.List:
			rules := f
			if len(f) > 0 {
				if _, single := f[0].(graph.Symbol); single {
					rules = graph.List{f}
				}
			}
			layer := license.Layer{Name: "with-policy", Tightening: true}
			for _, d := range rules {
				k, rule, err := license.ParseRuleDatum(d, "with-policy")
				if err != nil {
					return err
				}
				switch k {
				case license.KindDeny:
					layer.Deny = append(layer.Deny, rule)
				case license.KindAsk:
					layer.Ask = append(layer.Ask, rule)
				default:
					return fmt.Errorf("with-policy only tightens: it has no allow rules")
				}
			}
			r.Tighten = append(slices.Clip(r.Tighten), layer) // what is there may be shared with other calls
		default:
			return fmt.Errorf("with-policy: a posture such as 'manual or rules such as '(deny (bash \"rm *\")) are wanted")
		}
	}
	return nil
}

// await lists a call as one that a fiber waits for.
func (b *bag) await(p *pending) {
	b.active[p.call.ID], b.awaited[p.id.Ord] = p, p
	b.todo = append(b.todo, p)
}

// unawait takes a call off the list.
func (b *bag) unawait(p *pending) {
	delete(b.active, p.call.ID)
	delete(b.awaited, p.id.Ord)
}

// share is what a call may use of fuel that is a program of its own: no more than is left in a with-budget around it.
func (b *bag) share(p *pending) int64 {
	half := b.fuel / 2
	if left, ok := b.m.FuelLeft(p.call.ID); ok {
		return min(half, left)
	}
	return half
}

// begin starts every call that waits and is not led by a goroutine yet: all of the journal has been delivered.
func (b *bag) begin(ctx context.Context) {
	todo := b.todo
	b.todo = nil
	sort.Slice(todo, func(i, j int) bool { return todo[i].id.Less(todo[j].id) })
	for _, p := range todo {
		if b.awaited[p.id.Ord] != p {
			continue
		}
		p.begun = true
		b.flying++
		var cctx context.Context
		cctx, p.cancel = context.WithCancel(ctx)
		recorded := b.journal.recorded(p.id.Ord)
		switch {
		case p.bag != nil && p.bag.op == bind.OpTimer:
			go b.timer(cctx, p, recorded)
		case p.bag != nil:
			p.fuel = b.share(p)
			b.fuel -= p.fuel
			b.nests[p.id.Ord] = p
			go b.nested(cctx, p, recorded)
		case p.own != nil:
			p.fuel = b.share(p)
			b.fuel -= p.fuel
			p.own.fuel, p.own.spec.Budget.Fuel = p.fuel, uint64(max(p.fuel, 1))
			go b.send(func() call.Ending {
				defer func() {
					b.returned.Add(min(p.fuel, max(p.own.fuel, 0)))
					if !p.ran {
						p.own.close()
					}
				}()
				if recorded != nil {
					return b.calls.Continue(cctx, &b.spec.Context, p.request, *recorded)
				}
				return b.calls.Begin(cctx, &b.spec.Context, p.request)
			})
		case recorded != nil:
			go b.send(func() call.Ending { return b.calls.Continue(cctx, &b.spec.Context, p.request, *recorded) })
		default:
			b.async(func() { b.send(func() call.Ending { return b.calls.Begin(cctx, &b.spec.Context, p.request) }) })
		}
	}
}

func (b *bag) send(lead func() call.Ending) {
	e := lead()
	b.end(&e)
}

// timer settles after its seconds. The deadline is on record, so that a program continued later waits only for the rest.
// No goroutine waits meanwhile.
func (b *bag) timer(ctx context.Context, p *pending, recorded *store.Entry) {
	seconds, err := bind.Seconds(p.bag.args)
	if err != nil {
		b.send(func() call.Ending { return b.childFailed(p, recorded, "type-error", err.Error()) })
		return
	}
	deadline := b.now().Add(seconds)
	if recorded != nil {
		if c, ok := recorded.Node.(*kind.Cell); ok {
			if at, ok := c.Value.Datum.(int64); ok {
				deadline = time.UnixMicro(at)
			}
		}
	} else {
		cell := &kind.Cell{Read: bind.OpTimer, Place: p.request.Place, Value: kind.Of(deadline.UnixMicro())}
		if _, err := b.calls.Store.Apply(p.id.Session, store.Mint{ID: p.id, Node: cell, Open: true}); err != nil {
			b.send(func() call.Ending { return call.Ending{ID: p.id, Err: err} })
			return
		}
	}
	e := call.Ending{ID: p.id, Outcome: kind.Outcome{State: kind.Settled, Value: kind.Of(true), By: "timer"}}
	t := time.AfterFunc(deadline.Sub(b.now()), func() { b.end(&e) })
	context.AfterFunc(ctx, func() {
		if !t.Stop() {
			return // it is due: its end is on the way
		}
		if parking(ctx) {
			e = call.Ending{ID: p.id, Rest: call.Parked}
		} else {
			e.Outcome = kind.Outcome{State: kind.Cancelled, By: "program", Effect: "none"}
		}
		b.end(&e)
	})
}
