package pair

import (
	"fmt"

	"caper/interp/heap"
	"caper/interp/number"
	"caper/interp/prim"
)

func countUp(c *prim.Ctx, a []heap.Word) heap.Word {
	n, ok := c.Index(a, 0, 0, maxList)
	if !ok {
		return heap.Raised
	}
	start, step := number.Number(int64(0)), number.Number(int64(1))
	if prim.Given(a, 1) {
		if start, ok = c.Number(a[1]); !ok {
			return c.WrongType(a, 1, "a number")
		}
	}
	if prim.Given(a, 2) {
		if step, ok = c.Number(a[2]); !ok {
			return c.WrongType(a, 2, "a number")
		}
	}
	size := uint64(pairBytes + (number.BitLen(start)+number.BitLen(step))/8)
	if uint64(n) > maxList/size || !c.Room(uint64(n)*size) {
		return c.TooLarge(fmt.Sprintf("a list of %d elements", n))
	}
	b := newBuilder(c)
	from, fixed := start.(int64)
	by, whole := step.(int64)
	if fixed && whole && max(from, -from, by, -by) < 1<<28 && min(from, by) > -1<<28 { // no bignum is near
		for i := range int64(n) {
			b.add(c.FromInt(from + i*by))
		}
		return b.end(heap.Null)
	}
	for i := range n {
		b.add(c.FromNumber(number.Add(start, number.Mul(int64(i), step))))
	}
	return b.end(heap.Null)
}
