package vm

import (
	"testing"

	"caper/interp/code"
)

func BenchmarkFib32(b *testing.B) {
	for b.Loop() {
		var a asm
		fib(&a, 32)
		m := newBuilder(b)
		a.run(b, m, 1<<50)
		m.Close()
	}
}

func BenchmarkLoop(b *testing.B) {
	for b.Loop() {
		var a asm
		a.top(12,
			insD(code.LOADI, 16, 0),
			insD(code.LOADI, 24, 100000000),
			ins(code.ADDI, 0, 16, 16, 1),
			ins(code.POLLED+code.JLT-code.JF, 0, 16, 24, 0xfffe),
			ins(code.RET, 0, 16, 0, 0))
		m := newBuilder(b)
		a.run(b, m, 1<<50)
		m.Close()
	}
}
