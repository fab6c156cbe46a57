package view

import (
	"sort"
	"strings"
)

// Column is one column of a Table.
type Column struct {
	Name  string // in JSON and as a heading
	Paint paint
	// Wide columns share what room is left; the others take what they need, up to a third of the line.
	Wide bool
}

// Table is rows of equal form, for a terminal or as JSON objects.
type Table struct {
	Columns []Column
	Rows    [][]string
	Empty   string // what is said when there are no rows
}

// Objects are the rows as --json prints them: every column by its name.
func (t Table) Objects() []map[string]any {
	out := make([]map[string]any, 0, len(t.Rows))
	for _, r := range t.Rows {
		o := map[string]any{}
		for i, c := range t.Columns {
			o[c.Name] = r[i]
		}
		out = append(out, o)
	}
	return out
}

// Text is the table in aligned columns. Of what does not fit the middle is left out.
func (t Table) Text(s Style) string {
	p := paragraph{s: s}
	if len(t.Rows) == 0 {
		if t.Empty != "" {
			p.add(own(dim, t.Empty))
		}
		return p.String()
	}
	widths := t.widths(s)
	head := line{}
	for i, c := range t.Columns {
		head = append(head, line{own(dim, s.head(c.Name, widths[i]))}.pad(s, widths[i]+2)...)
	}
	p.add(head...)
	for _, r := range t.Rows {
		l := line{}
		for i, c := range t.Columns {
			text := oneLine(r[i])
			if widths[i] >= 5 {
				text = s.middle(text, widths[i])
			} else {
				text = s.head(s.clean(text), widths[i])
			}
			l = append(l, line{span{text, c.Paint}}.pad(s, widths[i]+2)...)
		}
		p.add(l...)
	}
	return p.String()
}

func (t Table) widths(s Style) []int {
	cols := s.columns()
	out := make([]int, len(t.Columns))
	left := cols - 2*(len(t.Columns)-1)
	var wide []int
	for i, c := range t.Columns {
		need := len(c.Name)
		for _, r := range t.Rows {
			need = max(need, s.cells(s.middle(oneLine(r[i]), cols)))
		}
		out[i] = need
		if c.Wide {
			wide = append(wide, i)
			continue
		}
		out[i] = min(need, max(cols/3, 10))
		left -= out[i]
	}
	// The narrowest wide columns are served first: what they do not need goes to the others.
	sort.SliceStable(wide, func(a, b int) bool { return out[wide[a]] < out[wide[b]] })
	for n, i := range wide {
		out[i] = min(out[i], max(left/(len(wide)-n), 6))
		left -= out[i]
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
