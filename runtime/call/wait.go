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

// wait puts a call that needs a person's yes into the queue, durably, and asks where someone is there.
func (l *life) wait(ctx context.Context) Ending {
	if l.parked != l.digest() { // a question of before, or a yes to what has changed since, is no question about this
		if _, err := l.preview(ctx); err != nil { // it must fail: nobody need be asked
			return l.failed(ctx, err)
		}
		var changes []store.Change
		if !l.minted {
			node, err := l.node(nil)
			if err != nil {
				return l.broken(err)
			}
			changes = append(changes, store.Mint{ID: l.r.ID, Node: node})
		}
		changes = append(changes, store.Wait{ID: l.r.ID}, store.Note{ID: l.r.ID, Fact: l.fact(kind.FactParked, l.question(), "policy")})
		if _, err := l.s.Store.Apply(l.r.ID.Session, changes...); err != nil {
			return l.broken(err)
		}
		l.minted, l.parked = true, l.digest()
	}
	l.s.fault("asked")
	if l.c.Answerability == license.Queue {
		return Ending{ID: l.r.ID, Rest: Parked, Release: l.free}
	}
	return l.ask(ctx)
}

// preview is a dry run of the call. That it would fail is told at once where the program may read what the failure speaks
// of; elsewhere a program could read by guessing, and the person decides without a preview.
func (l *life) preview(ctx context.Context) (p tool.Preview, err error) {
	if l.tool.Preview == nil {
		return p, nil
	}
	if p, err = l.tool.Preview(ctx, l.env, l.args); err != nil && ctx.Err() == nil && !l.readable(ctx) {
		return tool.Preview{Note: "what it would do cannot be shown: " + err.Error()}, nil
	}
	return p, err
}

// readable reports whether the license lets the program read every path of the call.
func (l *life) readable(ctx context.Context) bool {
	for _, u := range l.call.Uses {
		c := l.call
		c.Tool, c.Effect, c.Args = "read-file", license.EffectRead, map[string]graph.Datum{"path": u.Path}
		c.Uses = []license.Use{{Arg: "path", Path: u.Path, Access: license.Read}}
		f, err := l.s.survey(ctx, c, l.policy.Protected)
		if err != nil || license.Decide(c, f, l.policy).Verdict != license.Allow {
			return false
		}
	}
	return l.call.Command == ""
}

// question is what the queue shows of a call: why it waits and what a yes could remember.
func (l *life) question() graph.Datum {
	out := graph.List{graph.Pair("rule", l.decided.Rule), graph.Pair("origin", l.decided.Origin), graph.Pair("reason", l.decided.Reason), graph.Pair("digest", l.digest())}
	for _, scope := range []license.Scope{license.Session, license.Project} {
		if rules := suggested(l.decided.Remember, scope); len(rules) > 0 {
			list := graph.List{}
			for _, r := range rules {
				list = append(list, r)
			}
			out = append(out, graph.Pair("remember-"+string(scope), list))
		}
	}
	return out
}

// suggested are the rules that a yes for a scope remembers together; an empty one means this very call.
func suggested(all []license.Suggestion, scope license.Scope) []string {
	var rules []string
	for _, s := range all {
		if s.Scope == scope {
			rules = append(rules, s.Rule)
		}
	}
	return rules
}

func (l *life) fact(what string, d graph.Datum, by string) kind.Fact {
	f := kind.Fact{What: what, By: by, At: l.s.Now()}
	if d != nil {
		f.Value = kind.Of(d)
	}
	return f
}

// ask asks until an answer fits what is there: a yes is worth nothing once the file or the command behind it changed.
func (l *life) ask(ctx context.Context) Ending {
	asker := l.asker()
	for {
		p, err := l.preview(ctx)
		if err != nil {
			return l.failed(ctx, err)
		}
		q := Question{ID: l.r.ID, Tool: l.r.Tool, Args: l.args, Decision: l.decided, Preview: p}
		shown := l.digest()
		a, err := l.s.await(ctx, asker, q, shown)
		if err != nil {
			return l.unanswered(ctx, err)
		}
		l.s.fault("answered")
		if !a.Yes {
			return l.refusedBy(a)
		}
		rules := suggested(l.decided.Remember, license.Scope(a.Scope))
		if err := l.decide(ctx); err != nil {
			return l.failed(ctx, err)
		}
		if l.decided.Verdict == license.Deny {
			return l.denied("policy")
		}
		if l.digest() == shown && (a.To == "" || a.To == shown) {
			return l.approved(ctx, a, rules)
		}
		l.decided.Reason = "what it would touch changed while you were asked; please look again. " + l.decided.Reason
		if a.To != "" { // a yes on record took the question out of the queue
			l.parked = ""
			return l.wait(ctx)
		}
	}
}

// asker is the terminal at which the call's person sits, nil for none.
func (l *life) asker() Asker {
	switch {
	case l.c.Answerability == license.Queue:
		return nil
	case l.c.Terminal != nil:
		return l.c.Terminal
	}
	return l.s.Asker
}

func (l *life) unanswered(ctx context.Context, err error) Ending {
	if ctx.Err() == nil || Parking(ctx) {
		// The terminal went away or the process is about to: the call stays in the queue.
		return l.parkedHere()
	}
	return l.failed(ctx, fmt.Errorf("waiting for an answer: %w", context.Canceled))
}

func (l *life) refusedBy(a Answer) Ending {
	l.decided.Verdict, l.decided.Reason = license.Deny, "a person said no"
	return l.denied(a.By)
}

// approved records the yes, remembers what was to be remembered, and starts.
func (l *life) approved(ctx context.Context, a Answer, rules []string) Ending {
	value := graph.List{graph.Pair("digest", l.digest()), graph.Pair("scope", a.Scope)}
	if len(rules) > 0 && (a.Scope == string(license.Session) || a.Scope == string(license.Project)) {
		if err := l.s.Policy.Remember(ctx, l.c, Approval{Scope: a.Scope, Rules: rules, Digest: l.digest(), By: a.By}); err != nil {
			return l.failed(ctx, fmt.Errorf("remember the approval: %w", err))
		}
	}
	l.yes = l.digest()
	return l.start(ctx, store.Note{ID: l.r.ID, Fact: l.fact(kind.FactApproved, value, a.By)})
}
