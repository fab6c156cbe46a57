// Package drive runs clients of others for programs: one turn of a client is a call, and what the client may not do unasked
// are calls below it. It decides nothing about them: that is the license's. Package assembly hands it to the calls.
package drive

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/model"
	"caper/runtime/store"
	"caper/runtime/tool"
	"caper/runtime/worker"
	"caper/runtime/worker/driver"
)

// Runner runs clients.
type Runner struct {
	Agents *agent.Runner
	Config string // the file that says how they are run

	once  sync.Once
	slots chan struct{}
}

// most is how many clients run at once; others wait.
const most = 8

var drivers = map[string]driver.Driver{"claude_code": driver.Claude{}, "codex": driver.Codex{}}

// drive is one call of drive-agent in this process.
type drive struct {
	r      *Runner
	calls  *call.Service
	w      call.Work
	client string
	inside call.Context // of the calls below

	ctx     context.Context
	stop    context.CancelCauseFunc
	clock   *call.Stopwatch // nil: no limit
	over    chan struct{}   // closed when the turn has ended: no results come any more
	waiting sync.WaitGroup

	mu      sync.Mutex
	next    uint64 // place of the next child
	session string
	heard   bool // the client has said something
	said    string
	grants  map[string][]*grant // that the client has not asked for yet, by digest
	refused map[string]string   // why, by digest: what a person said no to while it waited is not asked again
	results map[string][]*grant // that wait for a result, by invocation
	broken  error               // the store failed
	rest    call.Rest
}

var (
	errTimeout = errors.New("its time is over")
	errBroken  = errors.New("the store failed")
)

// wrong is the failure of a call of which nothing was begun.
func wrong(code, format string, a ...any) error {
	return &tool.Error{Code: code, Message: "drive-agent: " + fmt.Sprintf(format, a...)}
}

// Run is the body of drive-agent.
func (r *Runner) Run(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) {
	d := &drive{r: r, calls: r.Agents.Calls, w: w, over: make(chan struct{}), grants: map[string][]*grant{}, refused: map[string]string{}, results: map[string][]*grant{}}
	spec, err := d.spec()
	if err != nil {
		return tool.Result{}, "", err
	}
	d.inside = w.Context
	d.inside.Cwd = spec.WorkFolder
	timeout, err := w.Args.Timeout("drive-agent")
	if err != nil {
		return tool.Result{}, "", err
	}
	past, err := d.past()
	if err != nil {
		return tool.Result{}, "", err
	}
	if w.Again {
		if _, err := tool.EndMarked(spec.Mark, 0, spec.Grace); err != nil {
			return tool.Result{}, "", err
		}
	}
	if past.done != nil {
		return d.result(past.done, past.session, past.receipt), "", nil
	}
	d.ctx, d.stop = context.WithCancelCause(ctx)
	defer d.stop(nil)
	prompt, _ := w.Args["prompt"].(string)
	told, err := d.recall()
	if err != nil || d.rest != call.Settled {
		d.end()
		return tool.Result{}, d.rest, errors.Join(err, d.broken)
	}
	d.session = past.session
	switch {
	case w.Retry:
		d.session, _ = w.Args["session"].(string)
	case past.session != "":
		spec.Ours, prompt = w.Args["session"] == nil, goOn(told)
	case past.begun:
		d.end()
		return tool.Result{}, "", &call.DoubtError{Reason: spec.Executable + " had been started, and whether it began its work is not known"}
	default:
		d.session, _ = w.Args["session"].(string)
	}
	spec.SessionID = d.session
	hold, refused, err := r.Agents.PermitLong(w.ID, d.model(spec.Model), &model.Request{MaxTokens: 1, Messages: []model.Message{{Role: model.User, Blocks: []model.Block{{Kind: model.Text, Text: prompt}}}}})
	if err != nil || refused != nil {
		d.end()
		if refused != nil {
			err = &tool.Error{Code: refused.Code, Message: "drive-agent: " + refused.Message}
		}
		return tool.Result{}, "", err
	}
	defer hold.Release()
	if err := d.slot(); err != nil {
		d.end()
		return tool.Result{}, "", err
	}
	defer func() { <-r.slots }()
	if timeout > 0 {
		d.clock = call.StartStopwatch(timeout, func() { d.stop(errTimeout) })
		defer d.clock.Stop()
	}
	if err := d.note(d.w.ID, graph.List{graph.Pair("session", d.session)}); err != nil {
		d.end()
		return tool.Result{}, "", err
	}
	end, closing, err := d.turn(spec, prompt)
	return d.finish(ctx, spec, end, closing, err)
}

// spec is how the client is run.
func (d *drive) spec() (spec driver.Spec, err error) {
	var known bool
	if d.client, known = graph.Name(d.w.Args["client"]); known {
		_, known = drivers[d.client]
	}
	if !known {
		return spec, wrong(tool.CodeArguments, "the client is claude_code or codex; found %.100s", graph.Write(d.w.Args["client"]))
	}
	all, err := worker.LoadAgents(d.r.Config)
	if err != nil {
		return spec, wrong("unavailable", "%v", err)
	}
	if spec, err = all[d.client].Spec(d.client, d.w.Context.Environ); err != nil {
		var e *worker.Error
		if errors.As(err, &e) {
			err = errors.New(e.Message)
		}
		return spec, wrong("unavailable", "%v; executable of %s in %s says where it is", err, d.client, d.r.Config)
	}
	for name, into := range map[string]*string{"model": &spec.Model, "effort": &spec.Effort} {
		if given := d.w.Args[name]; given != nil {
			if *into, known = graph.Name(given); !known {
				return spec, wrong(tool.CodeArguments, "#:%s is a name; found %.100s", name, graph.Write(given))
			}
		}
	}
	spec.WorkFolder = d.w.Targets["work-folder"].Path
	if e := worker.CheckFolder(spec.WorkFolder); e != nil {
		return spec, wrong(tool.CodeNotDirectory, "%s", e.Message)
	}
	spec.Mark = d.calls.StoreID + "." + d.w.ID.String()
	return spec, nil
}

// model is how a client's completions are named.
func (d *drive) model(name string) string { return d.client + ":" + name }

func (d *drive) slot() error {
	d.r.once.Do(func() { d.r.slots = make(chan struct{}, most) })
	select {
	case d.r.slots <- struct{}{}:
		return nil
	case <-d.ctx.Done():
		return context.Cause(d.ctx)
	}
}

// past is what an earlier process left of the call.
type past struct {
	begun   bool // a client was started
	session string
	done    *model.Answer // its answer, nil for none
	receipt kind.Receipt
}

func (d *drive) past() (p past, err error) {
	if !d.w.Again {
		return p, nil
	}
	e, err := d.calls.Store.Entry(d.w.ID)
	if err != nil {
		return p, err
	}
	for _, f := range e.Facts {
		if f.What == kind.FactClient {
			p.begun, p.session = true, graph.TextField(f.Value.Datum, "session")
		}
	}
	if d.next, err = d.calls.Store.Next(d.w.ID.Session, d.w.Bag); err != nil {
		return p, err
	}
	for c, err := range d.calls.Store.Children(d.w.ID.Session, d.w.Bag, 0) {
		if err != nil {
			return p, err
		}
		if job, ok := c.Node.(*kind.CompletionJob); ok && c.Outcome != nil && c.Outcome.State == kind.Settled {
			p.receipt = kind.ReceiptOf(c.Outcome)
			if p.done, err = d.r.Agents.Answered(c.ID, job); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

// note puts on record of a job what a later process must know of the client.
func (d *drive) note(id graph.ID, v graph.Datum) error {
	_, err := d.calls.Store.Apply(id.Session, store.Note{ID: id, Fact: kind.Fact{What: kind.FactClient, Value: kind.Of(v), At: d.calls.Now()}})
	return err
}

// goOn is what a client is told that was interrupted, with what became of its questions.
func goOn(told []string) string {
	text := "You were interrupted. Go on with what you were asked to do, from where you were; the folder may have changed meanwhile."
	if len(told) > 0 {
		text += " Of what you had asked for:\n- " + strings.Join(told, "\n- ")
	}
	return text
}

// turn runs the client once, and ends it with all that it started.
func (d *drive) turn(spec driver.Spec, prompt string) (end driver.End, closing, err error) {
	defer d.end()
	a, err := drivers[d.client].Start(d.ctx, spec, driver.Hooks{Session: d.began, Event: d.event, Ask: d.ask})
	if err != nil {
		return end, nil, err
	}
	end, err = a.Turn(d.ctx, 1, prompt)
	return end, a.Close(), err
}

// end waits until the calls below have ended, which get no results any more.
func (d *drive) end() {
	close(d.over)
	d.waiting.Wait()
}

func (d *drive) began(session string) {
	d.mu.Lock()
	d.heard = true
	known := d.session == session
	d.session = session
	d.mu.Unlock()
	if !known {
		if err := d.note(d.w.ID, graph.List{graph.Pair("session", session)}); err != nil {
			d.fail(err)
		}
	}
}

func (d *drive) event(e driver.Event) {
	for _, g := range d.hear(e) {
		<-g.ended // what came of it is on record before what the client does next
	}
}

// hear takes an event and answers the calls whose result it is.
func (d *drive) hear(e driver.Event) (done []*grant) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.heard = true
	switch e.Kind {
	case driver.Text:
		if strings.TrimSpace(e.Text) != "" {
			d.said = e.Text
		}
	case driver.ToolResult:
		for _, g := range d.results[e.InvocationID] {
			g.result <- e // has room: there is one a grant
		}
		done = d.results[e.InvocationID]
		delete(d.results, e.InvocationID)
	}
	return done
}

// fail ends the turn because the store failed.
func (d *drive) fail(err error) {
	d.mu.Lock()
	d.broken = errors.Join(d.broken, err)
	d.mu.Unlock()
	d.stop(errBroken)
}

// park ends the turn because something of it waits for a person.
func (d *drive) park(rest call.Rest) {
	d.mu.Lock()
	d.rest = rest
	d.mu.Unlock()
	d.stop(call.ErrParking)
}

// finish says what became of the turn, and puts it on record with what it cost.
func (d *drive) finish(ctx context.Context, spec driver.Spec, end driver.End, closing, err error) (tool.Result, call.Rest, error) {
	if d.broken != nil {
		return tool.Result{}, "", d.broken
	}
	var fail *tool.Error
	var client *driver.Error
	switch {
	case err == nil && end.Interrupted:
		fail = &tool.Error{Code: "interrupted", Message: d.client + " was interrupted"}
	case err == nil && closing != nil:
		fail = &tool.Error{Code: "failed", Message: fmt.Sprintf("%s ended its turn, and not all that it started: %v", d.client, closing)}
	case err == nil:
	case errors.Is(context.Cause(d.ctx), errTimeout):
		fail = &tool.Error{Code: tool.CodeTimeout, Message: d.client + " was not done in its time and was ended"}
	case errors.As(err, &client) && ctx.Err() == nil:
		if spec.SessionID != "" && !d.heard && d.w.Again && !d.w.Retry {
			return tool.Result{}, "", &call.DoubtError{Reason: fmt.Sprintf("its session %s cannot be taken up again: %s", spec.SessionID, client.Message)}
		}
		fail = &tool.Error{Code: strings.ReplaceAll(strings.ToLower(client.Code), "_", "-"), Message: client.Message}
	}
	if fail != nil {
		fail.Partial = true
		err = fail
	}
	receipt := kind.Receipt{Model: d.model(spec.Model), Stop: "end", Spoken: d.said != "", Micros: -1,
		Usage: [5]int64{int64(end.InputTokens - min(end.InputTokensCached, end.InputTokens)), int64(end.InputTokensCached), 0, int64(end.OutputTokens)}}
	if end.Cost != nil {
		receipt.Micros = int64(*end.Cost*1e6 + 0.5)
	}
	if err != nil && receipt.Tokens() == 0 {
		return tool.Result{}, d.rest, err
	}
	answer := &model.Answer{Blocks: []model.Block{{Kind: model.Text, Text: d.said}}}
	job := &kind.CompletionJob{Model: receipt.Model, Place: d.w.Request.Place}
	var failed *kind.Error
	if err != nil {
		answer, failed = nil, &kind.Error{Code: "failed", Message: err.Error()}
	}
	if err := d.r.Agents.Recorded(d.place(), job, answer, receipt, failed); err != nil {
		return tool.Result{}, "", err
	}
	if err != nil {
		return tool.Result{}, d.rest, err
	}
	return d.result(answer, d.session, receipt), "", nil
}

// result is the answer of the call.
func (d *drive) result(a *model.Answer, session string, r kind.Receipt) tool.Result {
	input := r.Usage[0] + r.Usage[1] + r.Usage[2]
	cost, note := graph.Datum(false), fmt.Sprintf("%d tokens in, %d out", input, r.Usage[3])
	if r.Micros >= 0 {
		cost = float64(r.Micros) / 1e6
		note += ", " + agent.Dollars(r.Micros)
	}
	text := agent.Spoken(a)
	out := tool.Result{Value: text, Receipt: tool.Receipt{Notes: []string{note}}}
	if d.w.Args["whole"] == true {
		out.Value = graph.List{graph.Pair("text", text), graph.Pair("session", session), graph.Pair("model", r.Model),
			graph.Pair("input", input), graph.Pair("output", r.Usage[3]), graph.Pair("cost", cost)}
	}
	return out
}

// place is that of the next call below.
func (d *drive) place() graph.ID {
	d.mu.Lock()
	defer d.mu.Unlock()
	id := graph.ID{Session: d.w.ID.Session, Bag: d.w.Bag, Ord: d.next}
	d.next++
	return id
}
