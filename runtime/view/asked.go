package view

import (
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/store"
)

// Describe answers the question that a call in the queue waits with.
type Describe func(store.Entry) (call.Question, error)

// Asked is a question that waits in the queue: what a terminal would show, and the commands that answer it.
func Asked(s Style, q call.Question) string {
	p := &paragraph{s: s}
	p.asked(q, true)
	return p.String()
}

// asked writes a question that waits; a long diff only where the whole is wanted.
func (p *paragraph) asked(q call.Question, whole bool) {
	id := q.ID.String()
	p.named(q)
	p.what(q)
	switch {
	case q.Preview.Diff == "" || inline(q):
	case whole || short(q.Preview.Diff): // there is no d to press
		p.diff(q.Preview.Diff)
	default:
		p.add(own(plain, "  caper approvals "+id+" shows the diff"))
	}
	p.reason(q.Decision)
	p.flow(line{own(plain, "caper approve "+id)}, line{own(dim, "or "), own(plain, "caper deny "+id)})
	for _, scope := range []license.Scope{license.Session, license.Project} {
		if rules := remembers(q.Decision, scope); rules != "" {
			p.wrap("  --for "+string(scope)+" remembers: ", dim, rules)
		}
	}
}

// AskedObject is a question that waits as --json prints it.
func AskedObject(q call.Question) map[string]any {
	o := map[string]any{"call": q.ID.String(), "what": "approve", "tool": q.Tool, "why": q.Decision.Reason}
	args := map[string]string{}
	for name, d := range q.Args {
		args[name] = graph.Write(d)
	}
	o["args"] = args
	for name, text := range map[string]string{"command": q.Preview.Command, "cwd": q.Preview.Cwd, "path": q.Preview.Path, "diff": q.Preview.Diff, "note": q.Preview.Note,
		"rule": q.Decision.Rule, "origin": q.Decision.Origin, "session": remembers(q.Decision, license.Session), "project": remembers(q.Decision, license.Project)} {
		if text != "" {
			o[name] = text
		}
	}
	if q.Preview.Path != "" {
		o["added"], o["removed"] = q.Preview.Added, q.Preview.Removed
	}
	return o
}

// CallLine is a call on one line: its command or its paths whole.
func CallLine(s Style, calls *call.Service, e store.Entry) string {
	j := (reader{store: calls.Store, calls: calls}).job(e)
	if j == nil {
		return e.ID.String()
	}
	s.Width, s.Color = 0, false
	return s.label(j, s.prose()).text(s)
}
