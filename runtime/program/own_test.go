package program_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/program"
)

const adder = `(define total 0)
	(define-tool add "Adds to the total." '((n integer "how much") (times integer "how often" 1)) (lambda (n times) (set! total (+ total (* n times))) total))
	(define-tool save "Writes a file." '((name string) (text string)) (lambda (name text) (write-file name text) (string-length text)))
	(define-tool fails "Fails." '() (lambda () (car 5)))
	(define-tool spins "Never ends." '() (lambda () (let loop () (loop))))
	(define-tool shows "Displays." '() (lambda () (display "shown") 1))
`

// TestOwnTools: a tool that a program defines runs in a machine of its own, its calls are licensed, and its call is a job.
func TestOwnTools(t *testing.T) {
	for _, row := range []struct{ source, want string }{
		{"(add 5)", "5"},
		{"(list (add 5) (add 5 3) total)", "(5 15 0)"},
		{"(par-map add '(1 2 3))", "(1 2 3)"},
		{`(list (save "a.txt" "text") (read-file "a.txt"))`, `(4 "text")`},
		{`(add "no number")`, "raised: add: "},
		{`(add)`, "raised: add: the argument n is missing"},
		{`(add 1 2 3)`, "raised: add: 3 arguments given, at most 2"},
		{"(fails)", "raised: car: argument 1 must be a pair: 5 (at test.scm:"},
		{"(guard (e ((tool-error? e) (tool-error-code e))) (fails))", "type-error"},
		{"(guard (e ((tool-error? e) (tool-error-code e))) (spins))", "budget"},
		{"(list (shows) (add 1))", "(1 1)"},
		{`(define-tool twice "Nests." '((n integer)) (lambda (n) (+ (add n) (add n)))) (twice 4)`, "8"},
		{`(define-tool bad "Doc." '((n what)) (lambda (n) n)) (bad 1)`, "raised: define-tool: bad: a parameter is"},
		{`(define-tool bad "Doc." '() 5)`, "raised: define-tool: argument 4 must be a procedure"},
		{`(define-tool gives "Doc." '() (lambda () car)) (gives)`, "raised: "},
		{"(#%directly add 2)", "2"},
		{"(with-policy (lambda (c) (if (eq? (cdr (assq 'tool c)) 'write-file) 'deny 'allow)) (lambda () (guard (e ((tool-error? e) 'kept)) (save \"b.txt\" \"x\"))))", "kept"},
		{"(with-policy '(deny (write-file \"**\")) (lambda () (guard (e ((tool-error? e) 'kept)) (save \"b.txt\" \"x\"))))", "kept"},
	} {
		h := newHouse(t)
		spec := h.spec(adder+row.source, license.Yolo, nil)
		spec.Budget.Fuel = 10_000_000
		if got := h.run(t.Context(), spec, nil).told(); !strings.HasPrefix(got, row.want) {
			t.Errorf("%s is %s, wanted %s", row.source, got, row.want)
		}
	}
}

// TestOwnToolParks: what a tool's program waits for, the program that called it waits for; the next life goes on from the
// journals of both.
func TestOwnToolParks(t *testing.T) {
	h := newHouse(t)
	spec := h.spec(adder+`(define before (add 2)) (display "once") (list before (save "a.txt" "text") (add 3))`, license.Manual, nil)
	spec.Context.Answerability = license.Queue
	r := h.run(t.Context(), spec, nil)
	if r.State != program.Parked || len(r.Waiting) != 1 {
		t.Fatalf("%s %v", r.told(), r.Waiting)
	}
	h.enter(h.disk)
	h.approve("a.txt")
	again := h.resume(t.Context(), r.ID, spec)
	if again.told() != "(2 4 3)" || again.out != "once" {
		t.Errorf("%s, it wrote %q", again.told(), again.out)
	}
	if b, err := os.ReadFile(filepath.Join(h.work, "a.txt")); err != nil || string(b) != "text" {
		t.Errorf("%q %v", b, err)
	}
	var tools []string
	e, err := h.system.Store.Entry(r.ID)
	if err != nil {
		t.Fatal(err)
	}
	for c, err := range h.system.Store.Children(r.ID.Session, e.Node.(*kind.ProgrammaticJob).Bag, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := c.Node.(kind.ToolCall); ok {
			tools = append(tools, n.Call().Tool+" "+graph.Write(n.Call().Args.Datum)+" "+string(c.Outcome.State))
		}
	}
	if got := strings.Join(tools, ", "); got != `add (2) settled, save ("a.txt" "text") settled, add (3) settled` {
		t.Error(got)
	}
}

// TestOwnToolsInChain: a tool that an earlier program defined is there in those after it.
func TestOwnToolsInChain(t *testing.T) {
	for _, forget := range []bool{false, true} {
		h := newHouse(t)
		c := &chain{h: h, forget: forget}
		c.run(adder + "(add 1)")
		if got := c.run("(list (add 4 2) total)").told(); got != "(8 0)" {
			t.Error(got)
		}
		if got := c.run("(set! total 100) (add 1)").told(); got != "101" {
			t.Error(got)
		}
		if got := c.run("(add 1)").told(); got != "101" {
			t.Error(got)
		}
		h.runner.Forget()
	}
}

// TestBackgroundSideBySide: copies of a machine that are made for several calls at once.
func TestBackgroundSideBySide(t *testing.T) {
	h := newHouse(t)
	r := h.run(t.Context(), h.spec(`(par-map (lambda (x) (string? (background (lambda () (append-file "log" (number->string x)))))) '(1 2 3 4))`, license.Yolo, nil), nil)
	if r.told() != "(#t #t #t #t)" {
		t.Error(r.told())
	}
	if b, err := os.ReadFile(filepath.Join(h.work, "log")); err != nil || len(b) != 4 {
		t.Errorf("%q %v", b, err)
	}
}
