package agent

import (
	"errors"
	"fmt"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/store"
)

// hearing finds the turn that hears what is said to an agent now: the one that runs, which is the oldest open one before
// the head, or else the head, whose successor hears it. on is false when from, a turn, is not on the walk from the head:
// what hangs on an abandoned branch is not told of.
func (r *Runner) hearing(agent, from graph.ID) (at *session.Unit, on bool, err error) {
	st := r.Calls.Store
	head, _, err := session.Head(st, agent)
	if err != nil {
		return nil, false, err
	}
	if !from.IsZero() {
		if on, err = session.Reaches(st, head, from); err != nil || !on {
			return nil, on, err
		}
	}
	if at, err = session.At(st, head); err != nil {
		return nil, false, err
	}
	if at.Closed() {
		return at, true, nil
	}
	before, err := session.Inbound(st, at)
	if err != nil {
		return nil, false, err
	}
	if n := len(before); n > 0 {
		at = before[n-1]
	}
	return at, true, nil
}

// chunk is something said, at the end of what a turn has.
func (r *Runner) chunk(at *session.Unit, source, text string, from *graph.ID) (store.Mint, error) {
	if at.Turn == nil {
		return store.Mint{}, fmt.Errorf("%s has no turn yet: there is nobody who could hear it", at.Agent())
	}
	tape, err := session.TapeOf(r.Calls.Store, at.ID)
	if err != nil {
		return store.Mint{}, err
	}
	v, err := r.Calls.Keep(text)
	if err != nil {
		return store.Mint{}, err
	}
	n := &kind.TurnPromptChunk{Source: source, Text: v}
	if from != nil {
		n.From = kind.RefTo(*from)
	}
	return store.Mint{ID: tape.Next, Node: n}, nil
}

// NoTurnError says that an agent has no open turn that could be steered.
type NoTurnError struct{ Agent graph.ID }

func (e *NoTurnError) Error() string { return fmt.Sprintf("no turn of %s is open", e.Agent) }

// Steer says something to the open turn of an agent. It is on record when Steer answers, and the next round hears it;
// running says whether this process runs the turn.
func (r *Runner) Steer(agent graph.ID, text string) (turn graph.ID, running bool, err error) {
	r.saying.Lock()
	defer r.saying.Unlock()
	at, _, err := r.hearing(agent, graph.ID{})
	if err != nil {
		return turn, false, err
	}
	if at.Turn == nil || at.Closed() {
		return turn, false, &NoTurnError{agent}
	}
	for {
		c, err := r.chunk(at, kind.SourceSteer, text, nil)
		if err != nil {
			return turn, false, err
		}
		_, err = r.Calls.Store.Apply(at.ID.Session, c)
		if errors.Is(err, store.ErrExists) {
			continue // the turn put something on its tape
		}
		return at.ID, r.Calls.Running(at.ID), err
	}
}
