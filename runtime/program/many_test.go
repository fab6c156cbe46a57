//go:build !race

package program_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
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
		t.Skip("what is resident is read from /proc: run it on Linux")
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
	(define (work) (let ((items (upto 100))) (deep 10 (lambda () (write-file "a" "") (length items)))))`

// silence keeps questions for ever.
type silence struct{}

func (silence) Ask(ctx context.Context, _ call.Question) (call.Answer, error) {
	<-ctx.Done()
	return call.Answer{}, ctx.Err()
}

// TestTenThousandPrograms holds that programs which wait for a person cost little in one process. What is measured is
// everything: the machine, the bag around it, its call with the question, and its journal in a store in memory.
func TestTenThousandPrograms(t *testing.T) {
	const role = "CAPER_TEST_MANY"
	if os.Getenv(role) == "" { // what memory a process takes can only be seen in a fresh one
		for _, kind := range []string{"run", "background"} {
			cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
			cmd.Env = append(os.Environ(), role+"="+kind)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Log(string(out))
		}
		return
	}
	const n, most = 10_000, 80 << 10
	h := newHouse(t)
	h.system.Calls.Snapshots = nil
	var parked sync.WaitGroup
	h.at = func(point string) {
		if point == "parked" {
			parked.Done()
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	var ended sync.WaitGroup
	start := func(text string, count int) {
		parked.Add(count)
		ended.Go(func() {
			if r := h.run(ctx, h.spec(waiting+text, license.Manual, silence{}), nil); r.err != nil {
				t.Error(r.err)
			}
		})
	}
	start("(work)", 1)
	parked.Wait()
	goroutines := runtime.NumGoroutine()
	debug.FreeOSMemory()
	before := resident(t)
	if os.Getenv(role) == "background" {
		start(fmt.Sprintf("(do ((i 0 (+ i 1))) ((= i %d)) (background work))", n), n)
	} else {
		for i := range n {
			if start("(work)", 1); i%100 == 0 {
				parked.Wait() // not all at once: those that run need a cage each
			}
		}
	}
	parked.Wait()
	for range 4 { // each collection halves stacks that are too large
		debug.FreeOSMemory()
	}
	each := (resident(t) - before) / n
	more := float64(runtime.NumGoroutine()-goroutines) / n
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%s: each takes %d bytes, %d of them stacks, and %.1f goroutines", os.Getenv(role), each, m.StackInuse/n, more)
	if each > most {
		t.Errorf("that is more than %d", most)
	}
	if limit := map[string]float64{"run": 3.01, "background": 2.01}[os.Getenv(role)]; more > limit { // the asker's, the call's, and that of Run's caller
		t.Error("a program that waits holds a goroutine of its own")
	}
	cancel(call.ErrParking)
	ended.Wait()
}
