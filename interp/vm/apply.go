package vm

import (
	"unsafe"

	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines calls whose arguments must be gathered or spread: of procedures with a rest argument, and apply. They
// go from the caller's window to the callee's frame without a stop between.

// listOnto is a list of args that ends in tail.
func (m *Machine) listOnto(args []heap.Word, tail heap.Word) heap.Word {
	if len(args) == 0 {
		return tail
	}
	p := m.Alloc(2 * uint64(len(args)))
	to := ca(m.mem, p)
	for i, w := range args {
		*rg(to, 0), *rg(to, 8) = w, p+uint64(i+1)*16+heap.TagPair
		to = unsafe.Add(to, 16)
	}
	*(*uint64)(unsafe.Add(to, -8)) = tail
	return p + heap.TagPair
}

// copyList is a copy of a list of n items.
func (m *Machine) copyList(list heap.Word, n uint64) heap.Word {
	if n == 0 {
		return heap.Null
	}
	p := m.Alloc(2 * n)
	to := ca(m.mem, p)
	for i := uint64(1); i <= n; i++ {
		*rg(to, 0), *rg(to, 8) = *ld(m.mem, list, -heap.TagPair), p+i*16+heap.TagPair
		to = unsafe.Add(to, 16)
		list = *ld(m.mem, list, 8-heap.TagPair)
	}
	*(*uint64)(unsafe.Add(to, -8)) = heap.Null
	return p + heap.TagPair
}

// goRest enters f, whose entry word is e, as the call instruction in says, when it is a procedure with a rest argument
// that takes so many; else it answers false.
func (m *Machine) goRest(fp, ip up, fuel int, in uint64, f, e heap.Word, a uint64, argc int) (up, up, int, bool) {
	info := code.Info(*ld(m.mem, e, -8))
	n := info.Required()
	if e>>48 != code.VariadicArity || !info.Rest() || argc < n {
		return fp, ip, fuel, false
	}
	*rg(fp, a+16+uint64(n)*8) = m.listOnto(unsafe.Slice(rg(fp, a+16+uint64(n)*8), argc-n), heap.Null)
	fp, ip, fuel = m.goTo(fp, ip, fuel, in, f, a, n+1)
	return fp, ip, fuel, true
}

// goApply is a call of apply, as the call instruction in says, for a compiled procedure; else it answers false. Where the
// compiler says that the list belongs to nobody else, a rest argument may be made of it.
func (m *Machine) goApply(fp, ip up, fuel int, in uint64, a uint64, argc int) (up, up, int, bool) {
	f, list := *rg(fp, a+16), *rg(fp, a+8+uint64(argc)*8)
	if !heap.IsClosure(f) {
		return fp, ip, fuel, false
	}
	e := *ld(m.mem, f, 8-heap.TagClosure)
	given := argc - 2
	if in>>code.ShiftX&0xff != 0 && e>>48 == code.VariadicArity {
		if info := code.Info(*ld(m.mem, e, -8)); info.Rest() && info.Required() <= given && code.Op(uint8(*ld(m.mem, e, 0))) != code.ENTER {
			n := uint64(info.Required())
			more := m.listOnto(unsafe.Slice(rg(fp, a+24+n*8), given-int(n)), list)
			for i := a + 16; i < a+16+n*8; i += 8 {
				*rg(fp, i) = *rg(fp, i+8)
			}
			*rg(fp, a+16+n*8) = more
			fp, ip, fuel = m.goTo(fp, ip, fuel, in, f, a, int(n)+1)
			return fp, ip, fuel, true
		}
	}
	n, ok := m.ListLen(list)
	if !ok || given+n > mostSpread || code.Op(uint8(*ld(m.mem, e, 0))) == code.ENTER {
		return fp, ip, fuel, false
	}
	required, rest := int(e>>48), e>>48 == code.VariadicArity
	if rest {
		required = code.Info(*ld(m.mem, e, -8)).Required()
	}
	if given+n < required || !rest && given+n > required {
		return fp, ip, fuel, false
	}
	fuel -= n
	args := unsafe.Slice(rg(fp, a+16), required+1) // those given lie one further up
	more := heap.Null
	if given > required {
		more = m.listOnto(unsafe.Slice(rg(fp, a+24+uint64(required)*8), given-required), m.copyList(list, uint64(n)))
		copy(args[:required], unsafe.Slice(rg(fp, a+24), required))
	} else {
		copy(args[:given], unsafe.Slice(rg(fp, a+24), given))
		for i := given; i < required; i++ {
			args[i], list = *ld(m.mem, list, -heap.TagPair), *ld(m.mem, list, 8-heap.TagPair)
		}
		more = list
		if rest && in>>code.ShiftX&0xff == 0 {
			more = m.copyList(list, uint64(given+n-required))
		}
	}
	if rest {
		args[required] = more
		required++
	}
	fp, ip, fuel = m.goTo(fp, ip, fuel, in, f, a, required)
	return fp, ip, fuel, true
}
