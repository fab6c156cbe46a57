package graph

import "iter"

// Jobs yields the jobs under j: it goes down through each job that is no boundary and that j has not detached, and
// yields what it meets. It is ForegroundJobs and BackgroundJobs together. It is not the job's work: see WalkWork.
func (j *Job) Jobs() iter.Seq[AnyJob] { return j.collect(func(*Job) bool { return true }) }

// ForegroundJobs yields those of Jobs that are not in the background: what a join waits for.
func (j *Job) ForegroundJobs() iter.Seq[AnyJob] {
	return j.collect(func(c *Job) bool { return !c.Background })
}

// BackgroundJobs yields those of Jobs that are in the background.
func (j *Job) BackgroundJobs() iter.Seq[AnyJob] {
	return j.collect(func(c *Job) bool { return c.Background })
}

// collect walks in preorder. A job in the background is yielded and not gone into: with it, its descendants have left
// the plane of j (§6, second rule). They are on the job's own plane, where nothing has changed.
func (j *Job) collect(keep func(*Job) bool) iter.Seq[AnyJob] {
	return func(yield func(AnyJob) bool) {
		walk(j.Children(), func(n Node) (iter.Seq[Node], bool) {
			c, ok := n.(AnyJob)
			if !ok {
				return nil, true
			}
			job := c.job()
			if keep(job) && !yield(c) {
				return nil, false
			}
			if job.WalkBoundary || job.Background {
				return nil, true
			}
			return job.Children(), true
		})
	}
}

// WalkWork yields the work under a container in preorder, boundaries and background included. The work of a job is its
// raw children, that of a PEW is itself, that of any other container its items. The container itself is yielded only
// when it is its own work.
func WalkWork(root WorkContainer) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if _, ok := root.(PEW); ok {
			yield(root)
			return
		}
		walk(work(root), func(n Node) (iter.Seq[Node], bool) {
			if !yield(n) {
				return nil, false
			}
			if c, ok := n.(WorkContainer); ok {
				return work(c), true
			}
			return nil, true
		})
	}
}

// work answers the items below a container; those of a PEW are none, since it has been yielded already.
func work(c WorkContainer) iter.Seq[Node] {
	if j := JobOf(c); j != nil {
		return j.Children()
	}
	if box := c.workContainer(); box != nil {
		return box.Work()
	}
	return nil
}

// walk visits nodes in preorder on a stack of its own: a graph may be deeper than Go's. visit answers what lies below
// the node, and false to end the walk.
func walk(top iter.Seq[Node], visit func(Node) (iter.Seq[Node], bool)) {
	var stack [][]Node
	push := func(s iter.Seq[Node]) {
		if s == nil {
			return
		}
		var level []Node
		for n := range s {
			level = append(level, n)
		}
		if len(level) > 0 {
			stack = append(stack, level)
		}
	}
	push(top)
	for len(stack) > 0 {
		last := len(stack) - 1
		n := stack[last][0]
		if stack[last] = stack[last][1:]; len(stack[last]) == 0 {
			stack = stack[:last]
		}
		below, more := visit(n)
		if !more {
			return
		}
		push(below)
	}
}
