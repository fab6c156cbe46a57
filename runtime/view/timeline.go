package view

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Moment is one job of a timeline: when it ran, counted from the beginning of the first.
type Moment struct {
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	State   string  `json:"state"`
	Depth   int     `json:"depth"`
	Start   float64 `json:"start"` // seconds
	Seconds float64 `json:"seconds"`
	job     *Job
	begin   time.Duration
	length  time.Duration
}

// Timeline lists a job and what hangs below it in the order in which it began, and how long all took.
func Timeline(root *Job) (all []Moment, total time.Duration) {
	type level struct {
		job   *Job
		depth int
	}
	todo := []level{{root, 0}}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		j := at.job
		m := Moment{ID: j.ID, Name: j.Name, State: j.State, Depth: at.depth, job: j, length: j.took}
		if !j.Began.IsZero() && !root.Began.IsZero() {
			m.begin = max(j.Began.Sub(root.Began), 0)
		}
		if c := j.class(); (c == isRunning || c == isWaiting || c == isStopped) && root.took > m.begin {
			m.length = root.took - m.begin // it has not ended
		}
		m.Start, m.Seconds = m.begin.Seconds(), m.length.Seconds()
		total = max(total, m.begin+m.length)
		all = append(all, m)
		below := append([]*Job(nil), j.Children...)
		sortBy(below, func(a, b *Job) bool { return b.Began.Before(a.Began) || a.Began.Equal(b.Began) && b.ord < a.ord })
		for _, c := range below { // the last is taken up first
			todo = append(todo, level{c, at.depth + 1})
		}
	}
	return all, total
}

// maxMoments bounds a chart that is drawn.
const maxMoments = 300

// stretch is one line of a chart: a job, or the many that are alike; what waits or went wrong of those has one of its own.
type stretch struct {
	depth         int
	label         func(cells int) line
	class         class
	begin, length time.Duration
}

// stretches folds a timeline where a tree folds.
func stretches(s Style, root *Job, all []Moment) (out []stretch) {
	shown := map[*group]bool{}
	within := -1 // the depth of a job that a fold hides, with all below it
	for _, m := range all {
		if within >= 0 && m.Depth > within {
			continue
		}
		within = -1
		g := m.job.group
		if g == nil || !g.folded() || slices.Contains(g.named, m.job) {
			out = append(out, stretch{m.Depth, func(cells int) line { return s.label(m.job, cells) }, m.job.class(), m.begin, m.length})
			continue
		}
		within = m.Depth
		if shown[g] {
			continue
		}
		shown[g] = true
		end := g.ended
		if g.counts[isDone]+g.counts[isBad] < g.total {
			end = root.Began.Add(root.took)
		}
		label := func(cells int) line { return g.label(s, cells) }
		out = append(out, stretch{m.Depth, label, g.class(), max(g.began.Sub(root.Began), 0), max(end.Sub(g.began), 0)})
	}
	return out
}

// DrawTimeline charts what ran when: a line a job, its bar under a ruler of the whole time.
func DrawTimeline(s Style, root *Job) string {
	all, total := Timeline(root)
	width := s.columns()
	took := 9
	names := min(max(width/3, 14), 60)
	room := width - names - took - 2
	p := paragraph{s: s}
	p.b.WriteString(line{own(plain, strings.Repeat(" ", names+1)), own(dim, ruler(room, total))}.text(s) + "\n")
	lines := stretches(s, root, all)
	for i, m := range lines {
		if i == maxMoments {
			p.wrap("", dim, fmt.Sprintf("%d more; caper timeline %s --json has them", len(lines)-i, root.ID))
			break
		}
		indent := min(2*m.depth, names/2)
		name := append(line{own(plain, strings.Repeat(" ", indent))}, m.label(names-indent)...)
		row := name.cut(s, names).pad(s, names+1)
		from, to := 0, 0
		if total > 0 {
			from = int(int64(room-1) * int64(m.begin) / int64(total))
			to = int(int64(room) * int64(m.begin+m.length) / int64(total))
		}
		to = min(max(to, from+1), room)
		fill, c := s.glyph("█", "#"), green
		switch m.class {
		case isRunning:
			fill, c = s.glyph("▒", "="), plain
		case isWaiting, isStopped:
			fill, c = s.glyph("░", "."), yellow
		case isBad:
			c = red
		}
		if m.length < time.Duration(int64(total)/int64(2*max(room, 1))) && m.class != isRunning {
			fill = s.glyph("▏", "|") // shorter than half a cell
		}
		row = append(row, own(plain, strings.Repeat(" ", from)), own(c, strings.Repeat(fill, to-from)), own(plain, strings.Repeat(" ", room-to+1)))
		row = append(row, own(dim, fmt.Sprintf("%*s", took, duration(m.length))))
		p.b.WriteString(row.cut(s, width).text(s) + "\n")
	}
	return p.String()
}

// ruler marks the whole time.
func ruler(room int, total time.Duration) string {
	text := []byte(strings.Repeat(" ", max(room, 1)))
	put := func(at int, s string) {
		if at >= 0 && at+len(s) <= len(text) {
			copy(text[at:], s)
		}
	}
	put(0, "0")
	end := duration(total)
	put(room-len(end), end)
	if half := duration(total / 2); room > 3*len(end)+8 {
		put(room/2-len(half)/2, half)
	}
	return string(text)
}
