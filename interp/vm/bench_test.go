package vm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/interp/vm"
)

// BenchmarkPrograms runs testdata/bench; compare with guile and lua by testdata/compare.sh.
func BenchmarkPrograms(b *testing.B) {
	files, _ := filepath.Glob("testdata/bench/*.scm")
	for _, f := range files {
		b.Run(strings.TrimSuffix(filepath.Base(f), ".scm"), func(b *testing.B) {
			text, err := os.ReadFile(f)
			if err != nil {
				b.Fatal(err)
			}
			units := program(b, string(text))
			for b.Loop() {
				m := machine(b, 1<<30, units)
				if s := m.Run(plenty); s.Kind != vm.Done {
					b.Fatal(show(m, s))
				}
				m.Close()
			}
		})
	}
}
