package number

import (
	"math"
	"math/big"
	"math/bits"
)

// This file defines operations on exact integers as infinite two's complement bit strings (SRFI 151).

// BitAnd is a & b.
func BitAnd(a, b Number) (Number, error) {
	return bitwise(a, b, func(x, y int64) int64 { return x & y }, (*big.Int).And)
}

// BitOr is a | b.
func BitOr(a, b Number) (Number, error) {
	return bitwise(a, b, func(x, y int64) int64 { return x | y }, (*big.Int).Or)
}

// BitXor is a ^ b.
func BitXor(a, b Number) (Number, error) {
	return bitwise(a, b, func(x, y int64) int64 { return x ^ y }, (*big.Int).Xor)
}

func bitwise(a, b Number, small func(x, y int64) int64, large func(z, x, y *big.Int) *big.Int) (Number, error) {
	if !IsExactInteger(a) || !IsExactInteger(b) {
		return nil, ErrNotExact
	}
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			return small(x, y), nil
		}
	}
	return Normalize(large(new(big.Int), toBig(a), toBig(b))), nil
}

// BitNot is -n - 1.
func BitNot(n Number) (Number, error) {
	switch n := n.(type) {
	case int64:
		return ^n, nil
	case *big.Int:
		return Normalize(new(big.Int).Not(n)), nil
	}
	return nil, ErrNotExact
}

// ShiftLeft is n · 2^by rounded down; a negative by shifts right. A result longer than maxBits is ErrTooLarge.
func ShiftLeft(n Number, by Number, maxBits int64) (Number, error) {
	if !IsExactInteger(n) || !IsExactInteger(by) {
		return nil, ErrNotExact
	}
	if Sign(n) == 0 {
		return n, nil
	}
	k, small := by.(int64)
	if Sign(by) < 0 {
		if !small || -k > BitLen(n) || k == math.MinInt64 {
			return int64(three(Sign(n) < 0, false)), nil
		}
		if n, ok := n.(int64); ok {
			return n >> min(uint64(-k), 63), nil
		}
		return Normalize(new(big.Int).Rsh(toBig(n), uint(-k))), nil
	}
	if !small || k > maxBits-BitLen(n) {
		return nil, ErrTooLarge
	}
	if x, ok := n.(int64); ok && k+BitLen(n) < 64 {
		return x << k, nil
	}
	return Normalize(new(big.Int).Lsh(toBig(n), uint(k))), nil
}

// BitCount is the number of ones of n, of zeros when n is negative.
func BitCount(n Number) (int64, error) {
	if !IsExactInteger(n) {
		return 0, ErrNotExact
	}
	if Sign(n) < 0 {
		n, _ = BitNot(n)
	}
	if n, ok := n.(int64); ok {
		return int64(bits.OnesCount64(uint64(n))), nil
	}
	count := 0
	for _, w := range n.(*big.Int).Bits() {
		count += bits.OnesCount(uint(w))
	}
	return int64(count), nil
}

// BitLength is the number of bits of n without those that repeat the sign: 0 for 0 and -1, 8 for 255 and -256.
func BitLength(n Number) (int64, error) {
	if !IsExactInteger(n) {
		return 0, ErrNotExact
	}
	if Sign(n) < 0 {
		n, _ = BitNot(n)
	}
	return BitLen(n), nil
}

// BitSet reports whether bit index of n is one.
func BitSet(index, n Number) (bool, error) {
	if !IsExactInteger(n) || !IsExactInteger(index) || Sign(index) < 0 {
		return false, ErrNotExact
	}
	i, small := index.(int64)
	if !small || i > BitLen(n) {
		return Sign(n) < 0, nil
	}
	return toBig(n).Bit(int(i)) == 1, nil
}
