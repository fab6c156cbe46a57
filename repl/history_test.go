package repl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "below", "history")
	long := strings.Repeat("x", 100_000)
	for _, text := range []string{"(a)", "(b\n  c)", "(b\n  c)", "λ 日本", long, strings.Repeat("y", maxEntry+1)} {
		NewHistory(path).Add(text)
	}
	want := []string{"(a)", "(b\n  c)", "λ 日本", long}
	if got := NewHistory(path).All(); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%d of them: %.200q", len(got), got)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	// A line that was torn, or is of another program, is passed over.
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(f, "garbage\n{\"text\":\"(after)\"}\n{\"text\":\"(torn")
	f.Close()
	if all := NewHistory(path).All(); all[len(all)-1] != "(after)" || len(all) != len(want)+1 {
		t.Errorf("%d of them, the last %q", len(all), all[len(all)-1])
	}
}

// TestHistories: sessions side by side lose nothing.
func TestHistories(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			h := NewHistory(path)
			for i := range 200 {
				h.Add(fmt.Sprintf("(writer %d %d)", w, i))
			}
		})
	}
	all.Wait()
	if n := len(NewHistory(path).All()); n != 800 {
		t.Errorf("%d inputs, want 800", n)
	}
}
