package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/model"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// Runner runs turns for one owner of a store.
type Runner struct {
	Calls  *call.Service
	Models Models
	// Judge is the connection:model of the text-only judge, "" when there is none: it never falls back to the actor's.
	Judge string
	// Text-only rounds are judged unless this is set.
	NoJudge bool
	// MaxTokens bounds one answer; 0: the connection's default.
	MaxTokens int

	notes notes
}

// Models answers connections by their name, connection:model, split at the first colon.
type Models interface {
	Get(name string) (c model.Connection, modelName string, err error)
	// Cost is what a use costs in millionths of a dollar, and whether that is known.
	Cost(name string, u model.Usage) (int64, bool)
}

// Hear is told what happens in a turn while it runs: pieces of an answer as they stream.
type Hear func(turn graph.ID, d model.Delta)

// Ask is one turn to be made.
type Ask struct {
	Agent   graph.ID
	Prompt  string
	Source  string            // of the prompt; "" is the user
	Policy  string            // an overlay, "" to inherit
	Env     map[string]string // what differs from the genesis
	Model   string            // asked for; else the session's, else the recipe's
	Budget  kind.Spending
	Place   kind.Place // of the program's call that makes it
	Context call.Context
	// Unattended is auto or yolo for a turn that nobody watches (law S25).
	Unattended string
	Background bool
}

// Begin mints an agent with its genesis in a bag, and makes it its head: one transaction. more goes with it.
func (r *Runner) Begin(bag uint64, c *call.Context, spec kind.Spec, parent *graph.ID, nickname string, more ...func(graph.ID) store.Change) (graph.ID, error) {
	st := r.Calls.Store
	heads, err := st.NewBag(c.Session)
	if err != nil {
		return graph.ID{}, err
	}
	next, err := st.Next(c.Session, bag)
	if err != nil {
		return graph.ID{}, err
	}
	id := graph.ID{Session: c.Session, Bag: bag, Ord: next}
	genesis := graph.ID{Session: c.Session, Bag: bag, Ord: next + 1}
	a := &kind.Agent{Spec: spec, Head: heads, Nickname: nickname}
	if parent != nil {
		a.Parent = kind.RefTo(*parent)
	}
	changes := []store.Change{
		store.Mint{ID: id, Node: a},
		store.Mint{ID: genesis, Node: &kind.SessionSystemPrompt{Agent: *kind.RefTo(id), Constitution: spec.Recipe().Constitution, Env: environment(r, c)}},
		store.Mint{ID: graph.ID{Session: c.Session, Bag: heads}, Node: &kind.HeadMove{Head: *kind.RefTo(genesis), Verb: kind.VerbTurn}},
	}
	for _, m := range more {
		changes = append(changes, m(id))
	}
	_, err = st.Apply(c.Session, changes...)
	return id, err
}

// environment is what an agent is told of where it works.
func environment(r *Runner, c *call.Context) map[string]string {
	env := map[string]string{"folder": c.Cwd, "date": r.Calls.Now().Format("2006-01-02"), "platform": runtime.GOOS}
	if c.Cwd != c.Workspace {
		env["workspace"] = c.Workspace
	}
	return env
}

// Mint makes a turn: the node, what it was told, and the head's move, in one transaction.
func (r *Runner) Mint(a Ask) (graph.ID, error) {
	st := r.Calls.Store
	head, move, err := session.Head(st, a.Agent)
	if err != nil {
		return graph.ID{}, err
	}
	tail, err := session.At(st, head)
	if err != nil {
		return graph.ID{}, err
	}
	spec, err := session.Spec(st, a.Agent)
	if err != nil {
		return graph.ID{}, err
	}
	var tools []string
	if tail.Turn == nil {
		tools = ceiling(r.Calls.Tools, spec.Tools)
	}
	t, err := session.Continue(st, a.Agent, tail, a.Policy, tools)
	if err != nil {
		return graph.ID{}, err
	}
	if t.Bag, err = st.NewBag(a.Agent.Session); err != nil {
		return graph.ID{}, err
	}
	next, err := st.Next(a.Agent.Session, a.Agent.Bag)
	if err != nil {
		return graph.ID{}, err
	}
	t.Env, t.Answerability, t.Unattended = a.Env, kind.Answerability(a.Context.Answerability), a.Unattended
	t.Rules, t.ReadAllow, t.Budget, t.Model = a.Context.Rules, a.Context.ReadAllow, a.Budget, a.Model
	t.StartedAt, t.Background, t.Parent = r.Calls.Now().UnixMicro(), a.Background, a.Place
	text, err := r.Calls.Keep(a.Prompt)
	if err != nil {
		return graph.ID{}, err
	}
	source := a.Source
	if source == "" {
		source = kind.SourceUser
	}
	id := graph.ID{Session: a.Agent.Session, Bag: a.Agent.Bag, Ord: next}
	_, err = st.Apply(id.Session,
		store.Mint{ID: id, Node: t, Open: true},
		store.Mint{ID: graph.ID{Session: id.Session, Bag: t.Bag}, Node: &kind.TurnPromptChunk{Source: source, Text: text}},
		store.Mint{ID: move, Node: &kind.HeadMove{Head: *kind.RefTo(id), Verb: kind.VerbTurn}})
	if errors.Is(err, store.ErrExists) {
		return graph.ID{}, fmt.Errorf("the head of %s moved meanwhile: another turn was begun", a.Agent)
	}
	return id, err
}

// ceiling is what a recipe lets an agent use of the tools that there are.
func ceiling(set *tool.Set, most []string) []string {
	out := []string{}
	for _, name := range set.Names() {
		if t, _ := set.Get(name); !t.Private && (most == nil || contains(most, name)) {
			out = append(out, name)
		}
	}
	return out
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// Result is where a turn came to rest.
type Result struct {
	ID    graph.ID
	Rest  call.Rest
	Text  string // the last thing that it said
	Error *kind.Error
	State kind.State // when it ended
	Why   string
}

// Run leads a turn to its end, or until it waits for a person. A turn that an earlier process began goes on from its tape.
func (r *Runner) Run(ctx context.Context, id graph.ID, c call.Context, hear Hear) (Result, error) {
	u, err := session.At(r.Calls.Store, id)
	if err != nil {
		return Result{}, err
	}
	if u.Turn == nil {
		return Result{}, fmt.Errorf("%s is no turn", id)
	}
	if u.Closed() {
		return r.ended(u)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	untrack, ok := r.Calls.Track(id, func(cause error) { cancel(cause) })
	if !ok {
		return Result{}, fmt.Errorf("%s runs already", id)
	}
	defer untrack()
	t := &turn{r: r, id: id, node: u.Turn, hear: hear, context: c}
	t.context.Bag = u.Turn.Bag
	return t.run(ctx)
}

// ended is the result of a turn that was sealed before.
func (r *Runner) ended(u *session.Unit) (Result, error) {
	res := Result{ID: u.ID, State: u.Outcome.State, Error: u.Outcome.Error, Why: u.Outcome.By}
	d, err := r.Calls.Fetch(u.Outcome.Value)
	res.Text, _ = d.(string)
	return res, err
}
