package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// call gives the calls of an answer their places: a round on the tape.
func (t *turn) call(c *session.Cell) error {
	id := t.tape.Next
	round := &kind.ReACTChunk{Completion: *kind.RefTo(c.ID), First: id.Ord + 1, Count: uint64(ReceiptOf(c.Outcome).Calls)}
	_, err := t.r.Calls.Store.Apply(id.Session, store.Mint{ID: id, Node: round})
	return err
}

// join makes the calls of a round side by side and waits for those that are in the foreground. Results go back in the
// order of the calls, whatever ends first.
func (t *turn) join(ctx context.Context, c *session.Cell) (call.Rest, error) {
	a, err := t.answerAt(c.React.Completion.ID())
	if err != nil {
		return call.Settled, err
	}
	all := uses(a)
	if uint64(len(all)) != c.React.Count {
		return call.Settled, fmt.Errorf("%s is a round of %d calls; its answer asks for %d", c.ID, c.React.Count, len(all))
	}
	current, err := t.current()
	if err != nil {
		return call.Settled, err
	}
	landed := make(chan *flight, len(c.Calls))
	waits := map[*flight]bool{}
	watched := false
	var before *flight
	for i, one := range c.Calls {
		if one.Released() {
			continue
		}
		f := &flight{request: t.toolRequest(one.ID, c, i, all[i]), begun: one.Entry != nil, landed: landed, freed: make(chan struct{})}
		f.background = f.request.Background || f.begun && one.Entry.InBackground()
		watched = watched || f.background
		if d, ok := t.r.Calls.Tools.Get(f.request.Tool); ok && d.InOrder {
			f.before, before = before, f
		}
		if !t.r.fly(ctx, t.id, current, f) {
			return call.Settled, fmt.Errorf("%s runs already", one.ID)
		}
		waits[f] = true
	}
	var token <-chan struct{}
	if watched { // one that is in the background from the beginning is let go when its guard has answered: that is a commit
		var stop func()
		token, stop = t.r.Calls.Store.Watch(t.id.Session)
		defer stop()
	}
	return t.await(ctx, waits, landed, token)
}

// await waits until every call of a round has landed or was released to the background.
func (t *turn) await(ctx context.Context, waits map[*flight]bool, landed <-chan *flight, token <-chan struct{}) (call.Rest, error) {
	rest := call.Settled
	var failed error
	detached := t.r.poked(t.id)
	ended := ctx.Done()
	for len(waits) > 0 {
		select {
		case f := <-landed:
			delete(waits, f)
			failed = errors.Join(failed, f.err)
			if f.rest != call.Settled && rest != call.Uncertain && !f.free() {
				rest = f.rest
			}
			continue
		case <-token:
		case <-detached:
		case <-ended:
			ended = nil // what is in the foreground was told to end, and lands
			continue
		}
		for f := range waits {
			if !f.background && !t.r.isDetached(f) {
				continue
			}
			e, err := t.r.Calls.Store.Entry(f.request.ID)
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err != nil {
				return rest, err
			}
			if e.Detached() {
				t.r.release(f)
				delete(waits, f)
			}
		}
	}
	return rest, failed
}

// toolRequest is one call of an answer.
func (t *turn) toolRequest(id graph.ID, round *session.Cell, i int, use model.Block) call.Request {
	r := call.Request{ID: id, Tool: toolName(use.Name), Place: kind.Place{Fiber: round.ID.String(), Ordinal: uint64(i)}}
	d, ok := t.r.Calls.ToolsOf(t.id.Session).Get(r.Tool)
	if !ok {
		return r // Begin says that there is no such tool, with a hint
	}
	if names, err := session.EffectiveTools(t.r.Calls.Store, t.id); err != nil || !slices.Contains(names, r.Tool) {
		r.Invalid = &tool.Error{Code: "unknown-tool", Message: fmt.Sprintf("%s is not among the tools of this agent", r.Tool)}
		return r
	}
	if use.Failed {
		r.Invalid = &tool.Error{Code: tool.CodeArguments, Message: fmt.Sprintf("the arguments of %s are no JSON object: %s", r.Tool, excerpt(use.Text, id, 500))}
		return r
	}
	var err error
	if r.Positional, r.Keywords, r.Background, err = arguments(d, use.Input); err != nil {
		r.Invalid = err
	}
	return r
}
