package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"caper/interp"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program/bind"
	"caper/runtime/store"
)

// parking reports whether a bag is to stop where it is, to be continued by another process.
func parking(ctx context.Context) bool { return call.Parking(ctx) }

// read answers a reading: the clock, the environment, standard input, what the graph says of a job. The answer is a cell
// of the journal, so that a continued program reads the same again.
func (b *bag) read(ctx context.Context, c interp.Call, op string, args graph.List) error {
	b.answered = true
	b.grown++
	if err := b.mint(); err != nil {
		return err
	}
	id := graph.ID{Session: b.spec.Context.Session, Bag: b.job.Bag, Ord: b.nextOrd}
	place := kind.Place{Fiber: c.Fiber, Ordinal: uint64(c.Ordinal)}
	if e := b.journal.recorded(id.Ord); e != nil {
		b.nextOrd++
		cell, ok := e.Node.(*kind.Cell)
		if !ok || cell.Read != op+refused {
			if err := check(e, place, op, nil); err != nil {
				return err
			}
		}
		if !ok {
			return check(e, kind.Place{Fiber: "?"}, op, nil)
		}
		d, err := b.calls.Fetch(cell.Value)
		if err != nil {
			return err
		}
		if message, ok := d.(string); ok && cell.Read == op+refused {
			return bind.Refuse(b.m, c.ID, "host-error", message)
		}
		return bind.Give(b.m, c.ID, op, d)
	}
	if b.shade {
		return errShade
	}
	name := op
	d, failure := b.reading(ctx, op, args)
	if failure != nil {
		if ctx.Err() != nil { // the program is to stop: nothing was read
			b.astray = true
			return b.refuse(c, "host-error", failure.Error())
		}
		name, d = op+refused, failure.Error()
	}
	value, err := b.calls.Keep(d)
	if err != nil {
		return err
	}
	b.nextOrd++
	if _, err := b.calls.Store.Apply(id.Session, store.Mint{ID: id, Node: &kind.Cell{Read: name, Place: place, Value: value}}); err != nil {
		return err
	}
	if failure != nil {
		return bind.Refuse(b.m, c.ID, "host-error", failure.Error())
	}
	return bind.Give(b.m, c.ID, op, d)
}

// refused marks a reading that failed: what was not there once may be there in a later life.
const refused = "!"

// refuse raises in the fiber that asked. Nothing is recorded: the same program asks the same again.
func (b *bag) refuse(c interp.Call, code, message string) error {
	b.answered = true
	return bind.Refuse(b.m, c.ID, code, message)
}

func (b *bag) reading(ctx context.Context, op string, args graph.List) (graph.Datum, error) {
	switch op {
	case bind.OpSeed:
		return int64(b.job.Seed), nil
	case bind.OpReadInput:
		return b.input(ctx)
	case bind.OpClock:
		return b.now().UnixNano(), nil // since 1970
	case bind.OpEnvironment:
		return b.environment(args)
	case bind.OpArguments:
		out := graph.List{}
		for _, a := range b.spec.Args {
			out = append(out, a)
		}
		return out, nil
	case bind.OpJob:
		return b.id.String(), nil
	case bind.OpPolicy:
		return graph.Symbol(b.spec.Context.Posture), nil
	case bind.OpJobStatus:
		return b.jobStatus(args)
	case bind.OpJobOutcome:
		return b.jobOutcome(args)
	case bind.OpJobChildren:
		return b.jobChildren(args)
	case bind.OpForeground, bind.OpBackgrounds, bind.OpWalkWork:
		return b.collect(op, args)
	case bind.OpJobKind:
		e, err := b.job1(args)
		if err != nil {
			return nil, err
		}
		return graph.Symbol(e.Node.Kind().Name()), nil
	case bind.OpJobProgram:
		return b.jobProgram(args)
	case bind.OpDecide:
		return b.decide(ctx, args)
	case bind.OpTools:
		out := graph.List{}
		for _, n := range b.calls.ToolsOf(b.id.Session).Names() {
			out = append(out, graph.Symbol(n))
		}
		return out, nil
	case bind.OpToolDoc:
		return aboutTools(op, args, b.calls.ToolsOf(b.id.Session).Documentation)
	case bind.OpFindTools:
		return aboutTools(op, args, b.calls.ToolsOf(b.id.Session).Found)
	}
	if f, ok := b.calls.Readings[op]; ok {
		return f(ctx, &b.spec.Context, args)
	}
	return nil, errors.New("the host knows no operation " + op)
}

// input reads the next line of standard input; the line is consumed, so it is on record before the program sees it.
func (b *bag) input(ctx context.Context) (graph.Datum, error) {
	if b.spec.Input == nil {
		return false, nil
	}
	text, err := b.spec.Input(ctx)
	if text == "" && errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	if !utf8.ValidString(text) {
		return nil, errors.New("standard input is not UTF-8")
	}
	return text, nil
}

// visible are the variables that a program may read; the others may hold secrets and are not there for it.
var visible = map[string]bool{"HOME": true, "PATH": true, "PWD": true, "USER": true, "LOGNAME": true, "LANG": true, "LC_ALL": true,
	"TZ": true, "TMPDIR": true, "SHELL": true, "TERM": true, "EDITOR": true, "CI": true}

func (b *bag) environment(args graph.List) (graph.Datum, error) {
	if len(args) == 0 {
		out := graph.List{}
		for _, kv := range b.spec.Context.Environ {
			if k, v, _ := strings.Cut(kv, "="); visible[k] {
				out = append(out, &graph.Dotted{Items: []graph.Datum{k}, Tail: v})
			}
		}
		return out, nil
	}
	name, ok := args[0].(string)
	if !ok {
		return nil, errors.New("get-environment-variable: the name must be a string")
	}
	if v, ok := b.spec.Context.Env[name]; ok && visible[name] {
		return v, nil
	}
	return false, nil
}

func (b *bag) job1(args graph.List) (store.Entry, error) {
	if len(args) != 1 {
		return store.Entry{}, errors.New("one job is wanted")
	}
	text, ok := args[0].(string)
	if !ok {
		return store.Entry{}, errors.New("a job is named by its id, a string such as \"3.1.12\"")
	}
	id, err := graph.ParseID(text)
	if err != nil {
		return store.Entry{}, err
	}
	if id.Session != b.id.Session {
		return store.Entry{}, fmt.Errorf("%s belongs to another session: a program sees the jobs of its own", id)
	}
	return b.calls.Store.Entry(id)
}

func (b *bag) jobStatus(args graph.List) (graph.Datum, error) {
	e, err := b.job1(args)
	if err != nil {
		return nil, err
	}
	return graph.Symbol(Status(e)), nil
}

// Status is a job's state in one word.
func Status(e store.Entry) string {
	if e.Outcome != nil {
		return string(e.Outcome.State)
	}
	status := "running"
	if n, ok := e.Node.(kind.ToolCall); ok && n.Call().Decision.Verdict == "ask" {
		status = "waiting"
	}
	for _, f := range e.Facts {
		switch f.What {
		case kind.FactStarted, kind.FactMeasuredAgain, kind.FactResolved, kind.FactApproved, kind.FactDeniedBy:
			status = "running"
		case kind.FactParked:
			status = "waiting"
		case kind.FactUncertain:
			status = "uncertain"
		}
	}
	return status
}

func (b *bag) jobOutcome(args graph.List) (graph.Datum, error) {
	e, err := b.job1(args)
	if err != nil {
		return nil, err
	}
	if e.Outcome == nil {
		return false, nil
	}
	return b.calls.Fetch(e.Outcome.Value)
}

func (b *bag) jobChildren(args graph.List) (graph.Datum, error) {
	e, err := b.job1(args)
	if err != nil {
		return nil, err
	}
	out := graph.List{}
	owner, ok := e.Node.(interface{ OwnBag() uint64 })
	if !ok || owner.OwnBag() == 0 {
		return out, nil
	}
	for c, err := range b.calls.Store.Children(e.ID.Session, owner.OwnBag(), 0) {
		if err != nil {
			return nil, err
		}
		out = append(out, c.ID.String())
	}
	return out, nil
}

// aboutTools asks the set of tools something by a text.
func aboutTools(op string, args graph.List, ask func(string) (graph.Datum, error)) (graph.Datum, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("%s: one argument is wanted", op)
	}
	text, ok := args[0].(string)
	if name, symbol := args[0].(graph.Symbol); symbol {
		text, ok = string(name), true
	}
	if !ok {
		return nil, fmt.Errorf("%s: a string or a symbol is wanted", op)
	}
	d, err := ask(text)
	if err != nil {
		err = fmt.Errorf("%s: %w", op, err)
	}
	return d, err
}
