package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// planRead is the reading in which a rewind keeps what it is going to do.
const planRead = "rewind"

// Rewind moves the head of the session's agent to a unit that it has been at: back, or forward to another branch. With it
// come that round's posture, tools and definitions. What runs on turns that leave the walk is aborted: its started calls
// end, and what is unresolved is taken up again when the head comes back. With files, those that tools changed since are
// put back, or, forward, changed again; what others changed meanwhile stays as it is and is listed, as are the commands of
// bash, of which nobody knows what they changed. The files are written by calls of their own, below this one.
func (r *Runner) Rewind(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) {
	plan, err := r.planned(ctx, w)
	if err != nil {
		return tool.Result{}, call.Settled, err
	}
	if err := r.leaveWalk(ctx, plan, &w.Context); err != nil {
		return tool.Result{}, call.Settled, err
	}
	if err := r.moveHead(plan); err != nil {
		return tool.Result{}, call.Settled, err
	}
	rest, failed, err := r.restore(ctx, w, plan)
	if err != nil || rest != call.Settled {
		return tool.Result{}, rest, err
	}
	return tool.Result{Value: plan.report(failed)}, call.Settled, nil
}

// plan is what a rewind does, as it is on record.
type plan struct {
	agent, from, to graph.ID
	files           []tool.Restored
	left            []string // files that are left alone, and why
	commands        []string // of bash, in the turns that leave the walk
}

func (p *plan) report(failed []string) graph.Datum {
	strings := func(l []string) graph.List {
		out := graph.List{}
		for _, s := range l {
			out = append(out, s)
		}
		return out
	}
	files := graph.List{}
	for _, f := range p.files {
		files = append(files, f.Path)
	}
	return graph.List{graph.Pair("from", p.from.String()), graph.Pair("to", p.to.String()), graph.Pair("files", files),
		graph.Pair("left", strings(append(p.left, failed...))), graph.Pair("commands", strings(p.commands))}
}

// planned makes the plan, or reads the one of an earlier life.
func (r *Runner) planned(ctx context.Context, w call.Work) (*plan, error) {
	id := graph.ID{Session: w.ID.Session, Bag: w.Bag}
	n, err := r.Calls.Store.Node(id)
	if err == nil {
		c, ok := n.(*kind.Cell)
		if !ok {
			return nil, fmt.Errorf("%s is no plan of a rewind", id)
		}
		d, err := r.Calls.Fetch(c.Value)
		if err != nil {
			return nil, err
		}
		return planOf(d)
	}
	if !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	p, err := r.plan(ctx, w)
	if err != nil {
		return nil, err
	}
	v, err := r.Calls.Keep(p.datum())
	if err != nil {
		return nil, err
	}
	_, err = r.Calls.Store.Apply(id.Session, store.Mint{ID: id, Node: &kind.Cell{Read: planRead, Value: v}})
	return p, err
}

func (p *plan) datum() graph.Datum {
	files := graph.List{}
	for _, f := range p.files {
		var data graph.Datum = false
		if f.Exists {
			data = f.Data
			if f.Data == nil {
				data = []byte{}
			}
		}
		files = append(files, graph.Vector{f.Path, data, f.Was, f.Mode})
	}
	d, _ := p.report(nil).(graph.List)
	return append(d, graph.Pair("agent", p.agent.String()), graph.Pair("contents", files))
}

func planOf(d graph.Datum) (*plan, error) {
	p := &plan{}
	for _, x := range []struct {
		name string
		to   *graph.ID
	}{{"agent", &p.agent}, {"from", &p.from}, {"to", &p.to}} {
		id, err := graph.ParseID(graph.TextField(d, x.name))
		if err != nil {
			return nil, fmt.Errorf("the plan of a rewind cannot be read: %w", err)
		}
		*x.to = id
	}
	texts := func(name string) (out []string) {
		l, _ := graph.Field(d, name).(graph.List)
		for _, x := range l {
			if s, ok := x.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	p.left, p.commands = texts("left"), texts("commands")
	contents, _ := graph.Field(d, "contents").(graph.List)
	for _, x := range contents {
		v, ok := x.(graph.Vector)
		if !ok || len(v) < 3 {
			return nil, errors.New("the plan of a rewind cannot be read")
		}
		f := tool.Restored{}
		f.Path, _ = v[0].(string)
		f.Data, f.Exists = v[1].([]byte)
		f.Was, _ = v[2].(string)
		if len(v) > 3 { // older plans have no mode
			f.Mode, _ = v[3].(int64)
		}
		p.files = append(p.files, f)
	}
	return p, nil
}

func refuse(format string, args ...any) error {
	return &tool.Error{Code: tool.CodeArguments, Message: fmt.Sprintf(format, args...)}
}

// plan finds what is to be done.
func (r *Runner) plan(ctx context.Context, w call.Work) (*plan, error) {
	st := r.Calls.Store
	text, _ := w.Args["node"].(string)
	to, err := graph.ParseID(text)
	if err != nil {
		return nil, refuse("rewind!: %v", err)
	}
	agent, ok, err := session.AgentOf(st, w.ID.Session)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, refuse("rewind!: session %d has no agent, so it has no head", w.ID.Session)
	}
	if _, err := session.At(st, to); err != nil {
		return nil, refuse("rewind!: %v", err)
	}
	if had, err := session.Had(st, agent, to); err != nil || !had {
		if err == nil {
			err = refuse("rewind!: %s was never on the way of session %d", to, w.ID.Session)
		}
		return nil, err
	}
	p := &plan{agent: agent, to: to}
	if p.from, _, err = session.Head(st, agent); err != nil {
		return nil, err
	}
	if inside, err := r.inside(w.ID, agent); err != nil || inside {
		if err == nil {
			err = refuse("rewind!: a turn cannot move the head while it runs")
		}
		return nil, err
	}
	if !w.Operator { // with the head comes its posture, which only a person loosens
		now, err := session.EffectivePolicy(st, p.from)
		if err != nil {
			return nil, err
		}
		then, err := session.EffectivePolicy(st, to)
		if err != nil {
			return nil, err
		}
		if license.Posture(now).Tighter(license.Posture(then)) {
			return nil, refuse("rewind!: the posture there is %s and here it is %s; only a person loosens it: caper rewind --to %s", then, now, to)
		}
	}
	// What runs there ends first: what it has done by then belongs to the plan.
	if err := r.leaveWalk(ctx, p, &w.Context); err != nil {
		return nil, err
	}
	left, entered, err := session.Between(st, p.from, to)
	if err != nil {
		return nil, err
	}
	if files, _ := w.Args["files"].(bool); !files {
		return p, nil
	}
	o := tool.NewOverlay(r.Calls.Blobs)
	for _, u := range left {
		deeds, err := r.deeds(u)
		if err != nil {
			return nil, err
		}
		for _, d := range slices.Backward(deeds) {
			if d.tool == "bash" {
				command, _ := d.args["command"].(string)
				p.commands = append(p.commands, command)
				continue
			}
			o.Undo(d.tool, d.args, d.facts)
		}
	}
	for _, u := range entered {
		deeds, err := r.deeds(u)
		if err != nil {
			return nil, err
		}
		for _, d := range deeds {
			if d.tool != "bash" {
				o.Redo(d.tool, d.args, d.facts)
			}
		}
	}
	p.files, p.left = o.Changes()
	return p, nil
}

// inside reports whether a call hangs below a turn of an agent.
func (r *Runner) inside(id, agent graph.ID) (bool, error) {
	for id.Bag > graph.RootBag {
		up, err := r.Calls.Store.Owner(id.Session, id.Bag)
		if err != nil {
			return false, err
		}
		n, err := r.Calls.Store.Node(up)
		if err != nil {
			return false, err
		}
		if t, ok := n.(*kind.SessionTurn); ok && t.Agent.Refers(agent) {
			return true, nil
		}
		id = up
	}
	return false, nil
}

// deed is one call below a turn that did something to files, or ran a command.
type deed struct {
	tool  string
	args  tool.Args
	facts tool.Facts
	at    uint64 // when it was settled
}

// deeds are those below a turn, at any depth, in the order in which they were settled.
func (r *Runner) deeds(u *session.Unit) ([]deed, error) {
	var out []deed
	bags := []uint64{u.Turn.Bag}
	for len(bags) > 0 {
		bag := bags[len(bags)-1]
		bags = bags[:len(bags)-1]
		for e, err := range r.Calls.Store.Children(u.ID.Session, bag, 0) {
			if err != nil {
				return nil, err
			}
			if bag := kind.OwnBag(e.Node); bag != 0 {
				bags = append(bags, bag)
			}
			n, ok := e.Node.(kind.ToolCall)
			if !ok || e.Outcome == nil {
				continue
			}
			_, mutates := e.Node.(*kind.FileMutateToolJob)
			done := e.Outcome.State == kind.Settled || e.Outcome.State == kind.Happened
			ran := n.Call().Tool == "bash" && (done || e.Outcome.Effect != "none" && e.Outcome.State != kind.Denied)
			if !(mutates && done) && !ran {
				continue
			}
			d := deed{tool: n.Call().Tool, at: e.Outcome.Seq}
			if d.args, d.facts, err = r.Calls.Did(e); err != nil {
				return nil, err
			}
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b deed) int { return int(a.at) - int(b.at) })
	return out, nil
}

// leaveWalk aborts what runs on turns of the agent that are not on the walk to the new head.
func (r *Runner) leaveWalk(ctx context.Context, p *plan, c *call.Context) error {
	st := r.Calls.Store
	if err := r.leaveFlights(ctx, p.agent, p.to, c); err != nil {
		return err
	}
	for id, err := range st.Open(p.agent.Session) {
		if err != nil {
			return err
		}
		n, err := st.Node(id)
		if err != nil {
			return err
		}
		t, ok := n.(*kind.SessionTurn)
		if !ok || !t.Agent.Refers(p.agent) {
			continue
		}
		if on, err := session.Reaches(st, p.to, id); err != nil || on {
			if err != nil {
				return err
			}
			continue
		}
		if _, err := r.Calls.Leave(ctx, id); err != nil {
			return err
		}
		if err := r.Calls.EndStarted(ctx, c, id.Session, t.Bag, "rewind"); err != nil {
			return err
		}
	}
	return nil
}

// moveHead writes the head of a plan, unless it is there already. One that was moved since the plan was made stays.
func (r *Runner) moveHead(p *plan) error {
	r.saying.Lock()
	defer r.saying.Unlock()
	head, move, err := session.Head(r.Calls.Store, p.agent)
	if err != nil || head == p.to {
		return err
	}
	if head != p.from {
		return refuse("rewind!: the head was at %s when this was planned and is at %s now; nothing was moved", p.from, head)
	}
	_, err = r.Calls.Store.Apply(p.agent.Session, store.Mint{ID: move, Node: &kind.HeadMove{Head: *kind.RefTo(p.to), Verb: kind.VerbRewind}})
	return err
}

// restore writes the files of the plan, each by a call of its own.
func (r *Runner) restore(ctx context.Context, w call.Work, p *plan) (rest call.Rest, failed []string, err error) {
	c := w.Context
	if w.Operator { // who gave the command has said yes to what it says
		c.Posture, c.Mode = license.Yolo, license.Act
	}
	for i, f := range p.files {
		id := graph.ID{Session: w.ID.Session, Bag: w.Bag, Ord: uint64(i) + 1}
		if _, err := r.Calls.Store.Node(id); errors.Is(err, store.ErrNotFound) && f.Changed() {
			failed = append(failed, f.Path+": it was changed since by something else")
			continue
		}
		q := call.Request{ID: id, Tool: "delete-file", Positional: []graph.Datum{f.Path}, Place: kind.Place{Fiber: "rewind", Ordinal: uint64(i)},
			Tighten: w.Request.Tighten, Posture: w.Request.Posture}
		if f.Exists {
			q.Tool, q.Positional, q.Mode = "write-file", []graph.Datum{f.Path, f.Data}, f.Mode
			if f.Data == nil {
				q.Positional[1] = ""
			}
		}
		o, rest, err := r.one(ctx, &c, q)
		if err != nil || rest != call.Settled {
			return rest, nil, err
		}
		if o.State != kind.Settled && o.State != kind.Happened {
			why := string(o.State)
			if o.Error != nil {
				why = o.Error.Message
			}
			failed = append(failed, f.Path+": "+why)
		}
	}
	return call.Settled, failed, nil
}

// one makes one call, or goes on with it, and writes how it ended.
func (r *Runner) one(ctx context.Context, c *call.Context, q call.Request) (kind.Outcome, call.Rest, error) {
	var end call.Ending
	e, err := r.Calls.Store.Entry(q.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		end = r.Calls.Begin(ctx, c, q)
	case err != nil:
		return kind.Outcome{}, call.Settled, err
	case e.Outcome != nil:
		return *e.Outcome, call.Settled, nil
	default:
		end = r.Calls.Continue(ctx, c, q, e)
	}
	if end.Release != nil {
		defer end.Release()
	}
	if end.Err != nil || end.Rest != call.Settled {
		return kind.Outcome{}, end.Rest, end.Err
	}
	return end.Outcome, call.Settled, r.Calls.Settle(end)
}
