package agent

import (
	"context"
	"fmt"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/store"
)

// Fulfil is the actor of completions and judges: it settles an obligation that an earlier process left open and that no
// executor leads. One of a tape is asked again; an isolated intern is one shot and fails.
func (r *Runner) Fulfil(ctx context.Context, pew graph.ID, c call.Context) error {
	st := r.Calls.Store
	cell, err := st.Owner(pew.Session, pew.Bag)
	if err != nil {
		return err
	}
	untrack, ok := r.Calls.Track(pew, func(error) {})
	if !ok {
		return nil
	}
	defer untrack()
	if o, err := st.Outcome(pew); err != nil || o != nil {
		return err
	}
	n, err := st.Node(cell)
	if err != nil {
		return err
	}
	if _, ok := n.(kind.ToolCall); ok {
		return nil // of the judge of a call: who goes on with the call takes it up
	}
	job, ok := n.(*kind.CompletionJob)
	if !ok {
		return fmt.Errorf("%s is a %s, not a CompletionJob", cell, n.Kind().Name())
	}
	if job.Tail == nil {
		gone := kind.Outcome{State: kind.Failed, By: "recovery", Error: &kind.Error{Code: "interrupted", Message: "the process that asked ended before the answer came"}}
		_, err := st.Apply(pew.Session, store.Settle{ID: pew, Outcome: gone}, store.Settle{ID: cell, Outcome: gone})
		return err
	}
	id, err := st.Owner(cell.Session, cell.Bag)
	if err != nil {
		return err
	}
	u, err := session.At(st, id)
	if err != nil || u.Turn == nil {
		return err
	}
	t, err := newTurn(r, id, u.Turn, c)
	if err != nil {
		return err
	}
	if err := t.look(); err != nil {
		return err
	}
	for _, x := range t.tape.Queue {
		if x.ID == cell {
			return t.complete(ctx, x)
		}
	}
	return nil
}
