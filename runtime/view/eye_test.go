package view

import (
	"fmt"
	"testing"
	"time"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/store"
	"caper/runtime/tool"
)

func TestEye(t *testing.T) {
	w := newWorld(t)
	a := w.program("tour.scm")
	w.call(a, "0", "read-file", graph.List{"README.md"}, ok(2*time.Millisecond, "bytes", 1400))
	w.call(a, "0", "bash", graph.List{"rm -rf build /"}, denied("protections", "built in", "it removes /"))
	w.call(a, "0", "bash", graph.List{"make\t-j8 \x1b[31mred && echo done; echo a very long command line indeed that goes on and on"}, kind.Outcome{State: kind.Settled, Duration: 61 * time.Second, Value: kind.Of(graph.List{pairOf("stdout", "x"), pairOf("exit-code", int64(2))})})
	w.call(a, "0", "grep", graph.List{"TODO", graph.Keyword("path"), "src"}, ok(time.Millisecond, "matches", 12, "binary", 3))
	for i := range 40 {
		if i < 31 {
			o := ok(400*time.Millisecond, "bytes", 100)
			if i == 7 {
				o = failed("not-found", "there is no file f7.txt")
			}
			w.call(a, fmt.Sprintf("0.%d", i), "read-file", graph.List{fmt.Sprintf("f%d.txt", i)}, o)
		} else {
			w.call(a, fmt.Sprintf("0.%d", i), "read-file", graph.List{fmt.Sprintf("f%d.txt", i)}, kind.Outcome{})
		}
	}
	b := w.nested(a, "0", "program", "(define (f x) (read-file x))\n(f 1)")
	w.call(b, "0", "list-dir", graph.List{"."}, ok(0))
	c := w.ask(a, "0", "write-file", graph.List{"notes/summary.md", "some text\nand more"})
	w.uncertain(a, "0", "bash", graph.List{"git push origin main"})
	w.clock = w.clock.Add(1234 * time.Millisecond)
	for _, s := range []Style{{Width: 80}, {Width: 40}, {Width: 80, ASCII: true}, {Width: 120, Color: true}} {
		j, err := Tree(w.st, w.calls, a)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(j.Draw(s))
	}
	s := Style{Width: 80}
	for _, f := range []func() (Table, error){func() (Table, error) { return Sessions(w.st) }, func() (Table, error) { return Jobs(w.st, true) }, func() (Table, error) { return Approvals(w.st, w.calls) }} {
		tb, err := f()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(tb.Text(s))
	}
	e, _ := w.st.Entry(c)
	d, err := Show(w.calls, e)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(d.Text(s))
	r := program.Result{State: program.Uncertain, ID: a}
	for id := range w.st.Waiting() {
		r.Waiting = append(r.Waiting, id)
	}
	text, err := Waiting(s, w.st, w.calls, r)
	fmt.Println(text, err)
	q := call.Question{Tool: "write-file", Args: tool.Args{"path": "notes/summary.md", "data": "x"}, Decision: license.Decision{Verdict: license.Ask, Step: license.StepPosture, Rule: "manual", Origin: "session", Reason: "the posture is manual and no rule speaks about it",
		Remember: []license.Suggestion{{Scope: license.Once}, {Scope: license.Session, Rule: "write-file(notes/summary.md)"}, {Scope: license.Project, Rule: "write-file(notes/**)"}}},
		Preview: tool.Preview{Path: "/home/u/ws/notes/summary.md", New: true, Added: 12, Diff: "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n"}}
	fmt.Print(Question(s, q), Prompt(s, q), "\n", Diff(s, q), Why(s, q))
	fmt.Print(Failure(s, program.Result{State: program.Denied, ID: a, Error: &program.Failure{Kind: "denied", Message: "bash was denied: it removes /", Data: graph.List{pairOf("rule", "protections"), pairOf("origin", "built in"), pairOf("step", "protections"), pairOf("by", "policy")}, Trace: []program.Frame{{Procedure: "main", File: "tour.scm", Line: 12, Column: 3}}}}))
	for e := range w.st.Events(a.Session, 1) {
		fmt.Println(EventLine(s, e))
		if e.Seq > 5 {
			break
		}
	}
	_ = store.Entry{}
}
