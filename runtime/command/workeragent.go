package command

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"caper/runtime/agent"
	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/session"
	"caper/runtime/worker"
	"caper/runtime/worker/driver"
)

// ourselves drives our own agent, in this process: each thread is a session of the store.
type ourselves struct{ v *verb }

type ourAgent struct {
	s     *assembly.System
	c     call.Context
	id    graph.ID
	spec  driver.Spec
	hooks driver.Hooks

	mu   sync.Mutex
	stop context.CancelCauseFunc // of the turn that runs
}

// Start implements driver.Driver.
func (o ourselves) Start(_ context.Context, spec driver.Spec, h driver.Hooks) (driver.Agent, error) {
	s, err := o.v.system()
	if err != nil {
		return nil, err
	}
	folder, err := filepath.EvalSymlinks(spec.WorkFolder)
	if err != nil {
		return nil, err
	}
	c, err := o.v.context(folder)
	if err != nil {
		return nil, err
	}
	// What asks waits in the queue, as with caper serve: caper approvals lists it.
	c.Answerability, c.Terminal = license.Queue, nil
	if o.v.unattended {
		c.Answerability = license.None
	}
	if spec.Autonomous {
		c.Posture = license.Yolo
	} else if c.Posture == license.Yolo {
		c.Posture = license.Manual // the thread wants to be asked
	}
	a := &ourAgent{s: s, spec: spec, hooks: h}
	if spec.SessionID == "" {
		a.id, err = s.NewConversation(&c, "")
	} else {
		a.id, err = o.v.conversation(s, spec.SessionID, &c)
	}
	if err != nil {
		return nil, err
	}
	c.Bounds.Posture = c.Posture // also where the session, or the turn that goes on, began with more
	a.c = c
	h.Session(strconv.FormatUint(c.Session, 10))
	return a, nil
}

// told is the place of the turns that are told what a thread says: its number is that of the prompt.
const told = "thread"

// turn is the turn of a prompt: that of an earlier process which was told it, or a new one.
func (a *ourAgent) turn(number uint64, prompt string) (graph.ID, error) {
	head, _, err := session.Head(a.s.Store, a.id)
	if err != nil {
		return head, err
	}
	for u, err := range session.Walk(a.s.Store, head) {
		if err != nil {
			return head, err
		}
		if u.Turn == nil || u.Turn.Parent.Fiber != told {
			continue
		}
		if u.Turn.Parent.Ordinal == number {
			return u.ID, nil
		}
		break
	}
	return a.s.Agents.Mint(agent.Ask{Agent: a.id, Prompt: prompt, Model: a.spec.Model, Context: a.c, Place: kind.Place{Fiber: told, Ordinal: number}})
}

// Turn implements driver.Agent.
func (a *ourAgent) Turn(ctx context.Context, number uint64, prompt string) (driver.End, error) {
	began := time.Now()
	tctx, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() {
		if errors.Is(context.Cause(ctx), worker.ErrStopped) {
			stop(call.ErrParking)
		} else {
			stop(context.Cause(ctx))
		}
	})()
	a.mu.Lock()
	a.stop = stop
	a.mu.Unlock()
	turn, err := a.turn(number, prompt)
	if err != nil {
		return driver.End{}, err
	}
	res, err := a.s.Agents.Run(tctx, turn, a.c, nil)
	for asked := false; err == nil && res.Rest != call.Settled && ctx.Err() == nil; {
		if !asked {
			asked = true
			a.hooks.Event(driver.Event{Kind: driver.Status, Text: "waiting_for_approval"})
		}
		if err = a.answered(ctx, turn); err == nil {
			res, err = a.s.Agents.Run(tctx, turn, a.c, nil)
		}
	}
	if ctx.Err() != nil {
		return driver.End{}, context.Cause(ctx)
	}
	if err != nil {
		return driver.End{}, err
	}
	if err := a.tell(turn); err != nil {
		return driver.End{}, err
	}
	end := driver.End{Duration: time.Since(began), Interrupted: res.State == kind.Cancelled}
	if res.State != kind.Settled && !end.Interrupted {
		why := "it did not say why"
		if res.Error != nil {
			why = res.Error.Message
		}
		return end, &driver.Error{Code: driver.CodeCrashed, Message: "the turn failed: " + why}
	}
	return end, nil
}

// answered waits until nothing of a turn waits for a person any more.
func (a *ourAgent) answered(ctx context.Context, turn graph.ID) error {
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for {
		waits := false
		for id, err := range a.s.Store.Waiting() {
			if err != nil {
				return err
			}
			below, err := a.s.Calls.Below(id, turn)
			if err != nil {
				return err
			}
			waits = waits || below
		}
		if !waits {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// tell reports what a turn did, from its tape.
func (a *ourAgent) tell(turn graph.ID) error {
	units, err := a.s.Agents.Paint(a.id, 1)
	if err != nil {
		return err
	}
	for _, u := range units {
		if u.Unit.ID != turn {
			continue
		}
		for _, cell := range u.Cells {
			if cell.Kind == "answer" {
				a.hooks.Event(driver.Event{Kind: driver.Text, Text: cell.Text})
			}
			for _, c := range cell.Calls {
				if err := a.tellCall(c.ID, c.Entry); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (a *ourAgent) tellCall(id graph.ID, e *kind.Entry) error {
	if e == nil {
		return nil
	}
	node, ok := e.Node.(interface{ Call() *kind.ToolCallJob })
	if !ok {
		return nil
	}
	args, err := a.s.Calls.Fetch(node.Call().Args)
	if err != nil {
		return err
	}
	input, err := json.Marshal(map[string]string{"arguments": graph.Write(args)})
	if err != nil {
		return err
	}
	a.hooks.Event(driver.Event{Kind: driver.ToolCall, Tool: node.Call().Tool, InvocationID: id.String(), Input: input})
	if e.Outcome == nil {
		return nil
	}
	text := ""
	if e.Outcome.Error != nil {
		text = e.Outcome.Error.Message
	} else if value, err := a.s.Calls.Fetch(e.Outcome.Value); err != nil {
		return err
	} else if s, ok := value.(string); ok {
		text = s
	} else {
		text = graph.Write(value)
	}
	a.hooks.Event(driver.Event{Kind: driver.ToolResult, InvocationID: id.String(), Text: text, Failed: e.Outcome.State != kind.Settled})
	return nil
}

// Steer implements driver.Agent.
func (a *ourAgent) Steer(text string) error {
	_, _, err := a.s.Agents.Steer(a.id, text)
	return err
}

// Interrupt implements driver.Agent.
func (a *ourAgent) Interrupt() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stop != nil {
		a.stop(context.Canceled)
	}
	return nil
}

// Close implements driver.Agent. A turn of it that runs ended with its context.
func (a *ourAgent) Close() error { return nil }
