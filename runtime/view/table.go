package view

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

// Column is one column of a Table.
type Column struct {
	Name string // in JSON and as a heading
	// Wide columns share what room is left; the others take what they need, up to a third of the line.
	Wide bool
	// From is how many columns a terminal must have for this one to be shown.
	From int
}

// Table is rows of equal form, for a terminal or as JSON objects. A cell is a string, a uint64, a time.Time or a
// time.Duration; the zero of the latter two is nothing.
type Table struct {
	Columns []Column
	Rows    [][]any
	Empty   string // what is said when there are no rows
}

// Objects are the rows as --json prints them: every column by its name, times as in RFC 3339, durations in seconds.
func (t Table) Objects() []map[string]any {
	out := make([]map[string]any, 0, len(t.Rows))
	for _, r := range t.Rows {
		o := map[string]any{}
		for i, c := range t.Columns {
			switch v := r[i].(type) {
			case time.Time:
				if v.IsZero() {
					o[c.Name] = nil
				} else {
					o[c.Name] = v.UTC()
				}
			case time.Duration:
				o[c.Name] = v.Seconds()
			default:
				o[c.Name] = v
			}
		}
		out = append(out, o)
	}
	return out
}

// cellText is a cell for a person, on one line.
func cellText(v any) string {
	switch v := v.(type) {
	case string:
		return oneLine(keep(v))
	case time.Time:
		return moment(v)
	case time.Duration:
		if v == 0 {
			return ""
		}
		return duration(v)
	case uint64:
		if v == 0 {
			return ""
		}
		return number(v)
	}
	return fmt.Sprint(v)
}

// Text is the table in aligned columns. Of what does not fit the middle is left out.
func (t Table) Text(s Style) string {
	p := paragraph{s: s}
	if len(t.Rows) == 0 {
		if t.Empty != "" {
			p.wrap("", dim, t.Empty)
		}
		return p.String()
	}
	var shown []int
	for i, c := range t.Columns {
		if s.columns()+1 >= c.From {
			shown = append(shown, i)
		}
	}
	widths, uncut := t.widths(s, shown), 0
	if s.Width <= 0 {
		uncut = s.prose()
	}
	head := line{}
	for k, i := range shown {
		head = append(head, t.cell(s, span{s.head(t.Columns[i].Name, widths[k]), dim}, widths[k], k == len(shown)-1)...)
	}
	p.add(head...)
	for _, r := range t.Rows {
		l := line{}
		for k, i := range shown {
			l = append(l, t.cell(s, span{s.fit(cellText(r[i]), max(widths[k], uncut)), plain}, widths[k], k == len(shown)-1)...)
		}
		p.add(l...)
	}
	return p.String()
}

// cell is a cell in its column, with the gap behind it unless it is the last.
func (t Table) cell(s Style, x span, width int, last bool) line {
	if last {
		return line{x}
	}
	if s.cells(x.text) > width { // nothing is cut where nobody reads along
		return line{x, own(plain, "  ")}
	}
	return line{x}.pad(s, width+2)
}

// fit is middle for columns of any width.
func (s Style) fit(text string, cells int) string {
	if cells < 5 {
		return s.head(s.clean(first(text, cells+1)), cells)
	}
	return s.middle(text, cells)
}

// widths shares the columns of the terminal among those of the table that are shown.
func (t Table) widths(s Style, shown []int) []int {
	cols := s.columns()
	out := make([]int, len(shown))
	left := cols - 2*(len(shown)-1)
	var wide []int
	for k, i := range shown {
		need := len(t.Columns[i].Name)
		for _, r := range t.Rows {
			need = max(need, s.cells(s.middle(cellText(r[i]), cols)))
		}
		out[k] = need
		if t.Columns[i].Wide {
			wide = append(wide, k)
			continue
		}
		out[k] = min(need, max(cols/3, 10))
		left -= out[k]
	}
	// The narrowest wide columns are served first: what they do not need goes to the others.
	sort.SliceStable(wide, func(a, b int) bool { return out[wide[a]] < out[wide[b]] })
	for n, k := range wide {
		out[k] = min(out[k], max(left/(len(wide)-n), 6))
		left -= out[k]
	}
	return out
}

// sortBy sorts a small list in place and keeps the order of equals.
func sortBy[T any](list []T, less func(a, b T) bool) {
	sort.SliceStable(list, func(i, j int) bool { return less(list[i], list[j]) })
}

// join puts the parts that are there between separators.
func join(sep string, parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, sep)
}
