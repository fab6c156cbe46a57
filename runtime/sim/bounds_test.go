package sim

import (
	"strings"
	"testing"

	"caper/runtime/model/modeltest"
)

// TestATurnKeepsWhatWasAroundIt: a turn that a program made inside with-policy is found alone after a crash, and may do no
// more than before. For a policy procedure, which ended with its program, a person is asked.
func TestATurnKeepsWhatWasAroundIt(t *testing.T) {
	for _, row := range []struct {
		name, around  string
		flag          string // of the resume
		written, asks bool
	}{
		{"nothing", `(lambda (f) (f))`, "--park", true, false},
		{"a rule", `(lambda (f) (with-policy '(deny write-file) f))`, "--park", false, false},
		{"rules", `(lambda (f) (with-policy '((deny (write-file "x*")) (ask (write-file "b.txt"))) f))`, "--park", false, true},
		{"a posture", `(lambda (f) (with-policy 'manual f))`, "--park", false, true},
		{"a procedure", `(lambda (f) (with-policy (lambda (call) 'allow) f))`, "--park", false, true},
		{"a procedure and nobody there", `(lambda (f) (with-policy (lambda (call) 'allow) f))`, "--unattended", false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			w := &turnWorld{newWorld(t, "fast"), modeltest.New(func(c modeltest.Call) modeltest.Reply {
				if len(c.Request.Messages) > 1 {
					return modeltest.Say("Done.")
				}
				return modeltest.Use("write-file", `{"path":"b.txt","data":"b"}`)
			})}
			t.Cleanup(w.server.Close)
			w.write("p.scm", `(define around `+row.around+`)
(around (lambda () (turn "do it" #:model "anthropic:m")))`)
			w.write("rules.yaml", "allow:\n  - turn\n")
			if r := w.caper(w.env("CAPER_FAULT=turn-asking:1"), "run", "--policy", "yolo", "--rules", "rules.yaml", "p.scm"); !r.killed {
				t.Fatalf("the point was not passed: %v", r)
			}
			const turn = "1.1.3"
			r := w.caper(w.env(), "resume", row.flag, turn)
			waiting := w.ok("approvals")
			asks := strings.Contains(waiting, "write-file")
			if written := w.read(w.work+"/b.txt") != ""; written != row.written || asks != row.asks {
				t.Fatalf("written %v, asked %v: %v", written, asks, r)
			}
			if asks {
				w.ok("approve", uncertainID.FindString(waiting))
				if r := w.caper(w.env(), "resume", turn); w.read(w.work+"/b.txt") != "b" {
					t.Errorf("a person said yes, and it was not done: %v", r)
				}
			}
		})
	}
}
