package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"caper/runtime/graph"
)

// TestTimeline draws one program at several widths: no line is wider than there is room, all bars lie between the ends, and
// where the locale has no UTF-8 only ASCII is written.
func TestTimeline(t *testing.T) {
	began := time.Unix(1000, 0)
	job := func(name, state string, from, took time.Duration, args ...graph.Datum) *Job {
		return &Job{ID: "1.2." + name, Name: name, State: state, Began: began.Add(from), took: took, given: args}
	}
	root := job("a.scm", "settled", 0, 10*time.Second)
	root.inner = newBag()
	root.Children = []*Job{
		job("bash", "failed", 5*time.Second, 5*time.Second, "sleep 5; 漢字 "+strings.Repeat("x", 400)),
		job("read-file", "settled", 0, time.Millisecond, "b.txt"),
		job("write-file", "waiting", 8*time.Second, 0, "λ.txt"),
	}
	for _, s := range []Style{{Width: 40}, {Width: 80, Color: true}, {Width: 300}, {Width: 40, ASCII: true}, {}} {
		out := DrawTimeline(s, root)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if len(lines) != 5 {
			t.Fatalf("%+v: %d lines\n%s", s, len(lines), out)
		}
		for _, l := range lines {
			if n := s.cells(stripped(l)); n > s.columns() {
				t.Errorf("%+v: a line of %d cells\n%s", s, n, out)
			}
			if s.ASCII && strings.ContainsFunc(l, func(r rune) bool { return r > 126 }) {
				t.Errorf("not ASCII: %q", l)
			}
		}
		if !s.Color {
			order := []string{"a.scm", "read-file", "bash", "write-file"}
			for i, name := range order {
				if !strings.Contains(lines[i+1], name) {
					t.Errorf("line %d is not of %s\n%s", i+1, name, out)
				}
			}
		}
	}
	wide := strings.Split(DrawTimeline(Style{Width: 100, ASCII: true}, root), "\n")
	all, half := strings.Count(wide[1], "#"), strings.Count(wide[3], "#")
	if all == 0 || half*2 < all-2 || half*2 > all+2 {
		t.Errorf("half of the time is %d of %d\n%s", half, all, strings.Join(wide, "\n"))
	}
	if strings.Index(wide[3], "#") < strings.Index(wide[1], "#")+all/2-1 {
		t.Errorf("the second half begins too early\n%s", strings.Join(wide, "\n"))
	}
	if n := strings.Count(Welcome(Style{Width: 40}), "\n"); n != 5 {
		t.Errorf("the first run says %d lines", n)
	}
	if text := Welcome(Style{Width: 80}); text != Welcome(Style{Width: 300}) {
		t.Errorf("the first run is cut in a terminal of 80 columns:\n%s", text)
	}
}

// TestTimelineFolds: what a tree folds is one line of a chart too, and what went wrong of it has its own.
func TestTimelineFolds(t *testing.T) {
	began := time.Unix(1000, 0)
	root := &Job{ID: "1.2.0", Name: "a.scm", State: "settled", Began: began, took: 20 * time.Second, inner: newBag()}
	for i := range 40 {
		j := &Job{ID: fmt.Sprint("1.3.", i), ord: uint64(i), Name: "bash", State: "settled", fiber: "0.1", Began: began.Add(time.Duration(i) * time.Second / 4), took: time.Second / 4}
		if i == 20 {
			j.State = "failed"
		}
		root.Children = append(root.Children, j)
		root.inner.add(j)
	}
	out := DrawTimeline(Style{Width: 100, ASCII: true}, root)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 4 || !strings.Contains(lines[2], "40 x bash") || !strings.Contains(lines[3], "bash") {
		t.Fatalf("%d lines\n%s", len(lines), out)
	}
	if all, many := strings.Count(lines[1], "#"), strings.Count(lines[2], "#"); many*2 < all-2 || many*2 > all+2 {
		t.Errorf("the forty took half of the time\n%s", out)
	}
	if all, _ := Timeline(root); len(all) != 41 {
		t.Errorf("%d moments of 41 jobs", len(all))
	}
}

func stripped(l string) string {
	var b strings.Builder
	for i := 0; i < len(l); i++ {
		if l[i] == 0x1b {
			i += strings.IndexByte(l[i:], 'm')
			continue
		}
		b.WriteByte(l[i])
	}
	return b.String()
}
