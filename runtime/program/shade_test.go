package program_test

import (
	"os"
	"path/filepath"
	"testing"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/program"
)

// TestBackgroundOutlives: what was sent to the background goes on when all that made it has ended, in this life and in
// the next one, and its calls are made once.
func TestBackgroundOutlives(t *testing.T) {
	const child = `(background (lambda () (display "a") (write-file "late" (begin (display "b") "late")) (display "c")))`
	for _, row := range []struct{ name, source, state string }{
		{"of the program itself", `(begin ` + child + ` 'over)`, "over"},
		{"of a nested program that ended", `(begin (run-program (program '(begin ` + child + ` 1))) 'over)`, "over"},
		{"of a nested program that lost a race",
			`(race (lambda () (run-program (program '(begin ` + child + ` (write-file "never" "")))))
			       (lambda () (let loop ()
			         (let ((jobs (job-children (current-job))))
			           (if (and (pair? jobs) (= 2 (length (job-children (car jobs))))) 'over (begin (read-file "here") (loop)))))))`, "over"},
		{"of one in the background that ended", `(begin (background (lambda () ` + child + ` 1)) 'over)`, "over"},
		{"of a program nested in a nested one", `(begin (run-program (program '(run-program (program '(begin ` + child + ` 1))))) 'over)`, "over"},
		{"of a nested program that reads and raises", `(guard (e (#t 'over)) (run-program (program '(begin (read-file "here") ` + child + ` (raise 'no)))))`, "over"},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHouse(t)
			if err := os.WriteFile(filepath.Join(h.work, "here"), []byte("here"), 0o600); err != nil {
				t.Fatal(err)
			}
			spec := h.spec(row.source, license.Manual, nil)
			spec.Context.Answerability = license.Queue
			first := h.run(t.Context(), spec, nil)
			if first.err != nil || graph.Write(first.Value) != row.state || first.Rest != program.Parked {
				t.Fatalf("first life: %+v", first)
			}
			late := h.approve("late")
			second := h.resume(t.Context(), first.ID, spec)
			if second.err != nil || graph.Write(second.Value) != row.state || second.Rest != "" {
				t.Fatalf("second life: %+v", second)
			}
			if e, err := h.system.Store.Entry(late); err != nil || e.Outcome == nil || e.Outcome.State != kind.Settled {
				t.Fatalf("the call of the child: %+v %v", e.Outcome, err)
			}
			if _, err := os.Stat(filepath.Join(h.work, "late")); err != nil {
				t.Error(err)
			}
			if second.out != "abc" {
				t.Errorf("the child wrote %q", second.out)
			}
			if more, err := program.Unfinished(h.system.Calls, first.ID); more || err != nil {
				t.Errorf("unfinished: %v %v", more, err)
			}
		})
	}
}

// approve says yes to the call on a path that waits, and answers its id.
func (h *house) approve(path string) (found graph.ID) {
	h.t.Helper()
	for id, err := range h.system.Store.Waiting() {
		if err != nil {
			h.t.Fatal(err)
		}
		e, err := h.system.Store.Entry(id)
		if err != nil {
			h.t.Fatal(err)
		}
		if n, ok := e.Node.(kind.ToolCall); ok && first(n) == path {
			found = id
			for _, f := range e.Facts {
				if f.What == kind.FactParked {
					if err := h.system.Approve(h.t.Context(), e, call.Answer{Yes: true, Scope: "once", By: "test"}, f.Value.Datum); err != nil {
						h.t.Fatal(err)
					}
				}
			}
		}
	}
	return found
}

func first(n kind.ToolCall) graph.Datum {
	list, _ := n.Call().Args.Datum.(graph.List)
	if len(list) == 0 {
		return nil
	}
	return list[0]
}
