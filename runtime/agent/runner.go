package agent

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

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
	// Settings answers what a person chose for all turns; nil: nothing.
	Settings func() (Settings, error)
	// Default answers the connection:model that is asked where nothing names one; nil: none is.
	Default func() string
	// Named answers the full name of a model that somebody named, or why it cannot be asked here; nil: it is as it was named.
	Named func(ctx context.Context, c *call.Context, name string) (string, error)
	// MaxTokens bounds one answer; 0: the connection's default.
	MaxTokens int
	// Expand runs the templates of a constitution, as programs of the bag in which its agent is made; nil: it has none.
	Expand func(c *call.Context, bag uint64, agent, text string) (string, error)

	// saying is held while something said is given its turn: a turn that is being sealed, a head that moves and a call that
	// ends in the background do not pass each other.
	saying    sync.Mutex
	minted    sync.Map // turns that were minted here and are about to be led, by their ids
	flights   flights
	leftovers leftovers
	ledger    ledger
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
	Policy  string   // an overlay, "" to inherit
	Model   string   // asked for; else the session's, else the recipe's
	Tools   []string // what it may use; nil: in the first turn what the recipe allows, then what it had
	Budget  kind.Spending
	Place   kind.Place // of the program's call that makes it
	Context call.Context
	// Unattended is auto or yolo for a turn that nobody watches (law S25).
	Unattended string
}

// Begin mints an agent with its genesis in a bag, and makes it its head: one transaction. more goes with it.
func (r *Runner) Begin(bag uint64, c *call.Context, spec kind.Spec, parent *graph.ID, nickname string, more ...func(graph.ID) store.Change) (graph.ID, error) {
	st := r.Calls.Store
	constitution, err := r.constitution(bag, c, spec.Recipe())
	if err != nil {
		return graph.ID{}, err
	}
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
		store.Mint{ID: genesis, Node: &kind.SessionSystemPrompt{Agent: *kind.RefTo(id), Constitution: constitution, Env: environment(r, c)}},
		store.Mint{ID: graph.ID{Session: c.Session, Bag: heads}, Node: &kind.HeadMove{Head: *kind.RefTo(genesis), Verb: kind.VerbTurn}},
	}
	for _, m := range more {
		changes = append(changes, m(id))
	}
	_, err = st.Apply(c.Session, changes...)
	return id, err
}

// constitution is the text of a recipe with what its templates answer.
func (r *Runner) constitution(bag uint64, c *call.Context, recipe kind.AgentSpec) (kind.Value, error) {
	if r.Expand == nil || recipe.Nature == kind.NatureProject { // what a repository brings runs nothing by being named
		return recipe.Constitution, nil
	}
	d, err := r.Calls.Fetch(recipe.Constitution)
	if err != nil {
		return kind.Value{}, err
	}
	text, _ := d.(string)
	if text, err = r.Expand(c, bag, recipe.Name, text); err != nil {
		var te *tool.Error
		if errors.As(err, &te) {
			return kind.Value{}, err
		}
		return kind.Value{}, &tool.Error{Code: "template", Message: err.Error(), Err: err}
	}
	return r.Calls.Keep(text)
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
	r.saying.Lock()
	defer r.saying.Unlock()
	st := r.Calls.Store
	head, move, err := session.Head(st, a.Agent)
	if err != nil {
		return graph.ID{}, err
	}
	tail, err := session.At(st, head)
	if err != nil {
		return graph.ID{}, err
	}
	text, err := r.Calls.Keep(a.Prompt)
	if err != nil {
		return graph.ID{}, err
	}
	id, _, err := r.begin(a, tail, move, func(id graph.ID, t *kind.SessionTurn) []store.Change {
		r.minted.Store(id, true) // before anybody can see it: who minted it is about to lead it
		return []store.Change{
			store.Mint{ID: graph.ID{Session: id.Session, Bag: t.Bag}, Node: &kind.TurnPromptChunk{Source: kind.SourceUser, Text: text}},
			store.Mint{ID: move, Node: &kind.HeadMove{Head: *kind.RefTo(id), Verb: kind.VerbTurn}}}
	})
	return id, err
}

// begin mints a turn and what goes with it, unless the head moves meanwhile. A program of the same bag only takes its place.
// Called with saying held.
func (r *Runner) begin(a Ask, tail *session.Unit, move graph.ID, with func(graph.ID, *kind.SessionTurn) []store.Change) (graph.ID, *kind.SessionTurn, error) {
	for {
		id, t, err := r.newTurn(a, tail)
		if err != nil {
			return graph.ID{}, nil, err
		}
		_, err = r.Calls.Store.Apply(id.Session, append([]store.Change{store.Mint{ID: id, Node: t, Open: true}}, with(id, t)...)...)
		if err == nil {
			return id, t, nil
		}
		r.minted.Delete(id)
		if !errors.Is(err, store.ErrExists) {
			return graph.ID{}, nil, err
		}
		if _, next, err := session.Head(r.Calls.Store, a.Agent); err != nil {
			return graph.ID{}, nil, err
		} else if next != move {
			return graph.ID{}, nil, fmt.Errorf("the head of %s moved meanwhile: another turn was begun, or it was rewound", a.Agent)
		}
	}
}

// Here reports whether a turn is led in this process, or is about to be.
func (r *Runner) Here(id graph.ID) bool {
	_, minted := r.minted.Load(id)
	return minted || r.Calls.Running(id)
}

// newTurn is a turn that continues a unit, with its place.
func (r *Runner) newTurn(a Ask, tail *session.Unit) (id graph.ID, t *kind.SessionTurn, err error) {
	st := r.Calls.Store
	spec, err := session.Spec(st, a.Agent)
	if err != nil {
		return id, nil, err
	}
	var tools []string
	if tail.Turn == nil {
		tools = Ceiling(r.Calls.ToolsOf(a.Agent.Session), spec.Tools)
	} else if tools, err = r.defined(tail, spec.Tools); err != nil {
		return id, nil, err
	}
	if a.Tools != nil {
		tools = a.Tools
	}
	t, err = session.Continue(st, a.Agent, tail, a.Policy, tools)
	if err != nil {
		return id, nil, err
	}
	if t.Bag, err = st.NewBag(a.Agent.Session); err != nil {
		return id, nil, err
	}
	next, err := st.Next(a.Agent.Session, a.Agent.Bag)
	if err != nil {
		return id, nil, err
	}
	t.Answerability, t.Unattended = kind.Answerability(a.Context.Answerability), a.Unattended
	t.Rules, t.ReadAllow, t.Budget, t.Model = a.Context.Rules, a.Context.ReadAllow, a.Budget, a.Model
	t.StartedAt, t.Parent = r.Calls.Now().UnixMicro(), a.Place
	if t.Bounds, err = r.Calls.KeepBounds(a.Context.Bounds, a.Context.Mode); err != nil {
		return id, nil, err
	}
	return graph.ID{Session: a.Agent.Session, Bag: a.Agent.Bag, Ord: next}, t, nil
}

// defined is the definition of a turn's tools with those that programs have defined since, nil where there are no new ones.
// Who may run programs may call what they define.
func (r *Runner) defined(tail *session.Unit, most []string) ([]string, error) {
	if r.Calls.Own == nil {
		return nil, nil
	}
	own := r.Calls.Own(tail.ID.Session)
	if len(own) == 0 {
		return nil, nil
	}
	now, err := session.EffectiveTools(r.Calls.Store, tail.ID)
	if err != nil || !slices.Contains(now, session.Programs) {
		return nil, err
	}
	all := slices.Clone(now)
	for _, o := range own {
		if name := o.Tool.Name; !slices.Contains(all, name) && (most == nil || slices.Contains(most, name)) {
			all = append(all, name)
		}
	}
	if len(all) == len(now) {
		return nil, nil
	}
	slices.Sort(all)
	return all, nil
}

// Ceiling is what a recipe lets an agent use of the tools that there are.
func Ceiling(set *tool.Set, most []string) []string {
	out := []string{}
	for _, name := range set.Names() {
		if t, _ := set.Get(name); !t.Private && (most == nil || slices.Contains(most, name)) {
			out = append(out, name)
		}
	}
	return out
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

// Run leads a turn to its end, or until it waits for a person. A turn that an earlier process began goes on from its
// tape. It waits for the turns before it that are still open, and leads those that nobody leads (law S16).
func (r *Runner) Run(ctx context.Context, id graph.ID, c call.Context, hear Hear) (Result, error) {
	defer r.minted.Delete(id)
	u, err := session.At(r.Calls.Store, id)
	if err != nil {
		return Result{}, err
	}
	if u.Turn == nil {
		return Result{}, fmt.Errorf("%s is no turn", id)
	}
	head, _, err := session.Head(r.Calls.Store, u.Agent())
	if err != nil {
		return Result{}, err
	}
	others := c // they keep bounds of their own: those of c are around this turn
	others.Bounds = call.Bounds{}
	if err := r.takeUp(ctx, head, others); err != nil {
		return Result{}, err
	}
	if u.Closed() {
		return r.ended(u)
	}
	before, err := session.Inbound(r.Calls.Store, u)
	if err != nil {
		return Result{}, err
	}
	var res Result
	for _, next := range slices.Backward(append([]*session.Unit{u}, before...)) {
		around := others
		if next == u {
			around = c
		}
		if res, err = r.lead(ctx, next, around, hear); err != nil || res.Rest != call.Settled {
			res.ID = id
			return res, err
		}
	}
	return res, nil
}

// lead leads one turn, or waits for the one of this process that does.
func (r *Runner) lead(ctx context.Context, u *session.Unit, c call.Context, hear Hear) (Result, error) {
	own, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	untrack, ok := r.Calls.Track(u.ID, func(cause error) { cancel(cause) })
	if !ok {
		return r.follow(ctx, u.ID)
	}
	defer untrack()
	u, err := session.At(r.Calls.Store, u.ID) // whoever led it until now may have ended it
	if err != nil {
		return Result{}, err
	}
	if u.Closed() {
		return r.ended(u)
	}
	t, err := newTurn(r, u.ID, u.Turn, c)
	if err != nil {
		return Result{}, err
	}
	t.hear = hear
	if t.settings, err = r.settings(); err != nil {
		return Result{}, err
	}
	return t.run(own)
}

// follow waits for a turn that runs elsewhere in this process.
func (r *Runner) follow(ctx context.Context, id graph.ID) (Result, error) {
	if _, err := r.Calls.Wait(ctx, id); err != nil {
		return Result{ID: id, Rest: call.Parked}, nil
	}
	u, err := session.At(r.Calls.Store, id)
	switch {
	case err != nil:
		return Result{}, err
	case u.Closed():
		return r.ended(u)
	}
	return Result{ID: id, Rest: call.Parked}, nil // it rests, or its command was ended
}

// ended is the result of a turn that was sealed before.
func (r *Runner) ended(u *session.Unit) (Result, error) {
	res := Result{ID: u.ID, State: u.Outcome.State, Error: u.Outcome.Error, Why: u.Outcome.By}
	d, err := r.Calls.Fetch(u.Outcome.Value)
	res.Text, _ = d.(string)
	return res, err
}
