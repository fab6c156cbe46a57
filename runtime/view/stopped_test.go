package view

import (
	"strings"
	"testing"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// A program whose process is gone is not shown as if it went on, however much later someone looks.
func TestInterrupted(t *testing.T) {
	w := newWorld(t)
	root := w.program("long.scm")
	w.clock = w.clock.Add(3 * time.Second)
	call := w.call(root, "0", "bash", graph.List{"sleep 99"}, kind.Outcome{})
	w.stop()
	w.clock = w.clock.Add(48 * time.Hour)
	golden(t, "interrupted", func(s Style) string {
		j, err := Tree(w.st, w.calls, root)
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := Jobs(w.st, w.calls, false)
		if err != nil {
			t.Fatal(err)
		}
		text := j.Draw(s) + jobs.Text(s)
		for _, id := range []graph.ID{root, call} {
			e, err := w.st.Entry(id)
			if err != nil {
				t.Fatal(err)
			}
			d, err := Show(w.calls, e)
			if err != nil {
				t.Fatal(err)
			}
			text += d.Text(s)
		}
		return text
	})
}

// A cancelled program does not claim that nothing was done while nobody knows of a call of its.
func TestCancelledWithUnknownEffect(t *testing.T) {
	w := newWorld(t)
	root := w.program("push.scm")
	w.call(root, "0", "bash", graph.List{"git push"}, kind.Outcome{State: kind.Cancelled, Effect: "unknown", By: "ada"})
	w.settle(root, kind.Outcome{State: kind.Cancelled, Effect: "none", By: "ada", Error: &kind.Error{Code: "cancelled", Message: "cancelled by ada"}})
	j, err := Tree(w.st, w.calls, root)
	if err != nil {
		t.Fatal(err)
	}
	text := j.Draw(Style{Width: 200})
	if strings.Contains(text, "nothing was done") || strings.Count(text, "effect unknown") != 2 {
		t.Errorf("the tree says\n%s", text)
	}
}

// Where nobody reads along, a command is there whole.
func TestArgumentsWithoutTerminalAreWhole(t *testing.T) {
	w := newWorld(t)
	root := w.program("a.scm")
	command := "printf " + strings.Repeat("word ", 100) + "end"
	w.ask(root, "0", "bash", graph.List{command})
	j, err := Tree(w.st, w.calls, root)
	if err != nil {
		t.Fatal(err)
	}
	list, err := Approvals(w.st, w.calls)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{j.Draw(Style{}), list.Text(Style{})} {
		if !strings.Contains(text, command) {
			t.Errorf("the command is not whole in\n%s", text)
		}
	}
}
