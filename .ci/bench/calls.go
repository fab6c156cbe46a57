package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/store/badger"
	"caper/runtime/tool"
)

// noOp is a tool that does nothing: what is left is the pipeline.
var noOp = tool.Tool{
	Name: "no-op", Version: "1", Summary: "Does nothing.", Doc: "Does nothing.", Effect: tool.Read,
	Prepare: func(context.Context, *tool.Env, tool.Args) (tool.Facts, error) { return tool.Facts{}, nil },
	Perform: func(context.Context, *tool.Env, tool.Args, tool.Facts) (tool.Result, error) {
		return tool.Result{Value: true}, nil
	},
	Recover: func(context.Context, *tool.Env, tool.Args, tool.Facts) (tool.Recovery, error) {
		return tool.Recovery{Outcome: tool.NotDone}, nil
	},
}

type pipeline struct {
	system *assembly.System
	runner *program.Runner
	ctx    call.Context
	ticks  func() // at each call
}

func openPipeline(folder string, sync bool) (*pipeline, error) {
	p := &pipeline{}
	home := assembly.Home{Data: filepath.Join(folder, "home"), Config: filepath.Join(folder, "home")}
	work := filepath.Join(folder, "work")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(work, "tiny"), []byte("hello\n"), 0o644); err != nil {
		return nil, err
	}
	lock, err := badger.Acquire(home.Store(), false)
	if err != nil {
		return nil, err
	}
	if p.system, err = assembly.Open(lock, assembly.Options{Home: home, Sync: sync, Umask: 0o022}); err != nil {
		return nil, err
	}
	t := noOp
	t.Perform = func(ctx context.Context, e *tool.Env, a tool.Args, f tool.Facts) (tool.Result, error) {
		if p.ticks != nil {
			p.ticks()
		}
		return noOp.Perform(ctx, e, a, f)
	}
	set, err := tool.NewSet(append(tool.All(), &t)...)
	if err != nil {
		return nil, err
	}
	p.system.Calls.Tools = set
	engine, err := assembly.NewEngine(set)
	if err != nil {
		return nil, err
	}
	p.runner = &program.Runner{Engine: engine, Open: func() (*call.Service, error) { return p.system.Calls, nil }}
	env := map[string]string{"HOME": folder, "PATH": "/usr/bin:/bin"}
	p.ctx = call.Context{Workspace: work, Cwd: work, Env: env, Environ: []string{"HOME=" + folder, "PATH=/usr/bin:/bin"},
		Posture: license.Yolo, Mode: license.Act}
	return p, nil
}

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

// loop runs a program that makes n calls.
func (p *pipeline) loop(call string, n int) error {
	text := fmt.Sprintf("(let loop ((i 0)) (if (< i %d) (begin %s (loop (+ i 1))) i))", n, call)
	r, err := p.runner.Run(context.Background(), program.Spec{Name: "bench", Source: text, Context: p.ctx}, nowhere{}, nil)
	if err != nil {
		return err
	}
	if r.State != program.Done || r.Value != graph.Datum(int64(n)) {
		return fmt.Errorf("%s: %v %+v", call, r.State, r.Error)
	}
	return nil
}

// rate reports calls a second, by the clock and by processor time.
func (p *pipeline) rate(what, call string, n, programs int) (float64, error) {
	start, used := time.Now(), cpu()
	var wg sync.WaitGroup
	errs := make([]error, programs)
	for i := range programs {
		wg.Go(func() { errs[i] = p.loop(call, n) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	took, used := time.Since(start), cpu()-used
	total := float64(n * programs)
	fmt.Printf("%-44s %9.0f a second, %7.1f µs of processor a call\n", what, total/took.Seconds(), float64(used.Microseconds())/total)
	return total / took.Seconds(), nil
}

func calls() error {
	folder, err := os.MkdirTemp("", "caper-calls-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	fast, err := openPipeline(filepath.Join(folder, "fast"), false)
	if err != nil {
		return err
	}
	for range 3 {
		if _, err := fast.rate("fast, one program, no-op", "(no-op)", 5000, 1); err != nil {
			return err
		}
	}
	if _, err := fast.rate("fast, one program, read-file", `(read-file "tiny")`, 5000, 1); err != nil {
		return err
	}
	if _, err := fast.rate("fast, 64 programs, no-op", "(no-op)", 200, 64); err != nil {
		return err
	}
	if err := fast.system.Close(); err != nil {
		return err
	}
	durable, err := openPipeline(filepath.Join(folder, "sync"), true)
	if err != nil {
		return err
	}
	var ratios []float64
	for range 7 { // in turn: the disk and the machine are the same for both
		one, err := durable.rate("sync, one program, no-op", "(no-op)", 300, 1)
		if err != nil {
			return err
		}
		many, err := durable.rate("sync, 64 programs, no-op", "(no-op)", 100, 64)
		if err != nil {
			return err
		}
		ratios = append(ratios, many/one)
	}
	fmt.Printf("%-44s %9.2f\n", "sync, 64 programs to one, median", median(ratios))
	return durable.system.Close()
}

// late compares the calls around the 1,000th with those around the 100,000th of another session, made in turn in one
// process, so that the machine's mood is the same for both. It prints the ratio of the medians.
func late() error {
	folder, err := os.MkdirTemp("", "caper-late-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	p, err := openPipeline(folder, false)
	if err != nil {
		return err
	}
	fmt.Printf("%-44s %9.1f MiB\n", "resident, before any call", resident())
	const window, count = 2000, 100_000
	var times []time.Duration
	last := time.Now()
	p.ticks = func() { now := time.Now(); times = append(times, now.Sub(last)); last = now }
	if err := p.loop("(no-op)", count); err != nil {
		return err
	}
	late := times[count-window:]
	times = nil
	if err := p.loop("(no-op)", window); err != nil { // a new session's first calls, made last
		return err
	}
	early := times[window/4:]
	fmt.Printf("%-44s %9.2f\n", "the 100,000th call to the 1,000th, medians", float64(median(late))/float64(median(early)))
	times = nil
	time.Sleep(35 * time.Second) // the store lets go of what it kept for speed
	fmt.Printf("%-44s %9.1f MiB\n", "resident, idle after 100,000 calls", resident())
	return p.system.Close()
}

func median[T cmp.Ordered](d []T) T {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[len(d)/2]
}

func resident() float64 {
	b, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(b), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			var kb float64
			fmt.Sscan(rest, &kb)
			return kb / 1024
		}
	}
	return 0
}
