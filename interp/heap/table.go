package heap

import (
	"encoding/binary"
	"math/bits"
)

// This file defines hash tables as far as the run loop needs to know them: how they lie in memory, and the search for keys
// that are compared by word or by text. Package builtins/hash has the rest.
//
// Entries lie in a vector in the order of insertion; a deleted one keeps its place with the key Unbound until the vector is
// compacted. A table of more than TableScan entries has an index: open addressing, each slot an entry's number from 1
// and its hash. What was hashed by address holds for one Epoch only.

// Fields of a table.
const (
	TableKind    = 0 // fixnum: how keys are compared, and flags
	TableCount   = 1 // fixnum: entries that live
	TableUsed    = 2 // fixnum: entries and deleted ones
	TableEntries = 3 // vector: key, value, key, value, …
	TableIndex   = 4 // bytevector, or #f
	TableEpoch   = 5 // fixnum: of the index when it holds addresses, else 0
	TableSize    = 6
)

// Kinds of tables.
const (
	TableByEq     = 0
	TableByEqv    = 1
	TableByEqual  = 2
	TableByString = 3
	TableKindMask = 3
	TableFrozen   = 4 // an immutable table
)

const (
	TableScan = 8
	slotSize  = 8
	probeBits = 8  // no fewer than the steps for which a hash has bits left
	maxProbes = 16 // of a search that charges nothing
)

// Probe walks the slots that a hash may be in. It comes to every slot of a table in the end: where bits of the hash are
// left to tell keys apart they choose the way, so that keys with the same low bits soon part.
type Probe struct{ At, mask, left uint32 }

func NewProbe(h, mask uint32) Probe { return Probe{h & mask, mask, h} }

func (p *Probe) Next() {
	p.left >>= 5
	p.At = (p.At*5 + 1 + p.left) & p.mask
}

// HashHigh spreads the high half of an integer.
const HashHigh = 0x9e3779b1

// SymbolHashField is the field of a symbol that holds its hash.
const SymbolHashField = 1

// HashWord hashes a key that is no reference. Small integers and characters are their own hashes: neighbours lie
// side by side and do not meet.
func HashWord(w Word) uint32 {
	switch {
	case IsFixnum(w):
		return uint32(w>>3) ^ uint32(w>>35)*HashHigh
	case IsChar(w):
		return uint32(w >> 8)
	}
	return uint32(Mix(w) >> 32)
}

// TableFind looks for a key that is no reference, a symbol or a string. It answers the offset of its entry, 0 when there
// is none, and the key's hash if the table has an index. sure is false when it takes more than this to know: of other
// keys, and when too many keys meet.
func (a *Arena) TableFind(t, key Word) (entry uint64, h uint32, sure bool) {
	if t&TagMask != TagObject || a.Load(t-TagObject) != Header(KindTable, TableSize) {
		return 0, 0, false
	}
	o := t - TagObject + 8
	text := false
	if IsRef(key) {
		if key&TagMask != TagObject {
			return 0, 0, false
		}
		switch uint8(a.Load(key - TagObject)) {
		case KindSymbol:
			h = uint32(a.SymbolHash(key))
		case KindString:
			if Word(FixnumValue(a.Load(o+TableKind*8)))&TableKindMask < TableByEqual {
				return 0, 0, false
			}
			text = true
		default:
			return 0, 0, false
		}
	} else {
		h = HashWord(key)
	}
	entries := a.Load(o+TableEntries*8) - TagObject + 8
	index := a.Load(o + TableIndex*8)
	if index == False {
		end := entries + a.Load(o+TableUsed*8)<<1
		for e := entries; e < end; e += 16 {
			if k := a.Load(e); k == key || text && a.sameText(k, key) {
				return e, h, true
			}
		}
		return 0, h, true
	}
	if text {
		h = uint32(HashText(a.TextView(key)))
	}
	index -= TagObject
	p := NewProbe(h, uint32(a.Load(index+8)/slotSize-1))
	for range maxProbes {
		slot := a.Load(index + 16 + uint64(p.At)*slotSize)
		if uint32(slot) == 0 {
			return 0, h, true
		}
		if uint32(slot>>32) == h {
			e := entries + uint64(uint32(slot)-1)*16
			if k := a.Load(e); k == key || text && a.sameText(k, key) {
				return e, h, true
			}
		}
		p.Next()
	}
	return 0, h, false
}

func (a *Arena) sameText(k, key Word) bool { return a.IsString(k) && a.StringEqual(k, key) }

// TableAdd appends an entry with a key that is not there, of that hash. It reports false when the table has no place for it.
func (a *Arena) TableAdd(t, key, value Word, h uint32) bool {
	used, entries := a.Field(t, TableUsed), a.Field(t, TableEntries)
	n := int(FixnumValue(used))
	if uint64(n)*2+1 >= a.Size(entries) {
		return false
	}
	a.SetField(entries, 2*n, key)
	a.SetField(entries, 2*n+1, value)
	a.SetField(t, TableUsed, used+Fixnum(1))
	a.SetField(t, TableCount, a.Field(t, TableCount)+Fixnum(1))
	if index := a.Field(t, TableIndex); index != False {
		InsertSlot(a.Bytes(index), n, h)
	}
	return true
}

// InsertSlot enters entry n with hash h into an index, which has an empty slot.
func InsertSlot(slots []byte, n int, h uint32) {
	p := NewProbe(h, uint32(len(slots)/slotSize-1))
	for range len(slots)/slotSize + probeBits { // while bits are left it may come to a slot again
		slot := slots[p.At*slotSize:][:slotSize]
		if uint32(binary.NativeEndian.Uint64(slot)) == 0 {
			binary.NativeEndian.PutUint64(slot, uint64(uint32(n+1))|uint64(h)<<32)
			return
		}
		p.Next()
	}
	panic(ErrCorrupt)
}

// NewIndex makes an index for so many entries, at most half full.
func (a *Arena) NewIndex(capacity int) Word {
	return a.NewBytes(slotSize << bits.Len(uint(2*capacity-1)))
}

// Reindex enters what an old index says of its entries into one that is empty: no key is hashed again.
func Reindex(slots, old []byte) {
	for ; len(old) >= slotSize; old = old[slotSize:] {
		if slot := binary.NativeEndian.Uint64(old); uint32(slot) != 0 {
			InsertSlot(slots, int(uint32(slot)-1), uint32(slot>>32))
		}
	}
}

// SlotOf reads slot i of an index: the entry's number, -1 if it is empty, and its hash.
func SlotOf(slots []byte, i uint32) (entry int, h uint32) {
	slot := binary.NativeEndian.Uint64(slots[i*slotSize:][:slotSize])
	return int(uint32(slot)) - 1, uint32(slot >> 32)
}

// AdoptTable reports whether a table that was restored is sound as far as searching and changing it go, and sees to it that
// no epoch to come is the one in which it was hashed by address. Its fields must be values, entries and index objects of
// their kinds.
func (a *Arena) AdoptTable(t Word) bool {
	f, entries, index := a.Fields(t), a.Field(t, TableEntries), a.Field(t, TableIndex)
	if entries < HeapLo || index != False && index < HeapLo {
		return false // static: of other machines too
	}
	for _, i := range []int{TableKind, TableCount, TableUsed, TableEpoch} {
		if !IsFixnum(f[i]) {
			return false
		}
	}
	used := uint64(FixnumValue(f[TableUsed]))
	if f[TableKind] > Fixnum(TableKindMask|TableFrozen) || f[TableCount] > f[TableUsed] || used > 1<<27 || f[TableEpoch]>>62 != 0 || used*2 > a.Size(entries) || a.Size(entries)%2 != 0 || a.Size(entries) == 0 {
		return false
	}
	a.Epoch = max(a.Epoch, uint64(FixnumValue(f[TableEpoch]))+1)
	if index == False {
		return used <= TableScan
	}
	slots := a.Bytes(index)
	n := uint64(len(slots) / slotSize)
	if len(slots)%slotSize != 0 || n&(n-1) != 0 || n < a.Size(entries) {
		return false
	}
	full := uint64(0)
	for i := range uint32(n) {
		entry, _ := SlotOf(slots, i)
		if entry >= int(used) {
			return false
		}
		if entry >= 0 {
			full++
		}
	}
	return full <= used
}
