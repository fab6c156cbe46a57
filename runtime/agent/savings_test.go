package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"caper/runtime/agent"
	"caper/runtime/license"
	"caper/runtime/model"

	"github.com/google/go-cmp/cmp"
)

// This file compares two ways of an agent to do the same work: single calls, side by side where a model would make them so
// but at most six a request, and one program. Tokens are counted as bytes of the request as JSON divided by four, the
// usual estimate for English and code; both ways are counted alike.

const (
	fan       = 32 // items of a task
	perAnswer = 6  // calls that the plain side makes in one request
)

// errand is one task: what is there, how it is done call by call, the program that does it, and what must be there then.
type errand struct {
	name   string
	files  func() map[string]string
	phases []func(results []string) []use
	source string
	want   func() map[string]string // files beside those that were there, or changed
	twice  bool                     // each item takes a second step, which needs what the first one found
}

func numbered(format string) (out []string) {
	for i := range fan {
		out = append(out, fmt.Sprintf(format, i))
	}
	return out
}

func each(names []string, text func(i int, name string) string) map[string]string {
	out := map[string]string{}
	for i, n := range names {
		out[n] = text(i, n)
	}
	return out
}

func reading(names []string) (out []use) {
	for _, n := range names {
		out = append(out, use{"read-file", map[string]any{"path": n}})
	}
	return out
}

func globbed(results []string) (names []string) {
	if err := json.Unmarshal([]byte(results[len(results)-1]), &names); err != nil {
		panic(err)
	}
	return names
}

func find(pattern string) func([]string) []use {
	return func([]string) []use { return []use{{"glob", map[string]any{"pattern": pattern}}} }
}

// readAll reads what the phase before found.
func readAll(results []string) []use { return reading(globbed(results)) }

func writing(path, data string) []use { return []use{write(path, data)} }

func lines(n int) string { return strings.Repeat("some words that stand in a line of this file\n", n) }

var errands = []errand{
	{"an index of titles",
		func() map[string]string {
			return each(numbered("docs/%02d.md"), func(i int, _ string) string { return fmt.Sprintf("# Title %d\n\n%s", i, lines(20)) })
		},
		[]func([]string) []use{find("docs/*.md"), readAll, func(r []string) []use {
			var b strings.Builder
			for _, text := range r {
				title, _, _ := strings.Cut(text, "\n")
				b.WriteString(title[2:] + "\n")
			}
			return writing("index.txt", b.String())
		}},
		`(write-file "index.txt" (apply string-append (map (lambda (f) (string-append (substring (car (string-split (read-file f) "\n")) 2) "\n")) (glob "docs/*.md"))))`,
		func() map[string]string {
			var b strings.Builder
			for i := range fan {
				fmt.Fprintf(&b, "Title %d\n", i)
			}
			return map[string]string{"index.txt": b.String()}
		}, false},
	{"a header for each file",
		func() map[string]string {
			return each(numbered("src/%02d.txt"), func(i int, _ string) string { return lines(10) })
		},
		[]func([]string) []use{find("src/*.txt"), readAll, func(r []string) (out []use) {
			for i, text := range r {
				out = append(out, write(fmt.Sprintf("src/%02d.txt", i), "(c) us\n"+text))
			}
			return out
		}},
		`(par-map (lambda (f) (write-file f (string-append "(c) us\n" (read-file f)))) (glob "src/*.txt"))`,
		func() map[string]string {
			return each(numbered("src/%02d.txt"), func(i int, _ string) string { return "(c) us\n" + lines(10) })
		}, true},
	{"a word replaced everywhere",
		func() map[string]string {
			return each(numbered("src/%02d.go"), func(i int, _ string) string { return fmt.Sprintf("call oldName(%d)\n%s", i, lines(8)) })
		},
		[]func([]string) []use{find("src/*.go"), readAll, func(r []string) (out []use) {
			for i := range r {
				out = append(out, use{"edit-file", map[string]any{"path": fmt.Sprintf("src/%02d.go", i), "old": "oldName", "new": "newName"}})
			}
			return out
		}},
		`(par-map (lambda (f) (edit-file f "oldName" "newName")) (filter (lambda (f) (string-contains (read-file f) "oldName")) (glob "src/*.go")))`,
		func() map[string]string {
			return each(numbered("src/%02d.go"), func(i int, _ string) string { return fmt.Sprintf("call newName(%d)\n%s", i, lines(8)) })
		}, true},
	{"a sum over JSON files",
		func() map[string]string {
			return each(numbered("data/%02d.json"), func(i int, _ string) string { return fmt.Sprintf(`{"amount": %d, "note": %q}`, i, lines(5)) })
		},
		[]func([]string) []use{find("data/*.json"), readAll, func(r []string) []use {
			sum := 0
			for _, text := range r {
				var v struct{ Amount int }
				if err := json.Unmarshal([]byte(text), &v); err != nil {
					panic(err)
				}
				sum += v.Amount
			}
			return writing("sum.txt", fmt.Sprint(sum))
		}},
		`(write-file "sum.txt" (number->string (apply + (map (lambda (f) (assoc-ref (json->scheme (read-file f)) 'amount)) (glob "data/*.json")))))`,
		func() map[string]string { return map[string]string{"sum.txt": fmt.Sprint(fan * (fan - 1) / 2)} }, false},
	{"links that are followed",
		func() map[string]string {
			out := each(numbered("links/%02d"), func(i int, _ string) string { return fmt.Sprintf("goals/%02d", fan-1-i) })
			for n, text := range each(numbered("goals/%02d"), func(i int, _ string) string { return fmt.Sprintf("goal %d\n%s", i, lines(6)) }) {
				out[n] = text
			}
			return out
		},
		[]func([]string) []use{find("links/*"), readAll, func(r []string) []use { return reading(r) }, func(r []string) []use {
			var b strings.Builder
			for _, text := range r {
				first, _, _ := strings.Cut(text, "\n")
				b.WriteString(first + "\n")
			}
			return writing("goals.txt", b.String())
		}},
		`(define (first-line f) (car (string-split (read-file f) "\n")))
(write-file "goals.txt" (apply string-append (map (lambda (f) (string-append (first-line (read-file f)) "\n")) (glob "links/*"))))`,
		func() map[string]string {
			var b strings.Builder
			for i := range fan {
				fmt.Fprintf(&b, "goal %d\n", fan-1-i)
			}
			return map[string]string{"goals.txt": b.String()}
		}, true},
	{"files moved by what they hold",
		func() map[string]string {
			return each(numbered("in/%02d"), func(i int, _ string) string {
				return map[bool]string{true: "keep\n", false: "drop\n"}[i%2 == 0] + lines(6)
			})
		},
		[]func([]string) []use{find("in/*"), readAll, func(r []string) (out []use) {
			for i, text := range r {
				kind, _, _ := strings.Cut(text, "\n")
				out = append(out, use{"move-file", map[string]any{"from": fmt.Sprintf("in/%02d", i), "to": fmt.Sprintf("%s/%02d", kind, i)}})
			}
			return out
		}},
		`(for-each (lambda (f) (move-file f (string-append (car (string-split (read-file f) "\n")) "/" (substring f 3)))) (glob "in/*"))`,
		func() map[string]string {
			out := map[string]string{}
			for i := range fan {
				kind := map[bool]string{true: "keep", false: "drop"}[i%2 == 0]
				out[fmt.Sprintf("%s/%02d", kind, i)] = kind + "\n" + lines(6)
			}
			return out
		}, true},
	{"names that nobody uses",
		func() map[string]string {
			out := map[string]string{"names.txt": strings.Join(numbered("name%02d"), "\n")}
			for i := range fan {
				text := lines(4)
				if i%3 != 0 {
					text += fmt.Sprintf("uses name%02d here\n", i)
				}
				out[fmt.Sprintf("src/%02d.c", i)] = text
			}
			return out
		},
		[]func([]string) []use{func([]string) []use { return reading([]string{"names.txt"}) }, func(r []string) (out []use) {
			for _, n := range strings.Split(r[0], "\n") {
				out = append(out, use{"grep", map[string]any{"regex": n, "glob": "*.c"}})
			}
			return out
		}, func(r []string) []use {
			var b strings.Builder
			for i, text := range r {
				if text == "[]" {
					fmt.Fprintf(&b, "name%02d\n", i)
				}
			}
			return writing("unused.txt", b.String())
		}},
		`(define unused (filter (lambda (n) (null? (grep n #:glob "*.c"))) (string-split (read-file "names.txt") "\n")))
(write-file "unused.txt" (apply string-append (map (lambda (n) (string-append n "\n")) unused)))`,
		func() map[string]string {
			var b strings.Builder
			for i := 0; i < fan; i += 3 {
				fmt.Fprintf(&b, "name%02d\n", i)
			}
			return map[string]string{"unused.txt": b.String()}
		}, false},
	{"a report of long files",
		func() map[string]string {
			return each(numbered("log/%02d"), func(i int, _ string) string { return lines(i) })
		},
		[]func([]string) []use{find("log/*"), readAll, func(r []string) []use {
			var b strings.Builder
			for i, text := range r {
				if n := strings.Count(text, "\n"); n > 20 {
					fmt.Fprintf(&b, "log/%02d %d\n", i, n)
				}
			}
			return writing("long.txt", b.String())
		}},
		`(define (count-lines f) (length (string-split (read-file f) "\n")))
(write-file "long.txt" (apply string-append (map (lambda (p) (format #f "~a ~a\n" (car p) (cdr p)))
  (filter (lambda (p) (> (cdr p) 20)) (map (lambda (f) (cons f (count-lines f))) (glob "log/*"))))))`,
		func() map[string]string {
			var b strings.Builder
			for i := 21; i < fan; i++ {
				fmt.Fprintf(&b, "log/%02d %d\n", i, i)
			}
			return map[string]string{"long.txt": b.String()}
		}, false},
	{"a table joined with another",
		func() map[string]string {
			out := each(numbered("people/%02d"), func(i int, _ string) string { return fmt.Sprintf("person %d\ncity-%d\n%s", i, i%7, lines(5)) })
			for i := range 7 {
				out[fmt.Sprintf("cities/city-%d", i)] = fmt.Sprintf("City %d", i)
			}
			return out
		},
		[]func([]string) []use{find("people/*"), readAll, func(r []string) (out []use) {
			for _, text := range r {
				out = append(out, use{"read-file", map[string]any{"path": "cities/" + strings.Split(text, "\n")[1]}})
			}
			return out
		}, func(r []string) []use { return writing("towns.txt", strings.Join(r, "\n")) }},
		`(define (city f) (read-file (string-append "cities/" (cadr (string-split (read-file f) "\n")))))
(write-file "towns.txt" (string-join (map city (glob "people/*")) "\n"))`,
		func() map[string]string {
			var towns []string
			for i := range fan {
				towns = append(towns, fmt.Sprintf("City %d", i%7))
			}
			return map[string]string{"towns.txt": strings.Join(towns, "\n")}
		}, true},
	{"one edit of one file",
		func() map[string]string { return map[string]string{"a.txt": "one\ntwo\n"} },
		[]func([]string) []use{func([]string) []use { return reading([]string{"a.txt"}) }, func([]string) []use {
			return []use{{"edit-file", map[string]any{"path": "a.txt", "old": "two", "new": "three"}}}
		}},
		`(edit-file "a.txt" "two" "three")`,
		func() map[string]string { return map[string]string{"a.txt": "one\nthree\n"} }, false},
}

// spent is what a way of doing a task takes.
type spent struct {
	requests  int
	in, out   int // tokens
	wall      time.Duration
	workspace map[string]string
}

func tokens(v any) int {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return len(text) / 4
}

// plain answers as a model that makes single calls: the calls of a phase in requests of at most six.
func (e errand) plain() reply {
	phase, queue := -1, []use(nil)
	var results []string // of the phase that runs
	return func(q model.Request) (*model.Answer, error) {
		if last := q.Messages[len(q.Messages)-1]; phase >= 0 {
			for _, b := range last.Blocks {
				if b.Kind == model.ToolResult {
					results = append(results, b.Text)
				}
			}
		}
		if len(queue) == 0 {
			phase++
			if phase == len(e.phases) {
				return say("done")(q)
			}
			queue, results = e.phases[phase](results), nil
		}
		n := min(perAnswer, len(queue))
		now := queue[:n]
		queue = queue[n:]
		return calls(now...)(q)
	}
}

// byProgram answers as a model that sends one program.
func (e errand) byProgram() reply {
	sent := false
	return func(q model.Request) (*model.Answer, error) {
		if sent {
			return say("done")(q)
		}
		sent = true
		return calls(use{"scheme", map[string]any{"program": e.source}})(q)
	}
}

func (e errand) run(t *testing.T, r reply) spent {
	w := newWorld(t, license.Yolo)
	for name, text := range e.files() {
		path := filepath.Join(w.context.Workspace, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		w.file(name, text)
	}
	var s spent
	w.runner.Models = models{"actor:m": model.Func(func(_ context.Context, q model.Request, _ func(model.Delta)) (*model.Answer, error) {
		s.requests++
		s.in += tokens(q)
		a, err := r(q)
		if err == nil {
			s.out += tokens(a.Blocks)
		}
		return a, err
	})}
	began := time.Now()
	if res := w.ask(agent.Ask{Agent: w.agent, Prompt: e.name, Context: w.context}); res.Text != "done" {
		t.Fatalf("the turn ended with %q: %v", res.Text, res.Error)
	}
	s.wall = time.Since(began)
	s.workspace = w.tree()
	return s
}

// tree is the workspace as it is.
func (w *world) tree() map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(w.context.Workspace, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(w.context.Workspace, path)
		out[name] = string(text)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// TestProgramsSaveRequests: on a fan-out over more than thirty items with a second step for each, one program takes at
// least five times fewer requests and 70 % fewer input tokens than single calls, and leaves the same files.
func TestProgramsSaveRequests(t *testing.T) {
	var table strings.Builder
	fmt.Fprintf(&table, "%-32s %18s %22s %18s %18s\n", "task", "requests", "tokens in", "tokens out", "wall")
	for _, e := range errands {
		t.Run(e.name, func(t *testing.T) {
			single, program := e.run(t, e.plain()), e.run(t, e.byProgram())
			fmt.Fprintf(&table, "%-32s %8d -> %-6d %10d -> %-8d %8d -> %-6d %8s -> %s\n", e.name, single.requests, program.requests, single.in, program.in,
				single.out, program.out, single.wall.Round(time.Millisecond), program.wall.Round(time.Millisecond))
			want := map[string]string{}
			for name, text := range e.want() {
				want[name] = text
			}
			for _, s := range []spent{single, program} {
				for name, text := range want {
					if s.workspace[name] != text {
						t.Errorf("%s: %s", name, cmp.Diff(text, s.workspace[name]))
					}
				}
			}
			if diff := cmp.Diff(single.workspace, program.workspace); diff != "" {
				t.Errorf("the two ways leave other files:\n%s", diff)
			}
			if !e.twice {
				return // shown for comparison
			}
			if single.requests < 5*program.requests {
				t.Errorf("%d requests against %d", single.requests, program.requests)
			}
			if program.in*10 > single.in*3 {
				t.Errorf("%d tokens in against %d", program.in, single.in)
			}
		})
	}
	t.Log("\n" + table.String())
	if n := slices.IndexFunc(errands, func(e errand) bool { return e.source == "" }); n >= 0 {
		t.Errorf("%s has no program", errands[n].name)
	}
}
