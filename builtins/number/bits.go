package number

import (
	"caper/interp/heap"
	num "caper/interp/number"
	"caper/interp/prim"
)

// This file defines bitwise operations under their SRFI 60, SRFI 151 and R6RS names.

func bitRows() []prim.Prim {
	var rows []prim.Prim
	add := func(min, max int, args, doc string, fn prim.Func, names ...string) {
		for _, name := range names {
			rows = append(rows, prim.Row(name, min, max, args, doc, fn))
		}
	}
	add(0, -1, "n …", "The bits that are set in all.", bitwise(num.BitAnd, -1), "bitwise-and", "logand")
	add(0, -1, "n …", "The bits that are set in any.", bitwise(num.BitOr, 0), "bitwise-or", "bitwise-ior", "logior")
	add(0, -1, "n …", "The bits that are set in an odd number of them.", bitwise(num.BitXor, 0), "bitwise-xor", "logxor")
	add(1, 1, "n", "The other bits: -n - 1.", partial(real, num.BitNot), "bitwise-not", "lognot")
	add(2, 2, "n count", "n · 2^count, rounded down.", shift(1), "arithmetic-shift", "ash", "shift-left", "bitwise-arithmetic-shift", "bitwise-arithmetic-shift-left")
	add(2, 2, "n count", "n / 2^count, rounded down.", shift(-1), "shift-right", "bitwise-arithmetic-shift-right")
	add(1, 1, "n", "The number of ones, of zeros when n is negative.", counted(num.BitCount), "bit-count", "logcount")
	add(1, 1, "n", "The number of bits without those that repeat the sign.", counted(num.BitLength), "integer-length", "bitwise-length")
	add(2, 2, "index n", "Is that bit one?", func(c *prim.Ctx, a []heap.Word) heap.Word { return bitSet(c, a, 0, 1) }, "bit-set?", "logbit?")
	add(2, 2, "n index", "Is that bit one?", func(c *prim.Ctx, a []heap.Word) heap.Word { return bitSet(c, a, 1, 0) }, "bitwise-bit-set?")
	return rows
}

func bitwise(f func(a, b num.Number) (num.Number, error), none int64) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		r := num.Number(none)
		for i := range a {
			n, ok := real(c, a, i)
			if !ok {
				return heap.Raised
			}
			if b := num.BitLen(n); b > 64 {
				c.Charge(uint64(b) / 64)
			}
			var err error
			if r, err = f(r, n); err != nil {
				return failed(c, err, a)
			}
		}
		return answer(c, r)
	}
}

func shift(direction int) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		x, y, ok := reader(real).two(c, a)
		if !ok {
			return heap.Raised
		}
		if !num.IsExactInteger(y) {
			return c.WrongType(a, 1, "an exact integer")
		}
		if direction < 0 {
			y = num.Negate(y)
		}
		r, err := num.ShiftLeft(x, y, limitBits(c))
		if err != nil {
			return failed(c, err, a)
		}
		return answer(c, r)
	}
}

func counted(f func(num.Number) (int64, error)) prim.Func {
	return partial(real, func(n num.Number) (num.Number, error) {
		i, err := f(n)
		return i, err
	})
}

func bitSet(c *prim.Ctx, a []heap.Word, index, of int) heap.Word {
	if _, _, ok := reader(real).two(c, a); !ok {
		return heap.Raised
	}
	i, _ := c.Number(a[index])
	n, _ := c.Number(a[of])
	if !num.IsExactInteger(i) || num.Sign(i) < 0 {
		return c.WrongType(a, index, "an exact integer of 0 or more")
	}
	set, err := num.BitSet(i, n)
	if err != nil {
		return failed(c, err, a)
	}
	return heap.Bool(set)
}
