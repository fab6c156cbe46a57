package agent

import (
	"context"
	"fmt"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/tool"
)

// This file defines what calls of tools do with models and agents: their bodies are handed to the calls by the assembly.
// All that they make hangs in the bag of the call, so that a later process goes on from there.

// Completion asks a model once. The cell and its obligation are the call's; an answer on record is not paid again.
func (r *Runner) Completion(ctx context.Context, w call.Work, name string, q model.Request) (*model.Answer, error) {
	id := graph.ID{Session: w.ID.Session, Bag: w.Bag}
	job := &kind.CompletionJob{Model: name, Why: "complete", Place: w.Request.Place}
	e, begun, err := r.first(w)
	if err != nil {
		return nil, err
	}
	if begun {
		old, ok := e.Node.(*kind.CompletionJob)
		switch {
		case !ok:
			return nil, fmt.Errorf("%s is a %s, not a CompletionJob", e.ID, e.Node.Kind().Name())
		case e.Outcome == nil:
			job = old
		case e.Outcome.State == kind.Settled:
			return (&scribe{r: r}).answerIn(id, old.Bag)
		default:
			return nil, refusal(e.Outcome.Error, "the model")
		}
	}
	hold, refused, err := r.Permit(ctx, id, job.Model, &q)
	if err != nil {
		return nil, err
	}
	defer hold.Release()
	if !begun {
		if err := r.MintCompletion(id, job, q, ""); err != nil {
			return nil, err
		}
	}
	if refused != nil {
		if err := r.SettleCompletion(id, job, nil, Receipt{}, refused); err != nil {
			return nil, err
		}
		return nil, refusal(refused, "the model")
	}
	r.fault("complete-asking")
	answer, err := r.ask(ctx, job.Model, q, nil)
	r.fault("complete-answered")
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		fail := errorOf(err)
		if err := r.SettleCompletion(id, job, nil, Receipt{}, fail); err != nil {
			return nil, err
		}
		return nil, refusal(fail, "the model")
	}
	err = r.SettleCompletion(id, job, answer, r.receipt(job.Model, answer), nil)
	r.fault("complete-recorded")
	return answer, err
}

func (r *Runner) fault(point string) {
	if r.Calls.Faults != nil {
		r.Calls.Faults(point)
	}
}

// first is the first child of a call, and whether an earlier process made it.
func (r *Runner) first(w call.Work) (e kind.Entry, begun bool, err error) {
	if !w.Again {
		return e, false, nil
	}
	next, err := r.Calls.Store.Next(w.ID.Session, w.Bag)
	if err != nil || next == 0 {
		return e, false, err
	}
	e, err = r.Calls.Store.Entry(graph.ID{Session: w.ID.Session, Bag: w.Bag})
	return e, true, err
}

func refusal(e *kind.Error, who string) *tool.Error {
	if e == nil {
		return &tool.Error{Code: "failed", Message: who + " gave no answer"}
	}
	return &tool.Error{Code: e.Code, Message: e.Message}
}

// Child is another agent that a call makes, or goes on with.
type Child struct {
	Spec   kind.Spec
	Agent  *graph.ID // one that is there already, nil for a new one of Spec
	Prompt string
	Model  string
	Tools  []string // all that it may use
}

// Lead leads another agent for a call: its own genesis, the snapshot of its recipe, an environment of its own. It has
// nothing of the caller's conversation, and its rights end where the caller's do (law S05).
func (r *Runner) Lead(ctx context.Context, w call.Work, c Child) (Result, error) {
	own := w.Context
	own.Bounds.Posture = call.Tighter(own.Bounds.Posture, own.Posture)
	id, err := r.childOf(&w, &own, c)
	if err != nil {
		return Result{}, err
	}
	turn, begun, err := r.turnOf(id, w)
	if err != nil {
		return Result{}, err
	}
	if !begun {
		turn, err = r.Mint(Ask{Agent: id, Prompt: c.Prompt, Policy: string(own.Bounds.Posture), Model: c.Model, Tools: c.Tools, Context: own,
			Place: kind.Place{Fiber: w.ID.String()}})
		if err != nil {
			return Result{}, err
		}
	}
	return r.Run(ctx, turn, own, nil)
}

// childOf is the agent of a call, made now if there is none.
func (r *Runner) childOf(w *call.Work, c *call.Context, child Child) (graph.ID, error) {
	if child.Agent != nil {
		return *child.Agent, nil
	}
	if w.Again {
		if id, found, err := session.Called(r.Calls.Store, w.ID.Session, w.Bag); found || err != nil {
			return id, err
		}
	}
	parent, _, err := r.Caller(w.ID)
	if err != nil {
		return graph.ID{}, err
	}
	back, err := r.admit(w.ID)
	if err != nil {
		return graph.ID{}, err
	}
	id, err := r.Begin(w.Bag, c, child.Spec, parent, "")
	if err != nil {
		back()
	}
	return id, err
}

// Caller is the agent in whose turn a job is, and that turn; nil for a job of a program alone.
func (r *Runner) Caller(id graph.ID) (agent, turn *graph.ID, err error) {
	for id.Bag != graph.RootBag {
		if id, err = r.Calls.Store.Owner(id.Session, id.Bag); err != nil {
			return nil, nil, err
		}
		n, err := r.Calls.Store.Node(id)
		if err != nil {
			return nil, nil, err
		}
		if t, ok := n.(*kind.SessionTurn); ok {
			a := t.Agent.ID()
			return &a, &id, nil
		}
	}
	return nil, nil, nil
}

// turnOf finds the turn that an earlier process made for a call: such a turn names it.
func (r *Runner) turnOf(agent graph.ID, w call.Work) (id graph.ID, found bool, err error) {
	if !w.Again {
		return id, false, nil
	}
	head, _, err := session.Head(r.Calls.Store, agent)
	if err != nil {
		return id, false, err
	}
	for u, err := range session.Walk(r.Calls.Store, head) {
		if err != nil {
			return id, false, err
		}
		if u.Turn != nil && u.Turn.Parent.Fiber == w.ID.String() {
			return u.ID, true, nil
		}
	}
	return id, false, nil
}

// TurnFor makes a turn of an agent for a call of a program, or goes on with it.
func (r *Runner) TurnFor(ctx context.Context, w call.Work, agent graph.ID, prompt, modelName string) (Result, error) {
	c := w.Context
	c.Bounds.Posture = call.Tighter(c.Bounds.Posture, c.Posture)
	turn, begun, err := r.turnOf(agent, w)
	if err != nil {
		return Result{}, err
	}
	if !begun {
		head, _, err := session.Head(r.Calls.Store, agent)
		if err != nil {
			return Result{}, err
		}
		if u, err := session.At(r.Calls.Store, head); err != nil || u.Turn != nil && !u.Closed() {
			if err == nil {
				err = &tool.Error{Code: "busy", Message: fmt.Sprintf("the turn %s of the agent has not ended: the next one cannot begin", head)}
			}
			return Result{}, err
		}
		if turn, err = r.Mint(Ask{Agent: agent, Prompt: prompt, Model: modelName, Context: c, Place: kind.Place{Fiber: w.ID.String()}}); err != nil {
			return Result{}, err
		}
	}
	return r.Run(ctx, turn, c, nil)
}

// Given is how the call ends that another agent answered.
func (r Result) Given(voidLegal bool) (tool.Result, call.Rest, error) {
	switch {
	case r.Rest != call.Settled:
		return tool.Result{}, r.Rest, nil
	case r.State != kind.Settled:
		return tool.Result{}, call.Settled, refusal(r.Error, "the agent")
	case r.Text == "" && !voidLegal:
		return tool.Result{}, call.Settled, &tool.Error{Code: "no-answer", Message: "the agent ended without an answer"}
	}
	return tool.Result{Value: r.Text}, call.Settled, nil
}
