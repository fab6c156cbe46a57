package graph

import "iter"

// Node is what can stand in a job's list of children. It is a brand: only what embeds a class of this package is one.
type Node interface{ node() }

// Leaf is the base of a node that is no work, such as a reading: embed it.
type Leaf struct{}

func (*Leaf) node() {}

// WorkContainer is the class of what can be walked for work: jobs, expectations, and what lies on a tape. It is a brand,
// never a shape: a type that happens to have a method Work is none.
type WorkContainer interface {
	Node
	workContainer() *Container
}

// Container is the base of every WorkContainer that is neither a Job nor a PEW: embed it.
type Container struct {
	work Children
}

func (*Container) node()                       {}
func (c *Container) workContainer() *Container { return c }

// SetWork gives the container its items.
func (c *Container) SetWork(items Children) { c.work = items }

// Work yields the container's items.
func (c *Container) Work() iter.Seq[Node] { return each(c.work) }

// PEW is an obligation towards the world: a completion, a judge, a licensed call of a leftover intern. It is a
// WorkContainer whose work is itself. It is no Job, has no children, and no executor runs it.
type PEW interface {
	WorkContainer
	pew()
}

// Expectation is the base of every PEW: embed it.
type Expectation struct{}

func (*Expectation) node()                     {}
func (*Expectation) workContainer() *Container { return nil }
func (*Expectation) pew()                      {}

// Children is a list of nodes that somebody owns: a slice, or a bag in a store.
type Children interface {
	Each(yield func(Node) bool)
}

// Nodes is a list of children in memory.
type Nodes []Node

// Each yields the nodes in order.
func (n Nodes) Each(yield func(Node) bool) {
	for _, c := range n {
		if !yield(c) {
			return
		}
	}
}

func each(c Children) iter.Seq[Node] {
	if c == nil {
		return func(func(Node) bool) {}
	}
	return c.Each
}

// Job is the node of orchestration. A turn, a bag of a program and a tool call are jobs: their kinds embed it, and no
// other class is defined here. What a job spawns hangs on its children, whether anybody waits for it or not.
type Job struct {
	children Children
	owned    Nodes

	// Background says that nobody joins this job. It is a flag on the node: the row stays in its parent's children.
	Background bool
	// WalkBoundary makes the collectors of an ancestor yield this node and stop. WalkWork still goes through it.
	WalkBoundary bool
	// OrchestrationResult is what the guard answered; nil until it has.
	OrchestrationResult *bool
	Cancelled           bool
	Completed           bool
}

// AnyJob is what embeds a Job. It is a brand, too.
type AnyJob interface {
	WorkContainer
	job() *Job
}

func (*Job) node()                     {}
func (*Job) workContainer() *Container { return nil }
func (j *Job) job() *Job               { return j }

// JobOf answers the Job inside a node, or nil when the node is none.
func JobOf(n Node) *Job {
	if j, ok := n.(AnyJob); ok {
		return j.job()
	}
	return nil
}

// Spawn puts a node at the end of the children that this job keeps in memory. A node belongs to one job.
func (j *Job) Spawn(n Node) {
	j.owned = append(j.owned, n)
	if j.children == nil {
		j.children = (*ownedChildren)(j)
	}
}

type ownedChildren Job

func (o *ownedChildren) Each(yield func(Node) bool) { o.owned.Each(yield) }

// SetChildren lets the children come from elsewhere, such as a store.
func (j *Job) SetChildren(c Children) { j.children = c }

// Children yields all children, jobs and others, in the order in which they were spawned.
func (j *Job) Children() iter.Seq[Node] { return each(j.children) }

// Orchestrated reports that the guard has answered.
func (j *Job) Orchestrated() bool { return j.OrchestrationResult != nil }

// Orchestrate writes the guard's answer.
func (j *Job) Orchestrate(result bool) { j.OrchestrationResult = &result }

// JoinReleased reports that a parent need not wait for this job any more.
func (j *Job) JoinReleased() bool { return j.Completed || j.Orchestrated() && j.Background }

// JoinOpen reports that this job must still wait for one in its foreground, or for one in the foreground of a contour
// that is attached to it.
func (j *Job) JoinOpen() bool {
	work := []*Job{j}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for c := range at.ForegroundJobs() {
			child := c.job()
			if !child.JoinReleased() {
				return true
			}
			if child.WalkBoundary {
				work = append(work, child)
			}
		}
	}
	return false
}
