package program

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program/bind"
	"caper/runtime/store"
)

// collect answers what the collectors of a job yield, or its work, in preorder (law S11).
func (b *bag) collect(op string, args graph.List) (graph.Datum, error) {
	e, err := b.job1(args)
	if err != nil {
		return nil, err
	}
	tree := store.NewTree(b.calls.Store)
	branch, err := tree.Branch(e.ID)
	if err != nil {
		return nil, err
	}
	out := graph.List{}
	add := func(n graph.Node) {
		if id, ok := idOf(n); ok {
			out = append(out, id.String())
		}
	}
	jobs := func(all iter.Seq[graph.AnyJob]) {
		for j := range all {
			add(j)
		}
	}
	switch op {
	case bind.OpForeground:
		jobs(branch.ForegroundJobs())
	case bind.OpBackgrounds:
		jobs(branch.BackgroundJobs())
	default:
		for n := range graph.WalkWork(branch) {
			add(n)
		}
	}
	return out, tree.Err()
}

func idOf(n graph.Node) (graph.ID, bool) {
	switch n := n.(type) {
	case *store.Branch:
		return n.ID, true
	case *store.Reading:
		return n.ID, true
	case *store.Obligation:
		return n.ID, true
	case *store.Chunk:
		return n.ID, true
	}
	return graph.ID{}, false
}

// jobProgram answers the source of a past bag and the data that it was given.
func (b *bag) jobProgram(args graph.List) (graph.Datum, error) {
	e, err := b.job1(args)
	if err != nil {
		return nil, err
	}
	job, ok := e.Node.(*kind.ProgrammaticJob)
	if !ok {
		return nil, fmt.Errorf("job-program: %s is a %s, not a program", e.ID, e.Node.Kind().Name())
	}
	source, err := sourceOf(b.calls, job)
	if err != nil {
		return nil, err
	}
	if job.Background && source == "" {
		return nil, fmt.Errorf("job-program: %s is a thunk of another program, which went to the background", e.ID)
	}
	data, err := b.calls.Fetch(job.Args)
	if err != nil {
		return nil, err
	}
	list, _ := data.(graph.List)
	for _, x := range list {
		if _, _, ok := argument(x); !ok { // a command line, which is no data for a nested program
			list = nil
			break
		}
	}
	if list == nil {
		list = graph.List{}
	}
	return graph.List{source, list}, nil
}

// decide answers what would be decided of a call now, under the forms around it. Nothing happens.
func (b *bag) decide(ctx context.Context, args graph.List) (graph.Datum, error) {
	if len(args) != 3 {
		return nil, errors.New("decide: a tool and its arguments are wanted: (decide 'bash \"ls\")")
	}
	name, ok := graph.Name(args[0])
	given, isList := args[1].(graph.List)
	if !ok || !isList {
		return nil, errors.New("decide: a tool and its arguments are wanted: (decide 'bash \"ls\")")
	}
	r := call.Request{Tool: name, Tighten: b.base.Tighten, Posture: b.base.Posture, Consult: b.base.Consult}
	if err := b.overlay(&r, args[2]); err != nil {
		return nil, err
	}
	var err error
	if r.Positional, r.Keywords, err = call.SplitArgs(given); err != nil {
		return nil, err
	}
	d, err := b.calls.Weigh(ctx, &b.spec.Context, r)
	if err != nil {
		return nil, err
	}
	return graph.List{graph.Pair("verdict", graph.Symbol(d.Verdict)), graph.Pair("step", d.Step.String()), graph.Pair("rule", d.Rule),
		graph.Pair("origin", d.Origin), graph.Pair("reason", d.Reason)}, nil
}
