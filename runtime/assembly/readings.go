package assembly

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/model"
	"caper/runtime/session"
)

// This file answers what programs ask of sessions, turns, agents and models. Each is named by its id.

// own reads an id of the program's own session.
func own(c *call.Context, d graph.Datum, what string) (graph.ID, error) {
	text, ok := d.(string)
	if !ok {
		return graph.ID{}, fmt.Errorf("%s is named by its id, a string such as \"3.1.12\"; found %.100s", what, graph.Write(d))
	}
	id, err := graph.ParseID(text)
	if err == nil && id.Session != c.Session {
		err = fmt.Errorf("%s belongs to another session: a program sees what is in its own", id)
	}
	return id, err
}

// ofSession is a reading of a session; without an argument it is the program's.
func (s *System) ofSession(read func(n uint64) (graph.Datum, error)) call.Reading {
	return func(_ context.Context, c *call.Context, args graph.List) (graph.Datum, error) {
		if len(args) == 1 && args[0] != false {
			id, err := own(c, args[0], "a session")
			if err != nil {
				return nil, err
			}
			if id != graph.RootID(id.Session) {
				return nil, fmt.Errorf("%s is no session", id)
			}
		}
		return read(c.Session)
	}
}

func (s *System) readAgent(n uint64) (graph.Datum, error) {
	id, ok, err := session.AgentOf(s.Store, n)
	if !ok {
		return false, err
	}
	return id.String(), err
}

func (s *System) readHead(n uint64) (graph.Datum, error) {
	id, ok, err := session.AgentOf(s.Store, n)
	if !ok || err != nil {
		return false, err
	}
	head, _, err := session.Head(s.Store, id)
	return head.String(), err
}

// maxTurns bounds how many turns one reading answers: the newest.
const maxTurns = 1000

// readTurns answers the turns of the walk from the head, oldest first.
func (s *System) readTurns(n uint64) (graph.Datum, error) {
	out := graph.List{}
	id, ok, err := session.AgentOf(s.Store, n)
	if !ok || err != nil {
		return out, err
	}
	head, _, err := session.Head(s.Store, id)
	if err != nil {
		return nil, err
	}
	for u, err := range session.Walk(s.Store, head) {
		if err != nil {
			return nil, err
		}
		if u.Turn == nil || len(out) == maxTurns {
			break
		}
		out = append(out, u.ID.String())
	}
	slices.Reverse(out)
	return out, nil
}

func (s *System) readMode(n uint64) (graph.Datum, error) {
	settings, err := session.SettingsOf(s.Store, n)
	if settings.Mode == "" {
		settings.Mode = kind.Act
	}
	return graph.Symbol(settings.Mode), err
}

// ofTurn is a reading of a turn, or of a genesis.
func (s *System) ofTurn(read func(*session.Unit) (graph.Datum, error)) call.Reading {
	return func(_ context.Context, c *call.Context, args graph.List) (graph.Datum, error) {
		if len(args) != 1 {
			return nil, errors.New("one turn is wanted")
		}
		id, err := own(c, args[0], "a turn")
		if err != nil {
			return nil, err
		}
		u, err := session.At(s.Store, id)
		if err != nil {
			return nil, err
		}
		return read(u)
	}
}

// turnTail is the unit that a turn continues, #f of the genesis.
func turnTail(u *session.Unit) (graph.Datum, error) {
	if u.Turn == nil {
		return false, nil
	}
	return u.Turn.Tail.ID().String(), nil
}

// turnText is the last thing that was said in a turn, #f while it runs; of the genesis, what the agent was told.
func (s *System) turnText(u *session.Unit) (graph.Datum, error) {
	switch {
	case u.Genesis != nil:
		return s.Calls.Fetch(u.Genesis.Constitution)
	case u.Outcome == nil:
		return false, nil
	}
	d, err := s.Calls.Fetch(u.Outcome.Value)
	if d == nil {
		d = ""
	}
	return d, err
}

// turnPrompt is what a turn began with.
func (s *System) turnPrompt(u *session.Unit) (graph.Datum, error) {
	if u.Turn == nil {
		return false, nil
	}
	n, err := s.Store.Node(graph.ID{Session: u.ID.Session, Bag: u.Turn.Bag})
	if err != nil {
		return nil, err
	}
	p, ok := n.(*kind.TurnPromptChunk)
	if !ok {
		return false, nil
	}
	return s.Calls.Fetch(p.Text)
}

func (s *System) turnPolicy(u *session.Unit) (graph.Datum, error) {
	p, err := session.EffectivePolicy(s.Store, u.ID)
	return graph.Symbol(p), err
}

// turnModel is the model that gave the last answer of a turn, #f where there is none.
func (s *System) turnModel(u *session.Unit) (graph.Datum, error) {
	if u.Turn == nil {
		return false, nil
	}
	tape, err := session.TapeOf(s.Store, u.ID)
	if err != nil {
		return nil, err
	}
	cells := tape.Cells()
	for i := len(cells) - 1; i >= 0; i-- {
		if cells[i].Completion != nil && cells[i].Outcome != nil && cells[i].Outcome.State == kind.Settled {
			return agent.ReceiptOf(cells[i].Outcome).Model, nil
		}
	}
	return false, nil
}

func (s *System) readKv(_ context.Context, c *call.Context, args graph.List) (graph.Datum, error) {
	if len(args) == 1 {
		if key, ok := graph.Name(args[0]); ok {
			settings, err := session.SettingsOf(s.Store, c.Session)
			if v, ok := settings.Kvs[key]; ok {
				return v, err
			}
			return false, err
		}
	}
	return nil, errors.New("kvs-ref: the key is a symbol or a string")
}

// readAgents answers the recipes that there are, without their constitutions.
func (s *System) readAgents(_ context.Context, c *call.Context, _ graph.List) (graph.Datum, error) {
	all, err := s.recipes(c)
	out := graph.List{}
	for _, r := range all {
		d := graph.List{graph.Pair("name", graph.Symbol(r.Name)), graph.Pair("description", r.Description)}
		if r.Model != "" {
			d = append(d, graph.Pair("model", r.Model))
		}
		out = append(out, d)
	}
	return out, err
}

// agentOf reads an agent: by its own id, or by that of the call that made it.
func (s *System) agentOf(c *call.Context, d graph.Datum) (graph.ID, error) {
	id, err := own(c, d, "an agent")
	if err != nil {
		return id, err
	}
	n, err := s.Store.Node(id)
	if err != nil {
		return id, err
	}
	if call, ok := n.(*kind.AgentCallJob); ok {
		made, found, err := session.Called(s.Store, id.Session, call.Bag)
		if err == nil && !found {
			err = fmt.Errorf("%s made no agent", id)
		}
		return made, err
	}
	return id, nil
}

// readSpec answers a recipe: of an agent its newest snapshot, of a name that of the catalogue.
func (s *System) readSpec(_ context.Context, c *call.Context, args graph.List) (graph.Datum, error) {
	name, ok := "", false
	if len(args) == 1 {
		name, ok = graph.Name(args[0])
	}
	if !ok {
		return nil, errors.New("agent-spec: one agent is wanted, by its id or by a name of the catalogue")
	}
	if _, err := graph.ParseID(name); err != nil {
		r, err := s.named(c, name)
		if err != nil {
			return nil, err
		}
		return r.Datum(), nil
	}
	id, err := s.agentOf(c, name)
	if err != nil {
		return nil, err
	}
	spec, err := session.Spec(s.Store, id)
	if err != nil {
		return nil, err
	}
	return spec.Datum(), nil
}

func (s *System) readAgentHead(_ context.Context, c *call.Context, args graph.List) (graph.Datum, error) {
	if len(args) != 1 {
		return nil, errors.New("agent-head: one agent is wanted")
	}
	id, err := s.agentOf(c, args[0])
	if err != nil {
		return nil, err
	}
	head, _, err := session.Head(s.Store, id)
	return head.String(), err
}

// readModels answers the connections that there are, and the models that programs of the session defined.
func (s *System) readModels(_ context.Context, c *call.Context, _ graph.List) (graph.Datum, error) {
	out := graph.List{}
	for _, n := range s.models.Names() {
		out = append(out, n)
	}
	for _, n := range s.models.of(c.Session) {
		out = append(out, n)
	}
	return out, nil
}

// readCost answers what a use costs in dollars, #f where that is not known. A use is what job-usage answers, or has
// input, cache-read, cache-write and output tokens.
func (s *System) readCost(ctx context.Context, c *call.Context, args graph.List) (graph.Datum, error) {
	if len(args) == 0 {
		return nil, errors.New("model-cost: a use is wanted, such as ((input . 1000) (output . 200)), and a model")
	}
	usage := args[0]
	if id, ok := usage.(string); ok { // a job
		d, err := s.readUsage(ctx, c, graph.List{id})
		if err != nil {
			return nil, err
		}
		usage = d
	}
	if micros, ok := graph.Field(usage, "micros").(int64); ok && (len(args) < 2 || args[1] == false) {
		return float64(micros) / 1e6, nil
	}
	count := func(name string) int64 {
		n, _ := graph.Field(usage, name).(int64)
		return n
	}
	u := model.Usage{Input: count("input"), CacheRead: count("cache-read"), CacheWrite: count("cache-write"), Output: count("output")}
	name := ""
	if len(args) > 1 {
		name, _ = graph.Name(args[1])
	}
	if name == "" && s.Agents.Default != nil {
		name = s.Agents.Default()
	}
	micros, known := s.Agents.Models.Cost(name, u)
	if !known {
		return false, nil
	}
	return float64(micros) / 1e6, nil
}

// readUsage answers what all answers of models below a job used together. micros are millionths of a dollar; where the
// price of one is not known, it counts nothing and unknown counts it.
func (s *System) readUsage(_ context.Context, c *call.Context, args graph.List) (graph.Datum, error) {
	if len(args) != 1 {
		return nil, errors.New("job-usage: one job is wanted")
	}
	id, err := own(c, args[0], "a job")
	if err != nil {
		return nil, err
	}
	var sum [5]int64
	var micros, rounds, unknown int64
	stack := []graph.ID{id}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		e, err := s.Store.Entry(at)
		if err != nil {
			return nil, err
		}
		if _, ok := e.Node.(*kind.CompletionJob); ok && e.Outcome != nil && e.Outcome.State == kind.Settled {
			r := agent.ReceiptOf(e.Outcome)
			rounds++
			for i, n := range r.Usage {
				sum[i] += n
			}
			if r.Micros < 0 {
				unknown++
			} else {
				micros += r.Micros
			}
		}
		bag := uint64(0)
		switch n := e.Node.(type) {
		case *kind.SessionRoot:
			bag = graph.RootBag
		case *kind.Agent: // its moves are no work
		case interface{ OwnBag() uint64 }:
			bag = n.OwnBag()
		}
		if bag == 0 {
			continue
		}
		for child, err := range s.Store.Children(id.Session, bag, 0) {
			if err != nil {
				return nil, err
			}
			stack = append(stack, child.ID)
		}
	}
	return graph.List{graph.Pair("completions", rounds), graph.Pair("input", sum[0]), graph.Pair("cache-read", sum[1]), graph.Pair("cache-write", sum[2]),
		graph.Pair("output", sum[3]), graph.Pair("reasoning", sum[4]), graph.Pair("micros", micros), graph.Pair("unknown", unknown)}, nil
}
