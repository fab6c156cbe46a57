package agent

import (
	"context"
	"errors"
	"fmt"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// Fork makes a session whose agent begins at a unit of another's conversation: what came before is shared, nothing is
// copied. The recipes, the settings and the workspace are those of the session that is forked.
func (r *Runner) Fork(_ context.Context, w call.Work) (tool.Result, call.Rest, error) {
	st := r.Calls.Store
	text, _ := w.Args["node"].(string)
	at, err := graph.ParseID(text)
	if err != nil {
		return tool.Result{}, call.Settled, refuse("fork!: %v", err)
	}
	if _, err := session.At(st, at); err != nil {
		return tool.Result{}, call.Settled, refuse("fork!: %v", err)
	}
	agent, ok, err := session.AgentOf(st, w.ID.Session)
	if err != nil {
		return tool.Result{}, call.Settled, err
	}
	if ok {
		ok, err = session.Had(st, agent, at)
	}
	if err != nil || !ok {
		if err == nil {
			err = refuse("fork!: %s was never on the way of session %d", at, w.ID.Session)
		}
		return tool.Result{}, call.Settled, err
	}
	made, err := r.forked(w, agent, at)
	if err != nil {
		return tool.Result{}, call.Settled, err
	}
	return tool.Result{Value: graph.List{graph.Pair("session", int64(made)), graph.Pair("at", at.String())}}, call.Settled, nil
}

// forked makes the session, or finds the one that an earlier life of this call made: its number is on record below the
// call before anything is in it.
func (r *Runner) forked(w call.Work, agent, at graph.ID) (uint64, error) {
	st := r.Calls.Store
	mark := graph.ID{Session: w.ID.Session, Bag: w.Bag}
	n, err := st.Node(mark)
	var made uint64
	switch {
	case err == nil:
		c, _ := n.(*kind.Cell)
		if c == nil {
			return 0, fmt.Errorf("%s is not the mark of a fork", mark)
		}
		number, _ := c.Value.Datum.(int64)
		made = uint64(number)
	case !errors.Is(err, store.ErrNotFound):
		return 0, err
	default:
		s, err := session.SettingsOf(st, w.ID.Session)
		if err != nil {
			return 0, err
		}
		s.SessionID, s.Agent = s.SessionID+"-"+at.String(), nil
		if made, err = st.NewSession(&s); err != nil {
			return 0, err
		}
		if _, err := st.Apply(mark.Session, store.Mint{ID: mark, Node: &kind.Cell{Read: "fork", Value: kind.Of(int64(made))}}); err != nil {
			return 0, err
		}
	}
	if _, ok, err := session.AgentOf(st, made); err != nil || ok {
		return made, err
	}
	spec, err := session.Spec(st, agent)
	if err != nil {
		return 0, err
	}
	heads, err := st.NewBag(made)
	if err != nil {
		return 0, err
	}
	id := graph.ID{Session: made, Bag: graph.RootBag}
	changes := []store.Change{store.Mint{ID: id, Node: &kind.Agent{Spec: kind.Spec{AgentSpec: &spec}, Head: heads}},
		store.Mint{ID: graph.ID{Session: made, Bag: heads}, Node: &kind.HeadMove{Head: *kind.RefTo(at), Verb: kind.VerbFork}},
		store.Note{ID: graph.RootID(made), Fact: kind.Fact{What: kind.FactAgent, Value: kind.Of(id.String()), At: r.Calls.Now()}}}
	facts, err := st.Facts(graph.RootID(w.ID.Session))
	if err != nil {
		return 0, err
	}
	for _, f := range facts {
		if f.What == kind.FactRecipe { // of an agent that its programs defined
			changes = append(changes, store.Note{ID: graph.RootID(made), Fact: f})
		}
	}
	_, err = st.Apply(made, changes...)
	return made, err
}

// SetPolicy lays a posture on the session: it is the standing one, and where there is a head, that turn's overlay (law
// S23).
func (r *Runner) SetPolicy(n uint64, posture, by string) error {
	st := r.Calls.Store
	posture = session.Posture(posture)
	fact := kind.Fact{What: kind.FactPolicy, Value: kind.Of(posture), By: by, At: r.Calls.Now()}
	changes := []store.Change{store.Note{ID: graph.RootID(n), Fact: fact}}
	agent, ok, err := session.AgentOf(st, n)
	if err != nil {
		return err
	}
	if ok {
		head, _, err := session.Head(st, agent)
		if err != nil {
			return err
		}
		u, err := session.At(st, head)
		if err != nil {
			return err
		}
		if u.Turn != nil && head.Session == n {
			changes = append(changes, store.Note{ID: head, Fact: fact})
			late, err := session.LateOverlay(st, head)
			if err != nil {
				return err
			}
			if late {
				changes = append(changes, store.Note{ID: u.Agent(), Fact: kind.Fact{What: kind.FactLate, Value: kind.Of(head.String()), At: r.Calls.Now()}})
			}
		}
	}
	_, err = st.Apply(n, changes...)
	return err
}

// CurrentPolicy is the posture that holds in a session: that of its head, else the standing one.
func (r *Runner) CurrentPolicy(n uint64) (string, error) {
	st := r.Calls.Store
	agent, ok, err := session.AgentOf(st, n)
	if err != nil {
		return "", err
	}
	if !ok {
		return session.Standing(st, n)
	}
	head, _, err := session.Head(st, agent)
	if err != nil {
		return "", err
	}
	return session.EffectivePolicy(st, head)
}
