package vm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"caper/interp/vm"
)

// cpu is the processor time used so far: wall time means little on a shared computer.
func cpu() int64 {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &u)
	return u.Utime.Nano() + u.Stime.Nano()
}

// BenchmarkPrograms runs testdata/bench.
func BenchmarkPrograms(b *testing.B) {
	files, _ := filepath.Glob("testdata/bench/*.scm")
	for _, f := range files {
		b.Run(strings.TrimSuffix(filepath.Base(f), ".scm"), func(b *testing.B) {
			text, err := os.ReadFile(f)
			if err != nil {
				b.Fatal(err)
			}
			units := program(b, string(text))
			start := cpu()
			for b.Loop() {
				m := machine(b, 1<<30, units)
				if s := m.Run(plenty); s.Kind != vm.Done {
					b.Fatal(show(m, s))
				}
				m.Close()
			}
			b.ReportMetric(float64(cpu()-start)/1e6/float64(b.N), "cpu-ms/op")
		})
	}
}
