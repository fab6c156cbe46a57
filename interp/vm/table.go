package vm

import (
	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines the instructions on hash tables. Each has three ways: a key that is no reference, or a symbol, and lies
// where such a key is looked for first, or belongs there, needs no call at all, which is why the ways are written out, that of
// TREF for what is no reference in the run loop; heap knows more kinds of keys; the rest the primitive does.

// doTableRef does TREF where the key is a reference.
//
//go:noinline
//go:norace
func (m *Machine) doTableRef(fp, ip up, fuel int, in uint64) (up, up, int) {
	t, key := *rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftC)
	if key&heap.TagMask != heap.TagObject || uint8(*ld(m.mem, key, -heap.TagObject)) != heap.KindSymbol ||
		t&heap.TagMask != heap.TagObject || *ld(m.mem, t, -heap.TagObject) != heap.Header(heap.KindTable, heap.TableSize) {
		return m.tableRef(fp, ip, fuel, in)
	}
	index := *ld(m.mem, t, 8*(1+heap.TableIndex)-heap.TagObject)
	if index == heap.False {
		return m.tableRef(fp, ip, fuel, in)
	}
	h := uint32(*ld(m.mem, key, 8*(1+heap.SymbolHashField)-heap.TagObject) >> 3)
	at := h & uint32(*ld(m.mem, index, 8-heap.TagObject)/8-1)
	slot := uint32(*ld(m.mem, index+uint64(at)*8, 16-heap.TagObject))
	if slot == 0 {
		return fp, ip, fuel
	}
	entry := *ld(m.mem, t, 8*(1+heap.TableEntries)-heap.TagObject) + uint64(slot)*16
	if *ld(m.mem, entry, 8-16-heap.TagObject) != key {
		return m.tableRef(fp, ip, fuel, in)
	}
	*rg(fp, in>>code.ShiftA&0xffff) = *ld(m.mem, entry, -heap.TagObject)
	return fp, ip, fuel
}

//go:noinline
//go:norace
func (m *Machine) tableRef(fp, ip up, fuel int, in uint64) (up, up, int) {
	entry, _, sure := m.TableFind(*rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftC))
	if !sure {
		return m.tablePrim(fp, ip, fuel, in)
	}
	if entry != 0 {
		*rg(fp, in>>code.ShiftA&0xffff) = *ld(m.mem, entry, 8)
	}
	return fp, ip, fuel
}

//go:noinline
//go:norace
func (m *Machine) doTableSet(fp, ip up, fuel int, in uint64) (up, up, int) {
	t, key := *rg(fp, in>>code.ShiftA&0xffff), *rg(fp, in>>code.ShiftB&0xffff)
	if t&heap.TagMask != heap.TagObject || t < heap.HeapLo || *ld(m.mem, t, -heap.TagObject) != heap.Header(heap.KindTable, heap.TableSize) {
		return m.tableSet(fp, ip, fuel, in)
	}
	h := uint32(key>>3) ^ uint32(key>>35)*heap.HashHigh
	if !heap.IsFixnum(key) {
		if h = uint32(key >> 8); !heap.IsChar(key) {
			if key&heap.TagMask != heap.TagObject || uint8(*ld(m.mem, key, -heap.TagObject)) != heap.KindSymbol {
				return m.tableSet(fp, ip, fuel, in)
			}
			h = uint32(*ld(m.mem, key, 8*(1+heap.SymbolHashField)-heap.TagObject) >> 3)
		}
	}
	index := *ld(m.mem, t, 8*(1+heap.TableIndex)-heap.TagObject)
	if index == heap.False || *ld(m.mem, t, 8*(1+heap.TableKind)-heap.TagObject)&heap.Fixnum(heap.TableFrozen) != 0 {
		return m.tableSet(fp, ip, fuel, in)
	}
	at := h & uint32(*ld(m.mem, index, 8-heap.TagObject)/8-1)
	slot := uint32(*ld(m.mem, index+uint64(at)*8, 16-heap.TagObject))
	entries := *ld(m.mem, t, 8*(1+heap.TableEntries)-heap.TagObject)
	if slot == 0 { // the key is not there, and this is its place
		used := *ld(m.mem, t, 8*(1+heap.TableUsed)-heap.TagObject)
		if used>>2 >= *ld(m.mem, entries, -heap.TagObject)>>8 {
			return m.tableSet(fp, ip, fuel, in)
		}
		*ld(m.mem, entries+used*2, 8-heap.TagObject) = key
		*ld(m.mem, entries+used*2, 16-heap.TagObject) = *rg(fp, in>>code.ShiftC)
		*ld(m.mem, t, 8*(1+heap.TableUsed)-heap.TagObject) = used + heap.Fixnum(1)
		*ld(m.mem, t, 8*(1+heap.TableCount)-heap.TagObject) += heap.Fixnum(1)
		*ld(m.mem, index+uint64(at)*8, 16-heap.TagObject) = used>>3 + 1 | uint64(h)<<32
		return fp, ip, fuel
	}
	entry := entries + uint64(slot)*16
	if *ld(m.mem, entry, 8-16-heap.TagObject) != key {
		return m.tableSet(fp, ip, fuel, in)
	}
	*ld(m.mem, entry, -heap.TagObject) = *rg(fp, in>>code.ShiftC)
	return fp, ip, fuel
}

//go:noinline
//go:norace
func (m *Machine) tableSet(fp, ip up, fuel int, in uint64) (up, up, int) {
	t, key := *rg(fp, in>>code.ShiftA&0xffff), *rg(fp, in>>code.ShiftB&0xffff)
	entry, h, sure := m.TableFind(t, key)
	if !sure || !heap.Mutable(t) || m.Field(t, heap.TableKind)&heap.Fixnum(heap.TableFrozen) != 0 {
		return m.tablePrim(fp, ip, fuel, in)
	}
	if v := *rg(fp, in>>code.ShiftC); entry != 0 {
		*ld(m.mem, entry, 8) = v
	} else if !m.TableAdd(t, key, v, h) {
		return m.tablePrim(fp, ip, fuel, in)
	}
	return fp, ip, fuel
}

// tablePrim does by the primitive of its name what an instruction on tables does not know.
//
//go:noinline
//go:norace
func (m *Machine) tablePrim(fp, ip up, fuel int, in uint64) (up, up, int) {
	if m.HP > m.Limit || everySafepoint && m.everyOther() {
		return m.collectRetry(fp, ip, fuel, in)
	}
	name := in >> code.ShiftX & 0xff
	if name >= uint64(len(code.TableNames)) {
		return m.badInstruction(fp, ip, fuel, in)
	}
	p := m.tablePrims[name]
	if p == nil {
		if m.cfg.Prims == nil {
			return m.badInstruction(fp, ip, fuel, in)
		}
		number, ok := m.cfg.Prims.Lookup(code.TableNames[name])
		if !ok {
			return m.badInstruction(fp, ip, fuel, in)
		}
		p = &m.cfg.Prims.Rows[number]
		m.tablePrims[name] = p
	}
	m.ctx.Prim, m.primFP, m.primIP = p, fp, ip
	v := p.Fn(&m.ctx, m.tableArgs(fp, in))
	if v == heap.Raised && m.again(fp, m.info(fp).Regs()) {
		v = p.Fn(&m.ctx, m.tableArgs(fp, in))
	}
	m.ctx.Prim = nil
	fuel -= int(m.ctx.Fuel)
	m.ctx.Fuel = 0
	if v == heap.Raised {
		return m.primFault(fp, ip, fuel)
	}
	if code.Op(uint8(in)) == code.TREF {
		*rg(fp, in>>code.ShiftA&0xffff) = v
	}
	return fp, ip, fuel
}

// tableArgs are the table, the key and the value or default.
func (m *Machine) tableArgs(fp up, in uint64) []heap.Word {
	a, b, c := *rg(fp, in>>code.ShiftA&0xffff), *rg(fp, in>>code.ShiftB&0xffff), *rg(fp, in>>code.ShiftC)
	if code.Op(uint8(in)) == code.TREF {
		a, b, c = b, c, a
	}
	m.args = [3]heap.Word{a, b, c}
	return m.args[:]
}
