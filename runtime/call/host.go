package call

import (
	"context"
	"errors"
	"fmt"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// Host is the body of a tool that works on the graph itself: an agent's run, a program. Its call has a bag of children, and
// whatever they do goes through Begin again.
type Host struct {
	Agent bool // another agent answers: the job is an AgentCallJob
	Run   func(context.Context, Work) (tool.Result, Rest, error)
}

// Work is one call of a hosted tool. Run is called again with Again set when an earlier process began it: it goes on from
// the children. When ctx ends by parking it answers Parked and leaves all as it is; ended otherwise, the children are
// ended by the one who called.
type Work struct {
	ID      graph.ID
	Bag     uint64  // of the children
	Context Context // of what it does inside; its bounds hold what with-policy forms around the call say
	Request Request
	Args    tool.Args
	Targets map[string]tool.Target // what its paths lead to, as it was judged
	Again   bool
	Retry   bool // a person said of what an earlier process began that it be done again
	// Operator says that a person gave the command itself, at the command line.
	Operator bool
}

// DoubtError is the answer of a body that cannot go on with what an earlier process began, and cannot know what that did: a
// person must say.
type DoubtError struct{ Reason string }

func (e *DoubtError) Error() string { return e.Reason }

// host makes the intent durable and runs the body.
func (l *life) host(ctx context.Context, notes []store.Change) Ending {
	if err := l.intend(nil, notes); err != nil {
		return l.broken(err)
	}
	l.s.fault("minted")
	return l.hosted(ctx, l.begun)
}

// hosted runs the body. It takes no slot: those are for effects, which its children are.
func (l *life) hosted(ctx context.Context, again bool) Ending {
	run := l.s.Hosts[l.r.Tool].Run
	if l.own != nil {
		run = l.own.Run
	}
	if run == nil {
		return l.failed(ctx, &tool.Error{Code: "unavailable", Message: l.r.Tool + " cannot run here"})
	}
	l.unlock() // its children hold what they touch, and of what others do nothing is measured
	inner := *l.c
	inner.Bag, inner.Bounds = l.bag, l.bounds()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if done, ok := l.s.Track(l.r.ID, func(cause error) {
		if cause == nil {
			cause = context.Canceled
		}
		cancel(cause)
	}); ok {
		defer done()
	}
	began := l.s.Now()
	result, rest, err := run(ctx, Work{ID: l.r.ID, Bag: l.bag, Context: inner, Request: l.r, Args: l.args, Targets: l.targets, Again: again, Retry: l.retry, Operator: l.r.Operator})
	switch {
	case rest != Settled || Parking(ctx) && (err != nil || result.Value == nil): // one that came to its end all the same is settled
		if rest == Settled {
			rest = Parked
		}
		inside, err := l.s.WaitingBelow(l.r.ID)
		if err != nil {
			return l.broken(err)
		}
		return Ending{ID: l.r.ID, Rest: rest, Inside: inside, Release: l.free}
	case ctx.Err() != nil:
		cause := ctx.Err()
		if l.bag == 0 {
			return l.ended(ctx, cause, l.s.Now().Sub(began))
		}
		if err := l.s.EndAll(context.WithoutCancel(ctx), &inner, l.s.Store.Children(l.r.ID.Session, l.bag, 0), "program", true); err != nil {
			return l.broken(err)
		}
		return l.ended(ctx, cause, l.s.Now().Sub(began))
	case err != nil:
		var doubt *DoubtError
		if errors.As(err, &doubt) {
			return l.uncertain(ctx, doubt.Reason, tool.Result{})
		}
		var te *tool.Error
		if !errors.As(err, &te) {
			return l.broken(fmt.Errorf("%s: %w", l.r.Tool, err))
		}
		return l.ended(ctx, err, l.s.Now().Sub(began))
	}
	return l.done(result, kind.Settled, l.s.Now().Sub(began))
}

// WaitingBelow are the calls below a job that wait for a person: what is to be answered, and not the job that they are in.
func (s *Service) WaitingBelow(job graph.ID) (all []graph.ID, err error) {
	for id, err := range s.Store.Waiting() {
		if err != nil {
			return nil, err
		}
		if id.Session != job.Session {
			continue
		}
		below, err := s.Below(id, job)
		if err != nil {
			return nil, err
		}
		if below {
			all = append(all, id)
		}
	}
	return all, nil
}

// ownBag is the bag of the call's children: given when the node is made.
func (l *life) ownBag() (uint64, error) {
	if l.bag != 0 {
		return l.bag, nil
	}
	var err error
	l.bag, err = l.s.Store.NewBag(l.r.ID.Session)
	return l.bag, err
}
