package sim

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named finds the points that the code names: fault("…"), hook("…"), and those handed to a writer that calls them.
var named = regexp.MustCompile(`(?:[fF]aults?|[hH]ook)\("([a-z-]+)"\)|"(mid-[a-z-]+)"`)

// TestEveryPointIsPassed: each point that the code of the runtime names is passed by a run, a resume or an answer of the
// crash tests, so that "killed everywhere" means everywhere.
func TestEveryPointIsPassed(t *testing.T) {
	t.Parallel()
	passed := map[string]bool{}
	note := func(w *world, log string) {
		for _, p := range strings.Fields(w.read(log)) {
			passed[p] = true
		}
	}
	_, points := unbroken(t, "sync")
	for _, p := range points {
		passed[p] = true
	}
	w := newWorld(t, "sync")
	workflow(t, w)
	log := filepath.Join(w.root, "points")
	if r := w.caper([]string{"CAPER_FAULT=mid-write:2"}, w.runArgs()...); !r.killed {
		t.Fatal(r)
	}
	if r := w.caper([]string{"CAPER_FAULT_LOG=" + log}, w.resumeArgs("1.1.0")...); r.code != 0 {
		t.Fatal(r)
	}
	note(w, log)
	w = newWorld(t, "sync")
	program(t, w.work, "ask.scm", asking)
	if r := w.atTerminal([]string{"CAPER_FAULT_LOG=" + log}, "run", "ask.scm"); r.code != 0 {
		t.Fatal(r)
	}
	note(w, log)
	turn := newTurnWorld(t, "sync")
	log = filepath.Join(turn.root, "points")
	if r := turn.ask("CAPER_FAULT_LOG=" + log); r.code != 0 {
		t.Fatal(r)
	}
	note(turn.world, log)
	// A program that asks a model, under a judge: both are procedures.
	w = newWorld(t, "sync")
	program(t, w.work, "judge.scm", `(define-model 'judge (lambda (messages tools) "allow"))`)
	if err := os.WriteFile(filepath.Join(w.home, "config.json"), []byte(`{"policyJudge":{"connection":"scheme","model":"judge.scm"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	program(t, w.work, "complete.scm", `(define-model 'echo (lambda (messages tools) "yes"))
(complete "well?" #:model 'echo)
(guard (e (#t 'denied)) (bash "touch judged"))`)
	log = filepath.Join(w.root, "judged")
	if r := w.caper([]string{"CAPER_FAULT_LOG=" + log}, "run", "--policy", "auto", "complete.scm"); r.code != 0 {
		t.Fatal(r)
	}
	note(w, log)
	for name := range pointsOf(t, "..") {
		if !passed[name] {
			t.Errorf("no crash test passes the point %q", name)
		}
	}
}

func pointsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			found[m[1]+m[2]] = true
		}
		return err
	})
	if err != nil || len(found) < 20 {
		t.Fatalf("only %d points found: %v", len(found), err)
	}
	return found
}
