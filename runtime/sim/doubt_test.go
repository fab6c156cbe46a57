package sim

import (
	"strings"
	"testing"
)

// TestDoubtAtTerminal: a call whose effect nobody knows is asked about where somebody is.
func TestDoubtAtTerminal(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		answer string
		code   int
		shows  string
		lines  string
	}{
		{"x\ny\n", 0, `"half\n"`, "begun\n"}, // what is no answer is asked again
		{"n\n", 1, "said that it did not happen", "begun\n"},
		{"r\n", 0, `"done\n"`, "begun\nagain\n"},
		{"l\n", 5, "caper resolve 1.2.0 --retry", "begun\n"},
	} {
		t.Run(strings.TrimSpace(row.answer), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "sync")
			program(t, w.work, "doubt.scm", `
(define r (bash "if test -e flag; then echo again >> \"$COUNTER\"; echo done; else touch flag; echo half; echo begun >> \"$COUNTER\"; sleep 100; fi"))
(cdr (assq 'stdout r))
`)
			x := w.terminal(w.work, "run", "--policy", "yolo", "doubt.scm")
			until(t, "the command runs", func() bool { return w.read(w.counter) == "begun\n" })
			x.kill()
			y := w.terminal(w.work, "resume", "--value")
			y.expect("did it happen?")
			y.send(row.answer)
			y.ends(row.code)
			if !strings.Contains(y.shown(), row.shows) {
				t.Errorf("it never showed %q:\n%s", row.shows, y.shown())
			}
			w.mustHave(w.counter, row.lines)
			if err := w.noneLeft(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestDoubtElsewhere: while a terminal asks, another resolves.
func TestDoubtElsewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "sync")
	program(t, w.work, "doubt.scm", `(bash "echo begun >> \"$COUNTER\"; sleep 100") 'over`)
	x := w.terminal(w.work, "run", "--policy", "yolo", "doubt.scm")
	until(t, "the command runs", func() bool { return w.read(w.counter) == "begun\n" })
	x.kill()
	y := w.terminal(w.work, "resume", "--value")
	y.expect("did it happen?")
	if out := w.ok("resolve", "1.2.0", "--happened"); !strings.Contains(out, "its program goes on") {
		t.Errorf("resolve: %s", out)
	}
	y.ends(0)
	y.expect("over")
}
