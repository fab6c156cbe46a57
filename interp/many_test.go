package interp_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"caper/interp"
	"caper/interp/heap"
)

// Roles in which this binary runs itself again: what memory a process takes, and what another process makes of a
// snapshot, can only be seen in a fresh one.
const role = "CAPER_TEST_ROLE"

func again(t *testing.T, name string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), role+"="+name)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

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

// waiting holds a list of a hundred cells, a closure and a few frames while it waits, again and again.
const waiting = `
(define (upto n) (if (= n 0) '() (cons n (upto (- n 1)))))
(define (deep n f) (if (= n 0) (f) (+ 1 (deep (- n 1) f))))
(define (serve items sum)
  (serve items (deep 10 (lambda () (+ sum (ask sum (length items)))))))
(serve (upto 100) 0)`

// TestTenThousandMachines holds that programs that wait cost little: no goroutine, no address range, at most 20 KiB of
// the process with all that they share.
func TestTenThousandMachines(t *testing.T) {
	if os.Getenv(role) == "" {
		t.Log(again(t, "many"))
		return
	}
	const n, most = 10_000, 20 << 10
	machine(t, "1").Close() // the image is there
	goroutines := runtime.NumGoroutine()
	debug.FreeOSMemory()
	before := resident(t)

	start := time.Now()
	machines := make([]*interp.Machine, n)
	for i := range machines {
		m := machine(t, waiting)
		if s := m.Run(plenty); s.Kind != interp.Suspended || len(s.Calls) != 1 || m.Write(s.Calls[0].Args) != "(0 100)" {
			t.Fatal(show(m, s))
		}
		if err := m.Park(); err != nil {
			t.Fatal(err)
		}
		machines[i] = m
	}
	t.Logf("%d machines started and parked in %v", n, time.Since(start))
	each := func(when string) {
		if got := (resident(t) - before) / n; got > most && !raceEnabled {
			t.Errorf("%s each takes %d bytes", when, got)
		} else {
			t.Logf("%s each takes %d bytes", when, got)
		}
	}
	each("at first")
	for round := 1; round <= 2; round++ {
		start = time.Now()
		for i, m := range machines {
			if err := m.Unpark(); err != nil {
				t.Fatal(err)
			}
			m.Resume(uint64(round), heap.Fixnum(int64(i)))
			s := m.Run(plenty)
			if want := fmt.Sprintf("(%d 100)", round*(i+10)); s.Kind != interp.Suspended || len(s.Calls) != 1 || m.Write(s.Calls[0].Args) != want {
				t.Fatalf("machine %d: %s, want %s", i, show(m, s), want)
			}
			if err := m.Park(); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("all woken, run to the next call and parked in %v", time.Since(start))
		each("then")
	}
	debug.FreeOSMemory()
	each("without garbage")
	if got := runtime.NumGoroutine(); got > goroutines {
		t.Errorf("%d goroutines, %d before", got, goroutines)
	}
	for _, m := range machines {
		m.Close()
	}
}

// TestSnapshotInAnotherProcess holds that a program goes on elsewhere as it would have here.
func TestSnapshotInAnotherProcess(t *testing.T) {
	const text = `(define-record-type point (make-point x y) point? (x point-x) (y point-y))
		(define p (make-point 'here (vector 1.5 (expt 7 70) "schön")))
		(define answer (dynamic-wind (lambda () #f) (lambda () (ask 1)) (lambda () (set! p (cons 'left p)))))
		(list answer (car p) (point-x (cdr p)) (point-y (cdr p)) (ask 2))`
	if os.Getenv(role) != "" {
		e, err := engine()
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(os.Getenv("CAPER_TEST_FILE"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := e.Restore(interp.Config{Memory: memory}, sources(text), b)
		if err != nil {
			t.Fatal(err)
		}
		answer(m)
		fmt.Printf("value: %s\n", finish(m))
		return
	}
	m := machine(t, text)
	defer m.Close()
	if s := m.Run(plenty); s.Kind != interp.Suspended {
		t.Fatal(show(m, s))
	}
	b, err := m.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/snapshot"
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CAPER_TEST_FILE", file)
	out := again(t, "restore")
	answer(m)
	if want := "value: " + finish(m) + "\n"; !strings.Contains(out, want) {
		t.Errorf("the other process says %s\nwant %s", out, want)
	}
}
