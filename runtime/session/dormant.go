package session

import (
	"slices"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// Owners climbs the graph: which node owns a bag.
type Owners interface {
	Reader
	Owner(session, bag uint64) (graph.ID, error)
}

// Dormant reports whether a job is unreachable from the live head: one of the turns that it hangs below has left the walk
// of its agent. Nothing stores that; work on an abandoned branch is neither shown as live nor gone on with (law S21).
func Dormant(r Owners, id graph.ID) (bool, error) {
	for {
		n, err := r.Node(id)
		if err != nil {
			return false, err
		}
		if t, ok := n.(*kind.SessionTurn); ok {
			head, _, err := Head(r, t.Agent.ID())
			if err != nil {
				return false, err
			}
			if on, err := Reaches(r, head, id); err != nil || !on {
				return !on, err
			}
		}
		if id.Bag <= graph.RootBag {
			return false, nil
		}
		if id, err = r.Owner(id.Session, id.Bag); err != nil {
			return false, err
		}
	}
}

// Between are the turns of two walks since they parted: those only on the walk from a, newest first, and those only on
// the walk from b, oldest first.
func Between(r Reader, a, b graph.ID) (left, entered []*Unit, err error) {
	x, err := At(r, a)
	if err != nil {
		return nil, nil, err
	}
	y, err := At(r, b)
	if err != nil {
		return nil, nil, err
	}
	for x.ID != y.ID {
		at := &x
		if y.Depth() > x.Depth() {
			at = &y
			entered = append(entered, y)
		} else {
			left = append(left, x)
		}
		if (*at).Turn == nil {
			return nil, nil, other(b, y.Node, "a unit of the same conversation")
		}
		if *at, err = At(r, (*at).Turn.Tail.ID()); err != nil {
			return nil, nil, err
		}
	}
	slices.Reverse(entered)
	return left, entered, nil
}

// Had reports whether a unit was ever on the walk of an agent: on that of its head, or of one that it had before.
func Had(r Reader, agent, unit graph.ID) (bool, error) {
	u, err := At(r, unit)
	if err != nil {
		return false, err
	}
	if u.Agent() == agent {
		return true, nil
	}
	head, _, err := Head(r, agent)
	if err != nil {
		return false, err
	}
	return Reaches(r, head, unit)
}
