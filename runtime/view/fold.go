package view

import (
	"strings"
	"time"
)

// Bounds of a fold: how many siblings are shown one by one, and how many of those that did not go well are named.
const (
	foldAbove = 12
	maxNamed  = 8
)

// bag is the children of a program, folded where many are alike. It keeps only the jobs that it would show.
type bag struct {
	groups []*group
	open   map[string]*group // those that may still grow, by what their members have in common
	counts [classes]int
	// unknown is how many calls ended without anyone knowing what they did.
	unknown int
}

// group is siblings of one tool: calls of a fan-out, or calls that follow each other.
type group struct {
	name    string
	first   uint64
	total   int
	counts  [classes]int
	members []*Job // the first ones
	named   []*Job // later ones that wait for a person or did not go well
	bytes   int64
	nonzero int // commands that ended with an exit code other than 0: done, but worth a word
	began   time.Time
	ended   time.Time
}

func newBag() *bag { return &bag{open: map[string]*group{}} }

// add puts a job into its group. Calls of the fibers of a fan-out belong together whatever stands between them; calls of
// the program's own fiber only while nothing else comes between.
func (b *bag) add(j *Job) {
	depth := strings.Count(j.fiber, ".")
	key := strings.Repeat(".", depth) + j.Name
	own := depth == 0
	if own {
		key = "."
	}
	g := b.open[key]
	if g == nil || own && g.name != j.Name {
		g = &group{name: j.Name, first: j.ord}
		b.open[key] = g
		b.groups = append(b.groups, g)
	}
	j.group = g
	g.total++
	g.first = min(g.first, j.ord)
	if len(g.members) < foldAbove {
		g.members = append(g.members, j)
	}
	b.count(j, 1)
	g.note(j)
}

// count keeps the sums of the bag and of the job's group.
func (b *bag) count(j *Job, n int) {
	c := j.class()
	b.counts[c] += n
	if j.unknown {
		b.unknown += n
	}
	j.group.counts[c] += n
}

// moved follows a job whose state changes: call it around the change.
func (b *bag) moved(j *Job, change func()) {
	b.count(j, -1)
	change()
	b.count(j, 1)
	j.group.note(j)
}

// note keeps what a fold shows of a member beside its count.
func (g *group) note(j *Job) {
	if g.began.IsZero() || !j.Began.IsZero() && j.Began.Before(g.began) {
		g.began = j.Began
	}
	c := j.class()
	if c == isDone || c == isBad {
		g.bytes += j.bytes
		if j.nonzero {
			g.nonzero++
		}
		if end := j.Began.Add(j.took); end.After(g.ended) {
			g.ended = end
		}
	}
	at := -1
	for i, x := range g.named {
		if x == j {
			at = i
		}
	}
	switch {
	case (c == isWaiting || c == isBad || c == isStopped) && at < 0 && len(g.named) < maxNamed:
		g.named = append(g.named, j)
	case c != isWaiting && c != isBad && c != isStopped && at >= 0:
		g.named = append(g.named[:at], g.named[at+1:]...)
	}
}

func (g *group) folded() bool { return g.total > foldAbove }

// class is that of the group as a whole.
func (g *group) class() class {
	switch {
	case g.counts[isRunning] > 0:
		return isRunning
	case g.counts[isStopped] > 0:
		return isStopped
	case g.counts[isWaiting] > 0:
		return isWaiting
	case g.counts[isBad] > 0:
		return isBad
	}
	return isDone
}

// bar is a bar of so many cells, filled in eighths.
func (s Style) bar(done, total, cells int) string {
	if total <= 0 {
		total = 1
	}
	if s.ASCII {
		full := done * cells / total
		return "[" + strings.Repeat("#", full) + strings.Repeat(".", cells-full) + "]"
	}
	eighths := done * cells * 8 / total
	out := strings.Repeat("█", eighths/8)
	if eighths%8 > 0 {
		out += string([]rune("▏▎▍▌▋▊▉")[eighths%8-1])
	}
	return out + strings.Repeat(" ", cells-(eighths+7)/8)
}
