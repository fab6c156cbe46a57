package call

import (
	"context"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/store"
)

// What a person can say of a call whose effect is not known.
const (
	Happened = "happened" // it was done, and this is its answer
	DidNot   = "did-not"  // it was not done: the call fails
	Retry    = "retry"    // do it again
)

// Doubt is what is known of a call whose effect is not.
type Doubt struct {
	Reason string
	Output graph.Datum // what was left of its output, nil for nothing
}

// Resolution is the outcome that an answer gives to an uncertain call; false for Retry, which gives none.
func (s *Service) Resolution(how string, value graph.Datum, by string) (kind.Outcome, bool, error) {
	switch how {
	case Happened:
		v, err := s.Keep(value)
		return kind.Outcome{State: kind.Happened, Value: v, By: by}, true, err
	case DidNot:
		return kind.Outcome{State: kind.DidNot, By: by, Error: &kind.Error{Code: "did-not",
			Message: "the call was interrupted, and " + by + " said that it did not happen"}}, true, nil
	}
	return kind.Outcome{}, false, nil
}

// Resolved is the fact of such an answer.
func (s *Service) Resolved(how, by string) kind.Fact {
	return kind.Fact{What: kind.FactResolved, Value: kind.Of(graph.List{graph.Pair("how", how)}), By: by, At: s.Now()}
}

// doubted asks what became of an uncertain call where somebody is there, and else lets it rest.
func (l *life) doubted(ctx context.Context, d Doubt) Ending {
	l.unlock() // a person may take long
	rests := Ending{ID: l.r.ID, Rest: Uncertain, Release: l.free}
	asker := l.asker()
	if asker == nil || l.c.Answerability != license.TTY {
		return rests
	}
	q := Question{ID: l.r.ID, Tool: l.r.Tool, Args: l.args, Doubt: &d}
	if l.tool.Preview != nil {
		q.Preview, _ = l.tool.Preview(ctx, l.env, l.args) // what it would do now need not be what it was to do
		q.Preview.Diff, q.Preview.Note = "", ""
	}
	a, err := l.s.await(ctx, asker, q, "")
	switch {
	case err != nil && ctx.Err() != nil && !Parking(ctx):
		o := cancelled(l.r.Tool, "program")
		o.Effect = "unknown"
		return l.rest(o, false)
	case err != nil || a.How == "":
		return rests
	}
	l.s.fault("answered")
	if a.How == Happened && a.Value == nil {
		if a.Value = d.Output; a.Value == nil {
			a.Value = graph.Void{}
		}
	}
	o, settles, err := l.s.Resolution(a.How, a.Value, a.By)
	if err != nil {
		return l.broken(err)
	}
	changes := []store.Change{store.Note{ID: l.r.ID, Fact: l.s.Resolved(a.How, a.By)}}
	if !settles {
		changes = append(changes, store.Unwait{ID: l.r.ID})
	}
	if _, err := l.s.Store.Apply(l.r.ID.Session, changes...); err != nil {
		return l.broken(err)
	}
	if settles {
		return l.rest(o, false)
	}
	l.retry = true
	if err := l.decide(ctx); err != nil {
		return l.failed(ctx, err)
	}
	return l.again(ctx)
}
