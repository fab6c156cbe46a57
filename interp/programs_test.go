package interp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/interp"
	"caper/interp/bench"
	"caper/interp/syntax"
)

// TestPrograms runs what the engine's speed is measured by, one round of each: a fast wrong answer is none.
func TestPrograms(t *testing.T) {
	e, err := interp.NewEngine(interp.Options{
		Order: []string{"(caper standard)", "(caper prelude)"}, Implicit: []string{"(caper prelude)"},
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("bench/programs/*.scm")
	if err != nil || len(files) < 20 {
		t.Fatalf("the programs are not where they were: %d of them, %v", len(files), err)
	}
	for i, file := range files {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".scm"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m, err := e.NewMachine(interp.Config{Memory: 1 << 30, Strict: true})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			if err := m.Load(syntax.NewSource(file, string(text)+"(define rounds 1)"+bench.Check)); err != nil {
				t.Fatal(err)
			}
			if s := m.Run(plenty); s.Kind != interp.Done || m.Write(s.Value) != "ok" {
				t.Error(show(m, s))
			}
		})
	}
}
