package vm

import (
	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines the instructions on hash tables: what they do not know their primitive does.

//go:noinline
//go:norace
func (m *Machine) doTableRef(fp, ip up, fuel int, in uint64) (up, up, int) {
	b := in >> code.ShiftB & 0xffff
	entry, _, sure := m.TableFind(*rg(fp, b), *rg(fp, b+8))
	if !sure {
		return m.doPrim(fp, ip, fuel, in)
	}
	v := *rg(fp, b+16)
	if entry != 0 {
		v = m.Arena.Load(entry + 8)
	}
	*rg(fp, in>>code.ShiftA&0xffff) = v
	return fp, ip, fuel
}

//go:noinline
//go:norace
func (m *Machine) doTableSet(fp, ip up, fuel int, in uint64) (up, up, int) {
	b := in >> code.ShiftB & 0xffff
	t, key := *rg(fp, b), *rg(fp, b+8)
	entry, h, sure := m.TableFind(t, key)
	if !sure || !heap.Mutable(t) || m.Field(t, heap.TableKind)&heap.Fixnum(heap.TableFrozen) != 0 {
		return m.doPrim(fp, ip, fuel, in)
	}
	if v := *rg(fp, b+16); entry != 0 {
		m.Arena.Store(entry+8, v)
	} else if !m.TableAdd(t, key, v, h) {
		return m.doPrim(fp, ip, fuel, in)
	}
	*rg(fp, in>>code.ShiftA&0xffff) = heap.Unspecified
	return fp, ip, fuel
}
