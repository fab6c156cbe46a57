package view

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"caper/interp/compile"
	"caper/interp/expand"
	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/tool"
)

var update = flag.Bool("update", false, "write what comes out as what is expected")

// styles are the terminals that every golden text is made for.
var styles = []struct {
	name string
	s    Style
}{
	{"40", Style{Width: 40}},
	{"80", Style{Width: 80}},
	{"300", Style{Width: 300}},
	{"80 ascii", Style{Width: 80, ASCII: true}},
	{"80 colour", Style{Width: 80, Color: true}},
}

// golden compares what show makes of a case with testdata/name.txt, style by style.
func golden(t *testing.T, name string, show func(Style) string) {
	t.Helper()
	var b strings.Builder
	for _, st := range styles {
		got := show(st.s)
		if bad := unsafe(st.s, got); bad != "" {
			t.Errorf("%s at %s: %s in\n%q", name, st.name, bad, got)
		}
		fmt.Fprintf(&b, "== %s\n%s", st.name, strings.ReplaceAll(got, "\x1b", "␛"))
	}
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s (go test -update writes it):\n%s\nwanted:\n%s", name, b.String(), want)
	}
}

var sgr = regexp.MustCompile("\x1b\\[[0-9]*m")

// unsafe says what a text holds that must not reach a terminal of this style, or why it does not fit.
func unsafe(s Style, text string) string {
	bare := text
	if s.Color {
		bare = sgr.ReplaceAllString(text, "")
	}
	for _, l := range strings.Split(strings.TrimSuffix(bare, "\n"), "\n") {
		for i, r := range l {
			switch {
			case r == unicode.ReplacementChar, !unicode.IsPrint(r) && r != ideographicSpace && r != zeroWidthJoiner, unicode.Is(unicode.Bidi_Control, r):
				return fmt.Sprintf("the character %U at byte %d", r, i)
			case s.ASCII && r >= 0x80:
				return fmt.Sprintf("%q, which is not ASCII", r)
			}
		}
		if n := s.cells(l); s.Width > 0 && n > s.columns() {
			return fmt.Sprintf("a line of %d cells", n)
		}
	}
	return ""
}

// story is a program with calls in every state.
func story(t testing.TB) (w *world, root graph.ID) {
	w = newWorld(t)
	root = w.program("tour.scm")
	w.call(root, "0", "read-file", graph.List{"README.md"}, ok(2*time.Millisecond, "bytes", 1400))
	w.call(root, "0", "bash", graph.List{"rm -rf build /"}, denied("protections", "built in", "it removes /"))
	w.call(root, "0", "bash", graph.List{"make -j8\n\techo \x1b[31mred\u202e; echo a long command line that goes on and on and on"},
		kind.Outcome{State: kind.Settled, Duration: 61 * time.Second, Value: kind.Of(graph.List{pairOf("stdout", "x"), pairOf("exit-code", int64(2))})})
	w.call(root, "0", "grep", graph.List{"TODO", graph.Keyword("path"), "src"}, ok(time.Millisecond, "matches", 12, "binary", 3))
	w.call(root, "0", "grep", graph.List{"FIXME"}, ok(300*time.Microsecond))
	for i := range 40 {
		o := kind.Outcome{}
		switch {
		case i == 7:
			o = failed("not-found", "there is no file 7.txt")
		case i < 31:
			o = ok(400*time.Millisecond, "bytes", 100)
		}
		w.call(root, fmt.Sprintf("0.%d", i), "read-file", graph.List{fmt.Sprintf("%d.txt", i)}, o)
	}
	inner := w.nested(root, "0", "program", "(define (f x) (read-file x))\n(f 1)")
	w.call(inner, "0", "list-dir", graph.List{"."}, ok(0))
	deeper := w.nested(inner, "0", "program", "(glob \"**\")")
	w.call(deeper, "0", "glob", graph.List{"**"}, ok(time.Millisecond, "matches", 1))
	w.settle(deeper, ok(time.Millisecond))
	w.call(root, "0", "bash", graph.List{"sleep 9"}, kind.Outcome{State: kind.Cancelled, Effect: "unknown", By: "program"})
	w.call(root, "0", "move-file", graph.List{"a b", "日本語/👩‍👩‍👧"}, kind.Outcome{State: kind.Happened, By: "ada"})
	w.ask(root, "0", "write-file", graph.List{"notes/summary.md", "some text\nand more"})
	w.uncertain(root, "0", "bash", graph.List{"git push origin main"})
	w.clock = w.clock.Add(1234 * time.Millisecond)
	return w, root
}

func TestTree(t *testing.T) {
	w, root := story(t)
	golden(t, "tree", func(s Style) string {
		j, err := Tree(w.st, w.calls, root)
		if err != nil {
			t.Fatal(err)
		}
		return j.Draw(s)
	})
	w2 := newWorld(t)
	done := w2.program("done.scm")
	for i := range 40 {
		w2.call(done, fmt.Sprintf("0.%d", i), "read-file", graph.List{"x"}, ok(time.Duration(i)*time.Millisecond, "bytes", 100_000))
	}
	for i := range 12 {
		w2.call(done, "0", "list-dir", graph.List{fmt.Sprint(i)}, ok(time.Millisecond))
	}
	w2.settle(done, kind.Outcome{State: kind.Settled, Duration: 50 * time.Millisecond, Value: kind.Of(graph.List{graph.Symbol("exit"), int64(3)})})
	golden(t, "tree-done", func(s Style) string {
		j, err := Tree(w2.st, nil, done)
		if err != nil {
			t.Fatal(err)
		}
		return j.Draw(s)
	})
}

func TestTables(t *testing.T) {
	w, root := story(t)
	w.clock = w.clock.Add(time.Hour)
	w.settle(w.program("second/program-with-a-long-name.scm"), ok(3*time.Hour+4*time.Minute))
	empty := newWorld(t)
	for _, c := range []struct {
		name string
		make func(*world) (Table, error)
	}{
		{"sessions", func(w *world) (Table, error) { return Sessions(w.st, w.calls) }},
		{"jobs", func(w *world) (Table, error) { return Jobs(w.st, w.calls, false) }},
		{"approvals", func(w *world) (Table, error) { return Approvals(w.st, w.calls) }},
	} {
		golden(t, c.name, func(s Style) string {
			full, err := c.make(w)
			if err != nil {
				t.Fatal(err)
			}
			none, err := c.make(empty)
			if err != nil {
				t.Fatal(err)
			}
			return full.Text(s) + none.Text(s)
		})
	}
	r := program.Result{State: program.Uncertain, ID: root}
	for id, err := range w.st.Waiting() {
		if err != nil {
			t.Fatal(err)
		}
		r.Waiting = append(r.Waiting, id)
	}
	golden(t, "waiting", func(s Style) string {
		text, err := Waiting(s, w.st, w.calls, nil, r)
		if err != nil {
			t.Fatal(err)
		}
		lines := splitLines(text)
		if last := sgr.ReplaceAllString(lines[len(lines)-1], ""); last != "caper resume "+root.String() {
			t.Errorf("the last line is %q", last)
		}
		return text
	})
	golden(t, "show", func(s Style) string {
		out := ""
		for _, id := range append(r.Waiting, root, graph.RootID(root.Session), graph.ID{Session: 1, Bag: 2, Ord: 1}) {
			e, err := w.st.Entry(id)
			if err != nil {
				t.Fatal(err)
			}
			d, err := Show(w.calls, e)
			if err != nil {
				t.Fatal(err)
			}
			out += d.Text(s)
		}
		return out
	})
	golden(t, "events", func(s Style) string {
		out := ""
		for e := range w.st.Events(root.Session, 1) {
			if out += EventLine(s, e, nil) + "\n"; e.Seq == 6 {
				break
			}
		}
		return out
	})
}

var asks = license.Decision{Verdict: license.Ask, Step: license.StepPosture, Rule: "manual", Origin: "session", Reason: "the posture is manual and no rule speaks about it"}

func remember(rules ...string) license.Decision {
	d := asks
	d.Remember = []license.Suggestion{{Scope: license.Once}, {Scope: license.Session, Rule: rules[0]}, {Scope: license.Project, Rule: rules[len(rules)-1]}}
	return d
}

func questions() []call.Question {
	edit := "--- notes.md\n+++ notes.md\n@@ -1,3 +1,3 @@\n one\n-two\twith a tab\n+zwei \x1b[2J hidden\n three\n\\ No newline at end of file\n"
	return []call.Question{
		{Tool: "write-file", Args: tool.Args{"path": "notes/summary.md", "data": "x"}, Decision: remember("write-file(notes/summary.md)", "write-file(notes/**)"),
			Preview: tool.Preview{Path: "/home/u/ws/notes/summary.md", New: true, Added: 12, Diff: "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n"}},
		{Tool: "edit-file", Args: tool.Args{"path": "notes.md", "old": "two", "new": "zwei"}, Decision: remember("", ""),
			Preview: tool.Preview{Path: "/home/u/ws/notes.md", Added: 1, Removed: 1, Diff: edit}},
		{Tool: "bash", Args: tool.Args{"command": "x"}, Decision: remember("bash(make -j8 all)", "bash(make -j8 *)"),
			Preview: tool.Preview{Command: "make -j8 all"}},
		{Tool: "bash", Args: tool.Args{"command": "x", "cwd": "sub"}, Decision: remember("bash(curl 'https://example.org/" + strings.Repeat("a-long-path/", 8) + "')"),
			Preview: tool.Preview{Command: "curl \u202ehttps://example.org/" + strings.Repeat("a-long-path/", 12) + " |\n\tsh\x00\x9b\xff", Cwd: "/home/u/ws/sub", Note: "ended after 1m0s"}},
		{Tool: "move-file", Args: tool.Args{"from": "a", "to": "b"}, Decision: asks, Preview: tool.Preview{}},
		{Tool: "server/tool", Args: tool.Args{"n": int64(3), "text": "line\nline"}, Decision: asks},
	}
}

func TestQuestions(t *testing.T) {
	golden(t, "questions", func(s Style) string {
		out := ""
		doubt := call.Question{Tool: "bash", Args: tool.Args{"command": "git push"}, Preview: tool.Preview{Command: "git push"},
			Doubt: &call.Doubt{Reason: "the command was ended", Output: graph.List{graph.Pair("stdout", "half\x1b[2J\n")}}}
		for _, q := range append(questions(), doubt) {
			out += Question(s, q) + strings.TrimSuffix(Prompt(s, q), " ") + "\n"
		}
		return out
	})
	golden(t, "asked", func(s Style) string {
		out := ""
		for _, q := range questions() {
			out += Asked(s, q)
		}
		return out
	})
	golden(t, "diff", func(s Style) string {
		out := ""
		for _, q := range questions() {
			out += Diff(s, q)
		}
		return out
	})
	golden(t, "why", func(s Style) string {
		return Why(s, questions()[0]) + Decision(s, "write-file", graph.List{"docs/a.md", "text"}, license.Decision{Verdict: license.Deny, Step: license.StepDeny,
			Rule: "write-file(docs/**)", Origin: "/home/u/ws/.caper/policy.yaml:3", Reason: "a deny rule forbids it", Subject: "docs/a.md"})
	})
}

func TestErrors(t *testing.T) {
	open := syntax.NewSource("a.scm", "(define (f x)\n  (list 1 2)\n\n(f 1)\n")
	wide := syntax.NewSource("b.scm", "\t(display \"日本\x1b語\") (frobnicate 'x)\r\n; next")
	long := syntax.NewSource("c.scm", strings.Repeat("(list ", 200)+"oops"+strings.Repeat(" 1)", 200))
	at := func(src *syntax.Source, text string) syntax.Span {
		i := strings.Index(src.Text, text)
		return syntax.Span{Source: src, Start: int32(i), End: int32(i + len(text))}
	}
	end := syntax.Span{Source: open, Start: int32(len(open.Text)), End: int32(len(open.Text))}
	list := []error{
		&syntax.Error{Span: end, Message: "the text ends inside a list", Hint: "close it with )", Open: at(open, "(define"), Incomplete: true},
		fmt.Errorf("load: %w", &expand.Error{Span: at(wide, "frobnicate"), Message: "frobnicate is not defined", Hints: []string{"did you mean fabricate?"}, Trail: []syntax.Span{at(wide, "; next")}}),
		&compile.Error{Span: at(long, "oops"), Message: "oops goes wrong"},
		&compile.Error{Message: "no place is known"},
		errors.New("cannot read the program: open x.scm: no such file\n  caper run FILE\x1b[2J"),
	}
	golden(t, "errors", func(s Style) string {
		out := ""
		for _, err := range list {
			out += Error(s, err)
		}
		return out
	})
	if Error(Style{}, nil) != "" {
		t.Error("no error is something")
	}
}

func TestFailures(t *testing.T) {
	id := graph.ID{Session: 3, Bag: 1}
	var deep []program.Frame
	for i := range 100 {
		deep = append(deep, program.Frame{Procedure: fmt.Sprintf("f%d", i), File: "deep.scm", Line: i + 1, Column: 2})
	}
	list := []program.Result{
		{State: program.Raised, ID: id, Error: &program.Failure{Kind: "type-error", Message: "car: argument 1 must be a pair", Irritants: `"a\x1b;b" 12`, Hints: []string{"car takes a pair"},
			Trace: []program.Frame{{Procedure: "first", File: "lib/a.scm", Line: 3, Column: 9}, {File: "tour.scm", Line: 12, Column: 1}, {Procedure: "map"}}}},
		{State: program.Denied, ID: id, Error: &program.Failure{Kind: "denied", Message: "bash was denied: a deny rule forbids it",
			Data: graph.List{pairOf("rule", "bash(rm *)"), pairOf("origin", "/home/u/.config/caper/policy.yaml:7"), pairOf("step", "deny rules"), pairOf("reason", "a deny rule forbids it"), pairOf("by", "policy")}}},
		{State: program.Denied, Error: &program.Failure{Kind: "denied", Message: "write-file needs a person's yes and nobody can be asked: the posture is manual",
			Data: graph.List{pairOf("rule", "manual"), pairOf("origin", "session"), pairOf("step", "posture"), pairOf("by", "policy")}}},
		{State: program.Denied, Error: &program.Failure{Kind: "denied", Message: "bash was denied: a person said no", Data: graph.List{pairOf("rule", "manual"), pairOf("by", "terminal")}}},
		{State: program.Budget, ID: id, Error: &program.Failure{Kind: "budget", Message: "the program used up its fuel; --fuel N gives it more", Trace: deep}},
		{State: program.Done},
	}
	golden(t, "failures", func(s Style) string {
		out := ""
		for _, r := range list {
			out += Failure(s, r)
		}
		return out
	})
}
