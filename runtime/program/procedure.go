package program

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"caper/interp"
	"caper/interp/heap"
	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/program/bind"
)

// This file defines procedures that the runtime calls: a policy procedure, a model. One lives in a machine of its own, a
// copy made when the program handed it over; each call runs in a copy of that, so that no call sees what another did.

// Bounds of one call of a procedure, and of how many procedures a program may have handed over at a time.
const (
	procedureFuel   = 10_000_000
	procedureMemory = 64 << 20
	maxProcedures   = 256
)

// procedure waits at OpServed for calls.
type procedure struct {
	mu     sync.Mutex
	m      *interp.Machine
	call   uint64
	holds  atomic.Int32
	closed bool
}

// silent takes what a procedure writes.
type silent struct{}

func (silent) Write([]byte) bool { return true }

// serve makes a procedure of the thunk of a host call: the thunk waits at OpServed.
func serve(m *interp.Machine, c uint64) (*procedure, error) {
	own, err := m.Fork(c, silent{})
	if err != nil {
		return nil, err
	}
	p := &procedure{m: own}
	step := own.Run(procedureFuel)
	if step.Kind != interp.Suspended || len(step.Calls) != 1 || step.Calls[0].Name != bind.OpServed {
		own.Close()
		return nil, errors.New("a procedure is wanted")
	}
	p.call = step.Calls[0].ID
	p.holds.Store(1)
	if err := own.Park(); err != nil {
		own.Close()
		return nil, err
	}
	return p, nil
}

func (p *procedure) hold() *procedure {
	if p != nil {
		p.holds.Add(1)
	}
	return p
}

func (p *procedure) letGo() {
	if p == nil || p.holds.Add(-1) > 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.m.Close()
}

// Call implements call.Procedure.
func (p *procedure) Call(ctx context.Context, args graph.List) (graph.Datum, error) {
	m, err := p.copy()
	if err != nil {
		return nil, err
	}
	defer m.Close()
	defer context.AfterFunc(ctx, m.Interrupt)()
	asked := false
	for fuel := int64(procedureFuel); ; {
		step := m.Run(fuel)
		fuel -= step.Used
		switch step.Kind {
		case interp.Done:
			d, data, err := bind.ToDatum(m, step.Value)
			if err == nil && !data {
				err = fmt.Errorf("the procedure answered %.100s, which is no data", m.Write(step.Value))
			}
			return d, err
		case interp.Raised:
			return nil, fmt.Errorf("the procedure raised %.300s", raisedText(m, step))
		case interp.Exhausted:
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if step.Which == "interrupt" && fuel > 0 {
				continue
			}
			return nil, fmt.Errorf("the procedure used up its %s", step.Which)
		case interp.Suspended:
			for _, c := range step.Calls {
				if c.Name != bind.OpQuestion || asked {
					return nil, fmt.Errorf("the procedure calls %s, and it runs alone: no tool and nothing outside is there for it", bind.Asked(m, c))
				}
				asked = true
				if err := bind.Give(m, c.ID, c.Name, args); err != nil {
					return nil, err
				}
			}
			if len(step.Calls) == 0 {
				return nil, errors.New("the procedure waits for nothing")
			}
		}
	}
}

// copy is a machine that asks for the arguments of one call.
func (p *procedure) copy() (*interp.Machine, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.New("the program of the procedure has ended")
	}
	if err := p.m.Unpark(); err != nil {
		return nil, err
	}
	m, err := p.m.Fork(p.call, silent{})
	return m, errors.Join(err, p.m.Park())
}

func raisedText(m *interp.Machine, s interp.Step) string {
	a := m.Arena()
	if !a.IsType(s.Value, heap.TypeCondition) {
		return m.Write(s.Value)
	}
	text := a.Text(a.Field(s.Value, heap.CondMessage))
	if irritants := a.Field(s.Value, heap.CondIrritants); irritants != heap.Null {
		text += " " + m.Write(irritants)
	}
	return text
}

// served are the procedures that a bag has handed over, by number; nil for those that are gone.
type served []*procedure

func (s served) copy() served {
	out := slices.Clone(s)
	for _, p := range out {
		p.hold()
	}
	return out
}

func (s served) close() {
	for _, p := range s {
		p.letGo()
	}
}

// get is the policy procedure that an overlay names by its number.
func (s served) get(number int64) (call.Procedure, error) {
	if number < 0 || number >= int64(len(s)) || s[number] == nil {
		return nil, errors.New("with-policy: the form of the policy procedure was left already")
	}
	return s[number], nil
}

// serve hands a procedure over. A program that is continued does so again at the same point: nothing is recorded.
func (b *bag) serve(c interp.Call, args graph.List) error {
	p, err := serve(b.m, c.ID)
	if err == nil && len(b.procedures)-b.gaps >= maxProcedures {
		p.letGo()
		err = fmt.Errorf("a program has at most %d procedures that the runtime calls", maxProcedures)
	}
	if err != nil {
		return b.refuse(c, "type-error", c.Name+": "+err.Error())
	}
	b.answered = true
	number := int64(len(b.procedures))
	b.procedures = append(b.procedures, p)
	if len(args) != 3 {
		return bind.Give(b.m, c.ID, c.Name, number)
	}
	what, _ := args[1].(graph.Symbol)
	name, ok := graph.Name(args[2])
	if !ok {
		return b.refuse(c, "type-error", fmt.Sprintf("define-%s: the name is a symbol or a string", what))
	}
	if err := b.mint(); err != nil {
		return err
	}
	if b.calls.Serve == nil {
		return b.refuse(c, "host-error", fmt.Sprintf("define-%s: there is nothing here that would use it", what))
	}
	end, err := b.calls.Serve(b.spec.Context.Session, string(what), name, p)
	if err != nil {
		return b.refuse(c, "host-error", fmt.Sprintf("define-%s: %s", what, err))
	}
	b.undo = append(b.undo, end)
	if b.stage != nil {
		b.stage.name(named{string(what), name, p.hold()})
	}
	return bind.Give(b.m, c.ID, c.Name, args[2])
}

// unserve is a with-policy form that ended.
func (b *bag) unserve(c interp.Call, args graph.List) error {
	if len(args) == 1 {
		if n, ok := args[0].(int64); ok && n >= 0 && n < int64(len(b.procedures)) && b.procedures[n] != nil {
			b.procedures[n].letGo()
			b.procedures[n] = nil
			b.gaps++
		}
	}
	b.answered = true
	return bind.Give(b.m, c.ID, c.Name, graph.Void{})
}

// Procedures runs a text alone and answers the procedures of one sort that it hands over, by name, and a function that
// lets them go. The text reaches nothing outside.
func Procedures(ctx context.Context, engine *interp.Engine, src *syntax.Source, sort string) (all map[string]call.Procedure, end func(), err error) {
	m, err := engine.NewMachine(interp.Config{Memory: procedureMemory, Output: silent{}, Strict: true})
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	defer context.AfterFunc(ctx, m.Interrupt)()
	all = map[string]call.Procedure{}
	var held served
	fail := func(format string, a ...any) (map[string]call.Procedure, func(), error) {
		held.close()
		return nil, nil, fmt.Errorf("%s: %w", src.Name, fmt.Errorf(format, a...))
	}
	if err := m.Load(src); err != nil {
		return fail("%w", err)
	}
	for fuel := int64(procedureFuel); ; {
		step := m.Run(fuel)
		fuel -= step.Used
		switch step.Kind {
		case interp.Done:
			return all, held.close, nil
		case interp.Raised:
			return fail("it raised %s", raisedText(m, step))
		case interp.Exhausted:
			if ctx.Err() == nil && step.Which == "interrupt" && fuel > 0 {
				continue
			}
			return fail("it used up its %s", step.Which)
		case interp.Suspended:
			for _, c := range step.Calls {
				_, args, err := bind.Operation(m, c)
				if err != nil {
					return fail("%w", err)
				}
				if c.Name != bind.OpServe || len(args) != 3 || args[1] != graph.Symbol(sort) || len(held) == maxProcedures {
					return fail("it calls %s: such a file only defines, and runs alone", bind.Asked(m, c))
				}
				name, ok := graph.Name(args[2])
				if !ok || all[name] != nil {
					return fail("define-%s: a name of its own is wanted, found %s", sort, graph.Write(args[2]))
				}
				p, err := serve(m, c.ID)
				if err != nil {
					return fail("define-%s: %w", sort, err)
				}
				held = append(held, p)
				all[name] = p
				if err := bind.Give(m, c.ID, c.Name, args[2]); err != nil {
					return fail("%w", err)
				}
			}
		}
	}
}
