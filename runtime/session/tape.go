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
	Done       bool
	Followed   bool // of a completion: its round of calls is on the tape
}

// Call is one call of a round. It has no entry before it was admitted.
type Call struct {
	ID    graph.ID
	Entry *kind.Entry
}

// Released reports that the round need not wait for the call any more (law S10).
func (c Call) Released() bool {
	return c.Entry != nil && (c.Entry.Outcome != nil || Background(c.Entry) && Orchestrated(c.Entry))
}

// Background reports whether a job is on its parent's background plane.
func Background(e *kind.Entry) bool {
	switch n := e.Node.(type) {
	case kind.ToolCall:
		if n.Call().Background {
			return true
		}
	case *kind.ProgrammaticJob:
		if n.Background {
			return true
		}
	case *kind.SessionTurn:
		if n.Background {
			return true
		}
	}
	return e.Newest(kind.FactDetached) != nil
}

// Orchestrated reports whether the guard of a job has answered.
func Orchestrated(e *kind.Entry) bool {
	n, ok := e.Node.(kind.ToolCall)
	if !ok {
		return true // the guard of a sequence is true
	}
	switch n.Call().Decision.Verdict {
	case "allow", "deny":
		return true
	}
	for _, f := range e.Facts {
		switch f.What {
		case kind.FactApproved, kind.FactStarted, kind.FactDeniedBy:
			return true
		}
	}
	return false
}

// Tape is what a turn did and what it has still to do, in order. Done is doneWork, Queue the rest.
type Tape struct {
	Done, Queue []*Cell
	Children    []kind.Entry // what the turn owns: the tape refers to these
}

// Cells are all of the tape's.
func (t *Tape) Cells() []*Cell { return append(t.Done[:len(t.Done):len(t.Done)], t.Queue...) }

// TapeOf reads the tape of a turn. Interns, which have no tail, are the turn's children and not on its tape (law S08).
func TapeOf(r Reader, turn graph.ID) (*Tape, error) {
	t, err := read[*kind.SessionTurn](r, turn)
	if err != nil {
		return nil, err
	}
	tape := &Tape{}
	at, completions := map[uint64]int{}, map[graph.ID]*Cell{}
	for e, err := range r.Children(turn.Session, t.Bag, 0) {
		if err != nil {
			return nil, err
		}
		at[e.ID.Ord] = len(tape.Children)
		tape.Children = append(tape.Children, e)
	}
	for i := range tape.Children {
		e := &tape.Children[i]
		c := &Cell{ID: e.ID, Done: true}
		switch n := e.Node.(type) {
		case *kind.TurnPromptChunk:
			c.Prompt = n
		case *kind.TurnCompactChunk:
			c.Compact = n
		case *kind.CompletionJob:
			if n.Tail == nil {
				continue
			}
			c.Completion, c.Outcome, c.Done = n, e.Outcome, e.Outcome != nil
			completions[c.ID] = c
		case *kind.ReACTChunk:
			c.React = n
			if before := completions[n.Completion.ID()]; before != nil {
				before.Followed = true
			}
			for ord := n.First; ord < n.First+n.Count; ord++ {
				call := Call{ID: graph.ID{Session: turn.Session, Bag: t.Bag, Ord: ord}}
				if i, ok := at[ord]; ok {
					call.Entry = &tape.Children[i]
				}
				c.Calls = append(c.Calls, call)
				c.Done = c.Done && call.Released()
			}
		default:
			continue
		}
		if c.Done && len(tape.Queue) == 0 {
			tape.Done = append(tape.Done, c)
		} else {
			tape.Queue = append(tape.Queue, c)
		}
	}
	return tape, nil
}
