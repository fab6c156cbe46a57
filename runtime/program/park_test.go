package program_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/store"
	"caper/runtime/store/mem"
)

// house is a system over a store in memory, with its folders in a place of its own.
type house struct {
	t          testing.TB
	root, work string
	disk       *mem.Disk
	system     *assembly.System
	runner     *program.Runner
	mu         sync.Mutex
	points     map[string]int // how often each point was passed
	at         func(point string)
}

// people answers what programs ask: each question goes to the channel and waits there for its answer.
type people chan question

type question struct {
	call.Question
	answer chan<- call.Answer
}

func (p people) Ask(ctx context.Context, q call.Question) (call.Answer, error) {
	answer := make(chan call.Answer, 1)
	select {
	case p <- question{q, answer}:
	case <-ctx.Done():
		return call.Answer{}, ctx.Err()
	}
	select {
	case a := <-answer:
		return a, nil
	case <-ctx.Done():
		return call.Answer{}, ctx.Err()
	}
}

func (q question) yes() { q.answer <- call.Answer{Yes: true, Scope: "once", By: "test"} }

func newHouse(t testing.TB) *house {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, root: root, work: filepath.Join(root, "work")}
	if err := os.MkdirAll(h.work, 0o700); err != nil {
		t.Fatal(err)
	}
	engine, err := assembly.NewEngine(assembly.Tools())
	if err != nil {
		t.Fatal(err)
	}
	h.runner = &program.Runner{Engine: engine, SnapshotEvery: 1, Open: func() (*call.Service, error) { return h.system.Calls, nil }}
	t.Cleanup(func() { h.leave() })
	h.enter(mem.New())
	return h
}

// enter opens a system over a disk.
func (h *house) enter(d *mem.Disk) {
	h.t.Helper()
	h.leave()
	h.points, h.disk = map[string]int{}, d
	pass := func(point string) {
		h.mu.Lock()
		h.points[point]++
		at := h.at
		h.mu.Unlock()
		if at != nil {
			at(point)
		}
	}
	st, err := d.Open(store.Options{Hook: pass})
	if err != nil {
		h.t.Fatal(err)
	}
	home := assembly.Home{Data: filepath.Join(h.root, "home"), Config: filepath.Join(h.root, "home")}
	h.system, err = assembly.New(st, assembly.Options{Home: home, Faults: pass})
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) leave() {
	if h.system != nil {
		h.system.Close()
	}
}

// passed is how often a point was passed since the house was entered.
func (h *house) passed(point string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.points[point]
}

func (h *house) spec(source string, posture license.Posture, asker call.Asker) program.Spec {
	c := call.Context{Workspace: h.work, Cwd: h.work, Answerability: license.TTY, Posture: posture, Terminal: asker, Env: map[string]string{"PATH": os.Getenv("PATH")},
		Environ: []string{"PATH=" + os.Getenv("PATH")}}
	return program.Spec{Name: "test.scm", Source: source, Context: c}
}

// ran is what a program left: its result and what it wrote.
type ran struct {
	program.Result
	err error
	out string
}

func (h *house) run(ctx context.Context, s program.Spec, told func(graph.ID)) ran {
	var out strings.Builder
	r, err := h.runner.Run(ctx, s, &out, told)
	return ran{r, err, out.String()}
}

func (h *house) resume(ctx context.Context, id graph.ID, s program.Spec) ran {
	var out strings.Builder
	r, err := h.runner.Resume(ctx, id, func(*kind.ProgrammaticJob) (program.Spec, error) { return s, nil }, &out)
	return ran{r, err, out.String()}
}

// TestParkedProgramGoesOn: a program that waits for a person gives its address range back and goes on with the answer.
func TestParkedProgramGoesOn(t *testing.T) {
	h, asked, parked := newHouse(t), make(people), make(chan struct{}, 10)
	h.at = func(point string) {
		if point == "parked" {
			parked <- struct{}{}
		}
	}
	spec := h.spec(`
		(define kept (vector 1.5 "text" (lambda (x) (* x x))))
		(define (deep n) (if (= n 0) (begin (write-file "a.txt" "a") 1) (+ 1 (deep (- n 1)))))
		(define n (deep 100))
		(write-file "b.txt" "b")
		(list n ((vector-ref kept 2) 12) (vector-ref kept 1))`, license.Manual, asked)
	end := make(chan ran)
	go func() { end <- h.run(t.Context(), spec, nil) }()
	for range 2 {
		q := <-asked
		<-parked
		q.yes()
	}
	if r := <-end; r.err != nil || graph.Write(r.Value) != `(101 144 "text")` {
		t.Fatalf("%+v", r)
	}
}
