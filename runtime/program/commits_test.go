package program_test

import (
	"fmt"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/license"
)

// TestCommitsOfACall: a call is two commits at most, its mint and its end; one that changes nothing has its end ride on what
// is written next.
func TestCommitsOfACall(t *testing.T) {
	commits := func(text string) int {
		h := newHouse(t)
		h.runner.SnapshotEvery = 0
		if r := h.run(t.Context(), h.spec(text, license.Yolo, nil), nil); r.err != nil || graph.Write(r.Value) != "done" {
			t.Fatalf("%v: %+v", r.err, r)
		}
		return h.passed("after-commit")
	}
	const calls = 20
	for _, one := range []string{`(file-exists? "f")`, `(write-file "f" "text")`, `(bash "true")`} {
		text := func(n int) string { return fmt.Sprintf("(do ((i 0 (+ i 1))) ((= i %d) 'done) %s)", n, one) }
		more := commits(text(1+calls)) - commits(text(1))
		t.Logf("%s: %d commits for %d calls", one, more, calls)
		if more > 2*calls {
			t.Errorf("%s: %d commits for %d calls", one, more, calls)
		}
	}
}
