package view

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// stage is a Live that the test moves by hand.
type stage struct {
	*world
	*Live
	screen *screen
	t      *testing.T
}

func newStage(t *testing.T, width, height int, root graph.ID, w *world) *stage {
	s := &stage{world: w, screen: newScreen(t, width, height), t: t}
	s.Live = newLive(s.screen, Style{Width: width, Color: true, Live: true}, reader{store: w.st, calls: w.calls, own: true}, root)
	s.Live.now = w.now
	close(s.Live.ended) // no painter of its own
	return s
}

// frame is what the painter does, so much later.
func (s *stage) frame(later time.Duration) {
	s.t.Helper()
	s.clock = s.clock.Add(later)
	if err := s.catchUp(nil); err != nil {
		s.t.Fatal(err)
	}
	s.compose(blockRows)
	s.paint()
}

func (s *stage) want(want string) {
	s.t.Helper()
	if got := s.screen.text(); got != strings.TrimPrefix(want, "\n") {
		s.t.Errorf("on the screen:\n%s\nwanted:\n%s", got, strings.TrimPrefix(want, "\n"))
	}
}

func (s *stage) say(text string) {
	s.t.Helper()
	if n, err := s.Print(s.screen, []byte(text)); n != len(text) || err != nil {
		s.t.Fatal(n, err)
	}
}

func TestLiveFollowsAProgram(t *testing.T) {
	w := newWorld(t)
	root := w.program("tour.scm")
	s := newStage(t, 60, 24, root, w)
	s.frame(100 * time.Millisecond)
	s.want(`
● tour.scm  100 ms
`)
	read := w.call(root, "0", "read-file", graph.List{"README.md"}, kind.Outcome{})
	s.frame(100 * time.Millisecond)
	s.want(`
● tour.scm                200 ms     1 running
└─ ⋯ read-file README.md  100 ms
`)
	w.settle(read, ok(2*time.Millisecond, "bytes", 1400))
	s.say("hello\n") // less than a frame after the last: the block comes back with the next
	s.want(`
hello
`)
	s.frame(100 * time.Millisecond)
	s.want(`
hello
● tour.scm                300 ms     1 done
└─ ✓ read-file README.md  2 ms       1.4 KB
`)
	s.clock = s.clock.Add(time.Second)
	s.say("no newline ")
	s.want(`
hello
no newline
● tour.scm                300 ms     1 done
└─ ✓ read-file README.md  2 ms       1.4 KB
`)
	s.say("yet, now: ")
	s.say("here\nand on ")
	s.frame(0)
	s.want(`
hello
no newline yet, now: here
and on
● tour.scm                1.3 s      1 done
└─ ✓ read-file README.md  2 ms       1.4 KB
`)
	s.Hide()
	s.want(`
hello
no newline yet, now: here
and on
`)
	fmt.Fprint(s.screen, "? may it\n")
	s.frame(time.Second)
	s.Show()
	s.want(`
hello
no newline yet, now: here
and on
? may it
● tour.scm                2.3 s      1 done
└─ ✓ read-file README.md  2 ms       1.4 KB
`)
	w.settle(root, ok(2400*time.Millisecond))
	s.Close()
	s.Close()
	s.say("after\n")
	s.want(`
hello
no newline yet, now: here
and on
? may it
✓ tour.scm                2.4 s      1 done
└─ ✓ read-file README.md  2 ms       1.4 KB
after
`)
}

func TestLiveOutputThatFillsALine(t *testing.T) {
	for _, c := range []struct {
		name string
		out  []string
		want string
	}{
		{"just", []string{strings.Repeat("x", 40), "y\n"}, strings.Repeat("x", 40) + "\ny\n"},
		{"over", []string{strings.Repeat("x", 45), "y\n"}, strings.Repeat("x", 40) + "\nxxxxxy\n"},
		{"wide signs", []string{"日本", "語\n"}, "日本語\n"},
		{"colours", []string{"\x1b[31mred", "\x1b[0m more\n"}, "red\n more\n"}, // its column is not known: it is not joined
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			s := newStage(t, 40, 24, w.program("p.scm"), w)
			s.frame(0)
			for _, o := range c.out {
				s.say(o)
				s.frame(100 * time.Millisecond)
			}
			s.Hide()
			s.want(c.want)
		})
	}
}

func TestLiveFoldsAndStaysOnTheScreen(t *testing.T) {
	w := newWorld(t)
	root := w.program("many.scm")
	s := newStage(t, 80, 24, root, w)
	var ids []graph.ID
	for i := range 40 {
		ids = append(ids, w.call(root, fmt.Sprintf("0.%d", i), "read-file", graph.List{fmt.Sprintf("f%d.txt", i)}, kind.Outcome{}))
	}
	s.frame(100 * time.Millisecond)
	for i, id := range ids[:31] {
		o := ok(90*time.Millisecond, "bytes", 1000)
		if i == 7 {
			o = failed("not-found", "there is no file f7.txt")
		}
		w.settle(id, o)
	}
	s.frame(300 * time.Millisecond)
	s.want(`
● many.scm                400 ms     30 done · 1 failed · 9 running
└─ ⋯ 40 × read-file       31/40      ███████▊    400 ms · 1 failed
   └─ ✗ read-file f7.txt  failed     there is no file f7.txt
`)
	for i := range 30 { // different tools one after another do not fold
		name := []string{"list-dir", "make-dir"}[i%2]
		w.call(root, "0", name, graph.List{fmt.Sprintf("d%d", i)}, ok(time.Millisecond))
	}
	for _, id := range ids[31:] {
		w.settle(id, ok(90*time.Millisecond, "bytes", 1000))
	}
	s.frame(100 * time.Millisecond)
	if got := strings.Count(s.screen.text(), "\n"); got > blockRows {
		t.Errorf("the block has %d lines", got)
	}
	for _, part := range []string{"✗ 40 × read-file", "✗ read-file f7.txt", "rows more", "make-dir d29"} {
		if !strings.Contains(s.screen.text(), part) {
			t.Errorf("missing %q in\n%s", part, s.screen.text())
		}
	}
	w.settle(root, ok(time.Second))
	s.Close()
	if got := strings.Count(s.screen.text(), "\n"); got != 33 {
		t.Errorf("the last tree has %d lines", got)
	}
}

func TestFoldsSayWhichCommandsDidNotEndWell(t *testing.T) {
	w := newWorld(t)
	root := w.program("fan.scm")
	for i := range 20 {
		w.call(root, fmt.Sprintf("0.%d", i), "bash", graph.List{"x"}, kind.Outcome{State: kind.Settled, Duration: time.Second, Value: kind.Of(graph.List{pairOf("exit-code", int64(i%2))})})
	}
	j, err := Tree(w.st, w.calls, root)
	if err != nil {
		t.Fatal(err)
	}
	if text := j.Draw(Style{Width: 100}); !strings.Contains(text, "20 done · 10 with exit code not 0") {
		t.Error(text)
	}
}

func TestLiveWaitsAndNests(t *testing.T) {
	w := newWorld(t)
	root := w.program("ask.scm")
	s := newStage(t, 80, 24, root, w)
	inner := w.nested(root, "0", "program", "(bash \"ls\")")
	asked := w.ask(inner, "0", "bash", graph.List{"ls"})
	s.frame(time.Second)
	s.want(`
● ask.scm                 1.0 s      1 running
└─ ? program (bash "ls")  waiting    1 waiting
   └─ ? bash ls           waiting    caper approve 1.3.0
`)
	w.apply(asked.Session, store.Note{ID: asked, Fact: kind.Fact{What: kind.FactStarted, At: w.clock}}, store.Start{ID: asked})
	s.frame(time.Second)
	s.want(`
● ask.scm                 2.0 s      1 running
└─ ● program (bash "ls")  2.0 s      1 running
   └─ ⋯ bash ls           1.0 s
`)
	w.settle(asked, ok(1500*time.Millisecond))
	w.settle(inner, ok(2500*time.Millisecond))
	w.settle(root, ok(2600*time.Millisecond))
	s.frame(time.Second)
	s.want(`
✓ ask.scm                 2.6 s      1 done
└─ ✓ program (bash "ls")  2.5 s      1 done
   └─ ✓ bash ls           1.5 s
`)
	if len(s.feed.bags) != 1 || len(s.feed.open) != 0 {
		t.Errorf("the feed still holds %d bags and %d calls", len(s.feed.bags), len(s.feed.open))
	}
}

// counting counts what is read of a store.
type counting struct {
	store.Store
	mu    sync.Mutex
	reads int
}

func (c *counting) Entry(id graph.ID) (store.Entry, error) {
	c.mu.Lock()
	c.reads++
	c.mu.Unlock()
	return c.Store.Entry(id)
}

func TestLiveReadsOnlyWhatIsNew(t *testing.T) {
	w := newWorld(t)
	root := w.program("long.scm")
	for i := range 3000 {
		w.call(root, "0.1", "read-file", graph.List{fmt.Sprint(i)}, ok(time.Millisecond))
	}
	c := &counting{Store: w.st}
	f := newFeed(reader{store: c, calls: w.calls, own: true}, root)
	if err := f.start(); err != nil {
		t.Fatal(err)
	}
	for more := true; more; {
		var err error
		if more, err = f.read(); err != nil {
			t.Fatal(err)
		}
	}
	g := f.root.inner.groups[0]
	if g.total != 3000 || g.counts[isDone] != 3000 || len(g.members) != foldAbove || len(f.open) != 0 {
		t.Errorf("total %d, done %d, members %d, open %d", g.total, g.counts[isDone], len(g.members), len(f.open))
	}
	c.reads = 0
	at := f.next
	w.call(root, "0.1", "read-file", graph.List{"new"}, ok(time.Millisecond))
	if _, err := f.read(); err != nil {
		t.Fatal(err)
	}
	if c.reads != 1 || f.next != at+2 || g.total != 3001 {
		t.Errorf("for one new call %d entries and %d events were read; %d calls are known", c.reads, f.next-at, g.total)
	}
}

func TestLivePaintsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.clock = time.Now()
		w.calls.Now = time.Now
		root := w.program("self.scm")
		scr := newScreen(t, 60, 24)
		l := NewLive(scr, Style{Width: 60, Live: true}, w.st, w.calls, root)
		id := w.call(root, "0", "read-file", graph.List{"a"}, kind.Outcome{})
		var many sync.WaitGroup
		for i := range 8 {
			many.Go(func() {
				for k := range 5 {
					if _, err := l.Print(scr, fmt.Appendf(nil, "%d-%d\n", i, k)); err != nil {
						t.Error(err)
					}
					l.Hide()
					time.Sleep(30 * time.Millisecond)
					l.Show()
				}
			})
		}
		many.Wait()
		time.Sleep(time.Second)
		if text := scr.text(); !strings.Contains(text, "⋯ read-file a") || strings.Count(text, "-") != 40+1 {
			t.Errorf("on the screen:\n%s", text)
		}
		w.settle(id, ok(time.Second))
		w.settle(root, ok(time.Second))
		l.Close()
		if text := scr.text(); !strings.HasSuffix(text, "✓ read-file a  1.0 s\n") || strings.Contains(text, "⋯") {
			t.Errorf("at the end:\n%s", text)
		}
	})
}
