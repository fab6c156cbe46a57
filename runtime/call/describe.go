package call

import (
	"context"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/store"
)

// Describe is the question that a call in the queue waits with: why it was asked and what a yes would remember as on
// record, what it would do as the world is now. It changes nothing.
func (s *Service) Describe(ctx context.Context, c *Context, e store.Entry) (Question, error) {
	s.init()
	r, err := s.RequestOf(e)
	if err != nil {
		return Question{}, err
	}
	l := &life{s: s, c: c, r: r, free: func() {}}
	if err := l.bind(); err != nil {
		return Question{}, err
	}
	asked := askedOf(e)
	q := Question{ID: e.ID, Tool: r.Tool, Args: l.args, Decision: asked}
	if err := l.look(ctx); err != nil {
		q.Preview.Note = "what it would do cannot be shown now: " + err.Error()
		return q, nil
	}
	defer l.env.Close()
	if l.tool.Preview != nil {
		if q.Preview, err = l.tool.Preview(ctx, l.env, l.args); err != nil {
			q.Preview.Note = "what it would do cannot be shown now: " + err.Error()
			return q, nil
		}
	}
	if past := readHistory(e); past.parked != "" && past.parked != l.digest() {
		q.Decision.Reason = "what it would touch changed since it was asked: its program will ask again. " + q.Decision.Reason
	}
	return q, nil
}

// askedOf is the decision that the newest question on record was made from.
func askedOf(e store.Entry) license.Decision {
	d := license.Decision{Verdict: license.Ask}
	for _, f := range e.Facts {
		if f.What != kind.FactParked {
			continue
		}
		text := func(name string) string { return graph.TextField(f.Value.Datum, name) }
		d.Rule, d.Origin, d.Reason, d.Remember = text("rule"), text("origin"), text("reason"), nil
		for _, scope := range []license.Scope{license.Session, license.Project} {
			rules, _ := graph.Field(f.Value.Datum, "remember-"+string(scope)).(graph.List)
			for _, r := range rules {
				rule, _ := r.(string)
				d.Remember = append(d.Remember, license.Suggestion{Scope: scope, Rule: rule})
			}
		}
	}
	return d
}
