package program_test

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"testing"

	"caper/runtime/call"
	"caper/runtime/license"
)

// resident is VmRSS in bytes.
func resident(t *testing.T) int {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("no /proc here")
	}
	_, rest, _ := strings.Cut(string(b), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb << 10
}

// waiting holds a list of a hundred cells, a closure and a few frames while it waits.
const waiting = `
	(define (upto n) (if (= n 0) '() (cons n (upto (- n 1)))))
	(define (deep n f) (if (= n 0) (f) (+ 1 (deep (- n 1) f))))
	(let ((items (upto 100))) (deep 10 (lambda () (write-file "a" "") (length items))))`

// silence keeps questions for ever.
type silence struct{}

func (silence) Ask(ctx context.Context, _ call.Question) (call.Answer, error) {
	<-ctx.Done()
	return call.Answer{}, ctx.Err()
}

// TestTenThousandPrograms holds that programs which wait for a person cost little in one process.
func TestTenThousandPrograms(t *testing.T) {
	const role = "CAPER_TEST_MANY"
	if os.Getenv(role) == "" { // what memory a process takes can only be seen in a fresh one
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), role+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Log(string(out))
		return
	}
	const n = 10_000
	h := newHouse(t)
	h.runner.SnapshotEvery = 1 << 30
	var parked sync.WaitGroup
	h.at = func(point string) {
		if point == "parked" {
			parked.Done()
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	var ended sync.WaitGroup
	start := func(count int) {
		parked.Add(count)
		for range count {
			ended.Go(func() {
				if r := h.run(ctx, h.spec(waiting, license.Manual, silence{}), nil); r.err != nil {
					t.Error(r.err)
				}
			})
		}
		parked.Wait()
	}
	start(1)
	goroutines := runtime.NumGoroutine()
	debug.FreeOSMemory()
	before := resident(t)
	for range n / 100 {
		start(100)
	}
	for range 4 { // each collection halves stacks that are too large
		debug.FreeOSMemory()
	}
	t.Logf("each takes %d bytes and %.1f goroutines", (resident(t)-before)/n, float64(runtime.NumGoroutine()-goroutines)/n)
	if f := os.Getenv("CAPER_HEAP"); f != "" {
		w, _ := os.Create(f)
		pprof.Lookup("heap").WriteTo(w, 0)
		w.Close()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("heap %d stacks %d", m.HeapInuse/n, m.StackInuse/n)
	cancel(call.ErrParking)
	ended.Wait()
}
