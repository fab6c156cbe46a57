package view

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"caper/interp/compile"
	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/store"
	"caper/runtime/tool"
)

var hostile = []string{
	"", " ", "plain", "\x1b[2J\x1b]0;title\a", "\x9b31m", "a\nb\r\nc\td\x00\x7f", "\u202egnp.exe\u2066\u2069\u200f", "\xff\xfe\xc3", "zero\u200bwidth\ufeff\u00ad\u2060",
	"e" + strings.Repeat("\u0301", 50), "\u0301", strings.Repeat("👩\u200d", 40) + "👩", "a\u200db", strings.Repeat("\u1100", 200), strings.Repeat("क\u094d", 100),
	"日本語" + strings.Repeat("漢", 200), strings.Repeat("long ", 5000), "\u2028\u2029\u0085", "\U000e0041\U000e0062\U000e007f\ue000\U0010ffff\U0001f1e9\U0001f1ea",
	"\u3164\u115f\u2800\u3000x", strings.Repeat("\x1b", 3000), "[31mred[0m", `back\slash`,
}

func TestNothingRawLeaves(t *testing.T) {
	for _, text := range hostile {
		for _, st := range append(styles, struct {
			name string
			s    Style
		}{"none", Style{}}) {
			everywhere(t, st.s, text)
		}
	}
}

func FuzzNothingRawLeaves(f *testing.F) {
	for i, text := range hostile {
		f.Add(text, 40+i*10, i%2 == 0, i%3 == 0)
	}
	f.Fuzz(func(t *testing.T, text string, width int, ascii, color bool) {
		everywhere(t, Style{Width: width, ASCII: ascii, Color: color}, text)
	})
}

// everywhere puts a text wherever one can stand and looks at what comes out.
func everywhere(t *testing.T, s Style, text string) {
	t.Helper()
	check := func(where, out string) {
		t.Helper()
		if bad := unsafe(s, out); bad != "" {
			t.Errorf("%s of %q at %+v: %s in\n%q", where, text, s, bad, out)
		}
	}
	name := strings.ToValidUTF8(text, "?") // the store takes nothing else outside of data
	if name == "" {
		name = "x"
	}
	w := newWorld(t)
	root := w.program(name)
	failing := failed(name, name)
	failing.Receipt = kind.Of(graph.List{pairOf("note", text), pairOf("bytes", int64(1))})
	w.call(root, "0", name, graph.List{text, graph.Keyword(text), graph.Symbol(text), []byte(text)}, failing)
	w.call(root, "0", "bash", graph.List{text}, denied(text, text, name))
	w.call(root, name, "grep", graph.List{text, graph.Keyword("path"), text}, ok(time.Second))
	for range 14 {
		w.call(root, "0.1", "read-file", graph.List{text}, failing)
	}
	w.nested(root, "0", "program", name)
	asked := w.ask(root, "0", "write-file", graph.List{text, text})
	stuck := w.uncertain(root, "0", "bash", graph.List{text})
	w.apply(root.Session, store.Note{ID: stuck, Fact: kind.Fact{What: kind.FactUncertain, By: name, Value: kind.Of(graph.List{pairOf("reason", text), pairOf("output", text)})}},
		store.Note{ID: asked, Fact: kind.Fact{What: kind.FactParked, By: name, Value: kind.Of(graph.List{pairOf("reason", text), pairOf("rule", text), pairOf("origin", text), pairOf("remember-session", graph.List{text, text})})}},
		store.Note{ID: root, Fact: kind.Fact{What: kind.FactOutput, Value: kind.Of([]byte(text))}})
	tree, err := Tree(w.st, w.calls, root)
	if err != nil {
		t.Fatal(err)
	}
	check("tree", tree.Draw(s))
	r := program.Result{State: program.Uncertain, ID: root, Waiting: []graph.ID{asked, stuck}}
	waits, err := Waiting(s, w.st, w.calls, nil, r)
	if err != nil {
		t.Fatal(err)
	}
	check("waiting", waits)
	for _, id := range []graph.ID{root, asked, stuck, {Session: root.Session, Bag: 2}} {
		e, err := w.st.Entry(id)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Show(w.calls, e)
		if err != nil {
			t.Fatal(err)
		}
		check("show", d.Text(s))
	}
	for _, list := range []func() (Table, error){func() (Table, error) { return Jobs(w.st, w.calls, true) }, func() (Table, error) { return Approvals(w.st, w.calls) }} {
		table, err := list()
		if err != nil {
			t.Fatal(err)
		}
		check("table", table.Text(s))
	}
	check("event", EventLine(s, store.Event{Detail: text}, nil)+"\n")
	spoken(s, text, name, check)
	moving(t, s, w, root, text)
}

// spoken is what has no store behind it.
func spoken(s Style, text, name string, check func(where, out string)) {
	d := license.Decision{Verdict: license.Ask, Step: license.StepAsk, Rule: text, Origin: text, Reason: text, Subject: text, Notes: []string{text},
		Remember: []license.Suggestion{{Scope: license.Session, Rule: text}, {Scope: license.Project, Rule: text}}}
	for _, v := range []tool.Preview{{Path: text, Diff: text, Note: text, Added: 1}, {Command: text, Cwd: text, Note: text}, {Path: name, New: true, Diff: "+" + text}} {
		q := call.Question{Tool: name, Args: tool.Args{"path": text, name: text, "cwd": text}, Decision: d, Preview: v}
		check("question", Question(s, q))
		check("asked", Asked(s, q))
		check("prompt", strings.TrimSuffix(Prompt(s, q), " "))
		check("diff", Diff(s, q))
		check("why", Why(s, q))
	}
	check("decision", Decision(s, name, graph.List{text, graph.Vector{text}}, d))
	check("failure", Failure(s, program.Result{State: program.Denied, Error: &program.Failure{Kind: text, Message: text, Irritants: text, Hints: []string{text},
		Data: graph.List{pairOf("rule", text), pairOf("origin", text), pairOf("step", text), pairOf("by", text)}, Trace: []program.Frame{{Procedure: text, File: text, Line: 1}}}}))
	check("error", Error(s, errors.New(text)))
	src := syntax.NewSource(text, text)
	for _, at := range []int{0, len(text) / 2, len(text)} {
		span := syntax.Span{Source: src, Start: int32(at), End: int32(len(text))}
		check("syntax error", Error(s, &syntax.Error{Span: span, Message: text, Hint: text, Open: syntax.Span{Source: src, End: int32(at)}}))
		check("compile error", Error(s, &compile.Error{Span: span, Message: text}))
	}
}

var moves = regexp.MustCompile("\x1b\\[(\\?7[lh]|[0-9]*[AJKC])|\r")

// moving looks at what the live block writes, beside the program's own output, which is nobody's to change.
func moving(t *testing.T, s Style, w *world, root graph.ID, text string) {
	t.Helper()
	var screen, out bytes.Buffer
	l := newLive(&screen, s, reader{store: w.st, calls: w.calls, own: true}, root)
	l.now = w.now
	close(l.ended)
	for range 2 {
		if err := l.catchUp(nil); err != nil {
			t.Fatal(err)
		}
		l.compose(blockRows)
		l.paint()
		w.clock = w.clock.Add(time.Second)
		if _, err := l.Print(&out, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	l.Close()
	if out.String() != text+text {
		t.Errorf("output %q came out as %q", text+text, out.String())
	}
	if bad := unsafe(s, moves.ReplaceAllString(screen.String(), "")); bad != "" {
		t.Errorf("live block of %q at %+v: %s in\n%q", text, s, bad, screen.String())
	}
}
