package program

import (
	"context"

	"caper/interp"
	"caper/interp/heap"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program/bind"
	"caper/runtime/store"
)

// This file defines restarts. Where an open bag catches nothing of what was raised, who evaluates it may have it go on. How
// is a reading of the journal, so that a bag that is run again goes on the same way; that it ended is not on record: it is
// what comes without one.

// retry is the answer that has the failed call made again: a new call of the bag.
const retry = graph.Symbol("retry")

func (b *bag) uncaught(ctx context.Context, c interp.Call) error {
	b.answered = true
	place := kind.Place{Fiber: c.Fiber, Ordinal: uint64(c.Ordinal)}
	if b.job != nil {
		if e := b.journal.recorded(b.nextOrd); e != nil {
			if cell, ok := e.Node.(*kind.Cell); ok && cell.Read == bind.OpUncaught && cell.Place == place {
				d, err := b.calls.Fetch(cell.Value)
				if err != nil {
					return err
				}
				b.nextOrd++
				return bind.Give(b.m, c.ID, c.Name, d)
			}
		}
	}
	var d graph.Datum = false
	if b.spec.Restart != nil && !b.shade {
		d = b.ask(ctx, c)
	}
	if d == (graph.Datum)(false) {
		return bind.Give(b.m, c.ID, c.Name, d)
	}
	if err := b.mint(); err != nil {
		return err
	}
	value, err := b.calls.Keep(d)
	if err != nil {
		return b.refuse(c, "host-error", err.Error())
	}
	id := graph.ID{Session: b.spec.Context.Session, Bag: b.job.Bag, Ord: b.nextOrd}
	if _, err := b.calls.Store.Apply(id.Session, store.Mint{ID: id, Node: &kind.Cell{Read: c.Name, Place: place, Value: value}}); err != nil {
		return err
	}
	b.nextOrd++
	return bind.Give(b.m, c.ID, c.Name, d)
}

// ask answers what the library is to do, false for nothing.
func (b *bag) ask(ctx context.Context, c interp.Call) graph.Datum {
	a := b.m.Arena()
	args, _ := a.Slice(c.Args, 2)
	if len(args) != 2 {
		return false
	}
	h := Held{Result: b.failed(args[0], b.m.Look(c.ID, args[0]))}
	h.Result.ID = b.id
	for i, f := range h.Result.Error.Trace {
		if src := b.m.Source(f.File); src != nil {
			h.Result.Error.Trace[i].At = src.DatumAt(f.Line, f.Column)
		}
	}
	h.Retry = failing(b.m, args[1])
	a.Settle()
	switch r := b.spec.Restart(ctx, h); {
	case ctx.Err() != nil:
		return false
	case r.Retry && h.Retry != "":
		return retry
	case r.Use:
		return graph.Pair("use", r.Value)
	}
	return false
}

// failing is the text of a host call, "" for none: of a tool as a program writes it.
func failing(m *interp.Machine, call heap.Word) string {
	a := m.Arena()
	if parts, _ := a.Slice(call, 4); len(parts) == 4 && a.IsSymbol(parts[0]) && a.SymbolName(parts[0]) == bind.OpTool {
		return m.Write(a.Cons(parts[1], parts[2]))
	}
	if !heap.IsPair(call) {
		return ""
	}
	return m.Write(a.Car(call))
}
