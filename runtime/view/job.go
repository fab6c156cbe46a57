package view

import (
	"strconv"
	"strings"
	"time"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// Job is a program or a call with what hangs below it, as tree draws it and as --json prints it.
type Job struct {
	ID       string    `json:"id"`
	Kind     string    `json:"kind"`
	Name     string    `json:"name"`           // of a call its tool, of a program its file
	Args     string    `json:"args,omitempty"` // as a datum; in a tree with long texts shortened, in show whole
	State    string    `json:"state"`          // running, interrupted, left, waiting, uncertain; or how it ended: settled, failed, denied, …
	Began    time.Time `json:"began,omitzero"`
	Seconds  float64   `json:"seconds,omitempty"` // that it took, once it ended
	Receipt  string    `json:"receipt,omitempty"` // what is shown beside its value
	Code     string    `json:"code,omitempty"`    // of a failure
	Message  string    `json:"message,omitempty"`
	Rule     string    `json:"rule,omitempty"`   // what decided of it, and where that stands
	Tokens   int64     `json:"tokens,omitempty"` // that models used for it, with all below it
	Micros   int64     `json:"micros,omitempty"` // what they cost, in millionths of a dollar, as far as that is known
	Children []*Job    `json:"children,omitempty"`

	ord    uint64
	fiber  string
	tool   *tool.Tool
	given  graph.List
	source string // of a program without a name of its own
	took   time.Duration
	// nonzero is a command whose exit code was not 0.
	nonzero bool
	unknown bool // a call that ended without anyone knowing what it did
	bytes   int64
	inner   *bag
	group   *group
	bagNo   uint64
	top     bool // nothing is around it
}

// Words for the states of a job that has not ended.
const (
	running     = "running"
	interrupted = "interrupted" // no process runs it: it can be resumed
	left        = "left"        // a turn that the head of its session does not lead to
	waiting     = "waiting"
	uncertain   = "uncertain"
)

// class is what a fold counts of a job.
type class int

const (
	isRunning class = iota
	isStopped       // no process runs it
	isWaiting       // for a person
	isDone
	isBad
	classes
)

func (j *Job) class() class {
	switch j.State {
	case running:
		return isRunning
	case interrupted, left:
		return isStopped
	case waiting, uncertain:
		return isWaiting
	case string(kind.Settled), string(kind.Happened):
		return isDone
	}
	return isBad
}

// waits reports a program that can only go on when a person has answered.
func (j *Job) waits() bool {
	c := j.class()
	return j.inner != nil && j.State != left && (c == isRunning || c == isStopped) && j.inner.counts[isRunning]+j.inner.counts[isStopped] == 0 && j.inner.counts[isWaiting] > 0
}

// reader turns entries of a store into jobs.
type reader struct {
	store store.Store
	calls *call.Service // may be nil: then nothing is known of tools, of blobs and of what runs
	// own is that all this reads runs in this process.
	own bool
}

// runs reports whether a process runs the program around a job: it would be this one, which has the store.
func (r reader) runs(id graph.ID) bool {
	if r.own || r.calls == nil {
		return true
	}
	return r.calls.Running(id) || r.calls.Running(top(r.calls.Store, id))
}

// lastEvent is when something last happened in a session.
func lastEvent(st store.Store, session uint64) (at time.Time, err error) {
	n, err := st.LastEvent(session)
	if err != nil {
		return at, err
	}
	for e, err := range st.Events(session, n) {
		if err != nil {
			return at, err
		}
		at = e.At
	}
	return at, nil
}

// soFar is how long a program that has not ended has run: until now, or until its last event where nothing runs it.
func (r reader) soFar(st store.Store, id graph.ID, began time.Time) (time.Duration, error) {
	if r.runs(id) {
		return r.now().Sub(began), nil
	}
	last, err := lastEvent(st, id.Session)
	return max(last.Sub(began), 0), err
}

func (r reader) now() time.Time {
	if r.calls != nil && r.calls.Now != nil {
		return r.calls.Now()
	}
	return time.Now()
}

// maxKeptText bounds what a job keeps of one argument: it is shown shortened anyway.
const maxKeptText = 4 << 10

// job reads a program or a call; nil for what is neither.
func (r reader) job(e store.Entry) *Job {
	j := &Job{ID: e.ID.String(), Kind: e.Node.Kind().Name(), ord: e.ID.Ord, top: e.ID.Bag == graph.RootBag}
	switch n := e.Node.(type) {
	case *kind.ProgrammaticJob:
		r.program(j, n)
	case kind.ToolCall:
		r.toolCall(j, n)
	case *kind.Cell: // a reading is no job, but one that failed is what is left of a job that could not begin
		if e.Outcome == nil || e.Outcome.State != kind.Failed {
			return nil
		}
		j.Name, j.fiber = n.Read, n.Place.Fiber
	case *kind.SessionTurn:
		j.Name, j.Began, j.bagNo, j.inner = "turn", time.UnixMicro(n.StartedAt), n.Bag, newBag()
		j.source = keep(r.prompt(e.ID.Session, n.Bag))
	case *kind.CompletionJob:
		j.Name = "complete"
		if n.Why != "" {
			j.Name = n.Why + "-judge"
		}
		j.given = graph.List{n.Model}
	default:
		if e.Node.Kind().Leaf() {
			return nil
		}
		j.Name = j.Kind
	}
	r.state(j, e)
	return j
}

func (r reader) program(j *Job, n *kind.ProgrammaticJob) {
	j.Name, j.Began, j.fiber, j.bagNo = n.Name, n.StartedAt, n.Parent.Fiber, n.Bag
	if n.Name == "program" || n.Name == "" {
		j.Name, j.source = "program", keep(n.Source)
	}
	j.inner = newBag()
}

// prompt is what began a turn.
func (r reader) prompt(session, bag uint64) string {
	if r.store == nil {
		return ""
	}
	n, err := r.store.Node(graph.ID{Session: session, Bag: bag})
	if p, ok := n.(*kind.TurnPromptChunk); err == nil && ok {
		text, _ := p.Text.Datum.(string)
		return text
	}
	return ""
}

func (r reader) toolCall(j *Job, n kind.ToolCall) {
	c := n.Call()
	j.Name, j.fiber = c.Tool, c.Place.Fiber
	if c.MintedAt != 0 {
		j.Began = time.UnixMicro(c.MintedAt)
	}
	if r.calls != nil && r.calls.Tools != nil {
		j.tool, _ = r.calls.Tools.Get(c.Tool)
	}
	j.Rule = c.Decision.Rule
	if _, agent := n.(*kind.AgentCallJob); agent {
		j.source = said(c.Args.Datum)
	}
	if c.Bag != 0 {
		j.bagNo, j.inner = c.Bag, newBag()
	}
	if d, ok := c.Args.Datum.(graph.List); ok {
		j.given = keepArgs(d)
	} else if m, ok := n.(*kind.FileMutateToolJob); ok && c.Args.Blob != "" {
		for _, p := range m.Paths { // large arguments are not fetched to show the path among them
			j.given = append(j.given, p)
		}
	}
}

// said is who is called and what is said to it: the names and texts among the arguments.
func said(args graph.Datum) string {
	list, _ := args.(graph.List)
	var words []string
	for _, a := range list {
		if _, ok := a.(graph.Keyword); ok {
			break
		}
		if word, ok := graph.Name(a); ok {
			words = append(words, word)
		}
	}
	return keep(strings.Join(words, " "))
}

// state fills in how far a job has come.
func (r reader) state(j *Job, e store.Entry) {
	j.State = program.Status(e)
	if j.State == running && !r.runs(e.ID) {
		j.State = r.stopped(e)
	}
	for _, f := range e.Facts {
		if f.What == kind.FactStarted {
			j.Began = f.At // it waited before
		}
	}
	if e.Outcome != nil {
		r.ended(j, e.Outcome)
	}
}

// stopped is the state of a job that no process runs.
func (r reader) stopped(e store.Entry) string {
	if _, ok := e.Node.(*kind.SessionTurn); ok && r.store != nil {
		if away, err := session.Dormant(r.store, e.ID); err == nil && away {
			return left
		}
	}
	return interrupted
}

func (r reader) ended(j *Job, o *kind.Outcome) {
	if j.Kind == kind.KindCompletionJob.Name() {
		paid := kind.ReceiptOf(o)
		j.Tokens, j.Micros = paid.Tokens(), max(paid.Micros, 0)
	}
	j.State, j.took = string(o.State), o.Duration
	j.Seconds = o.Duration.Seconds()
	j.bytes, _ = graph.Field(o.Receipt.Datum, "bytes").(int64)
	j.Receipt = r.receipt(j, o)
	if o.Error != nil {
		j.Code, j.Message = o.Error.Code, o.Error.Message
		if o.State == kind.Denied {
			j.denied(o.Error.Data.Datum)
		}
	}
	if o.State == kind.Cancelled {
		j.Message = map[string]string{"none": "nothing was done", "done": "its effect was done", "unknown": "effect unknown"}[o.Effect]
		j.unknown = o.Effect == "unknown"
		if j.inner != nil { // its calls say what they did
			j.Message = ""
			if o.Error != nil {
				j.Message = o.Error.Message
			}
		}
	}
	if o.State == kind.Happened || o.State == kind.DidNot {
		j.Message = "says " + o.By
	}
}

func (j *Job) denied(d graph.Datum) {
	rule, origin, reason := graph.TextField(d, "rule"), graph.TextField(d, "origin"), graph.TextField(d, "reason")
	if rule != "" {
		j.Rule = rule
		if origin != "" {
			j.Rule += " (" + origin + ")"
		}
	}
	if reason != "" {
		j.Message = reason
	}
}

// receipt is what is said beside the value of a call.
func (r reader) receipt(j *Job, o *kind.Outcome) string {
	var parts []string
	add := func(s string) { parts = append(parts, s) }
	number := func(name string) int64 { n, _ := graph.Field(o.Receipt.Datum, name).(int64); return n }
	value := o.Value.Datum
	if value == nil && j.Name == "bash" && o.Value.Blob != "" && r.calls != nil && r.calls.Blobs != nil {
		value, _ = r.calls.Fetch(o.Value)
	}
	if n, ok := graph.Field(value, "exit-code").(int64); ok {
		add("exit " + strconv.FormatInt(n, 10))
		j.nonzero = n != 0
	}
	if l, ok := value.(graph.List); ok && j.inner != nil && len(l) == 2 && l[0] == graph.Symbol("exit") {
		add("exit " + graph.Write(l[1]))
	}
	switch n := number("matches"); {
	case n > 0:
		add(count(n, "match", "matches"))
	case j.Name == "grep" || j.Name == "glob":
		add("no matches")
	}
	if n := number("bytes"); n > 0 {
		add(size(n))
	}
	for _, x := range [...]struct{ name, word string }{{"binary", "binary skipped"}, {"unreadable", "unreadable"}, {"protected", "protected skipped"}} {
		if n := number(x.name); n > 0 {
			add(count(n, x.word, x.word))
		}
	}
	if l, ok := o.Receipt.Datum.(graph.List); ok {
		for _, x := range l {
			if note := graph.TextField(graph.List{x}, "note"); note != "" {
				add(note)
			}
		}
	}
	return strings.Join(parts, ", ")
}

// cost is what models used for a job, in words.
func (j *Job) cost() string {
	if j.Tokens == 0 {
		return ""
	}
	text := count(j.Tokens, "token", "tokens")
	if j.Micros > 0 {
		text += ", " + agent.Dollars(j.Micros)
	}
	return text
}

// keepArgs lets long texts go: a tree of many calls must not hold what they wrote.
func keepArgs(l graph.List) graph.List {
	out := make(graph.List, 0, min(len(l), 16))
	for _, d := range l {
		if len(out) == 16 {
			break
		}
		switch x := d.(type) {
		case string:
			d = keep(x)
		case []byte:
			d = x[:min(len(x), maxKeptText)]
		case graph.List, graph.Vector, *graph.Dotted:
			d = graph.Opaque{Text: keep(graph.Write(d))}
		}
		out = append(out, d)
	}
	return out
}

func keep(s string) string {
	if len(s) <= maxKeptText {
		return s
	}
	return strings.Clone(s[:runeEnd(s, maxKeptText/2)]) + "…" + s[runeEnd(s, len(s)-maxKeptText/2):]
}
