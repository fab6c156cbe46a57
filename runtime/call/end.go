package call

import (
	"context"
	"errors"
	"iter"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// End ends what nobody waits for any more: a job, and first all below it. It answers the outcome that closes the job
// itself; Close writes it. A program in the background outlives the one that made it, unless all is to end.
func (s *Service) End(ctx context.Context, c *Context, e store.Entry, by string, all bool) Ending {
	s.init()
	end := Ending{ID: e.ID, Outcome: cancelled("", by), Release: func() {}}
	switch n := e.Node.(type) {
	case *kind.ProgrammaticJob:
		inner := *c
		inner.Bag, inner.Workspace, inner.Cwd = n.Bag, n.Workspace, n.Cwd
		end.Err = s.EndAll(ctx, &inner, s.Store.Children(e.ID.Session, n.Bag, 0), by, all)
	case *kind.SessionTurn:
		end.Err = s.endBelow(ctx, c, e.ID, n.Bag, by, all)
	case *kind.CompletionJob:
		end.Err = s.endBelow(ctx, c, e.ID, n.Bag, by, all)
	case kind.ToolCall:
		if bag := n.Call().Bag; bag != 0 {
			if end.Err = s.endBelow(ctx, c, e.ID, bag, by, all); end.Err != nil {
				return end
			}
		}
		return s.endCall(ctx, c, e, by)
	}
	return end
}

// EndAll ends and closes jobs; what has an outcome, or never gets one, stays as it is.
func (s *Service) EndAll(ctx context.Context, c *Context, jobs iter.Seq2[store.Entry, error], by string, all bool) error {
	for e, err := range jobs {
		if err != nil {
			return err
		}
		if e.Outcome != nil {
			continue
		}
		if !all && e.Detached() { // it outlives the one that made it
			continue
		}
		switch n := e.Node.(type) {
		case *kind.Cell:
			if n.Read != kind.ReadTimer {
				continue
			}
		default:
			if n.Kind().Leaf() {
				continue
			}
		}
		if err := s.Close(s.End(ctx, c, e, by, all)); err != nil {
			return err
		}
	}
	return nil
}

// endBelow ends what lies in a bag.
func (s *Service) endBelow(ctx context.Context, c *Context, owner graph.ID, bag uint64, by string, all bool) error {
	inner := *c
	inner.Bag = bag
	return s.EndAll(ctx, &inner, s.Store.Children(owner.Session, bag, 0), by, all)
}

// Close writes the outcome of an ended job and lets go of what it held.
func (s *Service) Close(end Ending) error {
	defer end.Release()
	if end.Err != nil {
		return end.Err
	}
	err := s.Settle(end)
	if errors.Is(err, store.ErrSettled) {
		return nil
	}
	return err
}

// Settle writes the outcome of a call that ended, with its node where it has none yet. more goes with it.
func (s *Service) Settle(end Ending, more ...store.Change) error {
	var changes []store.Change
	if end.Mint != nil {
		changes = append(changes, *end.Mint)
	}
	_, err := s.Store.Apply(end.ID.Session, append(append(changes, store.Settle{ID: end.ID, Outcome: end.Outcome}), more...)...)
	if err == nil && end.Spooled {
		_ = s.Clean(end.ID) // what cannot be removed goes with the session
	}
	return err
}

// EndStarted ends the started calls below a bag, at any depth, whose programs and turns stay as they are: they are gone on
// with later, and find what became of these.
func (s *Service) EndStarted(ctx context.Context, c *Context, session, bag uint64, by string) error {
	for e, err := range s.Store.Children(session, bag, 0) {
		if err != nil {
			return err
		}
		if e.Outcome != nil {
			continue
		}
		n, isCall := e.Node.(kind.ToolCall) // one that was judged has a bag, too, and is no sequence
		single := isCall && n.Call().Effect != kind.EffectSpend && n.Call().Effect != kind.EffectInner
		if bag := kind.OwnBag(e.Node); bag != 0 && !single {
			if err := s.EndStarted(ctx, c, session, bag, by); err != nil {
				return err
			}
			continue
		}
		if isCall && readHistory(e).started {
			if err := s.Close(s.End(ctx, c, e, by, true)); err != nil {
				return err
			}
		}
	}
	return nil
}

func cancelled(what, by string) kind.Outcome {
	message := "cancelled"
	if what != "" {
		message = what + " was cancelled"
	}
	if by != "program" {
		message += " by " + by
	}
	return kind.Outcome{State: kind.Cancelled, By: by, Effect: "none", Error: &kind.Error{Code: tool.CodeCancelled, Message: message}}
}

// endCall ends a call, and says of one that was started what is known of its effect.
func (s *Service) endCall(ctx context.Context, c *Context, e store.Entry, by string) Ending {
	r, err := s.RequestOf(e)
	if err != nil {
		return Ending{ID: e.ID, Err: err, Release: func() {}}
	}
	l := &life{s: s, c: c, r: r, free: func() {}, minted: true}
	o := cancelled(r.Tool, by)
	if err := l.bind(); err != nil {
		return l.rest(o, false)
	}
	past := readHistory(e)
	if past.started && l.tool.Hosted() && l.tool.Unseen() {
		o.Effect = "unknown"
		if _, err := tool.EndMarked(l.environment().CallID, 0, tool.TermGrace); err != nil { // what its host had started and left
			return l.broken(err)
		}
	} else if past.started && l.tool.Effect != tool.Read && !l.tool.Hosted() {
		o.Effect = "unknown"
		l.env = l.environment()
		if l.targets, _ = tool.Resolve(l.env, l.tool, l.args); l.targets != nil {
			l.env.Resolved = l.targets
		}
		if err := l.lock(ctx); err != nil {
			return l.broken(err)
		}
		if d, err := s.Fetch(past.facts); err == nil {
			if facts, err := tool.FactsOf(d); err == nil {
				rec, err := l.recoverEffect(ctx, facts)
				if err == nil && rec.Outcome == tool.Done {
					o.Effect = "done"
				} else if err == nil && rec.Outcome == tool.NotDone {
					o.Effect = "none"
				}
			}
		}
	}
	return l.rest(o, false)
}
