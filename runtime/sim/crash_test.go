package sim

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// kills is one case: where the first process is killed, and where the resumes after it are.
type kills []string

func (k kills) String() string { return strings.Join(k, ",") }

// chosen are the passages of one point at which to kill: all of them where they are few, else the first, the last and
// some between. The default slice takes one of each point.
func chosen(i int, point string, last int) []kills {
	at := []int{1, last / 5, 2 * last / 5, last / 2, 3 * last / 5, 4 * last / 5, last}
	switch {
	case !full():
		at = []int{1 + (i*7)%last}
	case last <= 8:
		at = nil
		for k := range last {
			at = append(at, k+1)
		}
	}
	slices.Sort(at)
	var out []kills
	for _, k := range slices.Compact(at) {
		if k > 0 {
			out = append(out, kills{fmt.Sprintf("%s:%d", point, k)})
		}
	}
	return out
}

var modes = []string{"sync", "fast"}

// TestKillEverywhere kills a workflow of every kind of call at every boundary that the code names, and resumes it.
func TestKillEverywhere(t *testing.T) {
	killEverywhere(t, func(passed map[string]int) (all []kills) {
		for i, p := range names(passed) {
			all = append(all, chosen(i, p, passed[p])...)
		}
		return all
	})
}

// first are kills after which much is left to recover: an append in the middle, a command that runs, a file half
// replaced, calls side by side, a nested program, an end that is not on record.
var first = []string{"mid-write:2", "released:3", "released:5", "after-rename:2", "before-create:4", "minted:20", "spooled:2", "settled:18", "finishing:1"}

// second are the points that a resume passes.
var second = []string{"before-open:1", "after-open:1", "recovering:1", "recovered:1", "performed:1", "minted:1", "before-commit:1", "after-commit:1",
	"before-anchor:1", "after-anchor:1", "settled:1", "resuming:1", "resuming:9", "released:1", "finishing:1", "finished:1", "before-clean:1",
	"restored:1", "before-snapshot:1", "mid-snapshot:1", "after-snapshot:1"}

// TestKillTheRecovery kills the resume as well, and the resume of the resume.
func TestKillTheRecovery(t *testing.T) {
	killEverywhere(t, func(map[string]int) (all []kills) {
		for i, a := range first {
			for j, b := range second {
				if n := i*len(second) + j; full() && n%2 == 0 || n%22 == 0 {
					all = append(all, kills{a, b, second[(i+j)%len(second)]})
				}
			}
		}
		return all
	})
}

func killEverywhere(t *testing.T, cases func(passed map[string]int) []kills) {
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			want, points := unbroken(t, mode)
			var mu sync.Mutex
			var all tally
			t.Run("kill", func(t *testing.T) {
				for _, k := range cases(passages(points)) {
					t.Run(k.String(), func(t *testing.T) {
						t.Parallel()
						w := newWorld(t, mode)
						workflow(t, w)
						r := w.caper([]string{"CAPER_FAULT=" + k[0]}, w.runArgs()...)
						var n tally
						var err error
						if r.killed {
							r, n, err = w.carryOn("1.1.0", k[1:]...)
							n.kills++
						} // else the point was passed fewer times than before: fibers side by side differ from run to run
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
			t.Logf("%s: %v", mode, all)
		})
	}
}
