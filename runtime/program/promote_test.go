package program_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/program"
)

// TestPromote: inputs become parameters, what earlier programs defined comes along as far as it is needed, and what comes
// of it runs and answers the same.
func TestPromote(t *testing.T) {
	h := newHouse(t)
	defer h.runner.Forget()
	for name, text := range map[string]string{"a.txt": "one two", "b.txt": "three"} {
		if err := os.WriteFile(filepath.Join(h.work, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := &chain{h: h}
	c.run(`(define (split s) (string-split s sep)) (define sep " ") (define unused (vector 1 2)) (write-file "never-again" "x")`)
	c.run(`(define-syntax count-of (syntax-rules () ((_ x) (length x)))) (define (words f) (count-of (split (read-file f))))`)
	first := c.after(c.newest, `(define both (list (words "a.txt") (words "b.txt")))
		(list "a.txt" '("a.txt") (map (lambda (x) (* n x)) both))`, graph.List{graph.Pair("n", int64(10))})
	if first.told() != `("a.txt" ("a.txt") (20 10))` {
		t.Fatal(first.told())
	}
	p, err := program.Promote(h.system.Calls, first.ID, "both")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.Parameters, " "); got != "n path path-2" {
		t.Error(got)
	}
	for _, gone := range []string{"unused", "never-again"} {
		if strings.Contains(p.Program, gone) {
			t.Errorf("%s came along:\n%s", gone, p.Program)
		}
	}
	if err := os.Remove(filepath.Join(h.work, "never-again")); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		args []string
		want string
	}{
		{nil, `("a.txt" ("a.txt") (20 10))`},
		{[]string{"1", "b.txt"}, `("b.txt" ("a.txt") (1 1))`},
	} {
		spec := h.spec(p.Program, license.Manual, nil)
		spec.Args = row.args
		if got := h.run(t.Context(), spec, nil); got.told() != row.want {
			t.Errorf("%v: %s, wanted %s\n%s", row.args, got.told(), row.want, p.Program)
		}
	}
	if _, err := program.Promote(h.system.Calls, graph.RootID(first.ID.Session), "x"); err == nil {
		t.Error("a session was promoted")
	}
}
