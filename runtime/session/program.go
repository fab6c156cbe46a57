package session

import (
	"fmt"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// Programs is the tool whose calls run programs that go on in the machine of the one before them.
const Programs = "scheme"

// NewestProgram answers the newest program on the walk from a turn, before the place of a call in it: that of the call
// which stands last on the tapes, in tape order. So what programs define follows the head. It is zero where there is none.
func NewestProgram(r Reader, turn graph.ID, before uint64) (graph.ID, error) {
	for at := turn; ; {
		u, err := At(r, at)
		if err != nil || u.Turn == nil {
			return graph.ID{}, err
		}
		found, err := newestIn(r, u, before)
		if err != nil || !found.IsZero() {
			return found, err
		}
		if u.Turn.ProgramsFrom == nil {
			return graph.ID{}, nil
		}
		from, err := At(r, u.Turn.ProgramsFrom.ID())
		if err != nil {
			return graph.ID{}, err
		}
		if from.Depth() >= u.Depth() {
			return graph.ID{}, fmt.Errorf("%s: its programs come after it", u.ID)
		}
		at, before = from.ID, ^uint64(0)
	}
}

// newestIn is the newest program of a turn's own calls.
func newestIn(r Reader, u *Unit, before uint64) (found graph.ID, err error) {
	for e, err := range r.Children(u.ID.Session, u.Turn.Bag, 0) {
		if err != nil {
			return found, err
		}
		if e.ID.Ord >= before {
			break
		}
		c, ok := e.Node.(kind.ToolCall)
		if !ok || c.Call().Tool != Programs || c.Call().Bag == 0 {
			continue
		}
		id := graph.ID{Session: u.ID.Session, Bag: c.Call().Bag}
		next, err := r.Next(id.Session, id.Bag)
		if err != nil {
			return found, err
		}
		if next > 0 { // its program was made
			found = id
		}
	}
	return found, nil
}

// mayRunPrograms reports whether a turn called the tool, or may still do so.
func mayRunPrograms(r Reader, u *Unit) (bool, error) {
	if !u.Closed() {
		return true, nil
	}
	for e, err := range r.Children(u.ID.Session, u.Turn.Bag, 0) {
		if err != nil {
			return false, err
		}
		if c, ok := e.Node.(kind.ToolCall); ok && c.Call().Tool == Programs {
			return true, nil
		}
	}
	return false, nil
}
