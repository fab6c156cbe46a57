package agent

import (
	"sync"

	"caper/runtime/graph"
)

// Note is something said to a turn that runs: a steer of the user, or word of a job in the background.
type Note struct {
	Source, Text string
	From         *graph.ID
}

// notes are what turns of this process have not yet taken.
type notes struct {
	mu   sync.Mutex
	said map[graph.ID][]Note
}

// Say says something to a turn that runs here; it is put on the tape before the next round.
func (r *Runner) Say(turn graph.ID, n Note) {
	r.notes.mu.Lock()
	defer r.notes.mu.Unlock()
	if r.notes.said == nil {
		r.notes.said = map[graph.ID][]Note{}
	}
	r.notes.said[turn] = append(r.notes.said[turn], n)
}

func (n *notes) count(turn graph.ID) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.said[turn])
}

func (n *notes) take(turn graph.ID) []Note {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := n.said[turn]
	delete(n.said, turn)
	return out
}
