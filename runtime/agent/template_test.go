package agent_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/agent"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
)

// TestConstitutionTemplates: what templates of a constitution answer is in the genesis; one whose program is denied or
// raises makes no agent.
func TestConstitutionTemplates(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{`Sum: #{(+ 40 2)}.`, "Sum: 42."},
		{`#{(read-file "rules.md")}`, "be kind"},
		{`#{(map car '((a . 1) ("b" . 2)))} and \#{(f)}`, `(a "b") and #{(f)}`},
		{`#{(begin (display "shown") (newline))}`, "shown\n"},
		{`First #{(write-file "made" "x")}`, `error: the constitution of tester:1:7: the template #{(write-file "made" "x")}: `},
		{`#{(car 5)}`, "error: the constitution of tester:1:1: the template #{(car 5)}: "},
		{`#{(nothing)}`, "error: the constitution of tester:1:1: the template #{(nothing)}: "},
		{`#{(let loop () (loop))}`, "error: the constitution of tester:1:1: the template #{(let loop () (loop))}: budget"},
		{`#{(bash "echo hi > made")}`, `error: the constitution of tester:1:1: the template #{(bash "echo hi > made")}: `},
	} {
		w := newWorld(t, license.Manual)
		w.file("rules.md", "be kind")
		w.runner.Expand = w.system.Agents.Expand
		before, err := w.system.Store.Next(w.context.Session, graph.RootBag)
		if err != nil {
			t.Fatal(err)
		}
		w.context.Answerability = license.Queue // nobody is waited for
		id, err := w.runner.Begin(graph.RootBag, &w.context, kind.Spec{AgentSpec: &kind.AgentSpec{Name: "tester", Constitution: kind.Of(row.text)}}, nil, "")
		if want, fails := strings.CutPrefix(row.want, "error: "); fails {
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: %v, wanted %s", row.text, err, want)
			}
			after, _ := w.system.Store.Next(w.context.Session, graph.RootBag)
			for ord := before; ord < after; ord++ {
				n, err := w.system.Store.Node(graph.ID{Session: w.context.Session, Bag: graph.RootBag, Ord: ord})
				if _, program := n.(*kind.ProgrammaticJob); err != nil || !program {
					t.Errorf("%s: made a %T (%v)", row.text, n, err)
				}
			}
			if _, err := os.Stat(filepath.Join(w.context.Workspace, "made")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: it acted", row.text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", row.text, err)
			continue
		}
		g, err := w.system.Store.Node(graph.ID{Session: id.Session, Bag: id.Bag, Ord: id.Ord + 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := g.(*kind.SessionSystemPrompt).Constitution.Datum; got != row.want {
			t.Errorf("%s is %q, wanted %q", row.text, got, row.want)
		}
		a, err := w.system.Store.Node(id)
		if err != nil || a.(*kind.Agent).Spec.Recipe().Constitution.Datum != row.text {
			t.Errorf("the snapshot of the recipe is not the recipe: %v", err)
		}
	}
}

// TestPromptTemplates: the templates of a prompt run with the posture that its turn will have.
func TestPromptTemplates(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.file("a.txt", "text of a")
	expand := func(policy, text string) string {
		got, err := w.system.ExpandPrompt(t.Context(), w.agent, w.context, policy, text)
		if err != nil {
			return "error: " + err.Error()
		}
		return got
	}
	if got := expand("", `Sum up: #{(read-file "a.txt")}`); got != "Sum up: text of a" {
		t.Error(got)
	}
	if got := expand("", `#{(write-file "b.txt" "b")}`); !strings.HasPrefix(got, "error: the prompt:1:1: the template ") || !strings.Contains(got, "denied") {
		t.Error(got)
	}
	w.ask(agent.Ask{Agent: w.agent, Prompt: "x", Policy: kind.Yolo, Context: w.context}) // what is asked next inherits it
	if got := expand("", `#{(begin (write-file "b.txt" "b") (read-file "b.txt"))}`); got != "b" {
		t.Error(got)
	}
	if got := expand(kind.Manual, `#{(write-file "c.txt" "c")}`); !strings.HasPrefix(got, "error: ") {
		t.Error(got)
	}
}
