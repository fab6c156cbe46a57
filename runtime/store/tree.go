package store

import (
	"caper/runtime/graph"
	"caper/runtime/kind"
)

// Branch is a job of a store as package graph walks it: its children are read when somebody asks for them. It shows the
// job as it was when it was read.
type Branch struct {
	graph.Job
	Entry
	tree *Tree
}

// Reading is a child that is no job.
type Reading struct {
	graph.Leaf
	Entry
}

// Obligation is a child that is a PEW.
type Obligation struct {
	graph.Expectation
	Entry
}

// Chunk is a child that is work and neither a job nor a PEW: what lies on a tape.
type Chunk struct {
	graph.Container
	Entry
}

// Tree reads branches. It is for one goroutine.
type Tree struct {
	store Store
	err   error
}

// NewTree reads from a store.
func NewTree(s Store) *Tree { return &Tree{store: s} }

// Err is the first error that a walk met; the walk then ended early.
func (t *Tree) Err() error { return t.err }

// Branch reads one job. The root of a session is one, too: all hangs on it.
func (t *Tree) Branch(id graph.ID) (*Branch, error) {
	e, err := t.store.Entry(id)
	if err != nil {
		return nil, err
	}
	return t.branch(e), nil
}

// node is a child as the class that its kind belongs to.
func (t *Tree) node(e Entry) graph.Node {
	switch e.Node.Kind() {
	case kind.KindCell, kind.KindHeadMove, kind.KindAgent, kind.KindSessionSystemPrompt:
		return &Reading{Entry: e}
	case kind.KindCompletionExpectation, kind.KindJudgeExpectation:
		return &Obligation{Entry: e}
	case kind.KindCompletionJob, kind.KindTurnPromptChunk, kind.KindTurnCompactChunk, kind.KindReACTChunk:
		c := &Chunk{Entry: e}
		c.SetWork(&children{t, e})
		return c
	}
	return t.branch(e)
}

func (t *Tree) branch(e Entry) *Branch {
	b := &Branch{Entry: e, tree: t}
	b.Completed = e.Outcome != nil
	b.Cancelled = e.Outcome != nil && e.Outcome.State == kind.Cancelled
	if n, ok := e.Node.(*kind.ProgrammaticJob); ok {
		b.WalkBoundary = n.WalkBoundary
	}
	b.Job.Background = e.InBackground()
	if answered, goes := e.Admitted(); answered {
		b.Orchestrate(goes)
	}
	b.SetChildren(&children{t, e})
	return b
}

// children are what lies in the bag of a node.
type children struct {
	tree  *Tree
	owner Entry
}

func (c *children) Each(yield func(graph.Node) bool) {
	bag := kind.OwnBag(c.owner.Node)
	if bag == 0 {
		return
	}
	for e, err := range c.tree.store.Children(c.owner.ID.Session, bag, 0) {
		if err != nil {
			if c.tree.err == nil {
				c.tree.err = err
			}
			return
		}
		if !yield(c.tree.node(e)) {
			return
		}
	}
}
