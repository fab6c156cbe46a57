package view

import (
	"strings"
)

// narrow is the number of columns below which what a row has to say gets a line of its own.
const narrow = 59

// twice is how many lines a row takes at most.
func (s Style) twice() int {
	if s.columns() < narrow {
		return 2
	}
	return 1
}

// lines lays rows out in columns. hold is the least width of the first column, so that a moving picture stays in place;
// the width in use comes back.
func (d *drawing) lines(rows []row, hold int) ([]string, int) {
	cols := d.s.columns()
	const status = 9
	most := cols / 2
	if cols < narrow {
		most = cols - status - 2
	}
	room, end := most, cols // for the first column, and for all; where nobody reads along nothing is cut
	if d.s.Width <= 0 {
		room, end = d.s.prose(), d.s.prose()
	}
	lefts := make([]line, len(rows))
	width := min(hold, most)
	for i, r := range rows {
		l := line{own(dim, d.prefix(r.prefix, most))}
		switch {
		case r.note != nil:
			l = append(l, r.note...)
		case r.group != nil:
			l = append(append(l, r.mark, own(plain, " ")), r.group.label(d.s, 60)...)
		default:
			l = append(l, r.mark, own(plain, " "))
			l = append(l, d.s.label(r.job, max(room-l.cells(d.s), 8))...)
		}
		lefts[i] = l
		if r.note == nil {
			width = max(width, min(l.cells(d.s), most))
		}
	}
	var out []string
	for i, r := range rows {
		if r.note != nil {
			out = append(out, lefts[i].cut(d.s, end).text(d.s))
			continue
		}
		l := lefts[i].cut(d.s, max(width, room-most)).pad(d.s, width)
		l = append(l, own(plain, "  "), r.status)
		if cols >= narrow && len(r.detail) > 0 {
			l = append(l.pad(d.s, width+2+status), own(plain, "  "))
			l = append(l, r.detail...)
		}
		out = append(out, l.cut(d.s, end).text(d.s))
		if cols < narrow && len(r.detail) > 0 && !r.quiet {
			below := line{own(dim, d.beside(rows, i)), own(plain, "  ")}
			out = append(out, append(below, r.detail...).cut(d.s, cols).text(d.s))
		}
	}
	return out, width
}

// beside is the prefix of a line that belongs to row i and stands below it.
func (d *drawing) beside(rows []row, i int) string {
	p := rows[i].prefix
	if p == "" {
		if len(rows) > 1 {
			return d.s.glyph("│", "|")
		}
		return ""
	}
	cut := strings.TrimSuffix(strings.TrimSuffix(p, d.s.glyph("├─ ", "|- ")), d.s.glyph("└─ ", "`- "))
	if strings.HasSuffix(p, d.s.glyph("├─ ", "|- ")) {
		return d.prefix(cut+d.s.glyph("│", "|"), d.s.columns()/2)
	}
	return d.prefix(cut+" ", d.s.columns()/2)
}

// prefix keeps the branches of a very deep tree from filling the line.
func (d *drawing) prefix(p string, most int) string {
	if n := d.s.cells(p); n > most/2 {
		return d.s.ellipsis() + d.s.tail(p, most/2-d.s.cells(d.s.ellipsis()))
	}
	return p
}

func (d *drawing) text(rows []row, hold int) string {
	lines, _ := d.lines(rows, hold)
	return strings.Join(lines, "\n") + "\n"
}
