package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// turn is one turn that runs. One goroutine leads it; calls of a round run in goroutines of their own.
type turn struct {
	r       *Runner
	id      graph.ID
	node    *kind.SessionTurn
	hear    Hear
	context call.Context
	waiting call.Rest
}

func (t *turn) run(ctx context.Context) (Result, error) {
	for {
		if ctx.Err() != nil {
			return t.stop(ctx)
		}
		tape, err := session.TapeOf(t.r.Calls.Store, t.id)
		if err != nil {
			return Result{}, err
		}
		step := Next(tape, Situation{Said: t.r.notes.count(t.id), Judged: !t.r.NoJudge})
		t.fault(string(step.Act))
		switch step.Act {
		case Join:
			rest, err := t.join(ctx, step.Cell)
			if err != nil {
				return Result{}, err
			}
			if rest != call.Settled {
				return Result{ID: t.id, Rest: rest}, t.r.Calls.Store.Flush(t.id.Session)
			}
		case Complete:
			err = t.complete(ctx, tape, step.Cell)
		case Call:
			err = t.call(step.Cell)
		case Take:
			err = t.take()
		case Nudge:
			err = t.prompt(step.Note, nudgeText[step.Note], nil)
		case Judge:
			err = t.judge(ctx, step.Cell)
		case Seal:
			return t.seal(tape, step)
		}
		if err != nil && ctx.Err() == nil {
			return Result{}, err
		}
	}
}

var nudgeText = map[string]string{
	kind.SourceNudge:           "You said that you would go on. Do so now, with the tools that it takes; or say that you are done.",
	kind.SourceThoughtContinue: "You thought and said nothing. Go on: answer, or use a tool.",
}

func (t *turn) fault(point string) {
	if t.r.Calls.Faults != nil {
		t.r.Calls.Faults("turn-" + point)
	}
}

// next is the place of the turn's next child. Only the goroutine that leads the turn mints in its bag, but for the calls
// of a round, whose places are given by the round.
func (t *turn) next() (graph.ID, error) {
	ord, err := t.r.Calls.Store.Next(t.id.Session, t.node.Bag)
	return graph.ID{Session: t.id.Session, Bag: t.node.Bag, Ord: ord}, err
}

// prompt puts something said on the tape.
func (t *turn) prompt(source, text string, from *graph.ID) error {
	id, err := t.next()
	if err != nil {
		return err
	}
	v, err := t.r.Calls.Keep(text)
	if err != nil {
		return err
	}
	n := &kind.TurnPromptChunk{Source: source, Text: v}
	if from != nil {
		n.From = kind.RefTo(*from)
	}
	_, err = t.r.Calls.Store.Apply(id.Session, store.Mint{ID: id, Node: n})
	return err
}

// take puts what was said meanwhile on the tape.
func (t *turn) take() error {
	for _, n := range t.r.notes.take(t.id) {
		if err := t.prompt(n.Source, n.Text, n.From); err != nil {
			return err
		}
	}
	return nil
}

// modelName is the connection:model that the turn's rounds ask (law S28).
func (t *turn) modelName() (string, error) {
	if t.node.Model != "" {
		return t.node.Model, nil
	}
	s, err := session.SettingsOf(t.r.Calls.Store, t.id.Session)
	if err != nil {
		return "", err
	}
	if m := s.Kvs["model"]; m != "" {
		return m, nil
	}
	spec, err := session.Spec(t.r.Calls.Store, t.node.Agent.ID())
	return spec.Model, err
}

// complete asks the model: for a new cell, or for one that an earlier process left without an answer.
func (t *turn) complete(ctx context.Context, tape *session.Tape, cell *session.Cell) error {
	name, err := t.modelName()
	if err != nil {
		return err
	}
	var id graph.ID
	var job *kind.CompletionJob
	if cell != nil {
		id, job = cell.ID, cell.Completion
		name = job.Model
	}
	request, err := t.request()
	if err != nil {
		return err
	}
	if job == nil {
		if why := t.overBudget(); why != "" {
			return t.failCell(tape, name, &kind.Error{Code: "budget", Message: why})
		}
		if id, err = t.next(); err != nil {
			return err
		}
		if job, err = t.mintCompletion(id, &kind.CompletionJob{Tail: t.tailOf(tape), Model: name}, request); err != nil {
			return err
		}
	}
	t.fault("asking")
	answer, err := t.r.ask(ctx, name, request, func(d model.Delta) {
		if t.hear != nil {
			t.hear(t.id, d)
		}
	})
	t.fault("answered")
	if err != nil {
		if ctx.Err() != nil {
			return nil // stop settles what is open, or leaves it for the next life
		}
		return t.settleCompletion(id, job, nil, Receipt{}, errorOf(err))
	}
	micros, known := t.r.Models.Cost(name, answer.Usage)
	if !known {
		micros = -1
	}
	receipt := receiptOf(answer, name, micros)
	if err := t.settleCompletion(id, job, answer, receipt, nil); err != nil {
		return err
	}
	t.fault("recorded")
	return nil
}

// ask asks a connection by its name.
func (r *Runner) ask(ctx context.Context, name string, q model.Request, hear func(model.Delta)) (*model.Answer, error) {
	c, m, err := r.Models.Get(name)
	if err != nil {
		return nil, err
	}
	q.Model = m
	return c.Complete(ctx, q, hear)
}

// tailOf is what the next cell continues: the last cell that is one, or the turn (law S08).
func (t *turn) tailOf(tape *session.Tape) *kind.Ref {
	cells := tape.Cells()
	for i := len(cells) - 1; i >= 0; i-- {
		if cells[i].Completion != nil || cells[i].Compact != nil {
			return kind.RefTo(cells[i].ID)
		}
	}
	return kind.RefTo(t.id)
}

// mintCompletion writes a cell with its obligation: what is to be paid is on record before it is asked for.
func (t *turn) mintCompletion(id graph.ID, job *kind.CompletionJob, q model.Request) (*kind.CompletionJob, error) {
	st := t.r.Calls.Store
	var err error
	if job.Bag, err = st.NewBag(id.Session); err != nil {
		return nil, err
	}
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	digest, err := graph.Digest(string(text))
	if err != nil {
		return nil, err
	}
	_, err = st.Apply(id.Session, store.Mint{ID: id, Node: job, Open: true},
		store.Mint{ID: graph.ID{Session: id.Session, Bag: job.Bag}, Node: &kind.CompletionExpectation{Model: job.Model, Digest: digest[:]}, Open: true})
	return job, err
}

// settleCompletion settles an obligation and its cell together.
func (t *turn) settleCompletion(id graph.ID, job *kind.CompletionJob, a *model.Answer, r Receipt, fail *kind.Error) error {
	pew := graph.ID{Session: id.Session, Bag: job.Bag}
	o, cell := kind.Outcome{State: kind.Failed, By: "model", Error: fail}, kind.Outcome{State: kind.Failed, By: "model", Error: fail}
	if a != nil {
		text, err := json.Marshal(a)
		if err != nil {
			return err
		}
		v, err := t.r.Calls.Keep(string(text))
		if err != nil {
			return err
		}
		o = kind.Outcome{State: kind.Settled, By: "model", Value: v}
		cell = kind.Outcome{State: kind.Settled, By: "model", Value: kind.Of(r.Datum())}
	}
	_, err := t.r.Calls.Store.Apply(id.Session, store.Settle{ID: pew, Outcome: o}, store.Settle{ID: id, Outcome: cell})
	return err
}

// failCell is a round that may not even be asked for: it stands on the tape with its reason.
func (t *turn) failCell(tape *session.Tape, name string, e *kind.Error) error {
	id, err := t.next()
	if err != nil {
		return err
	}
	job, err := t.mintCompletion(id, &kind.CompletionJob{Tail: t.tailOf(tape), Model: name}, model.Request{})
	if err != nil {
		return err
	}
	return t.settleCompletion(id, job, nil, Receipt{}, e)
}

func errorOf(err error) *kind.Error {
	var e *model.Error
	if errors.As(err, &e) {
		return &kind.Error{Code: "model-" + e.Code, Message: e.Message}
	}
	return &kind.Error{Code: "model", Message: err.Error()}
}

// request is what the model is asked.
func (t *turn) request() (model.Request, error) {
	system, messages, err := t.r.transcript(t.id)
	if err != nil {
		return model.Request{}, err
	}
	names, err := session.EffectiveTools(t.r.Calls.Store, t.id)
	if err != nil {
		return model.Request{}, err
	}
	q := model.Request{System: []string{system}, Messages: messages, MaxTokens: t.r.MaxTokens, Session: t.node.Agent.ID().String()}
	for _, name := range names {
		if d, ok := t.r.Calls.Tools.Get(name); ok {
			q.Tools = append(q.Tools, describe(d))
		}
	}
	return q, nil
}

// call gives the calls of an answer their places: a round on the tape.
func (t *turn) call(c *session.Cell) error {
	id, err := t.next()
	if err != nil {
		return err
	}
	n := ReceiptOf(c.Outcome).Calls
	round := &kind.ReACTChunk{Completion: *kind.RefTo(c.ID), First: id.Ord + 1, Count: uint64(n)}
	_, err = t.r.Calls.Store.Apply(id.Session, store.Mint{ID: id, Node: round})
	return err
}

// join makes the calls of a round side by side and waits for those that are in the foreground. Results go back in the
// order of the calls, whatever ends first.
func (t *turn) join(ctx context.Context, c *session.Cell) (call.Rest, error) {
	a, err := t.r.answerAt(c.React.Completion.ID())
	if err != nil {
		return call.Settled, err
	}
	all := uses(a)
	current, err := t.current()
	if err != nil {
		return call.Settled, err
	}
	var wg sync.WaitGroup
	endings := make(chan call.Ending, len(c.Calls))
	for i, one := range c.Calls {
		if one.Released() || i >= len(all) {
			continue
		}
		r := t.toolRequest(one.ID, c, i, all[i])
		wg.Add(1)
		go func() {
			defer wg.Done()
			if one.Entry != nil {
				endings <- t.r.Calls.Continue(ctx, current, r, *one.Entry)
			} else {
				endings <- t.r.Calls.Begin(ctx, current, r)
			}
		}()
	}
	go func() { wg.Wait(); close(endings) }()
	rest := call.Settled
	var failed error
	for e := range endings {
		switch {
		case e.Err != nil:
			failed = errors.Join(failed, e.Err)
		case e.Rest != call.Settled:
			if rest != call.Uncertain {
				rest = e.Rest
			}
		default:
			if err := t.r.Calls.Settle(e); err != nil {
				failed = errors.Join(failed, err)
			}
		}
		if e.Release != nil {
			e.Release()
		}
	}
	return rest, failed
}

// toolRequest is one call of an answer.
func (t *turn) toolRequest(id graph.ID, round *session.Cell, i int, use model.Block) call.Request {
	r := call.Request{ID: id, Tool: toolName(use.Name), Place: kind.Place{Fiber: round.ID.String(), Ordinal: uint64(i)}}
	d, ok := t.r.Calls.Tools.Get(r.Tool)
	if !ok {
		return r // Begin says that there is no such tool, with a hint
	}
	if names, err := session.EffectiveTools(t.r.Calls.Store, t.id); err != nil || !contains(names, r.Tool) {
		r.Invalid = &tool.Error{Code: "unknown-tool", Message: fmt.Sprintf("%s is not among the tools of this agent", r.Tool)}
		return r
	}
	if use.Failed {
		r.Invalid = &tool.Error{Code: tool.CodeArguments, Message: fmt.Sprintf("the arguments of %s are no JSON object: %s", r.Tool, excerpt(use.Text, id, 500))}
		return r
	}
	var err error
	if r.Positional, r.Keywords, err = arguments(d, use.Input); err != nil {
		r.Invalid = err
	}
	return r
}

// current is the context of a call made now: posture and mode are those of this moment.
func (t *turn) current() (*call.Context, error) {
	c := t.context
	c.Bag = t.node.Bag
	st := t.r.Calls.Store
	settings, err := session.SettingsOf(st, t.id.Session)
	if err != nil {
		return nil, err
	}
	posture, err := session.EffectivePolicy(st, t.id)
	if err != nil {
		return nil, err
	}
	if t.node.Unattended != "" {
		posture = session.Posture(t.node.Unattended)
	}
	c.Posture, c.Mode = license.Posture(posture), license.ParseMode(settings.Mode)
	c.Rules, c.ReadAllow = t.node.Rules, append(settings.ReadAllowlist[:len(settings.ReadAllowlist):len(settings.ReadAllowlist)], t.node.ReadAllow...)
	return &c, nil
}

// seal ends the turn: the reducer has exited. What it has in the background may go on.
func (t *turn) seal(tape *session.Tape, step Step) (Result, error) {
	res := Result{ID: t.id, State: kind.Settled, Why: step.Why}
	for i, cells := len(tape.Cells())-1, tape.Cells(); i >= 0 && res.Text == ""; i-- {
		if cells[i].Completion != nil && cells[i].Outcome != nil && cells[i].Outcome.State == kind.Settled {
			a, err := t.r.answer(cells[i])
			if err != nil {
				return Result{}, err
			}
			res.Text = spokenText(a)
		}
	}
	switch step.Why {
	case "failed":
		res.State, res.Error = kind.Failed, step.Cell.Outcome.Error
	case "refused":
		res.State, res.Error = kind.Failed, &kind.Error{Code: "model-refused", Message: "the model refused to answer"}
	case "thoughts":
		res.State, res.Error = kind.Failed, &kind.Error{Code: "model-thoughts", Message: fmt.Sprintf("the model thought %d times in a row and said nothing", maxThoughts)}
	}
	v, err := t.r.Calls.Keep(res.Text)
	if err != nil {
		return Result{}, err
	}
	var changes []store.Change
	if step.Why == "question" {
		changes = append(changes, store.Note{ID: t.id, Fact: kind.Fact{What: kind.FactQuestion, Value: kind.Of(questionLine(res.Text)), At: t.r.Calls.Now()}})
	}
	o := kind.Outcome{State: res.State, Value: v, Error: res.Error, By: step.Why}
	_, err = t.r.Calls.Store.Apply(t.id.Session, append(changes, store.Settle{ID: t.id, Outcome: o})...)
	return res, err
}

// stop is a turn whose context ended: parked as it is, or ended with all that it has open.
func (t *turn) stop(ctx context.Context) (Result, error) {
	if call.Parking(ctx) {
		return Result{ID: t.id, Rest: call.Parked}, t.r.Calls.Store.Flush(t.id.Session)
	}
	e, err := t.r.Calls.Store.Entry(t.id)
	if err != nil {
		return Result{}, err
	}
	c := t.context
	end := t.r.Calls.End(context.WithoutCancel(ctx), &c, e, "program", false)
	if err := t.r.Calls.Close(end); err != nil {
		return Result{}, err
	}
	return Result{ID: t.id, State: kind.Cancelled, Error: end.Outcome.Error, Why: "cancelled"}, t.r.Calls.Store.Flush(t.id.Session)
}
