package call

import (
	"testing"
	"time"

	"caper/runtime/license"
)

// TestGrounds: a look at the guards serves for a moment, and never across a call that may have changed something.
func TestGrounds(t *testing.T) {
	start := time.Unix(1000, 0)
	late := start.Add(groundFor)
	for _, c := range []struct {
		what string
		do   func(g *grounds, changes uint64)
		now  time.Time
		want bool
	}{
		{"at once", func(g *grounds, n uint64) { g.keep("k", license.Ground{}, start, n) }, start, true},
		{"too late", func(g *grounds, n uint64) { g.keep("k", license.Ground{}, start, n) }, late, false},
		{"the clock went back", func(g *grounds, n uint64) { g.keep("k", license.Ground{}, start, n) }, start.Add(-1), false},
		{"of another workspace", func(g *grounds, n uint64) { g.keep("other", license.Ground{}, start, n) }, start, false},
		{"a change is under way", func(g *grounds, n uint64) { g.keep("k", license.Ground{}, start, n); g.change() }, start, false},
		{"a change has ended", func(g *grounds, n uint64) { g.keep("k", license.Ground{}, start, n); g.change()() }, start, false},
		{"looked at during a change", func(g *grounds, n uint64) {
			ended := g.change()
			g.keep("k", license.Ground{}, start, n+1)
			ended()
		}, start, false},
		{"looked at before a change that ended meanwhile", func(g *grounds, n uint64) {
			g.change()()
			g.keep("k", license.Ground{}, start, n)
		}, start, false},
	} {
		var g grounds
		_, n, _ := g.find("k", start)
		c.do(&g, n)
		if _, _, ok := g.find("k", c.now); ok != c.want {
			t.Errorf("%s: found %v, want %v", c.what, ok, c.want)
		}
	}
}
