package code

import "testing"

func TestLivenessKnowsAllInstructions(t *testing.T) {
	for op := HALT; op < OpEnd; op++ {
		words := []uint64{uint64(op), uint64(HALT)}
		known := NewLiveness(words, 4) != nil
		if want := op != ENTER && op != CAPTURE; known != want {
			t.Errorf("%s: known %v, want %v", Table[op].Name, known, want)
		}
	}
}

func TestLiveness(t *testing.T) {
	reg := func(i uint64) uint64 { return i * 8 }
	abc := func(op Op, a, b, c uint64) uint64 {
		return uint64(op) | reg(a)<<ShiftA | reg(b)<<ShiftB | reg(c)<<ShiftC
	}
	to := func(op Op, a uint64, d int) uint64 {
		return uint64(op) | reg(a)<<ShiftA | uint64(uint32(int32(d)))<<ShiftD
	}
	words := []uint64{
		abc(CAR, 4, 2, 0),                       // 0: reads 2
		uint64(CALLG) | reg(5)<<ShiftA,          // 1: call without arguments
		to(JF, 5, 2),                            // 2: to 5
		abc(CONS, 6, 3, 4),                      // 3
		to(LOOP, 0, -4),                         // 4: to 1
		uint64(CLOSURE) | reg(7)<<ShiftA | 1<<8, // 5: captures 3 and a variable of the closure
		uint64(CAPTURE) | 2<<ShiftX | reg(3)<<ShiftA | 16<<ShiftB | 0xffff<<ShiftC,
		abc(RET, 7, 0, 0), // 7
		uint64(HALT),
	}
	l := NewLiveness(words, 8)
	for _, row := range []struct {
		word int
		want uint64
	}{
		{0, 1<<2 | 1<<3},
		{1, 1<<3 | 1<<4},
		{2, 1<<3 | 1<<4 | 1<<5},
		{3, 1<<3 | 1<<4},
		{4, 1<<3 | 1<<4},
		{5, 1 << 3},
		{7, 1 << 7},
		{8, 0},
	} {
		if got := l.At(row.word); len(got) != 1 || got[0] != row.want {
			t.Errorf("word %d: %b, want %b", row.word, got, row.want)
		}
	}
	if l.At(6) != nil {
		t.Error("a word that is no instruction has an answer")
	}
}

func TestLivenessOfLongBlocks(t *testing.T) {
	var words []uint64
	for range 1000 {
		words = append(words, uint64(CALLG)|5*8<<ShiftA)
	}
	words = append(words, uint64(RET)|3*8<<ShiftA)
	l := NewLiveness(words, 8)
	for i := range words {
		if got := l.At(i); len(got) != 1 || got[0] != 1<<3 {
			t.Fatalf("word %d: %b", i, got)
		}
	}
	for b := range len(l.block) - 1 {
		if n := l.block[b+1] - l.block[b]; n > maxLiveBlock {
			t.Errorf("block %d has %d instructions", b, n)
		}
	}
}

// TestLivenessGivesUp has jumps back one behind the other: each pass takes what is read over one of them.
func TestLivenessGivesUp(t *testing.T) {
	for _, n := range []int{maxLivePasses - 2, maxLivePasses} {
		words := []uint64{uint64(RET) | 3*8<<ShiftA}
		for range n {
			words = append(words, uint64(JMP)|uint64(uint32(0xfffffffe))<<ShiftD)
		}
		l := NewLiveness(words, 8)
		if known := l != nil; known != (n < maxLivePasses) {
			t.Errorf("%d jumps: known %v", n, known)
		}
		if l != nil && l.At(n)[0] != 1<<3 {
			t.Errorf("%d jumps: %b", n, l.At(n))
		}
	}
}
