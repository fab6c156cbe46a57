package sim

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

// atPoint is a kill at the n-th passage of a point.
type atPoint struct {
	point string
	n     int
}

func (a atPoint) String() string { return fmt.Sprintf("%s:%d", a.point, a.n) }

// chosen are the kills to try: of each point all its passages where they are few, else the first, the last and some
// between. The default slice takes a first or a middle one of each point.
func chosen(n map[string]int) []atPoint {
	var out []atPoint
	for i, p := range names(n) {
		last := n[p]
		if !full() {
			out = append(out, atPoint{p, 1 + (i*7)%last})
			continue
		}
		at := []int{1, last / 5, 2 * last / 5, last / 2, 3 * last / 5, 4 * last / 5, last}
		if last <= 8 {
			at = nil
			for k := range last {
				at = append(at, k+1)
			}
		}
		slices.Sort(at)
		for _, k := range slices.Compact(at) {
			if k > 0 {
				out = append(out, atPoint{p, k})
			}
		}
	}
	return out
}

var modes = []string{"sync", "fast"}

// TestKillEverywhere kills a workflow of every kind of call at every boundary that the code names, and resumes it.
func TestKillEverywhere(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			want, points := unbroken(t, mode)
			var mu sync.Mutex
			var all tally
			t.Run("points", func(t *testing.T) {
				for _, at := range chosen(passages(points)) {
					t.Run(at.String(), func(t *testing.T) {
						t.Parallel()
						w := newWorld(t, mode)
						workflow(t, w)
						r := w.caper([]string{"CAPER_FAULT=" + at.String()}, w.runArgs()...)
						var n tally
						var err error
						if r.killed {
							r, n, err = w.carryOn(want)
						} // else the point was passed fewer times this time: fibers that wait side by side
						n.runs = 1
						mu.Lock()
						all.add(n)
						mu.Unlock()
						if err == nil {
							err = w.check(want, r)
						}
						if err != nil {
							t.Fatal(err)
						}
					})
				}
			})
			t.Logf("%s: %d kills, %d resumes, %d uncertain (%d happened, %d ran again)", mode, all.runs, all.resumes, all.uncertain, all.happened, all.again)
		})
	}
}
