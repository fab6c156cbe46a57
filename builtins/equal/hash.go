package equal

import (
	"math"
	"math/big"

	"caper/interp/heap"
)

// This file defines hashes. byAddress tells that the value depends on where something lies: it holds until the next
// collection (heap.Arena.Epoch).

// HashEqv agrees with Eqv.
func HashEqv(a *heap.Arena, w heap.Word) (h uint64, byAddress bool) {
	if !heap.IsRef(w) {
		return heap.Mix(w), false
	}
	switch a.Kind(w) {
	case heap.KindSymbol:
		return a.SymbolHash(w), false
	case heap.KindFlonum:
		f, _ := a.FlonumValue(w)
		if f != f {
			return 0x7ff8, false
		}
		return heap.Mix(math.Float64bits(f)), false
	case heap.KindBignum:
		return hashInteger(a, w), false
	case heap.KindRatnum:
		if a.IsComplex(w) {
			return heap.Mix(hashReal(a, a.Field(w, 0))*31 + hashReal(a, a.Field(w, 1)) + 1), false
		}
		return heap.Mix(hashInteger(a, a.Field(w, 0))*31 + hashInteger(a, a.Field(w, 1))), false
	}
	return heap.Mix(w), heap.Mutable(w)
}

// hashReal is HashEqv of a part of a complex number: itself real, so that this ends whatever the heap holds.
func hashReal(a *heap.Arena, w heap.Word) uint64 {
	if a.IsComplex(w) {
		return 0
	}
	h, _ := HashEqv(a, w)
	return h
}

func hashInteger(a *heap.Arena, w heap.Word) uint64 {
	var z big.Int
	if !a.Integer(w, &z) {
		return 0
	}
	h := uint64(z.Sign() + 2)
	for _, limb := range z.Bits() {
		h = heap.Mix(h*31 + uint64(limb))
	}
	return h
}

// hashNodes bounds the nodes of one key that are looked at: deep and cyclic keys stay cheap.
const hashNodes = 64

// HashEqual agrees with Equal.
func HashEqual(a *heap.Arena, w heap.Word) (h uint64, byAddress bool) {
	if k := a.Kind(w); k == heap.KindString {
		return heap.HashText(a.TextView(w)), false
	} else if !heap.IsPair(w) && k != heap.KindVector && k != heap.KindBox && k != heap.KindBytes {
		return HashEqv(a, w)
	}
	var space [hashNodes]heap.Word
	stack := append(space[:0], w)
	for n := 0; len(stack) > 0 && n < hashNodes; n++ {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if heap.IsPair(x) {
			h = heap.Mix(h*31 + 1)
			stack = append(stack, a.Cdr(x), a.Car(x))
			continue
		}
		switch a.Kind(x) {
		case heap.KindString:
			h = heap.Mix(h*31 + heap.HashText(a.TextView(x)))
		case heap.KindBytes:
			h = heap.Mix(h*31 + heap.HashText(a.Bytes(x)))
		case heap.KindVector, heap.KindBox:
			f := a.Fields(x)
			h = heap.Mix(h*31 + uint64(len(f)))
			for i := min(len(f), hashNodes) - 1; i >= 0; i-- {
				stack = append(stack, f[i])
			}
		default:
			e, by := HashEqv(a, x)
			byAddress = byAddress || by
			h = heap.Mix(h*31 + e)
		}
	}
	return h, byAddress
}
