package sim

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// Every call of this program asks.
const asking = `(write-file "a.txt" "one\n")
(display "written\n")
(edit-file "a.txt" "one" "two")
(bash "printf 'k\n' >> \"$COUNTER\"; echo did k")
(define both (par-map (lambda (n) (append-file (string-append n ".txt") "x\n") n) '("p" "q")))
(display "all\n")
(cons (read-file "a.txt") both)
`

// atTerminal runs the binary at a terminal where somebody says yes to everything, to its end.
func (w *world) atTerminal(env []string, args ...string) result {
	w.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	c := w.command(ctx, append(env, "TERM=dumb", "NO_COLOR=1"), args...)
	tty, err := pty.Start(c)
	if err != nil {
		w.t.Fatal(err)
	}
	defer tty.Close()
	done := make(chan string, 1)
	go func() {
		var text strings.Builder
		b := make([]byte, 4096)
		for answered := 0; ; {
			n, err := tty.Read(b)
			text.Write(b[:n])
			for strings.Count(text.String(), "allow it?") > answered {
				answered++
				_, _ = tty.WriteString("y\n")
			}
			if err != nil { // the process has gone
				done <- text.String()
				return
			}
		}
	}()
	err = c.Wait()
	var text string
	select {
	case text = <-done:
	case <-time.After(time.Second): // a command that was left running holds the terminal open
	}
	return ended(w.t, err, text, "")
}

// TestKillWhileAsking kills a program that asks at a terminal at every boundary; then somebody answers the queue and
// resumes it without a terminal.
func TestKillWhileAsking(t *testing.T) {
	run := []string{"run", "ask.scm"}
	start := func(t *testing.T) *world {
		w := newWorld(t, "fast")
		program(t, w.work, "ask.scm", asking)
		return w
	}
	w := start(t)
	log := filepath.Join(w.root, "points")
	if r := w.atTerminal([]string{"CAPER_FAULT_LOG=" + log}, run...); r.code != 0 {
		t.Fatalf("the unbroken run: %v", r)
	}
	want := ending{"written\nall\n(\"two\\n\" \"p\" \"q\")\n", w.files(), w.lines()}
	passed := passages(strings.Fields(w.read(log)))
	for i, p := range names(passed) {
		for _, k := range chosen(i, p, passed[p]) {
			if !full() && p != "asked" && p != "answered" && i%5 != 0 {
				continue
			}
			t.Run(k.String(), func(t *testing.T) {
				t.Parallel()
				w := start(t)
				if r := w.atTerminal([]string{"CAPER_FAULT=" + k[0]}, run...); !r.killed {
					return // passed fewer times than before: fibers side by side differ from run to run
				}
				r, err := w.answerQueue()
				if err == nil {
					err = w.check(want, r)
				}
				if err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// answerQueue resumes without a terminal and approves what waits, until the program ends.
func (w *world) answerQueue() (result, error) {
	id := "1.1.0"
	for range 30 {
		r := w.caper(nil, "resume", "--value", id)
		switch r.code {
		case 7:
			ids := uncertainID.FindAllString(w.ok("approvals"), -1)
			if len(ids) == 0 {
				return r, fmt.Errorf("it waits, but nothing is in the queue: %v", r)
			}
			for _, id := range ids {
				w.ok("approve", id)
			}
		case 5:
			if _, err := w.resolveAll(r); err != nil {
				return r, err
			}
		case 2: // killed before anything was on record
			if r := w.caper(nil, "run", "--park", "ask.scm"); r.code != 7 {
				return r, fmt.Errorf("begun again: %v", r)
			}
			id = w.programID()
		default:
			return r, nil
		}
	}
	return result{}, fmt.Errorf("it never ends")
}
