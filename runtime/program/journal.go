package program

import (
	"bytes"
	"fmt"
	"sort"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// journal is what a bag's children say about an earlier life of the program: a view, read once.
type journal struct {
	entries map[uint64]*store.Entry // by ordinal
	settled []uint64                // ordinals in the order in which their outcomes settled
	at      int                     // the first of settled that may still be delivered
}

// readJournal reads a bag's children from an ordinal on.
func readJournal(st store.Store, session, bag, from uint64) (*journal, error) {
	j := &journal{entries: map[uint64]*store.Entry{}}
	for e, err := range st.Children(session, bag, from) {
		if err != nil {
			return nil, err
		}
		j.entries[e.ID.Ord] = &e
		if e.Outcome != nil {
			j.settled = append(j.settled, e.ID.Ord)
		}
	}
	sort.Slice(j.settled, func(a, b int) bool {
		return j.entries[j.settled[a]].Outcome.Seq < j.entries[j.settled[b]].Outcome.Seq
	})
	return j, nil
}

// recorded answers what an earlier life recorded at an ordinal, nil for nothing.
func (j *journal) recorded(ord uint64) *store.Entry { return j.entries[ord] }

// next answers the outcome that was settled first among those that the machine waits for now.
func (j *journal) next(awaited map[uint64]*pending) (delivery, bool) {
	for i := j.at; i < len(j.settled); i++ {
		ord := j.settled[i]
		if p, ok := awaited[ord]; ok {
			// What stands between was never waited for again: its fiber was gone when it settled.
			j.at = i + 1
			return delivery{p.call.ID, *j.entries[ord].Outcome}, true
		}
	}
	return delivery{}, false
}

// divergence is the code of a program that could not begin because one before it diverged.
const divergence = "replay-divergence"

// Divergence is a program that, run again, asks for something else than what is on record.
type Divergence struct {
	ID             graph.ID
	Recorded, Came string
}

func (d *Divergence) Error() string {
	return fmt.Sprintf("replay-divergence at %s: on record is %s, but the program now asks for %s; the job was left as it is "+
		"(the program, its inputs or Caper itself changed since it began)", d.ID, d.Recorded, d.Came)
}

// RunningError is a program that is to be continued while it runs.
type RunningError struct{ ID graph.ID }

func (e *RunningError) Error() string { return e.ID.String() + " is running, in another terminal" }

// check compares a recorded child with what the program asks for now.
func check(e *store.Entry, place kind.Place, name string, digest []byte) error {
	var was kind.Place
	var what string
	var recorded []byte
	switch n := e.Node.(type) {
	case kind.ToolCall:
		was, what, recorded = n.Call().Place, n.Call().Tool, n.Call().Digest
	case *kind.Cell:
		was, what = n.Place, n.Read
	case *kind.ProgrammaticJob:
		was, what = n.Parent, "program"
	default:
		what = e.Node.Kind().Name()
	}
	if was == place && what == name && (recorded == nil || bytes.Equal(recorded, digest)) {
		return nil
	}
	return &Divergence{ID: e.ID, Recorded: fmt.Sprintf("%s (fiber %s, number %d)", what, was.Fiber, was.Ordinal),
		Came: fmt.Sprintf("%s (fiber %s, number %d%s)", name, place.Fiber, place.Ordinal, otherArgs(was == place && what == name))}
}

func otherArgs(same bool) string {
	if same {
		return ", with other arguments"
	}
	return ""
}

func sortIDs(ids []graph.ID) { sort.Slice(ids, func(a, b int) bool { return ids[a].Less(ids[b]) }) }
