package program_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"caper/interp"
	"caper/interp/syntax"
	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/check"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/tool"
)

// TestForeseen compares what check says of the programs of the corpus with their journals: every call that was made was
// foreseen, with its tool, its arguments where check named them, and its decision; of the tools that were foreseen at
// most one in ten was not called.
func TestForeseen(t *testing.T) {
	files, err := filepath.Glob("testdata/corpus/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	doubles := &doubles{}
	stand := doubles.tools()
	others := slices.DeleteFunc(tool.All(), func(t *tool.Tool) bool {
		return slices.ContainsFunc(stand, func(d *tool.Tool) bool { return d.Name == t.Name })
	})
	tools, err := tool.NewSet(append(others, stand...)...)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := assembly.NewEngine(tools)
	if err != nil {
		t.Fatal(err)
	}
	options := assembly.EngineOptions(tools)
	workspace := sections(t, "testdata/corpus/workspace.txtar")
	var sum foresight
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if name == "workspace" {
			continue
		}
		task := sections(t, file)
		for _, section := range slices.Sorted(maps.Keys(task)) {
			p, ok := strings.CutSuffix(section, ".scm")
			if !ok {
				continue
			}
			if _, raises := own(task, p)["raises"]; raises {
				if _, err := check.Program(options, nil, syntax.NewSource("test.scm", task[section])); err != nil {
					continue // it never begins
				}
			}
			t.Run(name+"/"+p, func(t *testing.T) {
				doubles.reset(t, task["stubs.json"])
				sum.compare(t, corpusHouse(t, engine, tools, workspace), options, tools, task[section])
			})
		}
	}
	workspace["poem.txt"] = "What a client would have written.\n"
	examples, err := filepath.Glob("../../examples/*/*.scm")
	if err != nil {
		t.Fatal(err)
	}
	args := map[string][]string{
		"todo.scm": {"."}, "rename.scm": {"the", "der", "*.md"}, "fix-loop.scm": {"test -e fixed", "touch fixed"}, "review.scm": {"*.md"},
		"fan-out.scm": {"codex"}, "two-agents.scm": {"codex", "claude_code"},
	}
	for _, file := range examples {
		t.Run("examples/"+filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			doubles.reset(t, `{"spawn-agent": [{"spec": "reviewer", "match": [], "return": "nothing"}]}`)
			sum.compare(t, corpusHouse(t, engine, tools, workspace), options, tools, string(text), args[filepath.Base(file)]...)
		})
	}
	t.Logf("%d programs, %d calls, of %d the decision depended on what was not known; %d tools foreseen, %d of them not called", sum.programs, sum.made, sum.open, sum.foreseen, sum.unused)
	if sum.unused*10 > sum.foreseen || sum.made < 400 {
		t.Errorf("%d of %d tools were foreseen and not called; %d calls", sum.unused, sum.foreseen, sum.made)
	}
}

// foresight counts what was foreseen and what was done.
type foresight struct{ programs, made, open, foreseen, unused int }

// compare looks at a program, runs it, and holds the one against the other.
func (n *foresight) compare(t *testing.T, h *house, options interp.Options, tools *tool.Set, source string, args ...string) {
	t.Helper()
	report, err := check.Program(options, nil, syntax.NewSource("test.scm", source))
	if err != nil {
		t.Fatal(err)
	}
	spec := h.spec(source, license.Yolo, nil)
	spec.Args = args
	spec.Context.Answerability = license.None
	spec.Budget = kind.Budget{Fuel: 50_000_000, Memory: 256 << 20}
	var said []string
	verdicts := map[*check.Call]check.Verdict{}
	all, called := map[string]bool{}, map[string]bool{}
	for _, c := range report.Calls {
		all[c.Tool] = true
		verdicts[c] = check.Judge(c, tools, func(name string, args graph.List) (license.Decision, error) {
			return h.system.Calls.Explain(t.Context(), &spec.Context, name, args)
		})
		said = append(said, fmt.Sprint(c, " ", verdicts[c].Verdict))
	}
	r := h.run(t.Context(), spec, nil)
	if r.err != nil {
		t.Fatal(r.err)
	}
	n.programs++
	for _, c := range h.calls(r.ID) {
		n.made++
		called[c.Tool] = true
		best := ""
		for _, f := range report.Calls {
			if covers(f, c) && (verdicts[f].Verdict == c.Decision.Verdict || verdicts[f].Verdict == check.Depends && best == "") {
				best = verdicts[f].Verdict
			}
		}
		switch best {
		case "":
			t.Errorf("not foreseen: (%s %s) %s\nforeseen:\n%s", c.Tool, graph.Write(c.Args.Datum), c.Decision.Verdict, strings.Join(said, "\n"))
		case check.Depends:
			n.open++
		}
	}
	for name := range all {
		n.foreseen++
		if !called[name] {
			n.unused++
			t.Logf("%s was foreseen and not called\n%s", name, source)
		}
	}
	if report.Cut {
		t.Error("the program was not followed to its end")
	}
}

// calls are the calls that a program made, those of what it ran too.
func (h *house) calls(id graph.ID) (all []*kind.ToolCallJob) {
	h.t.Helper()
	n, err := h.system.Store.Node(id)
	if err != nil {
		h.t.Fatal(err)
	}
	job, ok := n.(*kind.ProgrammaticJob)
	if !ok {
		return nil
	}
	for e, err := range h.system.Store.Children(id.Session, job.Bag, 0) {
		if err != nil {
			h.t.Fatal(err)
		}
		switch n := e.Node.(type) {
		case kind.ToolCall:
			c := *n.Call()
			if c.Args.Datum, err = h.system.Calls.Fetch(c.Args); err != nil {
				h.t.Fatal(err)
			}
			all = append(all, &c)
		case *kind.ProgrammaticJob:
			all = append(all, h.calls(e.ID)...)
		}
	}
	return all
}

// covers reports whether a call that was made is the one foreseen.
func covers(f *check.Call, made *kind.ToolCallJob) bool {
	if f.Tool != made.Tool {
		return false
	}
	list, _ := made.Args.Datum.(graph.List)
	positional, keywords, err := call.SplitArgs(list)
	if err != nil {
		return false
	}
	n := 0
	for i := 0; i < len(f.Args); i++ {
		if k, ok := f.Args[i].Datum.(graph.Keyword); ok && i+1 < len(f.Args) {
			i++
			v, given := keywords[string(k)]
			if !given || !f.Args[i].Unknown && graph.Write(v) != graph.Write(f.Args[i].Datum) {
				return false
			}
			delete(keywords, string(k))
			continue
		}
		if n >= len(positional) || !f.Args[i].Unknown && graph.Write(positional[n]) != graph.Write(f.Args[i].Datum) {
			return false
		}
		n++
	}
	return f.Open || n == len(positional) && len(keywords) == 0
}
