package sim

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"

	"github.com/google/go-cmp/cmp"
)

// The programs of a conversation whose definitions go on: each stands on those before it.
var programs = []string{
	`(define seen '()) (define-record-type note (make-note text) note? (text note-text)) (append-file "log.txt" "one\n") (set! seen (cons (read-file "a.txt") seen)) (length seen)`,
	`(define-tool log "Logs." '((line string)) (lambda (line) (append-file "log.txt" line) (string-length line))) (define n (make-note (car seen))) (log "two\n")`,
	`(append-file "log.txt" (string-append (note-text n) "\n")) (define broken (vector-ref (vector) 1))`,
	`(par-map (lambda (x) (write-file (string-append x ".txt") x) (string-length x)) '("p" "qq"))`,
	`(list (length seen) (note? n) (log "three\n"))`,
}

func schemeScript(c modeltest.Call) modeltest.Reply {
	answers, last := 0, ""
	for _, m := range c.Request.Messages {
		if m.Role == model.Assistant {
			answers++
		}
		for _, b := range m.Blocks {
			if b.Kind == model.ToolResult {
				last, _, _ = strings.Cut(b.Text, "\n")
			}
		}
	}
	if answers == len(programs) {
		return modeltest.Say("The last: " + last)
	}
	text, err := json.Marshal(map[string]string{"program": programs[answers]})
	if err != nil {
		panic(err)
	}
	return modeltest.Use("scheme", string(text))
}

func newSchemeWorld(t testing.TB) *turnWorld {
	t.Helper()
	w := &turnWorld{newWorld(t, "fast"), modeltest.New(schemeScript)}
	t.Cleanup(w.server.Close)
	w.write("a.txt", "text of a")
	if err := os.WriteFile(filepath.Join(w.home, "config.json"), []byte(`{"textOnlyContinue":{"enabled":false}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestKillPrograms kills a turn whose programs stand on each other at boundaries of all sorts, and resumes it in a process
// that has none of their machines: each call is made once, and the last program finds what the first ones defined.
func TestKillPrograms(t *testing.T) {
	whole := newSchemeWorld(t)
	log := filepath.Join(whole.root, "points")
	r := whole.ask("CAPER_FAULT_LOG=" + log)
	if r.code != 0 || !strings.Contains(r.stdout, "The last: value: (1 #t 6)") {
		t.Fatalf("the unbroken turn: %v", r)
	}
	want := whole.files()
	passed := passages(strings.Fields(whole.read(log)))
	killed := 0
	for i, p := range names(passed) {
		if !full() && i%2 == 1 {
			continue
		}
		fault := fmt.Sprintf("%s:%d", p, 1+(i*7)%passed[p])
		t.Run(fault, func(t *testing.T) {
			w := newSchemeWorld(t)
			r := w.ask("CAPER_FAULT=" + fault)
			if !r.killed {
				return // what runs side by side differs from run to run
			}
			killed++
			if turn := w.turn(); turn != "" {
				r = w.resume(turn)
			} else {
				r = w.ask()
			}
			if r.code != 0 || !strings.Contains(r.stdout, "The last: value: (1 #t 6)") {
				t.Fatalf("the resumed turn: %v", r)
			}
			if d := cmp.Diff(want, w.files()); d != "" {
				t.Errorf("the files (-want +got):\n%s", d)
			}
			if err := w.verify(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Log(killed, "kills")
}
