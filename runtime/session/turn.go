package session

import (
	"fmt"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// Continue makes the turn that continues a unit: its place in the conversation and what it inherits. policy is the overlay
// of the new turn, "" to inherit; the first turn takes the session's standing posture. The rest of the node is the
// caller's.
func Continue(r Reader, agent graph.ID, tail *Unit, policy string, tools []string) (*kind.SessionTurn, error) {
	t := &kind.SessionTurn{Agent: *kind.RefTo(agent), Tail: *kind.RefTo(tail.ID), Depth: tail.Depth() + 1, ToolsDefinition: tools}
	var err error
	if t.Jump, err = jump(r, tail); err != nil {
		return nil, err
	}
	if policy != "" {
		t.CurrentPolicy = Posture(policy)
	}
	if tail.Turn == nil {
		if t.CurrentPolicy == "" {
			if t.CurrentPolicy, err = Standing(r, agent.Session); err != nil {
				return nil, err
			}
		}
		return t, nil
	}
	t.PolicyFrom, t.ToolsFrom, t.ProgramsFrom = tail.Turn.PolicyFrom, tail.Turn.ToolsFrom, tail.Turn.ProgramsFrom
	some, err := mayRunPrograms(r, tail)
	if err != nil {
		return nil, err
	}
	if some {
		t.ProgramsFrom = kind.RefTo(tail.ID)
	}
	if tail.overlay() != "" {
		t.PolicyFrom = kind.RefTo(tail.ID)
	}
	if tail.Turn.ToolsDefinition != nil {
		t.ToolsFrom = kind.RefTo(tail.ID)
	}
	return t, nil
}

// Posture coerces what is stored: what is unknown or empty is manual (law S22).
func Posture(s string) string {
	if s == kind.Auto || s == kind.Yolo {
		return s
	}
	return kind.Manual
}

// overlay is the posture that was laid on this very turn, "" for none.
func (u *Unit) overlay() string {
	if u.Turn == nil {
		return ""
	}
	if f := u.Newest(kind.FactPolicy); f != nil {
		s, _ := f.Value.Datum.(string)
		return Posture(s)
	}
	return u.Turn.CurrentPolicy
}

// EffectivePolicy is the posture of a turn: its own overlay, or that of the nearest turn before it that has one. It is
// computed each time.
func EffectivePolicy(r Reader, turn graph.ID) (string, error) {
	u, err := At(r, turn)
	if err != nil {
		return "", err
	}
	if own := u.overlay(); own != "" {
		return own, nil
	}
	if u.Turn == nil {
		return Standing(r, turn.Session)
	}
	from, err := nearest(r, u)
	if err != nil {
		return "", err
	}
	if from == nil {
		return Standing(r, turn.Session)
	}
	return Posture(from.overlay()), nil
}

// nearest finds the nearest turn before u that has an overlay: the one that was noted when u was made, or one between
// them that got its overlay later, when others had continued it.
func nearest(r Reader, u *Unit) (*Unit, error) {
	var best *Unit
	if u.Turn.PolicyFrom != nil {
		var err error
		if best, err = At(r, u.Turn.PolicyFrom.ID()); err != nil {
			return nil, err
		}
		if best.Depth() >= u.Depth() {
			return nil, fmt.Errorf("%s: it inherits from what comes after it", u.ID)
		}
	}
	facts, err := lateFacts(r, u.Agent())
	if err != nil {
		return nil, err
	}
	for _, f := range facts {
		text, _ := f.Value.Datum.(string)
		id, err := graph.ParseID(text)
		if f.What != kind.FactLate || err != nil {
			continue
		}
		late, err := At(r, id)
		if err != nil {
			return nil, err
		}
		if late.Depth() >= u.Depth() || best != nil && late.Depth() <= best.Depth() {
			continue
		}
		on, err := Reaches(r, u.ID, id)
		if err != nil {
			return nil, err
		}
		if on {
			best = late
		}
	}
	return best, nil
}

// maxForks bounds how many times a conversation was forked on its way here.
const maxForks = 1000

// lateFacts are the notes of late overlays, on an agent and on those that it was forked from.
func lateFacts(r Reader, agent graph.ID) (all []kind.Fact, err error) {
	for range maxForks {
		facts, err := r.Facts(agent)
		if err != nil {
			return nil, err
		}
		all = append(all, facts...)
		from, err := Origin(r, agent)
		if err != nil {
			return nil, err
		}
		if from.Turn == nil || from.Agent() == agent {
			return all, nil
		}
		agent = from.Agent()
	}
	return nil, fmt.Errorf("%s was forked more than %d times", agent, maxForks)
}

// EffectiveTools is what a turn's round may use: its own definition, or that of the nearest turn before it that has one.
func EffectiveTools(r Reader, turn graph.ID) ([]string, error) {
	u, err := At(r, turn)
	if err != nil || u.Turn == nil {
		return nil, err
	}
	if u.Turn.ToolsDefinition != nil || u.Turn.ToolsFrom == nil {
		return u.Turn.ToolsDefinition, nil
	}
	from, err := read[*kind.SessionTurn](r, u.Turn.ToolsFrom.ID())
	if err != nil {
		return nil, err
	}
	return from.ToolsDefinition, nil
}

// Standing is the session's standing posture.
func Standing(r Reader, session uint64) (string, error) {
	s, err := SettingsOf(r, session)
	return Posture(s.StandingPolicy), err
}

// SettingsOf is the session's document as it stands: the root as it was made, with what was set since.
func SettingsOf(r Reader, session uint64) (kind.SessionRoot, error) {
	e, err := r.Entry(graph.RootID(session))
	if err != nil {
		return kind.SessionRoot{}, err
	}
	root, ok := e.Node.(*kind.SessionRoot)
	if !ok {
		return kind.SessionRoot{}, other(e.ID, e.Node, "SessionRoot")
	}
	s := *root
	kvs := map[string]string{}
	for k, v := range root.Kvs {
		kvs[k] = v
	}
	for _, f := range e.Facts {
		text, _ := f.Value.Datum.(string)
		switch f.What {
		case kind.FactPolicy:
			s.StandingPolicy = text
		case kind.FactMode:
			s.Mode = text
		case kind.FactAgent:
			if id, err := graph.ParseID(text); err == nil {
				s.Agent = kind.RefTo(id)
			}
		case kind.FactKv:
			p, ok := f.Value.Datum.(*graph.Dotted)
			if !ok || len(p.Items) != 1 {
				continue
			}
			key, _ := p.Items[0].(string)
			if v, ok := p.Tail.(string); ok {
				kvs[key] = v
			} else {
				delete(kvs, key)
			}
		}
	}
	s.Kvs = kvs
	return s, nil
}

// LateOverlay reports whether an overlay that is laid on a turn now must be noted on its agent too: others have continued
// the turn already, and what they noted when they were made does not speak of it.
func LateOverlay(r Reader, turn graph.ID) (bool, error) {
	next, err := r.Next(turn.Session, turn.Bag)
	return err == nil && next > turn.Ord+1, err
}
