package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	system   *assembly.System
	runner   *program.Runner
	ctx      call.Context
	ticks    func() // at each call of no-op
	lateTick func() // at each call of late-no-op
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
	ticking := func(name string, tick *func()) *tool.Tool {
		t := noOp
		t.Name = name
		t.Perform = func(ctx context.Context, e *tool.Env, a tool.Args, f tool.Facts) (tool.Result, error) {
			if *tick != nil {
				(*tick)()
			}
			return noOp.Perform(ctx, e, a, f)
		}
		return &t
	}
	set, err := tool.NewSet(append(tool.All(), ticking("no-op", &p.ticks), ticking("late-no-op", &p.lateTick))...)
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

// late compares the calls around the 100,000th of one session with those around the 1,000th of others. They are made in
// turn, a block of the one and a block of the next of the others, so that the machine's mood, the size of the store and of
// the process are the same for both. Of each block the median counts, by the clock, and the processor's time. What is
// printed is the median of the ratios of neighbouring blocks, and in which range the middle half of them lies.
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
	const (
		block, blocks = 1000, 31
		settle        = 100 // calls of a block that do not count: the machine was parked
		count         = 100_000 + block*blocks/2
	)
	turn, over := make(chan bool), make(chan bool)
	var clock blockClock
	made := 0
	p.lateTick = func() {
		switch made++; {
		case made <= count-block*blocks:
			if made < count-block*blocks {
				return
			}
		default:
			if clock.tick(); clock.calls < block {
				return
			}
		}
		over <- true
		<-turn
		clock = blockClock{settle: settle}
	}
	failed := make(chan error, 1)
	go func() { failed <- p.loop("(late-no-op)", count) }()
	wait := func() error {
		select {
		case <-over:
			return nil
		case err := <-failed:
			return cmp.Or(err, errors.New("the long session ended too soon"))
		}
	}
	if err := wait(); err != nil {
		return err
	}
	var byClock, byProcessor []float64
	for range blocks {
		turn <- true
		if err := wait(); err != nil {
			return err
		}
		long := clock
		n, early := 0, blockClock{settle: settle}
		p.ticks = func() {
			if n++; n > 1000-block/2 {
				early.tick()
			}
		}
		if err := p.loop("(no-op)", 1000+block/2); err != nil {
			return err
		}
		byClock = append(byClock, float64(median(long.times))/float64(median(early.times)))
		byProcessor = append(byProcessor, float64(long.used)/float64(early.used))
	}
	turn <- true
	if err := <-failed; err != nil {
		return err
	}
	spread("the 100,000th call to the 1,000th, medians", byClock)
	spread("the same, processor time", byProcessor)
	return p.system.Close()
}

// blockClock times the calls of one block.
type blockClock struct {
	settle, calls int
	last          time.Time
	began         time.Duration // processor time
	times         []time.Duration
	used          time.Duration
}

func (c *blockClock) tick() {
	now := time.Now()
	switch c.calls++; {
	case c.calls == c.settle:
		c.began = cpu()
	case c.calls > c.settle:
		c.times = append(c.times, now.Sub(c.last))
		c.used = cpu() - c.began
	}
	c.last = time.Now()
}

func spread(what string, all []float64) {
	slices.Sort(all)
	n := len(all)
	fmt.Printf("%-44s %9.2f  (%.2f to %.2f)\n", what, all[n/2], all[n/4], all[n-1-n/4])
}

func median[T cmp.Ordered](d []T) T {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[len(d)/2]
}
