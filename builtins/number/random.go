package number

import (
	endian "encoding/binary"
	"math/big"
	"math/bits"

	"caper/interp/heap"
	num "caper/interp/number"
	"caper/interp/prim"
)

// This file defines pseudo-random numbers. The state is a bytevector of the program, so that runs with one seed agree
// and snapshots hold it: SplitMix64 (Steele, Lea, Flood 2014).

const stateSize = 8

func randomRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("%make-random-state", 1, 1, "seed", "A state for %random from an exact integer.", makeState),
		prim.Row("%random", 2, 2, "state limit", "The next number in [0, limit): exact below an exact limit, else inexact.", random),
	}
}

func makeState(c *prim.Ctx, a []heap.Word) heap.Word {
	var z big.Int
	if !exactInteger(c, a, 0, &z) {
		return heap.Raised
	}
	seed := uint64(z.Sign())
	for _, limb := range z.Bits() {
		seed = heap.Mix(seed*31 + uint64(limb))
	}
	w := c.NewBytes(stateSize)
	endian.LittleEndian.PutUint64(c.Bytes(w), seed)
	return w
}

func next(state []byte) uint64 {
	s := endian.LittleEndian.Uint64(state) + 0x9e3779b97f4a7c15
	endian.LittleEndian.PutUint64(state, s)
	s = (s ^ s>>30) * 0xbf58476d1ce4e5b9
	s = (s ^ s>>27) * 0x94d049bb133111eb
	return s ^ s>>31
}

func random(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Is(a[0], heap.KindBytes) || len(c.Bytes(a[0])) != stateSize || !heap.Mutable(a[0]) {
		return c.WrongType(a, 0, "a random state")
	}
	state := c.Bytes(a[0])
	limit, ok := real(c, a, 1)
	if !ok {
		return heap.Raised
	}
	if num.Sign(limit) <= 0 || !num.IsFinite(limit) {
		return c.WrongType(a, 1, "a positive number")
	}
	switch n := limit.(type) {
	case int64:
		hi, _ := bits.Mul64(next(state), uint64(n)) // biased by less than n / 2^64
		return c.FromInt(int64(hi))
	case float64:
		return c.Flonum(float64(next(state)>>11) / (1 << 53) * n)
	case *big.Int:
		if !c.Room(uint64(n.BitLen()) / 8) {
			return c.TooLarge("the number")
		}
		limbs := make([]big.Word, n.BitLen()/64+2) // 64 bits more than needed: the bias is below 2^-64
		for i := range limbs {
			limbs[i] = big.Word(next(state))
		}
		var r big.Int
		return c.FromBig(r.Mod(r.SetBits(limbs), n))
	}
	return c.WrongType(a, 1, "an integer or an inexact number")
}
