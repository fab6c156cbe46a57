package call

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// Causes of the end of a context that leave calls where they are, for another process to go on with.
var (
	// ErrParking ends what runs: it is recovered later.
	ErrParking = errors.New("parking")
	// ErrHandover lets effects that have begun come to their end first.
	ErrHandover = errors.New("handing over")
)

// Parking reports whether ctx ended by parking or by a handover.
func Parking(ctx context.Context) bool {
	return ctx.Err() != nil && (errors.Is(context.Cause(ctx), ErrParking) || errors.Is(context.Cause(ctx), ErrHandover))
}

// unhurried is ctx for an effect: a handover does not end it.
func unhurried(ctx context.Context) (context.Context, func()) {
	own, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if cause := context.Cause(ctx); !errors.Is(cause, ErrHandover) {
			cancel(cause)
		}
	})
	return own, func() { stop(); cancel(nil) }
}

// maxRetakes bounds how often facts are measured anew because the world moved between measuring and acting.
const maxRetakes = 8

// Begin leads a new call from its admission until it rests. It blocks as long as the effect takes: run it in a goroutine.
func (s *Service) Begin(ctx context.Context, c *Context, r Request) Ending {
	s.init()
	l := &life{s: s, c: c, r: r, free: func() {}}
	s.fault("admitted")
	if err := l.bind(); err != nil {
		return l.failed(ctx, err)
	}
	if err := l.decide(ctx); err != nil {
		return l.failed(ctx, err)
	}
	s.fault("decided")
	return l.judged(ctx)
}

// judged goes where the judgement says.
func (l *life) judged(ctx context.Context) Ending {
	switch license.Resolve(l.decided, l.c.Answerability) {
	case license.Proceed:
		return l.start(ctx)
	case license.AskNow, license.Park:
		return l.wait(ctx)
	case license.AskJudge:
		return l.judge(ctx)
	}
	return l.denied("policy")
}

// start measures, writes the intent and performs: for a call that is allowed and has no node yet, or only one that waited.
func (l *life) start(ctx context.Context, notes ...store.Change) Ending {
	if e, rests := l.hold(ctx); rests {
		return e
	}
	if l.tool.Hosted() {
		return l.host(ctx, notes)
	}
	if err := l.s.acquire(ctx); err != nil {
		return l.failed(ctx, err)
	}
	defer l.s.release()
	defer func() { l.env.Close() }()
	facts, err := l.prepare(ctx)
	if err != nil {
		return l.failed(ctx, err)
	}
	l.s.fault("prepared")
	if err := l.intend(facts, notes); err != nil {
		return l.broken(err)
	}
	l.s.fault("minted")
	return l.perform(ctx, facts)
}

// hold locks the paths of the call. What was judged before may be another file by now, because a call of ours had the lock
// until this moment: then the licence looks again. rests is true when that ended the call.
func (l *life) hold(ctx context.Context) (e Ending, rests bool) {
	for try := 0; ; try++ {
		paths := l.paths()
		if err := l.lock(ctx); err != nil {
			return l.failed(ctx, err), true
		}
		if len(paths) == 0 || !l.moved() {
			return Ending{}, false
		}
		if try == maxRetakes {
			err := &tool.Error{Code: tool.CodePathChanged, Message: l.r.Tool + ": what its paths lead to changes all the time; nothing was done"}
			return l.failed(ctx, err), true
		}
		if err := l.decide(ctx); err != nil {
			return l.failed(ctx, err), true
		}
		if !l.allowed() {
			l.unlock()
			return l.judged(ctx), true
		}
		if !slices.Equal(paths, l.paths()) { // a link leads elsewhere now: other locks are needed
			l.unlock()
			continue
		}
		return Ending{}, false
	}
}

// lock takes the call's paths, if it does not hold them already: they may have been reserved when the bag was taken up.
func (l *life) lock(ctx context.Context) error {
	if l.locked {
		return nil
	}
	free := l.s.claim(l.r.ID, l.paths())
	if free == nil {
		var err error
		if free, err = l.s.locks.take(ctx, l.paths()); err != nil {
			return err
		}
	}
	l.free, l.locked = free, true
	return nil
}

func (l *life) unlock() {
	l.free()
	l.free, l.locked = func() {}, false
}

// moved reports whether the paths of the call lead elsewhere than when they were judged.
func (l *life) moved() bool {
	now, err := tool.Resolve(l.env, l.tool, l.args)
	return err != nil || !maps.Equal(now, l.targets)
}

// allowed reports whether the newest judgement lets the call act: by itself, or by a yes that was given to exactly this.
func (l *life) allowed() bool {
	if l.decided.Verdict == license.Judge && l.judgedYes != "" && l.judgedYes == l.digest() {
		return true
	}
	return l.decided.Verdict == license.Allow || l.decided.Verdict != license.Deny && l.yes != "" && l.yes == l.digest()
}

func (l *life) prepare(ctx context.Context) (tool.Facts, error) {
	if l.tool.Prepare == nil {
		return nil, nil
	}
	return l.tool.Prepare(ctx, l.env, l.args)
}

// intend makes the intent durable: the node with its facts, or the start of a node that waited.
func (l *life) intend(facts tool.Facts, notes []store.Change) error {
	var d graph.Datum
	if facts != nil {
		d = facts.Datum()
	}
	if l.minted {
		value, err := l.s.Keep(d)
		if err != nil {
			return err
		}
		notes = append(notes, store.Note{ID: l.r.ID, Fact: kind.Fact{What: kind.FactStarted, Value: value, At: l.s.Now()}}, store.Start{ID: l.r.ID})
		_, err = l.s.Store.Apply(l.r.ID.Session, notes...)
		return err
	}
	node, err := l.node(d)
	if err != nil {
		return err
	}
	l.minted = true
	_, err = l.s.Store.Apply(l.r.ID.Session, store.Mint{ID: l.r.ID, Node: node, Open: true})
	return err
}

// perform does the effect; the intent is on disk.
func (l *life) perform(ctx context.Context, facts tool.Facts) Ending {
	began := l.s.Now()
	if l.tool.Effect != tool.Read { // a read can begin again elsewhere
		own, done := unhurried(ctx)
		defer done()
		ctx = own
	}
	for try := 0; ; try++ {
		result, err := l.act(ctx, facts)
		l.s.fault("performed")
		if tool.Stale(err) && l.half {
			return l.uncertain(ctx, "what it had left half done was changed by something else while it was being finished", tool.Result{})
		}
		if tool.Stale(err) && try < maxRetakes && l.rejudged(ctx) {
			if facts, err = l.prepare(ctx); err == nil {
				if err := l.measured(facts); err != nil {
					return l.broken(err)
				}
				continue
			}
		}
		if err != nil {
			return l.ended(ctx, err, l.s.Now().Sub(began))
		}
		return l.done(result, kind.Settled, l.s.Now().Sub(began))
	}
}

// rejudged looks again at a world that moved between measuring and acting, and reports whether the call may still act on
// what is there now, under the locks that it holds.
func (l *life) rejudged(ctx context.Context) bool {
	l.env.Close()
	paths := l.paths()
	return l.decide(ctx) == nil && l.allowed() && slices.Equal(paths, l.paths())
}

// measured makes new facts durable before they are acted on.
func (l *life) measured(facts tool.Facts) error {
	_, err := l.s.Store.Apply(l.r.ID.Session, store.Note{ID: l.r.ID,
		Fact: kind.Fact{What: kind.FactMeasuredAgain, Value: kind.Of(facts.Datum()), At: l.s.Now()}})
	return err
}

func (l *life) done(result tool.Result, state kind.State, took time.Duration) Ending {
	value, err := l.s.Keep(result.Value)
	if err != nil {
		return l.broken(fmt.Errorf("keep the value of %s: %w", l.r.Tool, err))
	}
	o := kind.Outcome{State: state, Value: value, Duration: took, By: "tool"}
	if r := receipt(result.Receipt); r != nil {
		o.Receipt = kind.Of(r)
	}
	return l.rest(o, l.tool.Effect != tool.External)
}

// ended is a Perform that failed or was cancelled.
func (l *life) ended(ctx context.Context, err error, took time.Duration) Ending {
	if Parking(ctx) {
		return l.parkedHere()
	}
	o := kind.Outcome{State: kind.Failed, Error: errorOf(err), Duration: took, By: "tool"}
	var te *tool.Error
	if errors.As(err, &te) {
		if r := receipt(te.Receipt); r != nil {
			o.Receipt = kind.Of(r)
		}
	}
	if ctx.Err() != nil {
		o.State, o.By, o.Effect = kind.Cancelled, "program", "none"
	}
	if te != nil && te.Partial || te == nil && l.tool.Unseen() {
		o.Effect = "unknown"
	}
	return l.rest(o, l.tool.Effect != tool.External && o.State == kind.Failed)
}

// failed is a call that ended before its effect could begin.
func (l *life) failed(ctx context.Context, err error) Ending {
	if Parking(ctx) {
		return l.parkedHere()
	}
	o := kind.Outcome{State: kind.Failed, Error: errorOf(err), By: "runtime"}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		o.State, o.Effect = kind.Cancelled, "none"
	}
	return l.rest(o, false)
}

// parkedHere is a call that stays as it is on record: the next life goes on with it.
func (l *life) parkedHere() Ending { return Ending{ID: l.r.ID, Rest: Parked, Release: l.free} }

// maxSubject is how long the subject of a denial may be to stand in its message.
const maxSubject = 300

func (l *life) denied(by string) Ending {
	d := l.decided
	what := l.r.Tool // and what it would have done: a person reads this in place of the question
	if about := l.about(d); about != "" && about != what && len(about) <= maxSubject {
		what += " " + about
	}
	msg := fmt.Sprintf("%s was denied: %s", what, d.Reason)
	if d.Verdict != license.Deny && by == "policy" {
		msg = fmt.Sprintf("%s needs a person's yes and nobody can be asked: %s", what, d.Reason)
	}
	data := graph.List{
		graph.Pair("rule", d.Rule), graph.Pair("origin", d.Origin), graph.Pair("step", d.Step.String()), graph.Pair("reason", d.Reason), graph.Pair("by", by),
	}
	return l.rest(kind.Outcome{State: kind.Denied, By: by, Error: &kind.Error{Code: "denied", Message: msg, Data: kind.Of(data)}}, false)
}

// about is what a decision speaks of: the simple command or the path.
func (l *life) about(d license.Decision) string {
	for _, name := range []string{"command", "path", "from"} {
		if text, ok := l.args[name].(string); ok {
			return text
		}
	}
	return d.Subject
}

// rest is the end of the call's way through this process; the caller writes the outcome, with the node where it has none.
func (l *life) rest(o kind.Outcome, ride bool) Ending {
	if o.Error != nil && o.Error.Data.Blob == "" { // a command that failed may have said much
		data, err := l.s.Keep(o.Error.Data.Datum)
		if err != nil {
			return l.broken(fmt.Errorf("keep what %s said: %w", l.r.Tool, err))
		}
		o.Error.Data = data
	}
	e := Ending{ID: l.r.ID, Outcome: o, Ride: ride, Release: l.free, Spooled: l.minted && l.tool != nil && l.tool.Effect == tool.External}
	if !l.minted {
		node, err := l.node(nil)
		if err != nil {
			return l.broken(err)
		}
		e.Mint, e.Ride = &store.Mint{ID: l.r.ID, Node: node}, false
	}
	return e
}

func (l *life) broken(err error) Ending { return Ending{ID: l.r.ID, Err: err, Release: l.free} }

func errorOf(err error) *kind.Error {
	var te *tool.Error
	if errors.As(err, &te) {
		e := &kind.Error{Code: te.Code, Message: te.Message}
		data := te.Data
		if len(te.Hints) > 0 {
			hints := graph.List{}
			for _, h := range te.Hints {
				hints = append(hints, h)
			}
			list, _ := data.(graph.List)
			data = append(slices.Clip(list), graph.Pair("hints", hints))
		}
		if data != nil {
			e.Data = kind.Of(data)
		}
		return e
	}
	code := "failed"
	if errors.Is(err, context.Canceled) {
		code = tool.CodeCancelled
	}
	return &kind.Error{Code: code, Message: err.Error()}
}
