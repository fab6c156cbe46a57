package call

import (
	"context"
	"errors"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/store"
)

// Judge decides, under the posture auto, what no rule speaks about. It is never asked what the license denies, and what it
// says binds one call as it was shown.
type Judge interface {
	// Name is the connection:model that judges, "" where there is none now.
	Name() string
	// Judge answers allow, deny or ask. receipt goes on record.
	Judge(ctx context.Context, j Judgement) (verdict string, receipt graph.Datum, err error)
}

// Judgement is what a judge is asked.
type Judgement struct {
	ID    graph.ID // of the call
	Place graph.ID // of the obligation
	Call  graph.Datum
}

const (
	// judgeTime is how long a judge may take.
	judgeTime = 30 * time.Second
	// maxJudgements bounds how often one call is judged because what it would touch changes meanwhile.
	maxJudgements = 3
)

// hasJudge reports whether there is somebody to decide.
func (s *Service) hasJudge() bool { return s.Judge != nil && s.Judge.Name() != "" }

// judge lets the judge decide. Its obligation is the one PEW that a call has (law S19). A judge that is absent, slow or
// failing, or says something unclear, means ask.
func (l *life) judge(ctx context.Context) Ending {
	if l.judgements++; l.judgements > maxJudgements {
		return l.afterJudge(ctx, "", errors.New("what the call would touch changes all the time"))
	}
	shown := l.digest()
	place, err := l.obligation()
	if err != nil {
		return l.broken(err)
	}
	if place == nil {
		return l.afterJudge(ctx, "", errors.New("the call was made before there was a judge"))
	}
	l.s.fault("judging")
	limit := l.s.JudgeTime
	if limit == 0 {
		limit = judgeTime
	}
	asked, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	verdict, receipt, err := l.s.Judge.Judge(asked, Judgement{ID: l.r.ID, Place: *place, Call: l.described()})
	l.s.fault("judge-answered")
	if Parking(ctx) {
		return l.parkedHere() // it is asked again in the next life
	}
	if err == nil && asked.Err() != nil {
		err = asked.Err() // its answer came too late
	}
	said := graph.List{}
	if err == nil {
		said = append(said, graph.Pair("verdict", graph.Symbol(verdict)))
	}
	if receipt != nil {
		said = append(said, graph.Pair("receipt", receipt))
	}
	o := kind.Outcome{State: kind.Settled, By: "judge"}
	switch {
	case ctx.Err() != nil:
		o = kind.Outcome{State: kind.Cancelled, By: "program", Effect: "none"}
	case errors.Is(err, context.DeadlineExceeded):
		err = errors.New("it took longer than " + limit.String())
		fallthrough
	case err != nil:
		o = kind.Outcome{State: kind.Failed, By: "judge", Error: &kind.Error{Code: "judge", Message: err.Error()}}
	}
	if len(said) > 0 { // what an answer without a verdict cost was spent, too
		o.Value = kind.Of(said)
	}
	if _, err := l.s.Store.Apply(l.r.ID.Session, store.Settle{ID: *place, Outcome: o}); err != nil && !errors.Is(err, store.ErrSettled) {
		return l.broken(err)
	}
	if ctx.Err() != nil {
		return l.failed(ctx, ctx.Err())
	}
	if err == nil && verdict == string(license.Allow) {
		l.judgedYes = shown
	}
	return l.afterJudge(ctx, verdict, err)
}

// afterJudge goes where the judge's answer leads. A yes holds for exactly what was judged.
func (l *life) afterJudge(ctx context.Context, verdict string, err error) Ending {
	l.decided = license.AfterJudge(l.decided, verdict, err)
	d := graph.List{graph.Pair("verdict", graph.Symbol(l.decided.Verdict)), graph.Pair("rule", l.decided.Rule), graph.Pair("reason", l.decided.Reason)}
	if l.minted {
		if _, err := l.s.Store.Apply(l.r.ID.Session, store.Note{ID: l.r.ID, Fact: l.fact(kind.FactRedecided, d, "judge")}); err != nil {
			return l.broken(err)
		}
	}
	switch l.decided.Verdict {
	case license.Allow: // to what was judged; the world and the policy may have moved meanwhile
		if err := l.decide(ctx); err != nil {
			return l.failed(ctx, err)
		}
		if !l.allowed() {
			return l.judged(ctx)
		}
		return l.start(ctx)
	case license.Deny:
		return l.denied("judge")
	}
	return l.judged(ctx)
}

// obligation is the place of the judge's obligation: the call's node is made with a bag for it. One that an earlier process
// left open is taken up. A call that was made without a bag has no place for it.
func (l *life) obligation() (*graph.ID, error) {
	if l.minted && l.bag == 0 {
		return nil, nil
	}
	var changes []store.Change
	if !l.minted {
		if _, err := l.ownBag(); err != nil {
			return nil, err
		}
		node, err := l.node(nil)
		if err != nil {
			return nil, err
		}
		changes = append(changes, store.Mint{ID: l.r.ID, Node: node})
	}
	place := graph.ID{Session: l.r.ID.Session, Bag: l.bag}
	if l.minted {
		for e, err := range l.s.Store.Children(place.Session, place.Bag, 0) {
			if err != nil {
				return nil, err
			}
			if _, ok := e.Node.(*kind.JudgeExpectation); ok && e.Outcome == nil {
				return &e.ID, nil
			}
			place.Ord = e.ID.Ord + 1
		}
	}
	changes = append(changes, store.Mint{ID: place, Node: &kind.JudgeExpectation{Model: l.s.Judge.Name(), Why: "policy"}, Open: true})
	if _, err := l.s.Store.Apply(place.Session, changes...); err != nil {
		return nil, err
	}
	l.minted = true
	return &place, nil
}
