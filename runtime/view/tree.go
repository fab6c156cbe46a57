package view

import (
	"errors"
	"fmt"
	"time"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// maxDepth bounds how far down a tree of nested programs is read and drawn.
const maxDepth = 100

// Tree reads a program or a call with all that hangs below it. calls may be nil.
func Tree(st store.Store, calls *call.Service, id graph.ID) (*Job, error) {
	r := reader{store: st, calls: calls}
	e, err := st.Entry(id)
	if err != nil {
		return nil, err
	}
	root := r.job(e)
	if root == nil {
		return nil, fmt.Errorf("%s is a %s, which has no calls: name a program or a call", id, e.Node.Kind().Name())
	}
	root.writeArgs(e)
	// Depth is counted here, on a stack of our own.
	type level struct {
		job   *Job
		depth int
	}
	todo := []level{{root, 0}}
	type edge struct{ child, parent *Job }
	var edges []edge
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at.job.inner == nil || at.job.bagNo == 0 || at.depth >= maxDepth {
			continue
		}
		for e, err := range st.Children(id.Session, at.job.bagNo, 0) {
			if err != nil {
				return nil, errors.Join(errors.New("the tree cannot be read to its end"), err)
			}
			c := r.job(e)
			if c == nil {
				continue
			}
			c.writeArgs(e)
			at.job.Children = append(at.job.Children, c)
			at.job.inner.add(c)
			edges = append(edges, edge{c, at.job})
			if c.inner != nil {
				todo = append(todo, level{c, at.depth + 1})
			}
		}
	}
	for i := len(edges) - 1; i >= 0; i-- { // a child comes after its parent
		edges[i].parent.Tokens += edges[i].child.Tokens
		edges[i].parent.Micros += edges[i].child.Micros
	}
	if c := root.class(); c == isRunning || c == isStopped {
		root.took, err = r.soFar(st, id, root.Began)
	}
	if err != nil {
		return nil, err
	}
	return root, nil
}

// writeArgs keeps the arguments for --json; those that lie in a blob are for show to read.
func (j *Job) writeArgs(e store.Entry) {
	if n, ok := e.Node.(kind.ToolCall); ok && n.Call().Args.Blob == "" && j.given != nil {
		j.Args = graph.Write(j.given)
	}
}

// maxRows bounds a drawing that is made once.
const maxRows = 500

// Draw is the tree for a terminal.
func (j *Job) Draw(s Style) string {
	d := drawing{s: s, now: j.Began.Add(j.took)}
	rows := d.rows(j)
	return d.text(squeeze(s, rows, maxRows, "caper tree "+j.ID+" --json has them"), 0)
}

// row is one line of a tree.
type row struct {
	prefix string
	mark   span
	job    *Job
	group  *group // of a fold; then job is nil
	status span
	detail line
	note   line // a row of its own, without a mark
	quiet  bool // may be left out where there is too little room
}

// drawing turns jobs into rows.
type drawing struct {
	s   Style
	now time.Time
}

func (d *drawing) rows(root *Job) []row {
	r := d.job(root)
	r.quiet = false
	return d.below(root, "", []row{r}, 0)
}

// below adds the rows of a program's children. Its depth is bounded by maxDepth, as that of the tree is.
func (d *drawing) below(j *Job, prefix string, rows []row, depth int) []row {
	if j.inner == nil || depth > maxDepth {
		return rows
	}
	type item struct {
		ord   uint64
		job   *Job
		group *group
	}
	var items []item
	for _, g := range j.inner.groups {
		if g.folded() {
			items = append(items, item{g.first, nil, g})
			continue
		}
		for _, m := range g.members {
			items = append(items, item{m.ord, m, nil})
		}
	}
	sortBy(items, func(a, b item) bool { return a.ord < b.ord })
	for i, x := range items {
		head, tail := prefix+d.s.glyph("├─ ", "|- "), prefix+d.s.glyph("│  ", "|  ")
		if i == len(items)-1 {
			head, tail = prefix+d.s.glyph("└─ ", "`- "), prefix+"   "
		}
		if x.group != nil {
			rows = d.folded(x.group, head, tail, rows, depth)
			continue
		}
		r := d.job(x.job)
		r.prefix = head
		rows = append(rows, r)
		if x.job.inner != nil {
			rows = d.below(x.job, tail, rows, depth+1)
		}
	}
	return rows
}

func (d *drawing) job(j *Job) row {
	r := row{job: j, mark: d.s.mark(j)}
	c := j.class()
	r.quiet = c == isDone && (j.inner == nil || len(j.inner.groups) == 0)
	switch {
	case j.waits():
		r.status = own(yellow, waiting)
	case c == isRunning && !j.Began.IsZero():
		r.status = own(dim, duration(d.now.Sub(j.Began)))
	case c == isDone && j.State != "happened":
		r.status = own(dim, duration(j.took))
	case c == isBad:
		r.status = span{j.State, red}
	case c == isStopped:
		r.status = span{j.State, magenta}
	case c == isWaiting:
		r.status = span{j.State, yellow}
	default:
		r.status = span{j.State, plain}
	}
	r.detail = d.detail(j)
	return r
}

// detail is what is said at the end of a job's row.
func (d *drawing) detail(j *Job) line {
	var l line
	if j.State == interrupted && j.top && !j.waits() {
		l = line{own(plain, "caper resume "+j.ID+" continues it")}
	}
	if j.State == left {
		l = line{own(plain, "caper rewind --to "+j.ID+" brings it back")}
	}
	add := func(p paint, text string) {
		if text == "" {
			return
		}
		if len(l) > 0 {
			l = append(l, own(dim, d.s.dot()))
		}
		l = append(l, d.s.data(p, oneLine(keep(text))))
	}
	if j.inner != nil {
		if sums := d.s.sums(&j.inner.counts); len(l) > 0 && len(sums) > 0 {
			l = append(append(l, own(dim, d.s.dot())), sums...)
		} else {
			l = append(l, sums...)
		}
	}
	switch j.State {
	case waiting:
		add(plain, "caper approve "+j.ID)
	case uncertain:
		add(plain, "caper resolve "+j.ID)
	case interrupted:
		if j.took > 0 {
			add(dim, "after "+duration(j.took))
		}
	case "denied":
		add(plain, j.Message)
		if j.inner == nil {
			add(dim, j.Rule)
		}
	case "failed":
		add(plain, j.Message)
	case "settled":
		add(dim, j.Receipt)
	default:
		add(plain, j.Message)
	}
	add(dim, j.cost())
	if j.inner != nil && j.inner.unknown > 0 {
		add(magenta, count(int64(j.inner.unknown), "effect", "effects")+" unknown")
	}
	return l
}

// sums says how many children stand how.
func (s Style) sums(counts *[classes]int) line {
	var l line
	for _, x := range [...]struct {
		c    class
		word string
		p    paint
	}{{isDone, "done", dim}, {isBad, "failed", red}, {isWaiting, "waiting", yellow}, {isStopped, interrupted, magenta}, {isRunning, "running", cyan}} {
		if n := counts[x.c]; n > 0 {
			if len(l) > 0 {
				l = append(l, own(dim, s.dot()))
			}
			l = append(l, own(x.p, fmt.Sprintf("%d %s", n, x.word)))
		}
	}
	return l
}

// folded adds the row of a fold and the rows of those in it that did not go well or wait.
func (d *drawing) folded(g *group, head, tail string, rows []row, depth int) []row {
	r := row{prefix: head, group: g, mark: d.s.classMark(g.class()), quiet: g.class() == isDone}
	finished := g.counts[isDone] + g.counts[isBad]
	end := d.now
	if finished == g.total {
		r.status = own(dim, duration(g.ended.Sub(g.began)))
		r.detail = d.s.sums(&g.counts)
		if g.nonzero > 0 {
			r.detail = append(r.detail, own(yellow, fmt.Sprintf("%s%d with exit code not 0", d.s.dot(), g.nonzero)))
		}
		if g.bytes > 0 {
			r.detail = append(r.detail, own(dim, d.s.dot()+size(g.bytes)))
		}
	} else {
		r.status = own(plain, fmt.Sprintf("%d/%d", finished, g.total))
		r.detail = line{own(cyan, d.s.bar(finished, g.total, 10)), own(dim, "  "+duration(end.Sub(g.began)))}
		if n := g.counts[isWaiting]; n > 0 {
			r.detail = append(r.detail, own(yellow, fmt.Sprintf("%s%d waiting", d.s.dot(), n)))
		}
		if n := g.counts[isStopped]; n > 0 {
			r.detail = append(r.detail, own(magenta, fmt.Sprintf("%s%d interrupted", d.s.dot(), n)))
		}
		if n := g.counts[isBad]; n > 0 {
			r.detail = append(r.detail, own(red, fmt.Sprintf("%s%d failed", d.s.dot(), n)))
		}
	}
	rows = append(rows, r)
	more := g.counts[isWaiting] + g.counts[isBad] + g.counts[isStopped] - len(g.named)
	for i, j := range g.named {
		x := d.job(j)
		x.prefix = tail + d.s.glyph("├─ ", "|- ")
		under := tail + d.s.glyph("│  ", "|  ")
		if i == len(g.named)-1 && more == 0 {
			x.prefix, under = tail+d.s.glyph("└─ ", "`- "), tail+"   "
		}
		rows = d.below(j, under, append(rows, x), depth+1)
	}
	if more > 0 {
		rows = append(rows, row{prefix: tail + d.s.glyph("└─ ", "`- "), note: line{own(dim, fmt.Sprintf("%s %d more like these", d.s.ellipsis(), more))}})
	}
	return rows
}

// mark is the sign of a job's state.
func (s Style) mark(j *Job) span {
	switch j.State {
	case uncertain:
		return own(magenta, "!")
	case running, interrupted, left:
		if j.waits() {
			return s.classMark(isWaiting)
		}
		if j.State != running {
			return s.classMark(isStopped)
		}
		if j.inner != nil {
			return own(bold, s.glyph("●", "*"))
		}
	}
	return s.classMark(j.class())
}

func (s Style) classMark(c class) span {
	switch c {
	case isDone:
		return own(green, s.glyph("✓", "+"))
	case isBad:
		return own(red, s.glyph("✗", "x"))
	case isWaiting:
		return own(yellow, "?")
	case isStopped:
		return own(magenta, "!")
	}
	return own(cyan, s.glyph("⋯", "."))
}

// squeeze leaves out rows where there are too many: first those that went well, the oldest first, then any but the first.
func squeeze(s Style, rows []row, most int, hint string) []row {
	over := len(rows) - most + 1
	if over <= 1 {
		return rows
	}
	out, gone, at := rows[:1:1], 0, -1
	drop := make([]bool, len(rows))
	for pass := 0; pass < 2 && gone < over; pass++ {
		for i := 1; i < len(rows) && gone < over; i++ {
			if !drop[i] && (rows[i].quiet || pass == 1) {
				drop[i] = true
				gone++
			}
		}
	}
	for i := 1; i < len(rows); i++ {
		if !drop[i] {
			out = append(out, rows[i])
			continue
		}
		if at < 0 {
			at = len(out)
			text := fmt.Sprintf("%s %d rows more", s.ellipsis(), gone)
			if hint != "" {
				text += "; " + hint
			}
			out = append(out, row{prefix: rows[i].prefix, note: line{own(dim, text)}})
		}
	}
	return out
}
