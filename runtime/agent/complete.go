package agent

import (
	"context"
	"encoding/json"
	"errors"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/store"
)

// complete asks the model: for a new cell, or for one that an earlier process left without an answer. Another answer for
// that one cannot be on record: it would be the cell's.
func (t *turn) complete(ctx context.Context, cell *session.Cell) error {
	id, job := t.tape.Next, &kind.CompletionJob{Tail: t.tail()}
	if cell != nil {
		id, job = cell.ID, cell.Completion
	} else {
		var err error
		if job.Model, err = t.modelName(ctx); err != nil {
			return err
		}
	}
	request, err := t.request(cell)
	if err != nil {
		return err
	}
	hold, refused, err := t.r.Permit(ctx, id, job.Model, &request)
	if ctx.Err() != nil {
		hold.Release()
		return nil // nothing was asked yet: it is asked in the next life, or never
	}
	if err != nil {
		return err
	}
	defer hold.Release()
	if cell == nil {
		if err := t.r.MintCompletion(id, job, request, ""); err != nil {
			return err
		}
	}
	if refused != nil { // a round that may not even be asked for stands on the tape with its reason
		return t.r.SettleCompletion(id, job, nil, Receipt{}, refused)
	}
	return t.pay(ctx, id, job, request)
}

// pay asks and records what was answered.
func (t *turn) pay(ctx context.Context, id graph.ID, job *kind.CompletionJob, q model.Request) error {
	t.fault("turn-asking")
	answer, err := t.r.ask(ctx, job.Model, q, func(d model.Delta) {
		t.fault("turn-heard")
		if t.hear != nil {
			t.hear(t.id, d)
		}
	})
	t.fault("turn-answered")
	if err != nil {
		if ctx.Err() != nil {
			return nil // stop settles what is open, or leaves it for the next life
		}
		return t.r.SettleCompletion(id, job, nil, Receipt{}, errorOf(err))
	}
	receipt := t.r.receipt(job.Model, answer)
	if n := receipt.Calls; n > mostCalls {
		receipt.Calls = 0
		return t.r.SettleCompletion(id, job, nil, receipt, tooManyCalls(n))
	}
	if err := t.r.SettleCompletion(id, job, answer, receipt, nil); err != nil {
		return err
	}
	t.fault("turn-recorded")
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

// receipt is what the tape keeps of an answer, with its price.
func (r *Runner) receipt(name string, a *model.Answer) Receipt {
	micros, known := r.Models.Cost(name, a.Usage)
	if !known {
		micros = -1
	}
	return receiptOf(a, name, micros)
}

// tail is what the next cell continues: the last cell that is one, or the turn (law S08).
func (t *turn) tail() *kind.Ref {
	cells := t.tape.Cells()
	for i := len(cells) - 1; i >= 0; i-- {
		if cells[i].Completion != nil || cells[i].Compact != nil {
			return kind.RefTo(cells[i].ID)
		}
	}
	return kind.RefTo(t.id)
}

// MintCompletion writes a cell with its obligation: what is to be paid is on record before it is asked for. judge is what
// the obligation judges, "" for a completion.
func (r *Runner) MintCompletion(id graph.ID, job *kind.CompletionJob, q model.Request, judge string) error {
	st := r.Calls.Store
	var err error
	if job.Bag, err = st.NewBag(id.Session); err != nil {
		return err
	}
	var pew kind.Node
	if judge != "" {
		pew = &kind.JudgeExpectation{Model: job.Model, Why: judge}
	} else {
		text, err := json.Marshal(q)
		if err != nil {
			return err
		}
		digest, err := graph.Digest(string(text))
		if err != nil {
			return err
		}
		pew = &kind.CompletionExpectation{Model: job.Model, Digest: digest[:]}
	}
	_, err = st.Apply(id.Session, store.Mint{ID: id, Node: job, Open: true},
		store.Mint{ID: graph.ID{Session: id.Session, Bag: job.Bag}, Node: pew, Open: true})
	return err
}

// SettleCompletion settles an obligation and its cell together, and charges what it cost to all around it. The answer is
// kept once, with the obligation. extra goes into the same transaction.
func (r *Runner) SettleCompletion(id graph.ID, job *kind.CompletionJob, a *model.Answer, receipt Receipt, fail *kind.Error, extra ...store.Change) error {
	changes, err := r.settlement(id, job, a, receipt, fail)
	if err != nil {
		return err
	}
	return r.paid(id, receipt, append(changes, extra...))
}

// settlement ends an obligation and its cell: with an answer, which is kept once, or with why there is none.
func (r *Runner) settlement(id graph.ID, job *kind.CompletionJob, a *model.Answer, receipt Receipt, fail *kind.Error) ([]store.Change, error) {
	o, cell := kind.Outcome{State: kind.Failed, By: "model", Error: fail}, kind.Outcome{State: kind.Failed, By: "model", Error: fail}
	if a != nil {
		text, err := json.Marshal(a)
		if err != nil {
			return nil, err
		}
		v, err := r.Calls.Keep(string(text))
		if err != nil {
			return nil, err
		}
		o = kind.Outcome{State: kind.Settled, By: "model", Value: v}
		cell = kind.Outcome{State: kind.Settled, By: "model"}
	}
	if a != nil || receipt != (Receipt{}) { // what was paid is paid
		cell.Value = kind.Of(receipt.Datum())
	}
	return settles(id, job, o, cell), nil
}

func settles(id graph.ID, job *kind.CompletionJob, pew, cell kind.Outcome) []store.Change {
	return []store.Change{store.Settle{ID: graph.ID{Session: id.Session, Bag: job.Bag}, Outcome: pew}, store.Settle{ID: id, Outcome: cell}}
}

// Recorded writes a completion that another than we asked for, after it came: cell, obligation and what it cost in one
// transaction. One that failed has no answer.
func (r *Runner) Recorded(id graph.ID, job *kind.CompletionJob, a *model.Answer, receipt Receipt, fail *kind.Error) error {
	st := r.Calls.Store
	var err error
	if job.Bag, err = st.NewBag(id.Session); err != nil {
		return err
	}
	ends, err := r.settlement(id, job, a, receipt, fail)
	if err != nil {
		return err
	}
	pew := graph.ID{Session: id.Session, Bag: job.Bag}
	return r.paid(id, receipt, append([]store.Change{store.Mint{ID: id, Node: job}, store.Mint{ID: pew, Node: &kind.CompletionExpectation{Model: job.Model}}}, ends...))
}

// Answered is the answer that a completion has on record.
func (r *Runner) Answered(id graph.ID, job *kind.CompletionJob) (*model.Answer, error) {
	return (&scribe{r: r}).answerIn(id, job.Bag)
}

// paid writes the end of a completion, and charges what it cost to all around it.
func (r *Runner) paid(id graph.ID, receipt Receipt, changes []store.Change) error {
	if _, err := r.Calls.Store.Apply(id.Session, changes...); err != nil {
		return err
	}
	return r.charge(id, receipt)
}

func errorOf(err error) *kind.Error {
	var e *model.Error
	if errors.As(err, &e) {
		return &kind.Error{Code: "model-" + e.Code, Message: e.Message}
	}
	return &kind.Error{Code: "model", Message: err.Error()}
}

// request is what the model is asked: for a new cell, or for one on the tape, which was asked before what came after it.
func (t *turn) request(cell *session.Cell) (model.Request, error) {
	system, messages, err := t.transcript(cell)
	if err != nil {
		return model.Request{}, err
	}
	names, err := session.EffectiveTools(t.r.Calls.Store, t.id)
	if err != nil {
		return model.Request{}, err
	}
	q := model.Request{System: []string{system}, Messages: messages, MaxTokens: t.r.MaxTokens, Session: t.node.Agent.ID().String()}
	set := t.r.Calls.ToolsOf(t.id.Session)
	for _, name := range names {
		if d, ok := set.Get(name); ok {
			q.Tools = append(q.Tools, describe(d))
		}
	}
	return q, nil
}
