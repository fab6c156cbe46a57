// Package number holds the numeric primitives: fast paths on fixnums and flonums, else package interp/number.
// No arithmetic of its own lives here. Package builtins imports it, and port for what it prints.
package number

import (
	"errors"
	"math/big"

	"caper/interp/heap"
	num "caper/interp/number"
	"caper/interp/prim"
)

// Prims are the rows of this room.
func Prims() []prim.Prim {
	var rows []prim.Prim
	for _, l := range [][]prim.Prim{arithRows(), compareRows(), classRows(), divideRows(), realRows(), bitRows(), textRows(), randomRows()} {
		rows = append(rows, l...)
	}
	return rows
}

// What one operation takes at most, as in the machine's own arithmetic.
const (
	maxBits      = num.MaxBits
	maxRatioBits = num.MaxRatioBits
)

// limitBits is the longest exact number that may be made now.
func limitBits(c *prim.Ctx) int64 {
	free := c.Max() - min(c.Used(), c.Max())
	return min(maxBits, int64(free)*8)
}

// A reader takes argument i as a number, or fails: real, or any.
type reader func(c *prim.Ctx, a []heap.Word, i int) (num.Number, bool)

func real(c *prim.Ctx, a []heap.Word, i int) (num.Number, bool) {
	n, ok := c.Number(a[i])
	switch {
	case ok:
	case c.IsNumber(a[i]):
		c.WrongType(a, i, "a real number")
	default:
		c.WrongType(a, i, "a number")
	}
	return n, ok
}

func any(c *prim.Ctx, a []heap.Word, i int) (num.Number, bool) {
	n, ok := c.Complex(a[i])
	if !ok {
		c.WrongType(a, i, "a number")
	}
	return n, ok
}

// answer puts a result on the arena, charging for its size.
func answer(c *prim.Ctx, n num.Number) heap.Word {
	if b := num.BitLen(n); b > 64 {
		if !c.Room(uint64(b)/8 + 16) {
			return c.TooLarge("the result")
		}
	}
	return c.FromNumber(n)
}

// failed turns an error of package number into a condition.
func failed(c *prim.Ctx, err error, a []heap.Word) heap.Word {
	kind := "range-error"
	switch {
	case errors.Is(err, num.ErrDivideByZero):
		kind = "divide-by-zero"
	case errors.Is(err, num.ErrTooLarge):
		kind = "memory-error"
	case errors.Is(err, num.ErrNotInteger), errors.Is(err, num.ErrNotExact):
		kind = "type-error"
		for i := range a {
			n, ok := c.Number(a[i])
			if exact := ok && num.IsExactInteger(n); exact || ok && errors.Is(err, num.ErrNotInteger) && num.IsInteger(n) {
				continue
			}
			if errors.Is(err, num.ErrNotExact) {
				return c.WrongType(a, i, "an exact integer")
			}
			return c.WrongType(a, i, "an integer")
		}
	}
	return c.Fail(kind, c.Prim.Name+": "+err.Error(), a...)
}

// unary makes a primitive of a total function.
func unary(read reader, f func(num.Number) num.Number) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		n, ok := read(c, a, 0)
		if !ok {
			return heap.Raised
		}
		return answer(c, f(n))
	}
}

// partial makes a primitive of a function that may fail.
func partial(read reader, f func(num.Number) (num.Number, error)) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		n, ok := read(c, a, 0)
		if !ok {
			return heap.Raised
		}
		chargeFor(c, num.BitLen(n), num.BitLen(n))
		r, err := f(n)
		if err != nil {
			return failed(c, err, a)
		}
		return answer(c, r)
	}
}

// binary makes a primitive of a function of two numbers that may fail.
func binary(read reader, f func(x, y num.Number) (num.Number, error)) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		x, y, ok := read.two(c, a)
		if !ok {
			return heap.Raised
		}
		r, err := f(x, y)
		if err != nil {
			return failed(c, err, a)
		}
		return answer(c, r)
	}
}

func (read reader) two(c *prim.Ctx, a []heap.Word) (x, y num.Number, ok bool) {
	if x, ok = read(c, a, 0); !ok {
		return
	}
	if y, ok = read(c, a, 1); ok {
		chargeFor(c, num.BitLen(x), num.BitLen(y))
	}
	return
}

// ratios reports whether one of the numbers is a ratio, or may have one for a part.
func ratios(ns ...num.Number) bool {
	for _, n := range ns {
		switch n.(type) {
		case *big.Rat, num.Complex:
			return true
		}
	}
	return false
}

// chargeFor counts the work of multiplying or dividing numbers of so many bits.
func chargeFor(c *prim.Ctx, x, y int64) {
	if x > 64 || y > 64 {
		c.Charge(uint64(x/64+1) * uint64(min(y/64+1, 64)) / 8)
	}
}

// exactInteger makes z a view of argument i.
func exactInteger(c *prim.Ctx, a []heap.Word, i int, z *big.Int) bool {
	if !c.Integer(a[i], z) {
		c.WrongType(a, i, "an exact integer")
		return false
	}
	return true
}
