package sim

import (
	"strings"
	"testing"

	"caper/runtime/model/modeltest"
)

// TestTemplatesOfACalledAgentRunOnce: the templates of a constitution and the agent that it is of share a bag. A call that
// goes on after a crash finds both: no template acts twice, and the agent answers.
func TestTemplatesOfACalledAgentRunOnce(t *testing.T) {
	for _, point := range []string{"performed:1", "minted:3", "turn-complete:1", "turn-asking:1", "turn-recorded:1"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			w := &turnWorld{newWorld(t, "fast"), modeltest.New(func(modeltest.Call) modeltest.Reply { return modeltest.Say("Done.") })}
			t.Cleanup(w.server.Close)
			w.write("p.scm", `(define recipe '((name . "t") (constitution . "You #{(begin (append-file \"ran.txt\" \"x\") \"saw\")} #{(begin (append-file \"ran.txt\" \"y\") (+ 1 1))}.")))
(display (spawn-agent recipe "hi" #:model "anthropic:m"))`)
			if r := w.caper(w.env("CAPER_FAULT="+point), "run", "--policy", "yolo", "p.scm"); !r.killed {
				t.Fatalf("the point was not passed: %v", r)
			}
			r := w.caper(w.env(), "resume", "1.1.0")
			if r.stdout != "Done." || w.read(w.work+"/ran.txt") != "xy" {
				t.Fatalf("ran %q: %v", w.read(w.work+"/ran.txt"), r)
			}
			for _, c := range w.server.Calls() {
				if got := strings.Join(c.Request.System, ""); !strings.Contains(got, "You saw 2.") {
					t.Errorf("it was told %q", got)
				}
			}
		})
	}
}
