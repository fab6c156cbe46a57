package tool

import (
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnifiedDiff(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"", "a\n", "--- f\n+++ f\n@@ -0,0 +1 @@\n+a\n"},
		{"a\n", "", "--- f\n+++ f\n@@ -1 +0,0 @@\n-a\n"},
		{"a\nb\nc\n", "a\nx\nc\n", "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		{"a", "a\n", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"same\n", "same\n", ""},
	} {
		if got, _, _ := unified("f", []byte(c.before), []byte(c.after)); got != c.want {
			t.Errorf("%q to %q:\n%s\nwant\n%s", c.before, c.after, got, c.want)
		}
	}
}

// Any diff, applied by patch(1) to the old text, gives the new.
func TestDiffCanBeApplied(t *testing.T) {
	if _, err := exec.LookPath("patch"); err != nil {
		t.Skip("compares with patch: install it (apt-get install patch)")
	}
	r := rand.New(rand.NewSource(1))
	for range 60 {
		var a, b []string
		for range r.Intn(40) {
			l := string(rune('a'+r.Intn(6))) + "\n"
			if r.Intn(5) > 0 {
				a = append(a, l)
			}
			if r.Intn(5) > 0 {
				b = append(b, l)
			}
		}
		before, after := strings.Join(a, ""), strings.Join(b, "")
		diff, added, removed := unified("f", []byte(before), []byte(after))
		if added-removed != len(b)-len(a) {
			t.Fatalf("%d added, %d removed; the lengths differ by %d", added, removed, len(b)-len(a))
		}
		if diff == "" {
			continue
		}
		file := filepath.Join(t.TempDir(), "f")
		os.WriteFile(file, []byte(before), 0o600)
		cmd := exec.Command("patch", "-s", "-o", file+".out", file)
		cmd.Stdin = strings.NewReader(diff)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("patch: %v %s\n%s", err, out, diff)
		}
		if got, _ := os.ReadFile(file + ".out"); string(got) != after {
			t.Fatalf("from %q\nby\n%s\ngot %q, want %q", before, diff, got, after)
		}
	}
}
