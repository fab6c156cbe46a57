package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"
)

func scheme(program string) use { return use{"scheme", map[string]any{"program": program}} }

// results are what the newest request told the model of its calls.
func (w *world) results() (out []string) {
	q := w.asked[len(w.asked)-1]
	for _, b := range q.Messages[len(q.Messages)-1].Blocks {
		if b.Kind == model.ToolResult {
			text := b.Text
			if b.Failed {
				text = "failed: " + text
			}
			out = append(out, text)
		}
	}
	return out
}

// scheme runs one program in a turn of its own and answers what the model is told of it.
func (w *world) scheme(program string) string {
	w.t.Helper()
	w.turn("do it", calls(scheme(program)), say("done"))
	r := w.results()
	if len(r) != 1 {
		w.t.Fatalf("results: %q", r)
	}
	return r[0]
}

// TestScheme: what a model is told of a program that it sent.
func TestScheme(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.file("a.txt", "one\ntwo\n")
	for _, row := range []struct{ program, want string }{
		{`(+ 1 2)`, "value: 3"},
		{`(display "hello") (newline) (list "a" 'b)`, "value: (\"a\" b)\noutput:\nhello"},
		{`(display "only this")`, "output:\nonly this"},
		{`(if #f #f)`, "done: the last expression has no value"},
		{`(length (string-split (read-file "a.txt") "\n"))`, "value: 2"},
		{`(define (second-of x) (car (cdr x)))`, "done: the last expression has no value"},
		{`(second-of '(1 2))`, "value: 2"},
		{"(display \"before\")\n(define half 5)\n(second-of '(1))", `failed: type-error: car: argument 1 must be a pair: ()
  in second-of at program-6:1:23
  in top level at program-8:3:1
  hint: the list has no more elements: ask with null? or pair? before
(what it defined before that stays)
output before that:
before`},
		{`half`, "value: 5"},
		{"(define x 1)\n(display (cat x)", "failed: program-10:2:17: the input ends inside a list: a closing bracket is missing\n  (display (cat x)\n                  ^\n" +
			"  what was left open begins at 2:1\n  (display (cat x)\n  ^\n  hint: the ( at 2:1 is not closed\n(the program has a mistake and was not begun: nothing of it was done)"},
		{"(list x)", "failed: program-11:1:7: x is not defined"},
		{`(write-file "b.txt" "b")`, "failed: program-12:1:1: denied: write-file b.txt needs"},
		{`(guard (e ((denied? e) 'refused)) (write-file "b.txt" "b"))`, "value: refused"},
		{`(read-file "gone.txt")`, "failed: program-14:1:1: tool-error: "},
		{`(let loop ((l '())) (loop (cons l l)))`, "failed: budget: the program used up its memory, 256 MiB"},
		{`(let loop () (display "0123456789012345678901234567890123456789") (loop))`, "failed: budget: the program wrote more than its output budget allows, 1048576 bytes"},
		{`half`, "value: 5"},
		{`(exit 3)`, "failed: the program called (exit 3)"},
		{`(read-line)`, "value: #<eof>"},
		{`(map car (find-tools "run a shell command"))`, "value: (bash"},
		{`(string-length (tool-doc 'grep))`, "value: "},
	} {
		if got := w.scheme(row.program); !strings.HasPrefix(got, row.want) {
			t.Errorf("%s\n is\n%s\n wanted\n%s", row.program, got, row.want)
		}
	}
}

// TestSchemeArguments: what args names is there, and the lines of errors are those of the program.
func TestSchemeArguments(t *testing.T) {
	w := newWorld(t, license.Manual)
	for _, row := range []struct {
		args any
		want string
	}{
		{map[string]any{"names": []string{"a", "b"}, "n": 3}, "value: (2 3)"},
		{map[string]any{"n": "no number", "names": []string{}}, "value: (0 \"no number\")"},
		{[]int{1}, "failed: scheme: args: an object of names"},
	} {
		w.turn("do it", calls(use{"scheme", map[string]any{"program": "(list (vector-length names) n)", "args": row.args}}), say("done"))
		if got := w.results()[0]; !strings.HasPrefix(got, row.want) {
			t.Errorf("%v: %s, wanted %s", row.args, got, row.want)
		}
	}
	w.turn("do it", calls(use{"scheme", map[string]any{"program": "(define m 1) (let loop () (loop))", "fuel": 50_000}}), say("done"))
	if got := w.results()[0]; !strings.HasPrefix(got, "failed: budget: the program used up its fuel, 50000 calls and loop turns") || !strings.Contains(got, "with-budget") {
		t.Error(got)
	}
	if got := w.scheme("m"); !strings.Contains(got, "m is not defined") {
		t.Error(got)
	}
	w.turn("do it", calls(use{"scheme", map[string]any{"program": "n", "fresh": true}}), say("done"))
	if got := w.results()[0]; !strings.HasPrefix(got, "failed: program-1:1:1: n is not defined") {
		t.Error(got)
	}
}

// TestSchemeInOrder: programs of one round run one after another, also in a process that has none of their machines.
func TestSchemeInOrder(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.turn("do it", calls(scheme("(define n 1)"), scheme("(define n (+ n 1)) n"), scheme("(define n (* n 10)) n")), say("done"))
	if got := fmt.Sprint(w.results()); !strings.Contains(got, "value: 2 value: 20") {
		t.Error(got)
	}
	w.system.Close()
	w.open()
	if got := w.scheme("n"); got != "value: 20" {
		t.Error(got)
	}
}

// TestSchemeFollowsHead: a rewind takes back what later programs defined, and going forward again brings it back.
func TestSchemeFollowsHead(t *testing.T) {
	w := newWorld(t, license.Manual)
	say1 := func(program string) (graph.ID, string) {
		res := w.turn("do it", calls(scheme(program)), say("done"))
		return res.ID, w.results()[0]
	}
	first, _ := say1("(define who 'first)")
	second, _ := say1("(define who 'second) (define more 1)")
	w.turn("no program", say("hello"))
	if got := w.scheme("(list who more)"); got != "value: (second 1)" {
		t.Error(got)
	}
	w.move("rewind!", first, nil)
	branch, got := say1("(define other 2) who")
	if got != "value: first" {
		t.Error(got)
	}
	if got := w.scheme("more"); !strings.Contains(got, "more is not defined") {
		t.Error(got)
	}
	w.move("rewind!", second, nil)
	if got := w.scheme("(list who more)"); got != "value: (second 1)" {
		t.Error(got)
	}
	if got := w.scheme("other"); !strings.Contains(got, "other is not defined") {
		t.Error(got)
	}
	w.move("rewind!", branch, nil)
	if got := w.scheme("(list who other)"); got != "value: (first 2)" {
		t.Error(got)
	}
}

// TestSchemeParks: a program whose call waits for a person waits with it, and so does its turn; what follows it in the
// round waits too.
func TestSchemeParks(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.context.Answerability = license.Queue
	w.runner.Models = models{"actor:m": w.script(calls(scheme("(define n 5)"), scheme(`(define r (write-file "b.txt" "b")) (display "written") (+ n 1)`), scheme("(+ n 2)")), say("done"))}
	id, err := w.runner.Mint(agent.Ask{Agent: w.agent, Prompt: "do it", Context: w.context})
	if err != nil {
		t.Fatal(err)
	}
	res, err := w.runner.Run(t.Context(), id, w.context, nil)
	if err != nil || res.Rest != call.Parked {
		t.Fatalf("%+v %v", res, err)
	}
	again := w.runner.Models
	w.system.Close()
	w.open()
	w.runner.Models = again
	waits := w.approveAll()
	if len(waits) != 1 {
		t.Fatalf("waiting: %v", waits)
	}
	if res, err = w.runner.Run(t.Context(), id, w.context, nil); err != nil || res.Text != "done" {
		t.Fatalf("%+v %v", res, err)
	}
	if got := fmt.Sprintf("%q", w.results()); got != `["done: the last expression has no value" "value: 6\noutput:\nwritten" "value: 7"]` {
		t.Error(got)
	}
	if b, err := os.ReadFile(filepath.Join(w.context.Workspace, "b.txt")); err != nil || string(b) != "b" {
		t.Errorf("%q %v", b, err)
	}
}

// approveAll says yes to all that waits.
func (w *world) approveAll() (all []graph.ID) {
	w.t.Helper()
	for id, err := range w.system.Store.Waiting() {
		if err != nil {
			w.t.Fatal(err)
		}
		all = append(all, id)
		e, err := w.system.Store.Entry(id)
		if err != nil {
			w.t.Fatal(err)
		}
		if err := w.system.Approve(w.t.Context(), e, call.Answer{Yes: true, Scope: "once", By: "test"}, e.Newest(kind.FactParked).Value.Datum); err != nil {
			w.t.Fatal(err)
		}
	}
	return all
}

// TestDefinedTools: what programs and files define is a tool of later turns: its calls are jobs, and its inner calls are
// licensed. What a repository carries asks.
func TestDefinedTools(t *testing.T) {
	w := newWorld(t, license.Manual)
	put := func(dir, name, text string) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.file("a.txt", "one two")
	put(filepath.Join(w.home.Config, "tools"), "words.scm", "(define (split s) (string-split s \" \"))\n(define-tool words \"Counts words.\" '((path string \"which file\" \"a.txt\"))\n  (lambda (path) (length (split (read-file path)))))")
	put(filepath.Join(w.context.Workspace, ".caper", "tools"), "theirs.scm", "(define-tool theirs \"Of the repository.\" '() (lambda () 'ran))\n(define-tool words \"Another.\" '() (lambda () 'theirs))")
	w.scheme(`(define base 10) (define-tool add "Adds." '((n integer)) (lambda (n) (+ base n))) (define-tool put "Writes." '((text string)) (lambda (text) (write-file "made" text)))`)
	res := w.turn("do it", calls(use{"add", map[string]any{"n": 5}}, use{"words", map[string]any{"path": "a.txt"}}, use{"words", nil},
		use{"put", map[string]any{"text": "x"}}, use{"theirs", nil}, use{"add", map[string]any{"n": "x"}}), say("done"))
	var names []string
	for _, d := range w.asked[len(w.asked)-2].Tools {
		names = append(names, d.Name)
	}
	for _, name := range []string{"add", "put", "words", "theirs", "scheme"} {
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+name+" ") {
			t.Errorf("%s is not among the tools: %v", name, names)
		}
	}
	want := []string{"15", "2", "2", "failed: ", "failed: theirs needs a person's yes", "failed: add: "}
	got := w.results()
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("call %d: %q, wanted %q", i, got[i], want[i])
		}
	}
	if !strings.Contains(got[3], "denied") {
		t.Errorf("the inner call: %s", got[3])
	}
	if tape := strings.Join(w.tape(res.ID), ", "); !strings.Contains(tape, "calls settled settled settled failed denied failed") {
		t.Error(tape)
	}
	if got := w.scheme(`(list (add 1) (call-tool 'words "a.txt") (map car (find-tools "count words of a file")))`); !strings.HasPrefix(got, "value: (11 2 (") || !strings.Contains(got, " words ") {
		t.Error(got)
	}
	if got := w.scheme(`(guard (e ((denied? e) 'asked)) (call-tool 'theirs))`); got != "value: asked" {
		t.Error(got)
	}
}

// TestDefinedToolsFollowHead: a rewind takes back the tools that later programs defined.
func TestDefinedToolsFollowHead(t *testing.T) {
	w := newWorld(t, license.Manual)
	first := w.turn("hello", say("hello"))
	w.scheme(`(define-tool add "Adds." '((n integer)) (lambda (n) (+ 1 n)))`)
	w.turn("do it", calls(use{"add", map[string]any{"n": 5}}), say("done"))
	if got := w.results()[0]; got != "6" {
		t.Error(got)
	}
	w.move("rewind!", first.ID, nil)
	w.turn("do it", calls(use{"add", map[string]any{"n": 5}}), say("done"))
	if got := w.results()[0]; !strings.Contains(got, "there is no tool called add") && !strings.Contains(got, "not among the tools") {
		t.Error(got)
	}
}
