package program

import (
	"context"
	"errors"
	"io"

	"caper/interp"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program/bind"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// This file defines calls of tools that a program defines itself. Such a call is a job like that of any tool. Its body runs
// in a copy of the machine, made at the moment of the call, as a program of the call's own: both lives of the program
// make the copy at the same point.

// ownTool admits such a call: (thunk name documentation schema arguments overlay).
func (b *bag) ownTool(c interp.Call, args graph.List) error {
	if len(args) != 6 {
		return b.refuse(c, "type-error", "define-tool: malformed call")
	}
	name, ok := args[1].(graph.Symbol)
	doc, isText := args[2].(string)
	if !ok || !isText {
		return b.refuse(c, "type-error", "define-tool: the documentation of a tool is a string")
	}
	t, err := tool.Own(string(name), doc, args[3])
	if err != nil {
		return b.refuse(c, "type-error", err.Error())
	}
	if err := b.mint(); err != nil {
		return err
	}
	p, _, err := b.pending(c, b.nextOrd, bind.OpTool, graph.List{name, args[4], args[5]})
	if err != nil {
		return b.refuse(c, "type-error", err.Error())
	}
	p.request.Own = &call.Own{Tool: t, Run: func(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) { return b.runOwn(ctx, p, w) }}
	recorded := b.journal.recorded(p.id.Ord)
	if recorded == nil || recorded.Outcome == nil {
		if b.shade {
			return errShade
		}
		if p.own, err = b.copied(c); err != nil {
			return b.refuse(c, "type-error", string(name)+": "+err.Error())
		}
	}
	b.nextOrd++
	b.await(p)
	return b.checked(p, string(name))
}

// copied is a bag with a copy of the machine that is to call the thunk of a pending call.
func (b *bag) copied(c interp.Call) (*bag, error) {
	inner := b.beside(graph.ID{}, kind.Place{}, call.Request{})
	inner.detached, inner.chained, inner.spec.Name = false, true, "tool"
	b.copies = true
	m, err := b.m.Fork(c.ID, inner.out)
	if err != nil {
		inner.close()
		return nil, err
	}
	inner.use(m)
	return inner, nil
}

// runOwn is the body of the call.
func (b *bag) runOwn(ctx context.Context, p *pending, w call.Work) (tool.Result, call.Rest, error) {
	inner := p.own
	p.ran = true
	inner.id = graph.ID{Session: w.ID.Session, Bag: w.Bag}
	inner.spec.Context = w.Context // its bounds hold what is around the call
	inner.parent = kind.Place{Fiber: "0"}
	defer inner.close()
	var err error
	e, missing := b.calls.Store.Entry(inner.id)
	switch {
	case missing == nil && e.Outcome != nil:
		r, err := settledResult(b.calls, inner.id, e, io.Discard)
		if err != nil {
			return tool.Result{}, "", err
		}
		return ToolResult(r)
	case missing == nil:
		err = inner.takeUp(e)
	case errors.Is(missing, store.ErrNotFound):
		err = inner.mint()
	default:
		err = missing
	}
	if err != nil {
		return tool.Result{}, "", err
	}
	rests := make(chan struct{})
	var r Result
	inner.lead(ctx, func(end Result, fail error) {
		r, err = end, fail
		close(rests)
	})
	<-rests
	if err != nil {
		return tool.Result{}, "", err
	}
	return ToolResult(r)
}

// ToolResult is how the call ends that the program was.
func ToolResult(r Result) (tool.Result, call.Rest, error) {
	switch r.State {
	case Done:
		return tool.Result{Value: r.Value}, "", nil
	case Parked:
		return tool.Result{}, call.Parked, nil
	case Uncertain:
		return tool.Result{}, call.Uncertain, nil
	case Exited:
		return tool.Result{}, "", &tool.Error{Code: "exit", Message: "the tool called exit"}
	}
	e := &tool.Error{Code: string(r.State), Message: "the tool came to no end"}
	if r.Error != nil {
		e.Code, e.Message = r.Error.Kind, r.Error.told()
	}
	if r.State == Denied { // by which rule
		e.Data = r.Error.Data
	}
	return tool.Result{}, "", e
}
