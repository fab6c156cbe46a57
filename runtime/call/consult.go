package call

import (
	"context"
	"fmt"

	"caper/runtime/graph"
	"caper/runtime/license"
)

// Procedure is a procedure of a program that the runtime calls: each time in a machine of its own, under a small budget,
// without a way to the outside.
type Procedure interface {
	Call(ctx context.Context, args graph.List) (graph.Datum, error)
}

// Reading answers what a program asks of the graph. It changes nothing, and its answer goes on record.
type Reading func(ctx context.Context, c *Context, args graph.List) (graph.Datum, error)

// consult asks the policy procedures around a call. They only tighten; one that fails, takes too long or answers
// something else than allow, ask or deny means ask.
func (l *life) consult(ctx context.Context, procedures []Procedure) {
	for _, p := range procedures {
		if l.decided.Verdict == license.Deny {
			return
		}
		d, err := p.Call(ctx, graph.List{l.described()})
		verdict, reason := license.Ask, ""
		switch {
		case err != nil:
			reason = "the policy procedure gave no answer: " + err.Error()
		case d == graph.Symbol(license.Allow):
			continue
		case d == graph.Symbol(license.Ask):
			reason = "the policy procedure asks"
		case d == graph.Symbol(license.Deny):
			verdict, reason = license.Deny, "the policy procedure denies it"
		default:
			reason = fmt.Sprintf("the policy procedure's answer is not allow, ask or deny: %.100s", graph.Write(d))
		}
		step := license.StepAsk
		if verdict == license.Deny {
			step = license.StepDeny
		}
		l.decided = license.Decision{Verdict: verdict, Step: step, Rule: "policy procedure", Origin: "with-policy", Reason: reason, Subject: l.decided.Subject,
			Notes: l.decided.Notes}
	}
}

// described is a call as data, for policy procedures and for judges.
func (l *life) described() graph.Datum {
	args := graph.List{}
	for _, p := range l.tool.Params {
		if v, ok := l.args[p.Name]; ok {
			args = append(args, graph.Pair(p.Name, v))
		}
	}
	d := graph.List{graph.Pair("tool", graph.Symbol(l.tool.Name)), graph.Pair("effect", graph.Symbol(l.tool.Effect.String())), graph.Pair("args", args),
		graph.Pair("cwd", l.call.Cwd), graph.Pair("workspace", l.call.Workspace),
		graph.Pair("verdict", graph.Symbol(l.decided.Verdict)), graph.Pair("reason", l.decided.Reason)}
	paths := graph.List{}
	for _, u := range l.facts.Uses {
		paths = append(paths, u.Fact.Canonical)
	}
	return append(d, graph.Pair("paths", paths))
}
