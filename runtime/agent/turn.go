package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/store"
)

// turn is one turn that runs. One goroutine leads it; calls of a round run in goroutines of their own.
type turn struct {
	scribe
	id       graph.ID
	node     *kind.SessionTurn
	hear     Hear
	context  call.Context
	settings Settings
	tape     *session.Tape
	past     *past
}

// newTurn is a turn with the bounds that it keeps, whoever goes on with it.
func newTurn(r *Runner, id graph.ID, n *kind.SessionTurn, c call.Context) (*turn, error) {
	c.Session, c.Bag = id.Session, n.Bag
	var err error
	if c.Bounds, err = r.Calls.RecallBounds(c.Bounds, n.Bounds); err != nil {
		return nil, fmt.Errorf("%s: %w", id, err)
	}
	if n.Bounds.Plan {
		c.Mode = license.Plan
	}
	return &turn{scribe: scribe{r: r, answers: map[graph.ID]*model.Answer{}, results: map[graph.ID]result{}}, id: id, node: n, context: c}, nil
}

// run does what the tape asks for, until the turn rests. Another may put something on the tape at any moment: what then
// finds its place taken is thought over again.
func (t *turn) run(ctx context.Context) (Result, error) {
	for {
		if ctx.Err() != nil {
			return t.stop(ctx)
		}
		if err := t.look(); err != nil {
			return Result{}, err
		}
		situation, err := t.situation()
		if err != nil {
			return Result{}, err
		}
		step := Next(t.tape, situation)
		t.fault("turn-" + string(step.Act))
		switch step.Act {
		case Join:
			rest, err := t.join(ctx, step.Cell)
			if err != nil {
				return Result{}, err
			}
			if rest != call.Settled && ctx.Err() == nil {
				return Result{ID: t.id, Rest: rest}, t.r.Calls.Store.Flush(t.id.Session)
			}
		case Complete:
			err = t.complete(ctx, step.Cell)
		case Call:
			err = t.call(step.Cell)
		case Nudge:
			err = t.prompt(step.Note, nudgeText[step.Note])
		case Judge:
			err = t.judge(ctx, step.Cell)
		case Compact:
			err = t.compact(ctx, step.Cell)
		case Seal:
			res, sealed, err := t.seal(step)
			if sealed || err != nil {
				return res, err
			}
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrExists) {
			return Result{}, err
		}
	}
}

var nudgeText = map[string]string{
	kind.SourceNudge:           "You said that you would go on. Do so now, with the tools that it takes; or say that you are done.",
	kind.SourceThoughtContinue: "You thought and said nothing. Go on: answer, or use a tool.",
}

// look reads what came to the tape.
func (t *turn) look() (err error) {
	if t.tape != nil {
		return t.tape.Refresh(t.r.Calls.Store, t.id.Session)
	}
	t.tape, err = session.TapeOf(t.r.Calls.Store, t.id)
	return err
}

// situation is what Next must know beside the tape.
func (t *turn) situation() (Situation, error) {
	s := Situation{Judged: t.settings.Judge != "", Folds: t.settings.Window > 0}
	if !s.Folds {
		return s, nil
	}
	size, err := t.size()
	s.Full = size >= t.settings.Window
	return s, err
}

func (t *turn) fault(point string) { t.r.fault(point) }

// prompt puts something said on the tape.
func (t *turn) prompt(source, text string) error {
	v, err := t.r.Calls.Keep(text)
	if err != nil {
		return err
	}
	_, err = t.r.Calls.Store.Apply(t.id.Session, store.Mint{ID: t.tape.Next, Node: &kind.TurnPromptChunk{Source: source, Text: v}})
	return err
}

// modelName is the connection:model that the turn's rounds ask (law S28).
func (t *turn) modelName(ctx context.Context) (string, error) {
	name, err := t.namedModel()
	if err != nil || t.r.Named == nil {
		return name, err
	}
	return t.r.Named(ctx, &t.context, name)
}

func (t *turn) namedModel() (string, error) {
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
	if err == nil && spec.Model == "" && t.r.Default != nil {
		return t.r.Default(), nil
	}
	return spec.Model, err
}

// current is the context of a call made now: posture and mode are those of this moment.
func (t *turn) current() (*call.Context, error) {
	c := t.context
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
	c.Posture = license.Posture(posture)
	if c.Mode = license.ParseMode(settings.Mode); t.context.Mode == license.Plan {
		c.Mode = license.Plan // of the one that called this agent, or asked for this turn
	}
	c.Rules, c.ReadAllow = t.node.Rules, append(settings.ReadAllowlist[:len(settings.ReadAllowlist):len(settings.ReadAllowlist)], t.node.ReadAllow...)
	return &c, nil
}

// seal ends the turn: the reducer has exited. What it has in the background may go on. It does not when something was
// said since the tape was read.
func (t *turn) seal(step Step) (res Result, sealed bool, err error) {
	res = Result{ID: t.id, State: kind.Settled, Why: step.Why}
	for i, cells := len(t.tape.Cells())-1, t.tape.Cells(); i >= 0 && res.Text == ""; i-- {
		if cells[i].Completion != nil && cells[i].Outcome != nil && cells[i].Outcome.State == kind.Settled {
			a, err := t.answer(cells[i])
			if err != nil {
				return res, false, err
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
		return res, false, err
	}
	var changes []store.Change
	if step.Why == "question" {
		changes = append(changes, store.Note{ID: t.id, Fact: kind.Fact{What: kind.FactQuestion, Value: kind.Of(questionLine(res.Text)), At: t.r.Calls.Now()}})
	}
	t.r.saying.Lock()
	defer t.r.saying.Unlock()
	next := t.tape.Next
	if err := t.look(); err != nil || t.tape.Next != next {
		return res, false, err
	}
	o := kind.Outcome{State: res.State, Value: v, Error: res.Error, By: step.Why, Duration: t.r.Calls.Now().Sub(time.UnixMicro(t.node.StartedAt))}
	_, err = t.r.Calls.Store.Apply(t.id.Session, append(changes, store.Settle{ID: t.id, Outcome: o})...)
	return res, true, err
}

// stop is a turn whose context ended: parked as it is, or ended with all that it has open in the foreground.
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
