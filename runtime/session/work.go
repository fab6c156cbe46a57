package session

import (
	"iter"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// Opens answers what is open in a session.
type Opens interface {
	Reader
	Open(session uint64) iter.Seq2[graph.ID, error]
}

// Work is the work of a session's document (law S14): the head, the turns before it that are still open, other open turns
// that the head leads to, and what closed turns left in the background. The tape is not work. Programs and calls that
// hang on the root itself are work of their own while they are open.
func Work(r Opens, n uint64) ([]graph.ID, error) {
	var out []graph.ID
	seen := map[graph.ID]bool{}
	add := func(id graph.ID) {
		if !seen[id] && !id.IsZero() {
			seen[id] = true
			out = append(out, id)
		}
	}
	agent, ok, err := AgentOf(r, n)
	if err != nil {
		return nil, err
	}
	var head graph.ID
	if ok {
		if head, _, err = Head(r, agent); err != nil {
			return nil, err
		}
		if u, err := At(r, head); err != nil {
			return nil, err
		} else if u.Turn != nil {
			add(head)
			before, err := Inbound(r, u)
			if err != nil {
				return nil, err
			}
			for _, p := range before {
				add(p.ID)
			}
		}
	}
	for id, err := range r.Open(n) {
		if err != nil {
			return nil, err
		}
		node, err := r.Node(id)
		if err != nil {
			return nil, err
		}
		switch t := node.(type) {
		case *kind.SessionTurn:
			if t.Agent.Refers(agent) {
				if on, err := Reaches(r, head, id); err != nil || !on {
					if err != nil {
						return nil, err
					}
					continue
				}
			}
			add(id)
		case *kind.ProgrammaticJob, kind.ToolCall:
			if id.Bag == graph.RootBag {
				add(id)
				continue
			}
			e, err := r.Entry(id)
			if err != nil {
				return nil, err
			}
			if e.InBackground() {
				add(id)
			}
		}
	}
	return out, nil
}

// Inbound are the predecessors of a turn that are still open, nearest first: the turn begins when they have closed (law
// S16). A turn that closed ends the chain.
func Inbound(r Reader, u *Unit) ([]*Unit, error) {
	var out []*Unit
	for u.Turn != nil {
		before, err := At(r, u.Turn.Tail.ID())
		if err != nil {
			return nil, err
		}
		if before.Turn == nil || before.Closed() {
			return out, nil
		}
		out = append(out, before)
		u = before
	}
	return out, nil
}
