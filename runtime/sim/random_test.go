package sim

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"
)

// killedAfter runs the binary and kills it after a time, unless it ends before.
func (w *world) killedAfter(d time.Duration, args ...string) result {
	w.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	c := w.command(ctx, nil, args...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Start(); err != nil {
		w.t.Fatal(err)
	}
	timer := time.AfterFunc(d, func() { _ = c.Process.Kill() })
	err := c.Wait()
	timer.Stop()
	return ended(w.t, err, stdout.String(), stderr.String())
}

//go:embed testdata/long.scm
var longText string

func longWorkflow(t testing.TB, mode string) *world {
	w := newWorld(t, mode)
	w.write("workflow.scm", longText)
	return w
}

// TestKillAtRandomMoments kills a workflow of two hundred calls four times each at random moments, by the clock: what the
// named points do not show. The seed is fixed; the moments still differ from run to run.
func TestKillAtRandomMoments(t *testing.T) {
	worlds := 1
	if full() {
		worlds = 30 // over a hundred kills: a moment late in a run may come after its end
	}
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			w := longWorkflow(t, mode)
			began := time.Now()
			r := w.caper(nil, w.runArgs()...)
			whole := time.Since(began)
			if r.code != 0 {
				t.Fatal(r)
			}
			want := w.ending(r)
			if len(want.Ticks) != 50 {
				t.Fatalf("the unbroken run had %d external effects", len(want.Ticks))
			}
			var mu sync.Mutex
			var all tally
			t.Run("kill", func(t *testing.T) {
				for i := range worlds {
					t.Run(fmt.Sprint(i), func(t *testing.T) {
						t.Parallel()
						random := rand.New(rand.NewPCG(7, uint64(i)))
						w := longWorkflow(t, mode)
						n, err := w.randomKills(4, whole, random, want)
						mu.Lock()
						all.add(n)
						mu.Unlock()
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

func (w *world) randomKills(kills int, whole time.Duration, random *rand.Rand, want ending) (tally, error) {
	var n tally
	args, id := w.runArgs(), ""
	for range kills {
		r := w.killedAfter(time.Duration(random.Int64N(int64(whole))), args...)
		switch {
		case r.killed:
			n.kills++
		case r.code == 5:
			m, err := w.resolveAll(r)
			n.add(m)
			if err != nil {
				return n, err
			}
		case r.code != 0 && r.code != 2:
			return n, fmt.Errorf("%v", r)
		}
		if id = w.programID(); id == "" {
			continue // killed before anything was on record
		}
		args = w.resumeArgs(id)
		n.resumes++
	}
	if id == "" { // every kill came before anything was on record
		w.caper(nil, args...)
		id = w.programID()
	}
	r, m, err := w.carryOn(id)
	n.add(m)
	if err == nil {
		err = w.check(want, r)
	}
	return n, err
}

// happened looks outside for the line that an uncertain command leaves, and answers the value that it would have had.
func (w *world) happened(show string) (value string, yes bool) {
	m := tick.FindStringSubmatch(show)
	if m == nil || !slices.Contains(w.lines(), m[1]) {
		return "", false
	}
	out := ""
	if did.MatchString(show) {
		out = "did " + m[1] + `\n`
	}
	return fmt.Sprintf(`((stdout . "%s") (stderr . "") (exit-code . 0))`, out), true
}

var (
	tick = regexp.MustCompile(`printf '(\w+)`)
	did  = regexp.MustCompile(`echo did`)
)
