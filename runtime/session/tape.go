package session

import (
	"caper/runtime/graph"
	"caper/runtime/kind"
)

// Cell is one item of a turn's tape: what was said, a round of the model, a round of calls, or a fold. A tape is made of
// references; the nodes belong to the turn (law S09).
type Cell struct {
	ID         graph.ID
	Prompt     *kind.TurnPromptChunk
	Completion *kind.CompletionJob
	Compact    *kind.TurnCompactChunk
	React      *kind.ReACTChunk
	Outcome    *kind.Outcome // of a completion
	Calls      []Call        // of a round of calls, in their order
	Done       bool          // of a prompt: a completion has heard it
	Followed   bool          // of a completion: its round of calls is on the tape
}

// Call is one call of a round. It has no entry before it was admitted.
type Call struct {
	ID    graph.ID
	Entry *kind.Entry
}

// Released reports that the round need not wait for the call any more (law S10).
func (c Call) Released() bool {
	return c.Entry != nil && (c.Entry.Outcome != nil || c.Entry.Detached())
}

// Tape is what a turn did and what it has still to do, in order. Done is doneWork, Queue the rest.
type Tape struct {
	Done, Queue []*Cell
	Children    []kind.Entry // what the turn owns: the tape refers to these
	// Next is the place of the next child: after the last one, and after those that a round of calls has been promised.
	Next graph.ID

	bag uint64
}

// Cells are all of the tape's.
func (t *Tape) Cells() []*Cell { return append(t.Done[:len(t.Done):len(t.Done)], t.Queue...) }

// TapeOf reads the tape of a turn.
func TapeOf(r Reader, turn graph.ID) (*Tape, error) {
	t, err := read[*kind.SessionTurn](r, turn)
	if err != nil {
		return nil, err
	}
	tape := &Tape{bag: t.Bag}
	return tape, tape.Refresh(r, turn.Session)
}

// Refresh reads what came to a tape since it was read. Children that can change no more are not read again.
func (t *Tape) Refresh(r Reader, session uint64) error {
	keep := 0
	for keep < len(t.Children) && t.Children[keep].ID.Ord == uint64(keep) && final(&t.Children[keep]) {
		keep++
	}
	t.Children = t.Children[:keep:keep]
	for e, err := range r.Children(session, t.bag, uint64(keep)) {
		if err != nil {
			return err
		}
		t.Children = append(t.Children, e)
	}
	t.lay(session)
	return nil
}

// lay makes the cells of the children. Interns, which have no tail, are the turn's children and not on its tape (law S08).
// What was said while a completion or its calls were under way is heard by the next completion, and stands before it.
func (t *Tape) lay(session uint64) {
	at, completions := map[uint64]int{}, map[graph.ID]*Cell{}
	next := uint64(0)
	for i := range t.Children {
		at[t.Children[i].ID.Ord] = i
		next = max(next, t.Children[i].ID.Ord+1)
	}
	var cells, said []*Cell
	for i := range t.Children {
		e := &t.Children[i]
		c := &Cell{ID: e.ID, Done: true}
		switch n := e.Node.(type) {
		case *kind.TurnPromptChunk:
			c.Prompt, c.Done = n, false
			said = append(said, c)
			continue
		case *kind.TurnCompactChunk:
			c.Compact = n
		case *kind.CompletionJob:
			if n.Tail == nil {
				continue
			}
			for _, p := range said {
				p.Done = true
			}
			cells, said = append(cells, said...), nil
			c.Completion, c.Outcome, c.Done = n, e.Outcome, e.Outcome != nil
			completions[c.ID] = c
		case *kind.ReACTChunk:
			c.React = n
			if before := completions[n.Completion.ID()]; before != nil {
				before.Followed = true
			}
			for ord := n.First; ord < n.First+n.Count; ord++ {
				call := Call{ID: graph.ID{Session: session, Bag: t.bag, Ord: ord}}
				if i, ok := at[ord]; ok {
					call.Entry = &t.Children[i]
				}
				c.Calls = append(c.Calls, call)
				c.Done = c.Done && call.Released()
			}
			next = max(next, n.First+n.Count)
		default:
			continue
		}
		cells = append(cells, c)
	}
	cells = append(cells, said...)
	done := 0
	for done < len(cells) && cells[done].Done {
		done++
	}
	t.Done, t.Queue = cells[:done:done], cells[done:]
	t.Next = graph.ID{Session: session, Bag: t.bag, Ord: next}
}

// final reports that nothing more can come to a child: leaves are complete, and what has an outcome keeps it.
func final(e *kind.Entry) bool { return e.Outcome != nil || e.Node.Kind().Leaf() }
