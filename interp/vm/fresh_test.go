package vm_test

import (
	"testing"

	"caper/interp/vm"
)

func BenchmarkFresh(b *testing.B) {
	units := program(b, `(%host 'hello 1 2)`)
	b.ReportAllocs()
	for b.Loop() {
		m := machine(b, 0, units)
		if s := m.Run(plenty); s.Kind != vm.Suspended || len(s.Calls) != 1 {
			b.Fatal(show(m, s))
		}
		m.Close()
	}
}

func BenchmarkHostCall(b *testing.B) {
	m := machine(b, 0, program(b, `(let loop () (%host 'hello 1 2) (loop))`))
	for b.Loop() {
		s := m.Run(plenty)
		if err := m.Resume(s.Calls[0].ID, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGuard(b *testing.B) {
	m := machine(b, 0, program(b, `(let loop ((i 0)) (guard (e (#t 1)) i) (loop (+ i 1)))`))
	for b.Loop() {
		m.Run(100000)
	}
	b.ReportMetric(float64(m.Spent())/float64(b.N), "fuel/op")
}
