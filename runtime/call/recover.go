package call

import (
	"context"
	"fmt"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// Continue leads on a call that an earlier process left without an outcome. What it began is decided by its effect:
// reads run again, file effects are decided from the facts on record, and an external effect that left no exit status is
// uncertain: a person must say.
func (s *Service) Continue(ctx context.Context, c *Context, r Request, e store.Entry) Ending {
	s.init()
	l := &life{s: s, c: c, r: r, free: func() {}, minted: true}
	defer s.letGo(r.ID)
	s.fault("recovering")
	if err := l.bind(); err != nil {
		return l.failed(ctx, err)
	}
	if n, ok := e.Node.(kind.ToolCall); ok {
		l.bag, l.r.Operator = n.Call().Bag, n.Call().Decision.Who == operator
	}
	past := readHistory(e)
	l.begun = past.started
	l.yes, l.parked = past.approved, past.parked
	if past.refused != nil {
		l.decided.Verdict, l.decided.Reason = license.Deny, "a person said no"
		return l.denied(past.refused.By)
	}
	if past.started {
		return l.resumeStarted(ctx, past)
	}
	if err := l.decide(ctx); err != nil {
		return l.failed(ctx, err)
	}
	if l.decided.Verdict == license.Deny {
		return l.denied("policy")
	}
	if l.allowed() {
		return l.start(ctx)
	}
	return l.judged(ctx)
}

// history is what the facts of a call say about how far it came.
type history struct {
	started   bool
	facts     kind.Value
	approved  string // digest
	parked    string // digest of the newest question in the queue
	refused   *kind.Fact
	uncertain bool
	doubt     kind.Value // why
	retry     bool
}

func readHistory(e store.Entry) history {
	var h history
	if n, ok := e.Node.(kind.ToolCall); ok && n.Call().Decision.Verdict == string(license.Allow) {
		h.started, h.facts = true, n.Call().Facts
	}
	for i, f := range e.Facts {
		switch f.What {
		case kind.FactStarted, kind.FactMeasuredAgain:
			h.started, h.facts, h.retry, h.uncertain = true, f.Value, false, false
		case kind.FactApproved:
			h.approved, h.parked = graph.TextField(f.Value.Datum, "digest"), "" // a yes takes the question out of the queue
		case kind.FactParked:
			h.parked = graph.TextField(f.Value.Datum, "digest")
		case kind.FactDeniedBy:
			h.refused = &e.Facts[i]
		case kind.FactUncertain:
			h.uncertain, h.doubt = true, f.Value
		case kind.FactResolved:
			h.retry = graph.TextField(f.Value.Datum, "how") == "retry"
		}
	}
	return h
}

func (l *life) resumeStarted(ctx context.Context, past history) Ending {
	if err := l.decide(ctx); err != nil {
		// The world changed so far that the paths lead nowhere: what happened before can still be decided from the facts.
		l.decided = license.Decision{Verdict: license.Ask, Reason: err.Error()}
	}
	if past.uncertain && !past.retry {
		d, err := l.s.Fetch(past.doubt)
		if err != nil {
			return l.broken(err)
		}
		return l.doubted(ctx, Doubt{graph.TextField(d, "reason"), graph.Field(d, "output")})
	}
	l.retry = past.retry
	if past.retry || l.tool.Effect == tool.Read || l.tool.Hosted() {
		return l.again(ctx)
	}
	if err := l.lock(ctx); err != nil {
		return l.failed(ctx, err)
	}
	d, err := l.s.Fetch(past.facts)
	if err != nil {
		return l.broken(err)
	}
	facts, err := tool.FactsOf(d)
	if err != nil {
		return l.uncertain(ctx, fmt.Sprintf("the facts on record cannot be read: %v", err), tool.Result{})
	}
	rec, err := l.recoverEffect(ctx, facts)
	l.s.fault("recovered")
	if err != nil {
		return l.uncertain(ctx, err.Error(), tool.Result{})
	}
	switch rec.Outcome {
	case tool.Done:
		return l.done(rec.Result, kind.Settled, 0)
	case tool.Redo:
		if err := l.measured(rec.Facts); err != nil {
			return l.broken(err)
		}
		l.half = true
		return l.withSlot(ctx, func() Ending { return l.perform(ctx, rec.Facts) })
	case tool.NotDone:
		return l.again(ctx) // without letting its paths go: what came between would make its facts untrue
	}
	return l.uncertain(ctx, rec.Reason, rec.Result)
}

// again runs a call that certainly had no effect yet, if today's policy still lets it do what it would do today: a link
// may lead elsewhere by now, and a yes was given to what was there before.
func (l *life) again(ctx context.Context) Ending {
	if l.decided.Verdict == license.Deny {
		return l.denied("policy")
	}
	if !l.allowed() {
		l.unlock()
		return l.judged(ctx)
	}
	if e, rests := l.hold(ctx); rests {
		return e
	}
	if l.tool.Hosted() {
		return l.hosted(ctx, true)
	}
	return l.withSlot(ctx, func() Ending {
		defer l.env.Close()
		facts, err := l.prepare(ctx)
		if err != nil {
			return l.failed(ctx, err)
		}
		if facts != nil {
			if err := l.measured(facts); err != nil {
				return l.broken(err)
			}
		}
		return l.perform(ctx, facts)
	})
}

func (l *life) withSlot(ctx context.Context, run func() Ending) Ending {
	if err := l.s.acquire(ctx); err != nil {
		return l.failed(ctx, err)
	}
	defer l.s.release()
	return run()
}

// uncertain records that a call's effect cannot be known, and asks or parks it, or raises where the program said so.
func (l *life) uncertain(ctx context.Context, reason string, partial tool.Result) Ending {
	msg := fmt.Sprintf("%s was running when its process ended, and whether it did its work cannot be known: %s", l.r.Tool, reason)
	if l.r.RaiseUncertain {
		return l.rest(kind.Outcome{State: kind.Failed, By: "runtime", Effect: "unknown", Error: &kind.Error{Code: "uncertain", Message: msg}}, false)
	}
	d := graph.List{graph.Pair("reason", reason)}
	if partial.Value != nil {
		d = append(d, graph.Pair("output", partial.Value))
	}
	value, err := l.s.Keep(d)
	if err != nil {
		return l.broken(err)
	}
	_, err = l.s.Store.Apply(l.r.ID.Session, store.Note{ID: l.r.ID, Fact: kind.Fact{What: kind.FactUncertain, Value: value, By: "recovery", At: l.s.Now()}},
		store.Wait{ID: l.r.ID})
	if err != nil {
		return l.broken(err)
	}
	return l.doubted(ctx, Doubt{reason, partial.Value})
}
