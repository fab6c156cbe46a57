package program

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// rest is a bag in which nothing can go on by itself.
func (b *bag) rest() (Result, bool, error) {
	r := Result{State: Parked, ID: b.id}
	for id, e := range b.waiting {
		if e.Inside == nil {
			e.Inside = []graph.ID{id}
		}
		r.Waiting = append(r.Waiting, e.Inside...)
		if e.Rest == call.Uncertain {
			r.State = Uncertain
		}
	}
	if len(r.Waiting) == 0 {
		return b.over(Result{State: Raised, Error: &Failure{Kind: "deadlock", Message: "every fiber waits and nothing is left to wait for"}})
	}
	sortIDs(r.Waiting)
	b.save(atRest)
	return r, true, b.calls.Store.Flush(b.spec.Context.Session)
}

func (b *bag) over(r Result) (Result, bool, error) {
	r, err := b.finish(r)
	return r, true, err
}

// stop ends a bag whose context ended: parked where it is, or cancelled with all its calls.
func (b *bag) stop(ctx context.Context) (Result, error) {
	parking := parking(ctx)
	if err := b.drain(); err != nil {
		return Result{}, err
	}
	if parking {
		if b.job == nil {
			return Result{State: Cancelled}, nil
		}
		b.save(atRest)
		return Result{State: Parked, ID: b.id}, b.calls.Store.Flush(b.spec.Context.Session)
	}
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return b.finish(Result{State: Budget, Error: &Failure{Kind: "budget", Message: "the program used up its time; --timeout gives it more"}})
	}
	return b.finish(Result{State: Cancelled, Error: &Failure{Kind: "cancelled", Message: "interrupted"}})
}

// drain cancels what still runs and settles it.
func (b *bag) drain() error {
	b.cancelAll()
	for b.flying > 0 {
		if err := b.settle(*<-b.ended); err != nil {
			return err
		}
	}
	return nil
}

func (b *bag) cancelAll() {
	for _, p := range b.active {
		if p.cancel != nil {
			p.cancel()
		}
	}
}

// finish cancels what still runs, settles the job and answers the result.
func (b *bag) finish(r Result) (Result, error) {
	if b.shade {
		return r, nil
	}
	if err := b.drain(); err != nil {
		return Result{}, err
	}
	if err := b.flush(); err != nil {
		return Result{}, err
	}
	if err := b.sweep(); err != nil {
		return Result{}, err
	}
	r.ID = b.id
	b.unwritten(&r)
	if b.job == nil {
		return r, nil
	}
	if b.isChild {
		b.drop()
		return r, nil
	}
	o, err := b.outcome(r)
	if err != nil {
		return Result{}, err
	}
	b.fault("finishing")
	if _, err := b.calls.Store.Apply(b.id.Session, store.Settle{ID: b.id, Outcome: o}); err != nil && !errors.Is(err, store.ErrSettled) {
		return Result{}, err
	}
	b.fault("finished")
	b.drop()
	return r, nil
}

// unwritten says what is lost of the files that a program left open. One that came to its end has closed them.
func (b *bag) unwritten(r *Result) {
	if b.m == nil || r.State == Done {
		return
	}
	for _, u := range b.m.Unwritten() {
		r.Unwritten = append(r.Unwritten, fmt.Sprintf("%s was not written: its port was open with %d bytes; close-port or flush-output-port writes", u.Path, u.Bytes))
	}
	if r.Error != nil {
		r.Error.Hints = append(r.Error.Hints, r.Unwritten...)
	}
}

// outcome is a result as the job's node keeps it.
func (b *bag) outcome(r Result) (kind.Outcome, error) {
	o := kind.Outcome{By: "program", Duration: b.now().Sub(b.job.StartedAt)}
	var err error
	switch r.State {
	case Done:
		o.State = kind.Settled
		o.Value, err = b.calls.Keep(r.Value)
		if err != nil { // a value that no node can hold (too deep): what write shows of it
			o.Value, err = b.calls.Keep(graph.Write(r.Value))
		}
	case Exited:
		o.State, o.Value = kind.Settled, kind.Of(graph.List{graph.Symbol("exit"), int64(r.Code)})
	case Denied:
		o.State = kind.Denied
	case Cancelled:
		o.State = kind.Cancelled
	default:
		o.State = kind.Failed
	}
	if r.Error != nil {
		o.Error = &kind.Error{Code: r.Error.Kind, Message: r.Error.told()}
		if data, e := b.calls.Keep(r.Error.detail()); e == nil { // without it the message still says what failed
			o.Error.Data = data
		}
	}
	return o, err
}

// detail is what the condition that a failed program becomes in its parent says beside its kind and message.
func (f *Failure) detail() graph.Datum {
	var list graph.List
	if f.Irritants != "" {
		list = append(list, graph.Pair("irritants", f.Irritants))
	}
	if place := f.place(); place != "" {
		list = append(list, graph.Pair("place", place))
	}
	more, _ := f.Data.(graph.List)
	for _, d := range more {
		if p, ok := d.(*graph.Dotted); ok && len(p.Items) == 1 && p.Items[0] == graph.Symbol("code") {
			continue // the condition's own code is the kind
		}
		if l, ok := d.(graph.List); ok && len(l) > 0 && l[0] == graph.Symbol("hints") {
			continue // they are among all of them
		}
		list = append(list, d)
	}
	if len(f.Hints) > 0 {
		hints := graph.List{graph.Symbol("hints")}
		for _, h := range f.Hints {
			hints = append(hints, h)
		}
		list = append(list, hints)
	}
	if list == nil {
		return nil
	}
	return list
}

// told is the message with what it is about and where it was raised.
func (f *Failure) told() string {
	text := f.Message
	if f.Irritants != "" {
		text = strings.TrimSuffix(text, ":") + ": " + f.Irritants
	}
	if place := f.place(); place != "" {
		text += " (at " + place + ")"
	}
	return text
}

func (f *Failure) place() string {
	for _, at := range f.Trace {
		if at.File != "" {
			return fmt.Sprintf("%s:%d:%d", at.File, at.Line, at.Column)
		}
	}
	return ""
}
