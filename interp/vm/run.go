// This file is long because the loop must be one function: Go keeps its registers only inside one.

package vm

import (
	"math"
	"math/bits"
	"unsafe"

	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines the run loop. Its rules come from measurements and every one is load-bearing:
// nothing is live across a call (each slow path is a noinline method that takes and returns all that the loop keeps), so
// that fp, ip and fuel stay in registers; instructions are loaded whole and decoded by shifts; addresses are formed only
// as the cage plus a 32-bit offset plus a small constant, fp plus an operand, or ip.
// A slow path that wants the loop to end answers with the address of a HALT word. The conditional jumps repeat one
// another on purpose: a shared body would need a call or a second dispatch.

type up = unsafe.Pointer

// No value of an instruction is left out at the loop's end.
const _ = uint(code.OpEnd - 161)

// rg is the word off bytes above a frame, the cage's base or an instruction; ca the address of a cage offset; ld the word
// a small constant away from where a reference points.
func rg(p up, off uint64) *uint64 { return (*uint64)(unsafe.Add(p, off)) }

// ra, rb and rc are the registers that the instruction before ip names: shorter than shifts of the word, and measured.
func ra(fp, ip up) *uint64      { return rg(fp, uint64(*(*uint16)(unsafe.Add(ip, -6)))) }
func rb(fp, ip up) *uint64      { return rg(fp, uint64(*(*uint16)(unsafe.Add(ip, -4)))) }
func rc(fp, ip up) *uint64      { return rg(fp, uint64(*(*uint16)(unsafe.Add(ip, -2)))) }
func ca(cage up, off uint64) up { return unsafe.Add(cage, uint64(uint32(off))) }
func ld(cage up, x uint64, d int) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Add(cage, uint64(uint32(x))), d))
}

// run executes until a HALT and answers the fuel left of the current slice.
//
//go:norace
//go:nocheckptr
func (m *Machine) run(fp, ip up, fuel int) int {
next:
	for {
		in := *(*uint64)(ip)
		ip = unsafe.Add(ip, 8)
		var f float64
		switch code.Op(uint8(in)) {
		case code.HALT:
			return fuel
		case code.MOVE:
			*ra(fp, ip) = *rb(fp, ip)
		case code.LOADW:
			*ra(fp, ip) = in >> 32
		case code.LOADI:
			*ra(fp, ip) = uint64(int64(in)>>32) << 3
		case code.LOADM:
			*ra(fp, ip) = *rg(m.mem, in>>32)
		case code.GREF:
			*ra(fp, ip) = *rg(m.mem, in>>32)
		case code.GREFC:
			x := *rg(m.mem, in>>32)
			if x == heap.Unbound {
				fp, ip, fuel = m.unbound(fp, ip, fuel, in)
				continue
			}
			*ra(fp, ip) = x
		case code.GSET:
			if *rg(m.mem, in>>32) == heap.Unbound {
				fp, ip, fuel = m.unbound(fp, ip, fuel, in)
				continue
			}
			*rg(m.mem, in>>32) = *ra(fp, ip)
		case code.GDEF:
			*rg(m.mem, in>>32) = *ra(fp, ip)
		case code.FREE:
			*ra(fp, ip) = *rg(ca(m.mem, *rg(fp, 0)), in>>32&0xffff-heap.TagClosure)
		case code.FREEBOX:
			x := *ld(m.mem, *rg(ca(m.mem, *rg(fp, 0)), in>>32&0xffff-heap.TagClosure), 8-heap.TagObject)
			if x == heap.Unbound {
				fp, ip, fuel = m.unboundLocal(fp, ip, fuel, in)
				continue
			}
			*ra(fp, ip) = x
		case code.FREEBOXSET:
			b := *rg(ca(m.mem, *rg(fp, 0)), in>>32&0xffff-heap.TagClosure)
			if in>>8&0xff != 0 && *ld(m.mem, b, 8-heap.TagObject) == heap.Unbound {
				fp, ip, fuel = m.unboundLocal(fp, ip, fuel, in)
				continue
			}
			*ld(m.mem, b, 8-heap.TagObject) = *ra(fp, ip)
		case code.MKBOX:
			hp := m.HP
			if hp+16 > m.Limit {
				fp, ip, fuel = m.collectRetry(fp, ip, fuel, in)
				continue
			}
			*ld(m.mem, hp, 0) = uint64(heap.KindBox) | 1<<8
			*ld(m.mem, hp, 8) = *rb(fp, ip)
			m.HP = hp + 16
			*ra(fp, ip) = hp + heap.TagObject
		case code.BOXREF:
			x := *ld(m.mem, *rb(fp, ip), 8-heap.TagObject)
			if x == heap.Unbound {
				fp, ip, fuel = m.unboundLocal(fp, ip, fuel, in)
				continue
			}
			*ra(fp, ip) = x
		case code.BOXSET:
			b := *ra(fp, ip)
			if in>>8&0xff != 0 && *ld(m.mem, b, 8-heap.TagObject) == heap.Unbound {
				fp, ip, fuel = m.unboundLocal(fp, ip, fuel, in)
				continue
			}
			*ld(m.mem, b, 8-heap.TagObject) = *rb(fp, ip)
		case code.CLOSURE:
			fp, ip, fuel = m.doClosure(fp, ip, fuel, in)
		case code.CAPTURE:

		case code.PATCH:
			*rg(ca(m.mem, *ra(fp, ip)), in>>48-heap.TagClosure) = *rb(fp, ip)
		case code.MKCASE:
			fp, ip, fuel = m.doCase(fp, ip, fuel, in)
		case code.ADD:
			x, y := *rb(fp, ip), *rc(fp, ip)
			if (x|y)&7 == 0 {
				a, b := int64(x), int64(y)
				r := a + b
				if (r^a)&(r^b) >= 0 {
					*ra(fp, ip) = uint64(r)
					continue
				}
			} else if ((x-3)|(y-3))&6 == 0 {
				f = heap.InlineFlonum(x) + heap.InlineFlonum(y)
				if r := bits.RotateLeft64(math.Float64bits(f), 4); in>>code.ShiftChain&0xf|(r-3)&6 == 0 {
					*ra(fp, ip) = r
					continue
				}
				goto flonum
			}
			goto mixed
		case code.SUB:
			x, y := *rb(fp, ip), *rc(fp, ip)
			if (x|y)&7 == 0 {
				a, b := int64(x), int64(y)
				r := a - b
				if (a^b)&(r^a) >= 0 {
					*ra(fp, ip) = uint64(r)
					continue
				}
			} else if ((x-3)|(y-3))&6 == 0 {
				f = heap.InlineFlonum(x) - heap.InlineFlonum(y)
				if r := bits.RotateLeft64(math.Float64bits(f), 4); in>>code.ShiftChain&0xf|(r-3)&6 == 0 {
					*ra(fp, ip) = r
					continue
				}
				goto flonum
			}
			goto mixed
		case code.MUL:
			x, y := *rb(fp, ip), *rc(fp, ip)
			if ((x-3)|(y-3))&6 == 0 {
				f = float64(heap.InlineFlonum(x) * heap.InlineFlonum(y))
				if r := bits.RotateLeft64(math.Float64bits(f), 4); in>>code.ShiftChain&0xf|(r-3)&6 == 0 {
					*ra(fp, ip) = r
					continue
				}
				goto flonum
			}
			if (x|y)&7 == 0 {
				a, b := int64(x), int64(y)
				if int64(int32(a)) == a && int64(int32(b)) == b {
					*ra(fp, ip) = uint64(a * (b >> 3))
					continue
				}
			}
			goto mixed
		case code.MULADD:
			x, y, z := *rb(fp, ip), *rc(fp, ip), *rc(fp, unsafe.Add(ip, 8))
			if ((x-3)|(y-3)|(z-3))&6 == 0 {
				f = float64(heap.InlineFlonum(x)*heap.InlineFlonum(y)) + heap.InlineFlonum(z)
				in = *(*uint64)(ip)
				ip = unsafe.Add(ip, 8)
				if r := bits.RotateLeft64(math.Float64bits(f), 4); in>>code.ShiftChain&0xf|(r-3)&6 == 0 {
					*ra(fp, ip) = r
					continue
				}
				goto flonum
			}
			in = in&^0xff | uint64(code.MUL)
			goto unpaired
		case code.MULSUB:
			x, y, z := *rb(fp, ip), *rc(fp, ip), *rc(fp, unsafe.Add(ip, 8))
			if ((x-3)|(y-3)|(z-3))&6 == 0 {
				f = float64(heap.InlineFlonum(x)*heap.InlineFlonum(y)) - heap.InlineFlonum(z)
				in = *(*uint64)(ip)
				ip = unsafe.Add(ip, 8)
				if r := bits.RotateLeft64(math.Float64bits(f), 4); in>>code.ShiftChain&0xf|(r-3)&6 == 0 {
					*ra(fp, ip) = r
					continue
				}
				goto flonum
			}
			in = in&^0xff | uint64(code.MUL)
			goto unpaired
		case code.MULTOSUB:
			x, y, z := *rb(fp, ip), *rc(fp, ip), *rb(fp, unsafe.Add(ip, 8))
			if ((x-3)|(y-3)|(z-3))&6 == 0 {
				f = heap.InlineFlonum(z) - float64(heap.InlineFlonum(x)*heap.InlineFlonum(y))
				in = *(*uint64)(ip)
				ip = unsafe.Add(ip, 8)
				if r := bits.RotateLeft64(math.Float64bits(f), 4); in>>code.ShiftChain&0xf|(r-3)&6 == 0 {
					*ra(fp, ip) = r
					continue
				}
				goto flonum
			}
			in = in&^0xff | uint64(code.MUL)
			goto unpaired
		case code.MULMUL:
			x, y, z := *rb(fp, ip), *rc(fp, ip), *rc(fp, unsafe.Add(ip, 8))
			if ((x-3)|(y-3)|(z-3))&6 == 0 {
				f = float64(float64(heap.InlineFlonum(x)*heap.InlineFlonum(y)) * heap.InlineFlonum(z))
				in = *(*uint64)(ip)
				ip = unsafe.Add(ip, 8)
				if r := bits.RotateLeft64(math.Float64bits(f), 4); in>>code.ShiftChain&0xf|(r-3)&6 == 0 {
					*ra(fp, ip) = r
					continue
				}
				goto flonum
			}
			in = in&^0xff | uint64(code.MUL)
			goto unpaired
		case code.ADDADD:
			x, y, z := *rb(fp, ip), *rc(fp, ip), *rc(fp, unsafe.Add(ip, 8))
			if ((x-3)|(y-3)|(z-3))&6 == 0 {
				f = (heap.InlineFlonum(x) + heap.InlineFlonum(y)) + heap.InlineFlonum(z)
				in = *(*uint64)(ip)
				ip = unsafe.Add(ip, 8)
				if r := bits.RotateLeft64(math.Float64bits(f), 4); in>>code.ShiftChain&0xf|(r-3)&6 == 0 {
					*ra(fp, ip) = r
					continue
				}
				goto flonum
			}
			in = in&^0xff | uint64(code.ADD)
			goto unpaired
		case code.ADDMUL:
			x, y, z := *rb(fp, ip), *rc(fp, ip), *rc(fp, unsafe.Add(ip, 8))
			if ((x-3)|(y-3)|(z-3))&6 == 0 {
				f = float64((heap.InlineFlonum(x) + heap.InlineFlonum(y)) * heap.InlineFlonum(z))
				in = *(*uint64)(ip)
				ip = unsafe.Add(ip, 8)
				if r := bits.RotateLeft64(math.Float64bits(f), 4); in>>code.ShiftChain&0xf|(r-3)&6 == 0 {
					*ra(fp, ip) = r
					continue
				}
				goto flonum
			}
			in = in&^0xff | uint64(code.ADD)
			goto unpaired
		case code.SUBADD:
			x, y, z := *rb(fp, ip), *rc(fp, ip), *rc(fp, unsafe.Add(ip, 8))
			if ((x-3)|(y-3)|(z-3))&6 == 0 {
				f = (heap.InlineFlonum(x) - heap.InlineFlonum(y)) + heap.InlineFlonum(z)
				in = *(*uint64)(ip)
				ip = unsafe.Add(ip, 8)
				if r := bits.RotateLeft64(math.Float64bits(f), 4); in>>code.ShiftChain&0xf|(r-3)&6 == 0 {
					*ra(fp, ip) = r
					continue
				}
				goto flonum
			}
			in = in&^0xff | uint64(code.SUB)
			goto unpaired
		case code.SUBMUL:
			x, y, z := *rb(fp, ip), *rc(fp, ip), *rc(fp, unsafe.Add(ip, 8))
			if ((x-3)|(y-3)|(z-3))&6 == 0 {
				f = float64((heap.InlineFlonum(x) - heap.InlineFlonum(y)) * heap.InlineFlonum(z))
				in = *(*uint64)(ip)
				ip = unsafe.Add(ip, 8)
				if r := bits.RotateLeft64(math.Float64bits(f), 4); in>>code.ShiftChain&0xf|(r-3)&6 == 0 {
					*ra(fp, ip) = r
					continue
				}
				goto flonum
			}
			in = in&^0xff | uint64(code.SUB)
			goto unpaired
		case code.ADDI:
			x := *rb(fp, ip)
			if x&7 == 0 {
				a, i := int64(x), int64(in)>>48<<3
				r := a + i
				if (r^a)&(r^i) >= 0 {
					*ra(fp, ip) = uint64(r)
					continue
				}
			} else if (x-3)&6 == 0 {
				f = heap.InlineFlonum(x) + float64(int64(in)>>48)
				goto flonum
			}
			fp, ip, fuel = m.doAddImmediate(fp, ip, fuel, in)
		case code.ADDLT:
			x := *rb(fp, ip)
			if x&7 == 0 {
				a, i := int64(x), int64(in)>>48<<3
				r := a + i
				if (r^a)&(r^i) >= 0 {
					*ra(fp, ip) = uint64(r)
					y := *rb(fp, unsafe.Add(ip, 8))
					if y&7 != 0 {
						continue
					}
					ip = unsafe.Add(ip, 8)
					if r < int64(y) {
						ip = unsafe.Add(ip, int64(*(*int16)(unsafe.Add(ip, -2)))*8)
						fuel--
						if fuel < 0 {
							fp, ip, fuel = m.poll(fp, ip, fuel, in)
						}
					}
					continue
				}
			}
			fp, ip, fuel = m.doAddImmediate(fp, ip, fuel, in)
		case code.ADDLTI:
			x := *rb(fp, ip)
			if x&7 == 0 {
				a, i := int64(x), int64(in)>>48<<3
				r := a + i
				if (r^a)&(r^i) >= 0 {
					*ra(fp, ip) = uint64(r)
					ip = unsafe.Add(ip, 8)
					if r < int64(*(*int16)(unsafe.Add(ip, -4)))<<3 {
						ip = unsafe.Add(ip, int64(*(*int16)(unsafe.Add(ip, -2)))*8)
						fuel--
						if fuel < 0 {
							fp, ip, fuel = m.poll(fp, ip, fuel, in)
						}
					}
					continue
				}
			}
			fp, ip, fuel = m.doAddImmediate(fp, ip, fuel, in)
		case code.ADDNEQ:
			x := *rb(fp, ip)
			if x&7 == 0 {
				a, i := int64(x), int64(in)>>48<<3
				r := a + i
				if (r^a)&(r^i) >= 0 {
					*ra(fp, ip) = uint64(r)
					y := *rb(fp, unsafe.Add(ip, 8))
					if y&7 != 0 {
						continue
					}
					ip = unsafe.Add(ip, 8)
					if r != int64(y) {
						ip = unsafe.Add(ip, int64(*(*int16)(unsafe.Add(ip, -2)))*8)
						fuel--
						if fuel < 0 {
							fp, ip, fuel = m.poll(fp, ip, fuel, in)
						}
					}
					continue
				}
			}
			fp, ip, fuel = m.doAddImmediate(fp, ip, fuel, in)
		case code.ADDNEQI:
			x := *rb(fp, ip)
			if x&7 == 0 {
				a, i := int64(x), int64(in)>>48<<3
				r := a + i
				if (r^a)&(r^i) >= 0 {
					*ra(fp, ip) = uint64(r)
					ip = unsafe.Add(ip, 8)
					if r != int64(*(*int16)(unsafe.Add(ip, -4)))<<3 {
						ip = unsafe.Add(ip, int64(*(*int16)(unsafe.Add(ip, -2)))*8)
						fuel--
						if fuel < 0 {
							fp, ip, fuel = m.poll(fp, ip, fuel, in)
						}
					}
					continue
				}
			}
			fp, ip, fuel = m.doAddImmediate(fp, ip, fuel, in)
		case code.ADDNLT:
			x := *rb(fp, ip)
			if x&7 == 0 {
				a, i := int64(x), int64(in)>>48<<3
				r := a + i
				if (r^a)&(r^i) >= 0 {
					*ra(fp, ip) = uint64(r)
					y := *ra(fp, unsafe.Add(ip, 8))
					if y&7 != 0 {
						continue
					}
					ip = unsafe.Add(ip, 8)
					if r <= int64(y) {
						ip = unsafe.Add(ip, int64(*(*int16)(unsafe.Add(ip, -2)))*8)
						fuel--
						if fuel < 0 {
							fp, ip, fuel = m.poll(fp, ip, fuel, in)
						}
					}
					continue
				}
			}
			fp, ip, fuel = m.doAddImmediate(fp, ip, fuel, in)
		case code.DIV:
			x, y := *rb(fp, ip), *rc(fp, ip)
			if ((x-3)|(y-3))&6 == 0 {
				f = heap.InlineFlonum(x) / heap.InlineFlonum(y)
				if r := bits.RotateLeft64(math.Float64bits(f), 4); in>>code.ShiftChain&0xf|(r-3)&6 == 0 {
					*ra(fp, ip) = r
					continue
				}
				goto flonum
			}
			if (x-3)&6 == 0 && y&7 == 0 && y-8 < 1<<31 { // a positive integer
				f = heap.InlineFlonum(x) / float64(int64(y)>>3)
				goto flonum
			}
			goto mixed
		case code.SQRT:
			x := *rb(fp, ip)
			if (x-3)&6 == 0 && int64(bits.RotateLeft64(x, -4)) >= 0 {
				f = math.Sqrt(heap.InlineFlonum(x))
				goto flonum
			}
			fp, ip, fuel = m.doReal(fp, ip, fuel, in)
		case code.REAL:
			fp, ip, fuel = m.doReal(fp, ip, fuel, in)
		case code.QUO:
			x, y := *rb(fp, ip), *rc(fp, ip)
			if (x|y)&7 == 0 && int64(x|y) >= 0 && y != 0 {
				if y&(y-8) == 0 { // a power of two
					*ra(fp, ip) = x >> (bits.TrailingZeros64(y) & 63) << 3
					continue
				}
				if d := uint32(y); (x|y)>>32 == 0 && d != 0 { // the short division is the faster one
					*ra(fp, ip) = uint64(uint32(x)/d) << 3
					continue
				}
				*ra(fp, ip) = x / y << 3
				continue
			}
			fp, ip, fuel = m.doDivide(fp, ip, fuel, in)
		case code.REM:
			x, y := *rb(fp, ip), *rc(fp, ip)
			if (x|y)&7 == 0 && int64(x|y) >= 0 && y != 0 {
				if y&(y-8) == 0 {
					*ra(fp, ip) = x & (y - 8)
					continue
				}
				if d := uint32(y); (x|y)>>32 == 0 && d != 0 {
					*ra(fp, ip) = uint64(uint32(x) % d)
					continue
				}
				*ra(fp, ip) = x % y
				continue
			}
			fp, ip, fuel = m.doDivide(fp, ip, fuel, in)
		case code.MOD:
			x, y := *rb(fp, ip), *rc(fp, ip)
			if (x|y)&7 == 0 && int64(y) > 0 {
				if y&(y-8) == 0 { // also of a negative x
					*ra(fp, ip) = x & (y - 8)
					continue
				}
				if d := uint32(y); (x|y)>>32 == 0 && d != 0 {
					*ra(fp, ip) = uint64(uint32(x) % d)
					continue
				}
				if int64(x) >= 0 {
					*ra(fp, ip) = x % y
					continue
				}
			}
			fp, ip, fuel = m.doDivide(fp, ip, fuel, in)
		case code.JMP:
			ip = unsafe.Add(ip, int64(in)>>32*8)
		case code.LOOP:
			ip = unsafe.Add(ip, int64(in)>>32*8)
			fuel--
			if fuel < 0 {
				fp, ip, fuel = m.poll(fp, ip, fuel, in)
			}
		case code.JF:
			if *ra(fp, ip) == heap.False {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JT:
			if *ra(fp, ip) != heap.False {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JNULL:
			if *ra(fp, ip) == heap.Null {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JNNULL:
			if *ra(fp, ip) != heap.Null {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JPAIR:
			if *ra(fp, ip)&7 == heap.TagPair {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JNPAIR:
			if *ra(fp, ip)&7 != heap.TagPair {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JLT:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if (x|y)&7 == 0 {
				if int64(x) < int64(y) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			if ((x-3)|(y-3))&6 == 0 {
				if heap.InlineFlonum(x) < heap.InlineFlonum(y) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompare(fp, ip, fuel, in)
		case code.JNLT:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if (x|y)&7 == 0 {
				if !(int64(x) < int64(y)) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			if ((x-3)|(y-3))&6 == 0 {
				if !(heap.InlineFlonum(x) < heap.InlineFlonum(y)) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompare(fp, ip, fuel, in)
		case code.JLE:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if (x|y)&7 == 0 {
				if int64(x) <= int64(y) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			if ((x-3)|(y-3))&6 == 0 {
				if heap.InlineFlonum(x) <= heap.InlineFlonum(y) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompare(fp, ip, fuel, in)
		case code.JNLE:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if (x|y)&7 == 0 {
				if !(int64(x) <= int64(y)) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			if ((x-3)|(y-3))&6 == 0 {
				if !(heap.InlineFlonum(x) <= heap.InlineFlonum(y)) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompare(fp, ip, fuel, in)
		case code.JEQ:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if (x|y)&7 == 0 {
				if int64(x) == int64(y) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			if ((x-3)|(y-3))&6 == 0 {
				if heap.InlineFlonum(x) == heap.InlineFlonum(y) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompare(fp, ip, fuel, in)
		case code.JNEQ:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if (x|y)&7 == 0 {
				if !(int64(x) == int64(y)) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			if ((x-3)|(y-3))&6 == 0 {
				if !(heap.InlineFlonum(x) == heap.InlineFlonum(y)) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompare(fp, ip, fuel, in)
		case code.JEQP:
			if *ra(fp, ip) == *rb(fp, ip) {
				ip = unsafe.Add(ip, int64(in)>>48*8)
			}
		case code.JNEQP:
			if *ra(fp, ip) != *rb(fp, ip) {
				ip = unsafe.Add(ip, int64(in)>>48*8)
			}
		case code.JLTI:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if int64(x) < int64(int16(in>>32))<<3 {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.JNLTI:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if !(int64(x) < int64(int16(in>>32))<<3) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.JLEI:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if int64(x) <= int64(int16(in>>32))<<3 {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.JNLEI:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if !(int64(x) <= int64(int16(in>>32))<<3) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.JGTI:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if int64(x) > int64(int16(in>>32))<<3 {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.JNGTI:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if !(int64(x) > int64(int16(in>>32))<<3) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.JGEI:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if int64(x) >= int64(int16(in>>32))<<3 {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.JNGEI:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if !(int64(x) >= int64(int16(in>>32))<<3) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.JEQI:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if int64(x) == int64(int16(in>>32))<<3 {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.JNEQI:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if !(int64(x) == int64(int16(in>>32))<<3) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.POLLED + code.JF - code.JF:
			if *ra(fp, ip) == heap.False {
				ip = unsafe.Add(ip, int64(in)>>32*8)
				fuel--
				if fuel < 0 {
					fp, ip, fuel = m.poll(fp, ip, fuel, in)
				}
			}
		case code.POLLED + code.JT - code.JF:
			if *ra(fp, ip) != heap.False {
				ip = unsafe.Add(ip, int64(in)>>32*8)
				fuel--
				if fuel < 0 {
					fp, ip, fuel = m.poll(fp, ip, fuel, in)
				}
			}
		case code.POLLED + code.JNULL - code.JF:
			if *ra(fp, ip) == heap.Null {
				ip = unsafe.Add(ip, int64(in)>>32*8)
				fuel--
				if fuel < 0 {
					fp, ip, fuel = m.poll(fp, ip, fuel, in)
				}
			}
		case code.POLLED + code.JNNULL - code.JF:
			if *ra(fp, ip) != heap.Null {
				ip = unsafe.Add(ip, int64(in)>>32*8)
				fuel--
				if fuel < 0 {
					fp, ip, fuel = m.poll(fp, ip, fuel, in)
				}
			}
		case code.POLLED + code.JPAIR - code.JF:
			if *ra(fp, ip)&7 == heap.TagPair {
				ip = unsafe.Add(ip, int64(in)>>32*8)
				fuel--
				if fuel < 0 {
					fp, ip, fuel = m.poll(fp, ip, fuel, in)
				}
			}
		case code.POLLED + code.JNPAIR - code.JF:
			if *ra(fp, ip)&7 != heap.TagPair {
				ip = unsafe.Add(ip, int64(in)>>32*8)
				fuel--
				if fuel < 0 {
					fp, ip, fuel = m.poll(fp, ip, fuel, in)
				}
			}
		case code.POLLED + code.JLT - code.JF:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if (x|y)&7 == 0 {
				if int64(x) < int64(y) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			if ((x-3)|(y-3))&6 == 0 {
				if heap.InlineFlonum(x) < heap.InlineFlonum(y) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompare(fp, ip, fuel, in)
		case code.POLLED + code.JNLT - code.JF:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if (x|y)&7 == 0 {
				if !(int64(x) < int64(y)) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			if ((x-3)|(y-3))&6 == 0 {
				if !(heap.InlineFlonum(x) < heap.InlineFlonum(y)) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompare(fp, ip, fuel, in)
		case code.POLLED + code.JLE - code.JF:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if (x|y)&7 == 0 {
				if int64(x) <= int64(y) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			if ((x-3)|(y-3))&6 == 0 {
				if heap.InlineFlonum(x) <= heap.InlineFlonum(y) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompare(fp, ip, fuel, in)
		case code.POLLED + code.JNLE - code.JF:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if (x|y)&7 == 0 {
				if !(int64(x) <= int64(y)) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			if ((x-3)|(y-3))&6 == 0 {
				if !(heap.InlineFlonum(x) <= heap.InlineFlonum(y)) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompare(fp, ip, fuel, in)
		case code.POLLED + code.JEQ - code.JF:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if (x|y)&7 == 0 {
				if int64(x) == int64(y) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			if ((x-3)|(y-3))&6 == 0 {
				if heap.InlineFlonum(x) == heap.InlineFlonum(y) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompare(fp, ip, fuel, in)
		case code.POLLED + code.JNEQ - code.JF:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if (x|y)&7 == 0 {
				if !(int64(x) == int64(y)) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			if ((x-3)|(y-3))&6 == 0 {
				if !(heap.InlineFlonum(x) == heap.InlineFlonum(y)) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompare(fp, ip, fuel, in)
		case code.POLLED + code.JEQP - code.JF:
			if *ra(fp, ip) == *rb(fp, ip) {
				ip = unsafe.Add(ip, int64(in)>>48*8)
				fuel--
				if fuel < 0 {
					fp, ip, fuel = m.poll(fp, ip, fuel, in)
				}
			}
		case code.POLLED + code.JNEQP - code.JF:
			if *ra(fp, ip) != *rb(fp, ip) {
				ip = unsafe.Add(ip, int64(in)>>48*8)
				fuel--
				if fuel < 0 {
					fp, ip, fuel = m.poll(fp, ip, fuel, in)
				}
			}
		case code.POLLED + code.JLTI - code.JF:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if int64(x) < int64(int16(in>>32))<<3 {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.POLLED + code.JNLTI - code.JF:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if !(int64(x) < int64(int16(in>>32))<<3) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.POLLED + code.JLEI - code.JF:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if int64(x) <= int64(int16(in>>32))<<3 {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.POLLED + code.JNLEI - code.JF:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if !(int64(x) <= int64(int16(in>>32))<<3) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.POLLED + code.JGTI - code.JF:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if int64(x) > int64(int16(in>>32))<<3 {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.POLLED + code.JNGTI - code.JF:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if !(int64(x) > int64(int16(in>>32))<<3) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.POLLED + code.JGEI - code.JF:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if int64(x) >= int64(int16(in>>32))<<3 {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.POLLED + code.JNGEI - code.JF:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if !(int64(x) >= int64(int16(in>>32))<<3) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.POLLED + code.JEQI - code.JF:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if int64(x) == int64(int16(in>>32))<<3 {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.POLLED + code.JNEQI - code.JF:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if !(int64(x) == int64(int16(in>>32))<<3) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					fuel--
					if fuel < 0 {
						fp, ip, fuel = m.poll(fp, ip, fuel, in)
					}
				}
				continue
			}
			fp, ip, fuel = m.doCompareImmediate(fp, ip, fuel, in)
		case code.CAR:
			x := *rb(fp, ip)
			if x&7 != heap.TagPair {
				fp, ip, fuel = m.wrongType(fp, ip, fuel, in)
				continue
			}
			*ra(fp, ip) = *ld(m.mem, x, -heap.TagPair)
		case code.CDR:
			x := *rb(fp, ip)
			if x&7 != heap.TagPair {
				fp, ip, fuel = m.wrongType(fp, ip, fuel, in)
				continue
			}
			*ra(fp, ip) = *ld(m.mem, x, 8-heap.TagPair)
		case code.CADR:
			x := *rb(fp, ip)
			if x&7 == heap.TagPair {
				if x = *ld(m.mem, x, 8-heap.TagPair); x&7 == heap.TagPair {
					*ra(fp, ip) = *ld(m.mem, x, -heap.TagPair)
					continue
				}
			}
			fp, ip, fuel = m.wrongPair(fp, ip, fuel, in)
		case code.CDDR:
			x := *rb(fp, ip)
			if x&7 == heap.TagPair {
				if x = *ld(m.mem, x, 8-heap.TagPair); x&7 == heap.TagPair {
					*ra(fp, ip) = *ld(m.mem, x, 8-heap.TagPair)
					continue
				}
			}
			fp, ip, fuel = m.wrongPair(fp, ip, fuel, in)
		case code.CONS:
			hp := m.HP
			if hp+16 > m.Limit {
				fp, ip, fuel = m.collectRetry(fp, ip, fuel, in)
				continue
			}
			*ld(m.mem, hp, 0) = *rb(fp, ip)
			*ld(m.mem, hp, 8) = *rc(fp, ip)
			m.HP = hp + 16
			*ra(fp, ip) = hp + heap.TagPair
		case code.SETCAR:
			x := *ra(fp, ip)
			if x&7 != heap.TagPair || x < heap.HeapLo {
				fp, ip, fuel = m.wrongType(fp, ip, fuel, in)
				continue
			}
			*ld(m.mem, x, -heap.TagPair) = *rb(fp, ip)
		case code.SETCDR:
			x := *ra(fp, ip)
			if x&7 != heap.TagPair || x < heap.HeapLo {
				fp, ip, fuel = m.wrongType(fp, ip, fuel, in)
				continue
			}
			*ld(m.mem, x, 8-heap.TagPair) = *rb(fp, ip)
		case code.VREF:
			x, i := *rb(fp, ip), *rc(fp, ip)
			if x&7 == heap.TagObject && i&7 == 0 {
				h := *ld(m.mem, x, -heap.TagObject)
				if h&0xff == uint64(heap.KindVector) && i>>3 < h>>8 {
					*ra(fp, ip) = *ld(m.mem, x+i, 8-heap.TagObject)
					continue
				}
			}
			fp, ip, fuel = m.wrongType(fp, ip, fuel, in)
		case code.VSET:
			x, i := *ra(fp, ip), *rb(fp, ip)
			if x&7 == heap.TagObject && i&7 == 0 && x >= heap.HeapLo {
				h := *ld(m.mem, x, -heap.TagObject)
				if h&0xff == uint64(heap.KindVector) && i>>3 < h>>8 {
					*ld(m.mem, x+i, 8-heap.TagObject) = *rc(fp, ip)
					continue
				}
			}
			fp, ip, fuel = m.wrongType(fp, ip, fuel, in)
		case code.VLEN:
			x := *rb(fp, ip)
			if x&7 == heap.TagObject {
				h := *ld(m.mem, x, -heap.TagObject)
				if h&0xff == uint64(heap.KindVector) {
					*ra(fp, ip) = h >> 8 << 3
					continue
				}
			}
			fp, ip, fuel = m.wrongType(fp, ip, fuel, in)
		case code.NOT:
			x := heap.False
			if *rb(fp, ip) == heap.False {
				x = heap.True
			}
			*ra(fp, ip) = x
		case code.EQP:
			x := heap.False
			if *rb(fp, ip) == *rc(fp, ip) {
				x = heap.True
			}
			*ra(fp, ip) = x
		case code.SREF:
			x, i := *rb(fp, ip), *rc(fp, ip)
			if x&7 == heap.TagObject && i&7 == 0 && *ld(m.mem, x, -heap.TagObject)&0xff == uint64(heap.KindString) {
				n := *ld(m.mem, x, 8-heap.TagObject)
				if n&(3<<3) == 0 && i>>3 < n>>5 {
					b := *(*byte)(up(ld(m.mem, *ld(m.mem, x, 16-heap.TagObject)+i>>3, 16-heap.TagObject)))
					*ra(fp, ip) = uint64(b)<<8 | heap.CharByte
					continue
				}
			}
			fp, ip, fuel = m.doStringRef(fp, ip, fuel, in)
		case code.BREF:
			x, i := *rb(fp, ip), *rc(fp, ip)
			if x&7 == heap.TagObject && i&7 == 0 && *ld(m.mem, x, -heap.TagObject)&0xff == uint64(heap.KindBytes) && i>>3 < *ld(m.mem, x, 8-heap.TagObject) {
				*ra(fp, ip) = uint64(*(*byte)(up(ld(m.mem, x+i>>3, 16-heap.TagObject)))) << 3
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.BSET:
			x, i, b := *ra(fp, ip), *rb(fp, ip), *rc(fp, ip)
			if x&7 == heap.TagObject && i&7 == 0 && b&^(0xff<<3) == 0 && x >= heap.HeapLo && *ld(m.mem, x, -heap.TagObject)&0xff == uint64(heap.KindBytes) && i>>3 < *ld(m.mem, x, 8-heap.TagObject) {
				*(*byte)(up(ld(m.mem, x+i>>3, 16-heap.TagObject))) = byte(b >> 3)
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.RREF:
			x := *rb(fp, ip)
			if x&7 == heap.TagObject && *ld(m.mem, x, -heap.TagObject)&0xff == uint64(heap.KindRecord) && *ld(m.mem, x, 8-heap.TagObject) == *rg(fp, in>>8&0xff*8) {
				*ra(fp, ip) = *ld(m.mem, x+in>>48*8, 8-heap.TagObject)
				continue
			}
			fp, ip, fuel = m.doRecordRef(fp, ip, fuel, in)
		case code.RSET:
			x := *ra(fp, ip)
			if x&7 == heap.TagObject && x >= heap.HeapLo && *ld(m.mem, x, -heap.TagObject)&0xff == uint64(heap.KindRecord) && *ld(m.mem, x, 8-heap.TagObject) == *rg(fp, in>>8&0xff*8) {
				*ld(m.mem, x+in>>48*8, 8-heap.TagObject) = *rb(fp, ip)
				continue
			}
			fp, ip, fuel = m.doRecordSet(fp, ip, fuel, in)
		case code.RTEST:
			x := *rb(fp, ip)
			if x&7 == heap.TagObject && *ld(m.mem, x, -heap.TagObject)&0xff == uint64(heap.KindRecord) {
				if *ld(m.mem, x, 8-heap.TagObject) == *rc(fp, ip) {
					*ra(fp, ip) = heap.True
					continue
				}
				fp, ip, fuel = m.doRecordTest(fp, ip, fuel, in)
				continue
			}
			*ra(fp, ip) = heap.False
		case code.PRIM:
			fp, ip, fuel = m.doPrim(fp, ip, fuel, in)
		case code.TREF: // of an integer or a character, where it is looked for first; see table.go
			t, key := *rb(fp, ip), *rc(fp, ip)
			h := uint32(key>>3) ^ uint32(key>>35)*heap.HashHigh
			if key&0xff == heap.CharByte {
				h = uint32(key >> 8)
			} else if key&7 != 0 {
				fp, ip, fuel = m.doTableRef(fp, ip, fuel, in)
				continue
			}
			if t&7 == heap.TagObject && *ld(m.mem, t, -heap.TagObject) == heap.Header(heap.KindTable, heap.TableSize) {
				if index := *ld(m.mem, t, 8*(1+heap.TableIndex)-heap.TagObject); index != heap.False {
					at := h & uint32(*ld(m.mem, index, 8-heap.TagObject)/8-1)
					slot := uint32(*ld(m.mem, index+uint64(at)*8, 16-heap.TagObject))
					if slot == 0 {
						continue
					}
					entry := *ld(m.mem, t, 8*(1+heap.TableEntries)-heap.TagObject) + uint64(slot)*16
					if *ld(m.mem, entry, 8-16-heap.TagObject) == key {
						*ra(fp, ip) = *ld(m.mem, entry, -heap.TagObject)
						continue
					}
				}
			}
			fp, ip, fuel = m.tableRef(fp, ip, fuel, in)
		case code.TSET: // the same, of a key that is there
			t, key := *ra(fp, ip), *rb(fp, ip)
			h := uint32(key>>3) ^ uint32(key>>35)*heap.HashHigh
			if key&0xff == heap.CharByte {
				h = uint32(key >> 8)
			} else if key&7 != 0 {
				fp, ip, fuel = m.doTableSet(fp, ip, fuel, in)
				continue
			}
			if t&7 == heap.TagObject && t >= heap.HeapLo && *ld(m.mem, t, -heap.TagObject) == heap.Header(heap.KindTable, heap.TableSize) {
				if index := *ld(m.mem, t, 8*(1+heap.TableIndex)-heap.TagObject); index != heap.False && *ld(m.mem, t, 8*(1+heap.TableKind)-heap.TagObject)&(heap.TableFrozen<<3) == 0 {
					at := h & uint32(*ld(m.mem, index, 8-heap.TagObject)/8-1)
					slot := uint32(*ld(m.mem, index+uint64(at)*8, 16-heap.TagObject))
					entry := *ld(m.mem, t, 8*(1+heap.TableEntries)-heap.TagObject) + uint64(slot)*16
					if slot != 0 && *ld(m.mem, entry, 8-16-heap.TagObject) == key {
						*ld(m.mem, entry, -heap.TagObject) = *rc(fp, ip)
						continue
					}
				}
			}
			fp, ip, fuel = m.doTableSet(fp, ip, fuel, in)
		case code.STATE:
			*rg(fp, in>>16&0xffff) = m.root[rootWinds+in>>32&3]
		case code.SETSTATE:
			m.root[rootWinds+in>>32&3] = *rg(fp, in>>16&0xffff)
		case code.CALL:
			f := *ra(fp, ip)
			if f&7 != heap.TagClosure {
				fp, ip, fuel = m.doCall(fp, ip, fuel, in)
				continue
			}
			e := *ld(m.mem, f, 8-heap.TagClosure)
			if e>>48 != in>>32&0xffff {
				fp, ip, fuel = m.doCall(fp, ip, fuel, in)
				continue
			}
			ri := uint64(uintptr(ip)-uintptr(m.mem))<<16 | in>>16&0xffff
			fp = unsafe.Add(fp, in>>16&0xffff)
			*rg(fp, 8) = ri
			ip = ca(m.mem, e)
			fuel--
			if fuel < 0 || uintptr(fp) > m.limit {
				fp, ip, fuel = m.poll(fp, ip, fuel, in)
			}
		case code.TCALL:
			f := *ra(fp, ip)
			if f&7 != heap.TagClosure {
				fp, ip, fuel = m.doCall(fp, ip, fuel, in)
				continue
			}
			e := *ld(m.mem, f, 8-heap.TagClosure)
			if e>>48 != in>>32&0xffff {
				fp, ip, fuel = m.doCall(fp, ip, fuel, in)
				continue
			}
			*rg(fp, 0) = f
			ip = ca(m.mem, e)
			dst := unsafe.Add(fp, 16)
			for src, n := unsafe.Add(fp, in>>16&0xffff+16), in>>32&0xffff; n > 0; n-- {
				*(*uint64)(dst) = *(*uint64)(src)
				src = unsafe.Add(src, 8)
				dst = unsafe.Add(dst, 8)
			}
			fuel--
			if fuel < 0 {
				fp, ip, fuel = m.poll(fp, ip, fuel, in)
			}
		case code.CALLG:
			f := *rg(m.mem, in>>48<<3+heap.GlobalBase)
			if f&7 != heap.TagClosure {
				fp, ip, fuel = m.doCall(fp, ip, fuel, in)
				continue
			}
			e := *ld(m.mem, f, 8-heap.TagClosure)
			if e>>48 != in>>32&0xffff {
				fp, ip, fuel = m.doCall(fp, ip, fuel, in)
				continue
			}
			ri := uint64(uintptr(ip)-uintptr(m.mem))<<16 | in>>16&0xffff
			fp = unsafe.Add(fp, in>>16&0xffff)
			*rg(fp, 0) = f
			*rg(fp, 8) = ri
			ip = ca(m.mem, e)
			fuel--
			if fuel < 0 || uintptr(fp) > m.limit {
				fp, ip, fuel = m.poll(fp, ip, fuel, in)
			}
		case code.TCALLG:
			f := *rg(m.mem, in>>48<<3+heap.GlobalBase)
			if f&7 != heap.TagClosure {
				fp, ip, fuel = m.doCall(fp, ip, fuel, in)
				continue
			}
			e := *ld(m.mem, f, 8-heap.TagClosure)
			if e>>48 != in>>32&0xffff {
				fp, ip, fuel = m.doCall(fp, ip, fuel, in)
				continue
			}
			*rg(fp, 0) = f
			ip = ca(m.mem, e)
			dst := unsafe.Add(fp, 16)
			for src, n := unsafe.Add(fp, in>>16&0xffff+16), in>>32&0xffff; n > 0; n-- {
				*(*uint64)(dst) = *(*uint64)(src)
				src = unsafe.Add(src, 8)
				dst = unsafe.Add(dst, 8)
			}
			fuel--
			if fuel < 0 {
				fp, ip, fuel = m.poll(fp, ip, fuel, in)
			}
		case code.RET:
			ri := *rg(fp, 8)
			*rg(fp, 0) = *ra(fp, ip)
			fp = unsafe.Add(fp, -int(ri&0xffff))
			ip = ca(m.mem, ri>>16)
		case code.RETI:
			ri := *rg(fp, 8)
			*rg(fp, 0) = uint64(int64(in)>>32) << 3
			fp = unsafe.Add(fp, -int(ri&0xffff))
			ip = ca(m.mem, ri>>16)
		case code.ENTER:
			fp, ip, fuel = m.doEnter(fp, ip, fuel, in)
		case code.CALLGADDI:
			f := *rg(m.mem, in>>48<<3+heap.GlobalBase)
			x := *rb(fp, ip)
			if f&7 != heap.TagClosure || x&7 != 0 {
				fp, ip, fuel = m.doCall(fp, ip, fuel, in)
				continue
			}
			e := *ld(m.mem, f, 8-heap.TagClosure)
			i := int64(int8(in>>8)) << 3
			r := int64(x) + i
			if e>>48 != 1 || (r^int64(x))&(r^i) < 0 {
				fp, ip, fuel = m.doCall(fp, ip, fuel, in)
				continue
			}
			ri := uint64(uintptr(ip)-uintptr(m.mem))<<16 | in>>16&0xffff
			fp = unsafe.Add(fp, in>>16&0xffff)
			*rg(fp, 0) = f
			*rg(fp, 8) = ri
			*rg(fp, 16) = uint64(r)
			ip = ca(m.mem, e)
			fuel--
			if fuel < 0 || uintptr(fp) > m.limit {
				fp, ip, fuel = m.poll(fp, ip, fuel, in)
			}
		case code.CALLK:
			ri := uint64(uintptr(ip)-uintptr(m.mem))<<16 | in>>16&0xffff
			ip = unsafe.Add(ip, int64(in)>>32*8)
			fp = unsafe.Add(fp, in>>16&0xffff)
			*rg(fp, 0) = *(*uint64)(unsafe.Add(ip, -16))
			*rg(fp, 8) = ri
			fuel--
			if fuel < 0 || uintptr(fp) > m.limit {
				fp, ip, fuel = m.poll(fp, ip, fuel, in)
			}
		case code.CALLW:
			ri := uint64(uintptr(ip)-uintptr(m.mem))<<16 | in>>16&0xffff
			fp = unsafe.Add(fp, in>>16&0xffff)
			ip = ca(m.mem, *ld(m.mem, in>>32, 8-heap.TagClosure))
			*rg(fp, 0) = in >> 32
			*rg(fp, 8) = ri
			fuel--
			if fuel < 0 || uintptr(fp) > m.limit {
				fp, ip, fuel = m.poll(fp, ip, fuel, in)
			}
		case code.TCALLK:
			ip = unsafe.Add(ip, int64(in)>>32*8)
			*rg(fp, 0) = *(*uint64)(unsafe.Add(ip, -16))
			fuel--
			if fuel < 0 {
				fp, ip, fuel = m.poll(fp, ip, fuel, in)
			}
		case code.CALLKADDI:
			x := *rb(fp, ip)
			i := int64(int8(in>>8)) << 3
			r := int64(x) + i
			if x&7 != 0 || (r^int64(x))&(r^i) < 0 {
				fp, ip, fuel = m.doCall(fp, ip, fuel, in)
				continue
			}
			ri := uint64(uintptr(ip)-uintptr(m.mem))<<16 | in>>16&0xffff
			ip = unsafe.Add(ip, int64(in)>>48*8)
			fp = unsafe.Add(fp, in>>16&0xffff)
			*rg(fp, 0) = *(*uint64)(unsafe.Add(ip, -16))
			*rg(fp, 8) = ri
			*rg(fp, 16) = uint64(r)
			fuel--
			if fuel < 0 || uintptr(fp) > m.limit {
				fp, ip, fuel = m.poll(fp, ip, fuel, in)
			}
		case code.CALLC: // the closure is looked at, so that a wrong one cannot be read beyond its end; nothing waits for that
			f := *ra(fp, ip)
			ri := uint64(uintptr(ip)-uintptr(m.mem))<<16 | in>>16&0xffff
			ip = unsafe.Add(ip, int64(in)>>32*8)
			if f&7 != heap.TagClosure || uint32(*ld(m.mem, f, 8-heap.TagClosure)) != uint32(uintptr(ip)-uintptr(m.mem)) {
				fp, ip, fuel = m.badInstruction(fp, ip, fuel, in)
				continue
			}
			fp = unsafe.Add(fp, in>>16&0xffff)
			*rg(fp, 8) = ri
			fuel--
			if fuel < 0 || uintptr(fp) > m.limit {
				fp, ip, fuel = m.poll(fp, ip, fuel, in)
			}
		case code.TCALLC:
			f := *ra(fp, ip)
			ip = unsafe.Add(ip, int64(in)>>32*8)
			if f&7 != heap.TagClosure || uint32(*ld(m.mem, f, 8-heap.TagClosure)) != uint32(uintptr(ip)-uintptr(m.mem)) {
				fp, ip, fuel = m.badInstruction(fp, ip, fuel, in)
				continue
			}
			*rg(fp, 0) = f
			fuel--
			if fuel < 0 {
				fp, ip, fuel = m.poll(fp, ip, fuel, in)
			}
		case code.MOVE2:
			*ra(fp, ip) = *rb(fp, ip)
			*rg(fp, in>>8&0xff*8) = *rc(fp, ip)
		case code.CONT:
			fp, ip, fuel = m.doCont(fp, ip, fuel, in)
		case code.RETW:
			ri := *rg(fp, 8)
			*rg(fp, 0) = in >> 32
			fp = unsafe.Add(fp, -int(ri&0xffff))
			ip = ca(m.mem, ri>>16)
		case code.ADDRET:
			x, y := *rb(fp, ip), *rc(fp, ip)
			if (x|y)&7 == 0 {
				a, b := int64(x), int64(y)
				r := a + b
				if (r^a)&(r^b) >= 0 {
					ri := *rg(fp, 8)
					*rg(fp, 0) = uint64(r)
					fp = unsafe.Add(fp, -int(ri&0xffff))
					ip = ca(m.mem, ri>>16)
					continue
				}
			}
			fp, ip, fuel = m.doArith(fp, ip, fuel, in)
		case code.ADDIRET:
			x := *rb(fp, ip)
			if x&7 == 0 {
				a, i := int64(x), int64(in)>>48<<3
				r := a + i
				if (r^a)&(r^i) >= 0 {
					ri := *rg(fp, 8)
					*rg(fp, 0) = uint64(r)
					fp = unsafe.Add(fp, -int(ri&0xffff))
					ip = ca(m.mem, ri>>16)
					continue
				}
			}
			fp, ip, fuel = m.doAddImmediate(fp, ip, fuel, in)
		case code.SLEN:
			x := *rb(fp, ip)
			if x&7 == heap.TagObject && *ld(m.mem, x, -heap.TagObject)&0xff == uint64(heap.KindString) {
				*ra(fp, ip) = *ld(m.mem, x, 8-heap.TagObject) >> 5 << 3
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.CINT:
			x := *rb(fp, ip)
			if x&0xff == heap.CharByte {
				*ra(fp, ip) = x >> 8 << 3
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.INTC:
			x := *rb(fp, ip)
			if x&7 == 0 && x < 0xd800<<3 {
				*ra(fp, ip) = x>>3<<8 | heap.CharByte
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.JODD, code.JNEVEN:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if x&8 != 0 {
					ip = unsafe.Add(ip, int64(in)>>32*8)
				}
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.JEVEN, code.JNODD:
			x := *ra(fp, ip)
			if x&7 == 0 {
				if x&8 == 0 {
					ip = unsafe.Add(ip, int64(in)>>32*8)
				}
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.JSYM:
			if x := *ra(fp, ip); x&7 == heap.TagObject && *ld(m.mem, x, -heap.TagObject)&heap.SymbolMask == uint64(heap.KindSymbol) {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JNSYM:
			if x := *ra(fp, ip); x&7 != heap.TagObject || *ld(m.mem, x, -heap.TagObject)&heap.SymbolMask != uint64(heap.KindSymbol) {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JSTR:
			if x := *ra(fp, ip); x&7 == heap.TagObject && *ld(m.mem, x, -heap.TagObject)&0xff == uint64(heap.KindString) {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JNSTR:
			if x := *ra(fp, ip); x&7 != heap.TagObject || *ld(m.mem, x, -heap.TagObject)&0xff != uint64(heap.KindString) {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JVEC:
			if x := *ra(fp, ip); x&7 == heap.TagObject && *ld(m.mem, x, -heap.TagObject)&0xff == uint64(heap.KindVector) {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JNVEC:
			if x := *ra(fp, ip); x&7 != heap.TagObject || *ld(m.mem, x, -heap.TagObject)&0xff != uint64(heap.KindVector) {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JCHAR:
			if *ra(fp, ip)&0xff == heap.CharByte {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JNCHAR:
			if *ra(fp, ip)&0xff != heap.CharByte {
				ip = unsafe.Add(ip, int64(in)>>32*8)
			}
		case code.JREC:
			x := *ra(fp, ip)
			if x&7 == heap.TagObject && *ld(m.mem, x, -heap.TagObject)&0xff == uint64(heap.KindRecord) {
				if *ld(m.mem, x, 8-heap.TagObject) == *rb(fp, ip) {
					ip = unsafe.Add(ip, int64(in)>>48*8)
					continue
				}
				fp, ip, fuel = m.doRecordJump(fp, ip, fuel, in)
			}
		case code.JNREC:
			x := *ra(fp, ip)
			if x&7 == heap.TagObject && *ld(m.mem, x, -heap.TagObject)&0xff == uint64(heap.KindRecord) {
				if *ld(m.mem, x, 8-heap.TagObject) != *rb(fp, ip) {
					fp, ip, fuel = m.doRecordJump(fp, ip, fuel, in)
				}
				continue
			}
			ip = unsafe.Add(ip, int64(in)>>48*8)
		case code.JCLT:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if ((x^heap.CharByte)|(y^heap.CharByte))&0xff == 0 {
				if x < y {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.JCNLT:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if ((x^heap.CharByte)|(y^heap.CharByte))&0xff == 0 {
				if x >= y {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.JCGT:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if ((x^heap.CharByte)|(y^heap.CharByte))&0xff == 0 {
				if x > y {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.JCNGT:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if ((x^heap.CharByte)|(y^heap.CharByte))&0xff == 0 {
				if x <= y {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.JCLE:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if ((x^heap.CharByte)|(y^heap.CharByte))&0xff == 0 {
				if x <= y {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.JCNLE:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if ((x^heap.CharByte)|(y^heap.CharByte))&0xff == 0 {
				if x > y {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.JCGE:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if ((x^heap.CharByte)|(y^heap.CharByte))&0xff == 0 {
				if x >= y {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.JCNGE:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if ((x^heap.CharByte)|(y^heap.CharByte))&0xff == 0 {
				if x < y {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.JCEQ:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if ((x^heap.CharByte)|(y^heap.CharByte))&0xff == 0 {
				if x == y {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		case code.JCNEQ:
			x, y := *ra(fp, ip), *rb(fp, ip)
			if ((x^heap.CharByte)|(y^heap.CharByte))&0xff == 0 {
				if x != y {
					ip = unsafe.Add(ip, int64(in)>>48*8)
				}
				continue
			}
			fp, ip, fuel = m.byPrimitive(fp, ip, fuel, in)
		// All others, by number: with no value left out the jump table needs no check. Where an instruction is added, the first goes.
		case 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184,
			185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208,
			209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232,
			233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255:
			fp, ip, fuel = m.badInstruction(fp, ip, fuel, in)
		}
		continue

	unpaired: // in, the first of two, stands for itself
		{
			x, y := *rb(fp, ip), *rc(fp, ip)
			if (x-3)&6 == 0 {
				x, y = y, x
			}
			if x < 1<<34 && x&7 == 0 && (y-3)&6 == 0 && code.Op(uint8(in)) == code.MUL { // a loop's counter by a step
				f = float64(float64(int64(x)>>3) * heap.InlineFlonum(y))
				goto flonum
			}
			if (x|y)&7 == 0 {
				switch r := int64(x) + int64(y); code.Op(uint8(in)) {
				case code.ADD:
					if (r^int64(x))&(r^int64(y)) >= 0 {
						*ra(fp, ip) = uint64(r)
						continue
					}
				case code.SUB:
					if r = int64(x) - int64(y); (int64(x)^int64(y))&(r^int64(x)) >= 0 {
						*ra(fp, ip) = uint64(r)
						continue
					}
				default:
					if int64(int32(x)) == int64(x) && int64(int32(y)) == int64(y) {
						*ra(fp, ip) = uint64(int64(x) * (int64(y) >> 3))
						continue
					}
				}
			}
			goto mixed
		}

	flonum: // f is the result of in
		for {
			chain := in >> code.ShiftChain & 0xf
			if chain >= code.ChainTest {
				goto test
			}
			if chain == code.ChainNone {
				if r := bits.RotateLeft64(math.Float64bits(f), 4); (r-3)&6 == 0 { // heap.PackFlonum, which is too large to be inlined here
					*ra(fp, ip) = r
					continue next
				}
				goto box
			}
			x := *rc(fp, unsafe.Add(ip, 8)) // the other operand of the next instruction
			if chain >= code.ChainToSub {
				x = *rb(fp, unsafe.Add(ip, 8))
			}
			if (x-3)&6 != 0 {
				goto box
			}
			g := heap.InlineFlonum(x)
			in = *(*uint64)(ip)
			ip = unsafe.Add(ip, 8)
			switch {
			case chain == code.ChainAdd:
				f += g
			case chain == code.ChainMul:
				f = float64(f * g) // never fused with an addition
			case chain == code.ChainSub:
				f -= g
			case chain == code.ChainToSub:
				f = g - f
			case chain == code.ChainDiv:
				f /= g
			default:
				f = g / f
			}
		}

	test: // f is the result of in, which the jump that comes next compares
		{
			x, y := *ra(fp, unsafe.Add(ip, 8)), *rb(fp, unsafe.Add(ip, 8))
			to := in>>code.ShiftChain&0xf == code.ChainToTest
			if to {
				y = x
			}
			if (y-3)&6 != 0 {
				goto box
			}
			g := heap.InlineFlonum(y)
			if to {
				f, g = g, f
			}
			in = *(*uint64)(ip)
			ip = unsafe.Add(ip, 8)
			holds := false
			switch code.Op(uint8(in)) {
			case code.JLT:
				holds = f < g
			case code.JNLT:
				holds = !(f < g)
			case code.JLE:
				holds = f <= g
			case code.JNLE:
				holds = !(f <= g)
			case code.JEQ:
				holds = f == g
			default:
				holds = f != g
			}
			if holds {
				ip = unsafe.Add(ip, int64(in)>>48*8)
			}
			continue
		}

	box:
		fp, ip, fuel = m.boxFlonum(fp, ip, fuel, in, f)
		continue

	mixed: // the operands of in are not both fixnums whose result is one, and not both flonums in words
		{
			const exact = 1 << (53 + 3) // a fixnum from its negation to it is a float64 too
			x, y := *rg(fp, in>>32&0xffff), *rg(fp, in>>48)
			var g float64
			switch {
			case (x-3)&6 == 0:
				f = heap.InlineFlonum(x)
			case x&7 == 0 && x+exact <= 2*exact && y&7 != 0:
				f = float64(int64(x) >> 3)
			case x == heap.FloZero:
				f = 0
			default:
				fp, ip, fuel = m.doArith(fp, ip, fuel, in)
				continue
			}
			switch {
			case (y-3)&6 == 0:
				g = heap.InlineFlonum(y)
			case y&7 == 0 && y+exact <= 2*exact && (y != 0 || code.Op(uint8(in)) != code.DIV):
				g = float64(int64(y) >> 3)
			case y == heap.FloZero:
				g = 0
			default:
				fp, ip, fuel = m.doArith(fp, ip, fuel, in)
				continue
			}
			switch code.Op(uint8(in)) {
			case code.ADD:
				f += g
			case code.SUB:
				f -= g
			case code.MUL:
				f = float64(f * g)
			default:
				f /= g
			}
		}
		goto flonum
	}
}
