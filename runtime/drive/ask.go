package drive

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
	"caper/runtime/tool"
	"caper/runtime/worker/driver"
)

// grant is a call below: what the client asked for. It runs while the client does what it may, and ends with what came of it.
type grant struct {
	id      graph.ID
	name    string // for a person
	allowed chan struct{}
	ended   chan struct{}
	result  chan driver.Event
	cancel  context.CancelCauseFunc
	outcome kind.Outcome // once it has ended
	rest    call.Rest
}

// wait answers whether the client may do it: when the call runs, or has ended before.
func (g *grant) wait(void context.Context, d *drive) bool {
	select {
	case <-g.allowed:
		return true
	case <-g.ended:
	case <-void.Done(): // the question was taken back
		if !call.Parking(d.ctx) {
			g.cancel(context.Canceled)
		}
		<-g.ended
	}
	select {
	case <-g.allowed:
		return g.outcome.State == kind.Settled
	default:
		return false
	}
}

// run makes a call below, or goes on with one that an earlier process left.
func (d *drive) run(r call.Request, e *store.Entry) *grant {
	g := &grant{id: r.ID, name: r.Tool, allowed: make(chan struct{}), ended: make(chan struct{}), result: make(chan driver.Event, 1)}
	for _, x := range r.Positional {
		if s, ok := x.(string); ok {
			g.name += " " + brief(s)
			break
		}
	}
	ctx, cancel := context.WithCancelCause(d.ctx)
	g.cancel = cancel
	r.Own = &call.Own{Tool: tools[r.Tool], Alone: true, Run: func(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) { return d.granted(ctx, g, w) }}
	r.Place = kind.Place{Fiber: d.w.ID.String(), Ordinal: r.ID.Ord}
	c := d.inside
	d.waiting.Go(func() {
		defer close(g.ended)
		defer cancel(nil)
		var end call.Ending
		if e == nil {
			end = d.calls.Begin(ctx, &c, r)
		} else {
			end = d.calls.Continue(ctx, &c, r, *e)
		}
		if end.Release != nil {
			defer end.Release()
		}
		g.outcome, g.rest = end.Outcome, end.Rest
		err := end.Err
		if err == nil && end.Rest == call.Settled {
			err = d.calls.Settle(end)
		}
		if err != nil {
			d.fail(err)
		}
	})
	return g
}

// granted is the body of a call below: the client does it, and says what came of it.
func (d *drive) granted(ctx context.Context, g *grant, w call.Work) (tool.Result, call.Rest, error) {
	lost := func(why string) error {
		return &tool.Error{Code: "lost", Message: g.name + ": " + why + "; whether it was done is not known", Partial: true}
	}
	if w.Again {
		e, err := d.calls.Store.Entry(w.ID)
		if err != nil {
			return tool.Result{}, "", err
		}
		if e.Newest(kind.FactClient) != nil {
			return tool.Result{}, "", lost(d.client + " was about it when its process ended")
		}
	}
	close(g.allowed)
	var e driver.Event
	select {
	case e = <-g.result:
	case <-ctx.Done():
		return tool.Result{}, "", ctx.Err()
	case <-d.over:
		select {
		case e = <-g.result:
		default:
			return tool.Result{}, "", lost(d.client + " did not say what came of it")
		}
	}
	if e.Failed {
		return tool.Result{}, "", &tool.Error{Code: "failed", Message: g.name + ": " + brief(e.Text), Partial: true}
	}
	return tool.Result{Value: e.Text}, "", nil
}

// recall takes up the questions that an earlier process left open. What a person has allowed meanwhile waits until the
// client asks for it again; told is what the client is told of the others. One that still waits lets all wait.
func (d *drive) recall() (told []string, err error) {
	if !d.w.Again {
		return nil, nil
	}
	for e, err := range d.calls.Store.Children(d.w.ID.Session, d.w.Bag, 0) {
		if err != nil {
			return nil, err
		}
		n, ok := e.Node.(kind.ToolCall)
		if !ok || e.Outcome != nil {
			continue
		}
		r, err := d.calls.RequestOf(e)
		if err != nil {
			return nil, err
		}
		if tools[r.Tool] == nil {
			return nil, fmt.Errorf("%s is a call of %s, which no client asks for", e.ID, r.Tool)
		}
		g := d.run(r, &e)
		key := string(n.Call().Digest)
		if g.wait(d.ctx, d) {
			d.grants[key] = append(d.grants[key], g)
			told = append(told, g.name+" is allowed now: ask for it again, exactly so")
			continue
		}
		if g.rest != call.Settled {
			d.rest = g.rest
			continue
		}
		if why := g.outcome.Error; why != nil {
			told = append(told, why.Message)
			if g.outcome.State == kind.Denied {
				d.refused[key] = why.Message
			}
		}
	}
	if d.rest != call.Settled {
		d.stop(call.ErrParking) // what was allowed waits with the others
	}
	return told, nil
}

// ask is the answer to a question of the client: it may if every call that it stands for may.
func (d *drive) ask(void context.Context, q driver.Question) driver.Answer {
	defer d.clock.Pause()()
	all, err := requests(q)
	if err != nil {
		return driver.Answer{Message: err.Error()}
	}
	var mine []*grant
	for _, r := range all {
		key := string(call.RequestDigest(r, tools[r.Tool]))
		if why, no := d.refused[key]; no {
			return d.refuse(mine, why)
		}
		g := d.claim(key)
		if g == nil {
			r.ID = d.place()
			g = d.run(r, nil)
		}
		mine = append(mine, g)
		if g.wait(void, d) {
			continue
		}
		if g.rest != call.Settled {
			d.park(g.rest)
			<-void.Done() // it gets no answer: it is ended, and goes on when there is one
			return driver.Answer{}
		}
		why := "it was not allowed"
		if e := g.outcome.Error; e != nil {
			why = e.Message
		}
		return d.refuse(mine, why)
	}
	d.mu.Lock()
	d.results[q.InvocationID] = append(d.results[q.InvocationID], mine...)
	d.mu.Unlock()
	for _, g := range mine { // before the client is told: from then on it may be about it
		if err := d.note(g.id, true); err != nil {
			d.fail(err)
			<-void.Done()
			return driver.Answer{}
		}
	}
	return driver.Answer{Allow: true}
}

// refuse says no to a question of which parts were allowed: nothing of it is done.
func (d *drive) refuse(parts []*grant, why string) driver.Answer {
	for _, g := range parts {
		g.cancel(context.Canceled)
	}
	return driver.Answer{Message: why}
}

// claim takes a grant that was given before the client asked again.
func (d *drive) claim(key string) *grant {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.grants[key]
	if len(all) == 0 {
		return nil
	}
	d.grants[key] = all[1:]
	return all[0]
}

// Used is the body of client-tool: a program has no client.
func Used(context.Context, call.Work) (tool.Result, call.Rest, error) {
	return tool.Result{}, "", &tool.Error{Code: "unavailable", Message: "client-tool: only a client that drive-agent runs uses its tools"}
}

var errQuestion = errors.New("what you ask for cannot be read")

// brief is the beginning of a text, on one line.
func brief(s string) string {
	r := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(s[:min(len(s), 1000)], "�")), " "))
	if len(r) > 200 {
		return string(r[:199]) + "…"
	}
	return string(r)
}
