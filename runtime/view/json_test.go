package view

import (
	"encoding/json"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

func asJSON(t *testing.T, x any) string {
	t.Helper()
	b, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestJSON(t *testing.T) {
	w := newWorld(t)
	root := w.program("a.scm")
	done := w.call(root, "0", "bash", graph.List{"ls\n"}, kind.Outcome{State: kind.Settled, Duration: 1_500_000_000, By: "tool", Value: kind.Of(graph.List{pairOf("exit-code", int64(1))})})
	w.ask(root, "0", "write-file", graph.List{"b", "c"})
	tree, err := Tree(w.st, w.calls, root)
	if err != nil {
		t.Fatal(err)
	}
	e, err := w.st.Entry(done)
	if err != nil {
		t.Fatal(err)
	}
	details, err := Show(w.calls, e)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := Jobs(w.st, w.calls, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		x    any
		want string
	}{
		{"tree", tree, `{"id":"1.1.0","kind":"ProgrammaticJob","name":"a.scm","state":"running","began":"2026-03-01T12:00:00Z","children":[` +
			`{"id":"1.2.0","kind":"SystemToolJob","name":"bash","args":"(\"ls\\n\")","state":"settled","began":"2026-03-01T12:00:00Z","seconds":1.5,"receipt":"exit 1","rule":"posture"},` +
			`{"id":"1.2.1","kind":"SystemToolJob","name":"write-file","args":"(\"b\" \"c\")","state":"waiting","began":"2026-03-01T12:00:00Z","rule":"posture"}]}`},
		{"show", details, `{"id":"1.2.0","kind":"SystemToolJob","name":"bash","args":"(\"ls\\n\")","state":"settled","began":"2026-03-01T12:00:00Z","seconds":1.5,"receipt":"exit 1","rule":"posture",` +
			`"value":"((exit-code . 1))","value_json":{"exit-code":1},"fiber":"0","ordinal":0,"decision":{"verdict":"allow","rule":"posture"},"by":"tool"}`},
		{"jobs", jobs.Objects(), `[{"began":"2026-03-01T12:00:00Z","job":"1.1.0","program":"a.scm","state":"waiting","took":0,"waiting":1,"workspace":"/home/u/ws"}]`},
		{"event", EventObject(store.Event{Seq: 3, What: store.EventSettle, ID: done, Detail: "settled", At: w.clock}, nil),
			`{"at":"2026-03-01T12:00:00Z","detail":"settled","id":"1.2.0","seq":3,"type":"event","what":"settle"}`},
		{"decision", DecisionObject(asks), `{"decision":"ask","step":7,"step_name":"posture","rule":"manual","origin":"session","reason":"the posture is manual and no rule speaks about it"}`},
	} {
		if got := asJSON(t, c.x); got != c.want {
			t.Errorf("%s:\n%s\nwanted:\n%s", c.name, got, c.want)
		}
	}
}

func TestDeepTreesEnd(t *testing.T) {
	w := newWorld(t)
	root := w.program("deep.scm")
	at := root
	for range 3 * maxDepth {
		at = w.nested(at, "0", "program", "(run-program p)")
	}
	w.call(at, "0", "read-file", graph.List{"bottom"}, kind.Outcome{})
	tree, err := Tree(w.st, w.calls, root)
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range styles {
		if bad := unsafe(st.s, tree.Draw(st.s)); bad != "" {
			t.Errorf("%s: %s", st.name, bad)
		}
	}
	s := newStage(t, 80, 24, root, w)
	s.frame(0)
	s.Close()
}
