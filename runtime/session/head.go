package session

import (
	"fmt"
	"iter"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// AgentOf answers the agent of a session, and whether it has one.
func AgentOf(r Reader, session uint64) (graph.ID, bool, error) {
	root, err := r.Entry(graph.RootID(session))
	if err != nil {
		return graph.ID{}, false, err
	}
	if f := root.Newest(kind.FactAgent); f != nil {
		text, _ := f.Value.Datum.(string)
		id, err := graph.ParseID(text)
		return id, err == nil, err
	}
	return graph.ID{}, false, nil
}

// Head answers the head of an agent: the unit that its newest head move names. move is the place of the next one. An
// agent without a genesis has none.
func Head(r Reader, agent graph.ID) (head graph.ID, move graph.ID, err error) {
	a, err := read[*kind.Agent](r, agent)
	if err != nil {
		return head, move, err
	}
	next, err := r.Next(agent.Session, a.Head)
	if err != nil {
		return head, move, err
	}
	move = graph.ID{Session: agent.Session, Bag: a.Head, Ord: next}
	if next == 0 {
		return head, move, nil
	}
	m, err := read[*kind.HeadMove](r, graph.ID{Session: agent.Session, Bag: a.Head, Ord: next - 1})
	if err != nil {
		return head, move, err
	}
	return m.Head.ID(), move, nil
}

// Called answers the agent that a call made: the first one in its bag, after the programs of its constitution's templates.
func Called(r Reader, session, bag uint64) (id graph.ID, found bool, err error) {
	for e, err := range r.Children(session, bag, 0) {
		if err != nil {
			return id, false, err
		}
		if _, ok := e.Node.(*kind.Agent); ok {
			return e.ID, true, nil
		}
	}
	return id, false, nil
}

// Spec answers the newest snapshot of an agent's recipe.
func Spec(r Reader, agent graph.ID) (kind.AgentSpec, error) {
	e, err := r.Entry(agent)
	if err != nil {
		return kind.AgentSpec{}, err
	}
	a, ok := e.Node.(*kind.Agent)
	if !ok {
		return kind.AgentSpec{}, other(agent, e.Node, "an agent")
	}
	if f := e.Newest(kind.FactSpec); f != nil {
		return kind.SpecOf(f.Value.Datum)
	}
	return a.Spec.Recipe(), nil
}

func read[T kind.Node](r Reader, id graph.ID) (T, error) {
	n, err := r.Node(id)
	if err != nil {
		var none T
		return none, err
	}
	t, ok := n.(T)
	if !ok {
		var want T
		return t, other(id, n, want.Kind().Name())
	}
	return t, nil
}

func other(id graph.ID, n kind.Node, wanted string) error {
	return fmt.Errorf("%s is a %s; %s is wanted", id, n.Kind().Name(), wanted)
}

// Unit is one step of a conversation: a turn, or the genesis.
type Unit struct {
	kind.Entry
	Turn    *kind.SessionTurn         // nil for the genesis
	Genesis *kind.SessionSystemPrompt // nil for a turn
}

// Depth is the number of turns from the genesis, whose depth is 0.
func (u *Unit) Depth() uint64 {
	if u.Turn == nil {
		return 0
	}
	return u.Turn.Depth
}

// Agent is the agent whose unit it is.
func (u *Unit) Agent() graph.ID {
	if u.Turn != nil {
		return u.Turn.Agent.ID()
	}
	return u.Genesis.Agent.ID()
}

// Closed reports that the turn's reducer has exited. What it left in the background may still run (law S15).
func (u *Unit) Closed() bool { return u.Outcome != nil }

// At reads a unit.
func At(r Reader, id graph.ID) (*Unit, error) {
	e, err := r.Entry(id)
	if err != nil {
		return nil, err
	}
	u := &Unit{Entry: e}
	switch n := e.Node.(type) {
	case *kind.SessionTurn:
		u.Turn = n
	case *kind.SessionSystemPrompt:
		u.Genesis = n
	default:
		return nil, other(id, e.Node, "a turn or a genesis")
	}
	return u, nil
}

// Walk yields the units from one back to the genesis, by their tails.
func Walk(r Reader, from graph.ID) iter.Seq2[*Unit, error] {
	return func(yield func(*Unit, error) bool) {
		for at := from; ; {
			u, err := At(r, at)
			if !yield(u, err) || err != nil || u.Turn == nil {
				return
			}
			if at = u.Turn.Tail.ID(); u.Turn.Depth == 0 {
				yield(nil, fmt.Errorf("%s: a turn of depth 0", u.ID))
				return
			}
		}
	}
}

// predecessor finds the unit of a depth on the walk from a unit, in a number of steps that grows with the logarithm of
// the distance: each turn points to its tail and to one further back (a skew-binary list).
func predecessor(r Reader, from graph.ID, depth uint64) (graph.ID, error) {
	at := from
	for {
		u, err := At(r, at)
		if err != nil {
			return at, err
		}
		if u.Depth() <= depth {
			return at, nil
		}
		jump, err := At(r, u.Turn.Jump.ID())
		if err != nil {
			return at, err
		}
		if jump.Depth() >= u.Depth() {
			return at, fmt.Errorf("%s: its jump leads forward", u.ID)
		}
		if at = u.Turn.Tail.ID(); jump.Depth() >= depth {
			at = jump.ID
		}
	}
}

// Reaches reports whether a unit lies on the walk from a head. What hangs on one that does not is dormant: that is
// computed, and stored nowhere (law S21).
func Reaches(r Reader, head, unit graph.ID) (bool, error) {
	if head == unit {
		return true, nil
	}
	if head.IsZero() {
		return false, nil
	}
	u, err := At(r, unit)
	if err != nil {
		return false, err
	}
	at, err := predecessor(r, head, u.Depth())
	return at == unit, err
}

// jump is where a turn with this tail points further back.
func jump(r Reader, tail *Unit) (kind.Ref, error) {
	if tail.Turn == nil {
		return *kind.RefTo(tail.ID), nil
	}
	one, err := At(r, tail.Turn.Jump.ID())
	if err != nil || one.Turn == nil {
		return *kind.RefTo(tail.ID), err
	}
	two, err := At(r, one.Turn.Jump.ID())
	if err != nil {
		return kind.Ref{}, err
	}
	if tail.Depth()-one.Depth() == one.Depth()-two.Depth() {
		return *kind.RefTo(two.ID), nil
	}
	return *kind.RefTo(tail.ID), nil
}

// Origin answers the unit that an agent began with: its genesis or, of a fork, the unit at which it was forked.
func Origin(r Reader, agent graph.ID) (*Unit, error) {
	a, err := read[*kind.Agent](r, agent)
	if err != nil {
		return nil, err
	}
	m, err := read[*kind.HeadMove](r, graph.ID{Session: agent.Session, Bag: a.Head})
	if err != nil {
		return nil, err
	}
	return At(r, m.Head.ID())
}

// GenesisOf answers the genesis of the conversation that an agent leads.
func GenesisOf(r Reader, agent graph.ID) (*kind.SessionSystemPrompt, error) {
	u, err := Origin(r, agent)
	if err != nil {
		return nil, err
	}
	if u.Genesis != nil {
		return u.Genesis, nil
	}
	id, err := predecessor(r, u.ID, 0)
	if err != nil {
		return nil, err
	}
	return read[*kind.SessionSystemPrompt](r, id)
}
