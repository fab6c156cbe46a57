package vm

import (
	"math"

	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines the slow paths of instructions on flonums: results that need a box, functions.

// boxFlonum stores a result that is no word, or one that the next instruction cannot take as it is.
//
//go:noinline
//go:norace
func (m *Machine) boxFlonum(fp, ip up, fuel int, in uint64, f float64) (up, up, int) {
	w, ok := heap.PackFlonum(f)
	if !ok {
		if !m.room(fp, ip) {
			return m.exhausted(fp, ip, fuel, "memory")
		}
		w = m.Flonum(f)
	}
	*rg(fp, in>>code.ShiftA&0xffff) = w
	return fp, ip, fuel
}

// realFunctions are what REAL does to flonums, in the order of code.RealFunctions up to the conversions.
var realFunctions = [...]func(float64) float64{
	math.Sin, math.Cos, math.Tan, math.Exp, math.Floor, math.Ceil, math.Trunc, math.RoundToEven, math.Abs,
}

const (
	realInexact = len(realFunctions) // the first of two names
	realExact   = realInexact + 2
)

// doReal does REAL where the operand is a flonum, or a fixnum to be made one; it leaves the rest, and what SQRT does not
// know, to the primitives.
//
//go:noinline
//go:norace
func (m *Machine) doReal(fp, ip up, fuel int, in uint64) (up, up, int) {
	x, n := *rg(fp, in>>code.ShiftB&0xffff), int(in>>code.ShiftX&0xff)
	f, ok := m.FlonumValue(x)
	switch {
	case code.Op(uint8(in)) == code.SQRT:
	case n >= realInexact && n < realExact && heap.IsFixnum(x):
		return m.boxFlonum(fp, ip, fuel, in, float64(heap.FixnumValue(x)))
	case !ok:
	case n < len(realFunctions):
		return m.boxFlonum(fp, ip, fuel, in, realFunctions[n](f))
	case n >= realExact && math.Abs(f) < 1<<53 && f == math.Trunc(f):
		*rg(fp, in>>code.ShiftA&0xffff) = heap.Fixnum(int64(f))
		return fp, ip, fuel
	}
	return m.byPrimitive(fp, ip, fuel, in)
}

// doRatio divides numbers that are not both flonums in words.
func (m *Machine) doRatio(fp, ip up, fuel int, in uint64) (up, up, int) {
	x, y := *rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftC)
	if (x|y)&heap.TagMask == 0 && y != 0 && int64(x)%int64(y) == 0 {
		if q := int64(x) / int64(y); heap.FitsFixnum(q) {
			*rg(fp, in>>code.ShiftA&0xffff) = heap.Fixnum(q)
			return fp, ip, fuel
		}
	}
	return m.byPrimitive(fp, ip, fuel, in)
}
