package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/worker/driver/drivertest"
)

func TestMain(m *testing.M) {
	as(os.Getenv("TWO_AGENTS"))
	os.Exit(m.Run())
}

func playing(t *testing.T, clients map[string]string, args ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := play(&out, dir, args, clients); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if l := drivertest.Left(dir); len(l) > 0 {
		t.Errorf("left behind: %s", strings.Join(l, ", "))
	}
	return out.String()
}

func has(t *testing.T, out string, times int, text string) {
	t.Helper()
	if n := strings.Count(out, text); n != times {
		t.Errorf("%q stands there %d times, not %d:\n%s", text, n, times, out)
	}
}

// TestTwoAgents: the writer needs two rounds, the reviewer is killed in the first.
func TestTwoAgents(t *testing.T) {
	out := playing(t, nil)
	has(t, out, 1, "kill -9")
	has(t, out, 2, "approved, this once")
	has(t, out, 1, "it leaps, and lands the other side.\n\n")
	_, tree, _ := strings.Cut(out, "$ caper tree")
	has(t, tree, 4, "drive-agent claude_code") // nobody did anything twice
	has(t, tree, 2, "✓ write-file")
	// Of its first look, killed as it is, the client may have told its model and not yet Caper: then nobody knows that it was.
	if n := strings.Count(tree, "─ ✓ bash cat poem.txt") + strings.Count(tree, "─ ✗ bash cat poem.txt"); n != 2 {
		t.Errorf("poem.txt was looked at %d times, not 2:\n%s", n, tree)
	}
}

func TestFanOut(t *testing.T) {
	has(t, playing(t, nil, "fan-out"), 1, "20 of 20 agents")
}

// TestRealAgents: the same with real clients, each alone and both together.
func TestRealAgents(t *testing.T) {
	both := map[string]string{}
	for _, kind := range []string{"claude_code", "codex"} {
		path, err := drivertest.Real(kind)
		if err != nil {
			t.Skip(err)
		}
		both[kind] = path
	}
	for name, clients := range map[string]map[string]string{"both": both, "claude_code": {"claude_code": both["claude_code"]}, "codex": {"codex": both["codex"]}} {
		t.Run(name, func(t *testing.T) {
			out := playing(t, clients)
			has(t, out, 1, "kill -9")
			has(t, out, 1, "it leaps, and lands the other side.\n\n")
			_, tree, _ := strings.Cut(out, "$ caper tree")
			has(t, tree, 4, "─ ✓ drive-agent")
		})
	}
}
