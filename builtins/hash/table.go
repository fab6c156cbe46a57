// Package hash holds hash tables: insertion-ordered, keyed by eq?, eqv?, equal? or the text of strings.
// Procedures that take a procedure (update!, walk, fold) are Scheme and live in stdlib. Package builtins imports it,
// and the rooms that read tables (json, port).
package hash

import (
	"encoding/binary"
	"math/bits"

	"caper/builtins/equal"
	"caper/interp/heap"
	"caper/interp/prim"
)

// A table is a KindTable object. Entries lie in a vector in the order of insertion; a deleted one keeps its place with
// the key Unbound until the vector is compacted. A table of more than scanMax entries has an index: open addressing,
// each slot an entry's number and the low half of its hash. What was hashed by address holds for one Epoch only.
const (
	fieldKind    = 0 // fixnum: a kind and flags
	fieldCount   = 1 // fixnum: entries that live
	fieldUsed    = 2 // fixnum: entries and deleted ones
	fieldEntries = 3 // vector: key, value, key, value, …
	fieldIndex   = 4 // bytevector, or #f
	fieldEpoch   = 5 // fixnum: of the index when it holds addresses, else 0
	tableSize    = 6
)

// Kinds of tables.
const (
	ByEq     = 0
	ByEqv    = 1
	ByEqual  = 2
	ByString = 3
	kindMask = 3
	frozen   = 4 // an immutable table
)

const (
	scanMax  = 8
	slotSize = 8
	maxSize  = 1 << 26
)

// New makes an empty table with room for n entries.
func New(a *heap.Arena, kind int, n int) heap.Word {
	entries := a.New(heap.KindVector, 2*max(n, 4), heap.Unbound)
	t := a.NewOf(heap.KindTable, heap.Fixnum(int64(kind)), heap.Fixnum(0), heap.Fixnum(0), entries, heap.False, heap.Fixnum(0))
	if n > scanMax {
		reindex(a, t)
	}
	return t
}

func num(a *heap.Arena, t heap.Word, field int) int { return int(heap.FixnumValue(a.Field(t, field))) }

func setNum(a *heap.Arena, t heap.Word, field, n int) {
	a.SetField(t, field, heap.Fixnum(int64(n)))
}

// Count is the number of entries.
func Count(a *heap.Arena, t heap.Word) int { return num(a, t, fieldCount) }

// Each visits the entries in the order of insertion until visit answers false. visit must not change the table.
func Each(a *heap.Arena, t heap.Word, visit func(key, value heap.Word) bool) {
	f := a.Fields(a.Field(t, fieldEntries))
	for i := 0; i < num(a, t, fieldUsed)*2; i += 2 {
		if f[i] != heap.Unbound && !visit(f[i], f[i+1]) {
			return
		}
	}
}

func hashKey(a *heap.Arena, kind int, key heap.Word) (h uint64, byAddress bool) {
	if !heap.IsRef(key) {
		return heap.Mix(key), false
	}
	if kind&kindMask >= ByEqual {
		return equal.HashEqual(a, key)
	}
	return equal.HashEqv(a, key)
}

// same compares keys; the work is added to steps.
func same(a *heap.Arena, kind int, x, y heap.Word, steps *uint64) bool {
	if x == y {
		return true
	}
	switch kind & kindMask {
	case ByEq, ByEqv: // numbers that eq? tells apart only by chance are one key
		return equal.Eqv(a, x, y)
	}
	if !heap.IsRef(x) || !heap.IsRef(y) || a.IsSymbol(x) || a.IsSymbol(y) {
		return false
	}
	eq, n := equal.Equal(a, x, y)
	*steps += n
	return eq
}

// find answers the number of the entry with that key, or -1, and the key's hash.
func find(c *prim.Ctx, t, key heap.Word) (entry int, h uint64) {
	steps := uint64(0)
	entry, h = search(c, t, key, &steps)
	if steps > 0 {
		c.Charge(steps)
	}
	return entry, h
}

func search(c *prim.Ctx, t, key heap.Word, steps *uint64) (entry int, h uint64) {
	a := c.Arena
	f := a.Fields(t)[:tableSize]
	kind := int(heap.FixnumValue(f[fieldKind]))
	entries := a.Fields(f[fieldEntries])
	index := f[fieldIndex]
	e := uint64(heap.FixnumValue(f[fieldEpoch]))
	stale := e != 0 && e != a.Epoch
	if index == heap.False || stale && !heap.Mutable(t) { // what lies in the image cannot be indexed anew
		for i := range int(heap.FixnumValue(f[fieldUsed])) {
			if k := entries[2*i]; k == key || k != heap.Unbound && same(a, kind, k, key, steps) {
				return i, 0
			}
		}
		return -1, 0
	}
	if stale {
		*steps += uint64(len(entries))
		reindex(a, t)
		index = f[fieldIndex]
	}
	h, _ = hashKey(a, kind, key)
	slots := a.Bytes(index)
	mask := uint64(len(slots)/slotSize - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		slot := binary.NativeEndian.Uint64(slots[i*slotSize : i*slotSize+slotSize])
		n := uint32(slot)
		if n == 0 {
			return -1, h
		}
		if uint32(slot>>32) == uint32(h>>32) {
			if k := entries[2*(n-1)]; k == key || k != heap.Unbound && same(a, kind, k, key, steps) {
				return int(n - 1), h
			}
		}
		if *steps++; *steps > uint64(len(slots)) {
			return -1, h // a damaged index
		}
	}
}

// insertSlot enters entry n with hash h into the index.
func insertSlot(slots []byte, n int, h uint64) {
	mask := uint64(len(slots)/slotSize - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		slot := slots[i*slotSize : i*slotSize+slotSize]
		if uint32(binary.NativeEndian.Uint64(slot)) == 0 {
			binary.NativeEndian.PutUint64(slot, uint64(uint32(n+1))|h>>32<<32)
			return
		}
	}
}

// reindex compacts the entries and makes a fresh index for the capacity of the vector.
func reindex(a *heap.Arena, t heap.Word) {
	kind := num(a, t, fieldKind)
	entries := a.Fields(a.Field(t, fieldEntries))
	size := 1 << bits.Len(uint(len(entries))) // at most half full
	w := a.NewBytes(size * slotSize)
	slots := a.Bytes(w)
	n, address := 0, false
	for i := 0; i < num(a, t, fieldUsed)*2; i += 2 {
		k, v := entries[i], entries[i+1]
		if k == heap.Unbound {
			continue
		}
		h, by := hashKey(a, kind, k)
		address = address || by
		insertSlot(slots, n, h)
		entries[2*n], entries[2*n+1] = k, v
		n++
	}
	for i := 2 * n; i < len(entries); i++ {
		entries[i] = heap.Unbound
	}
	setNum(a, t, fieldUsed, n)
	setNum(a, t, fieldCount, n)
	setNum(a, t, fieldEpoch, 0)
	if address {
		setNum(a, t, fieldEpoch, int(a.Epoch))
	}
	a.SetField(t, fieldIndex, w)
}

// Ref answers the value at key.
func Ref(c *prim.Ctx, t, key heap.Word) (value heap.Word, ok bool) {
	i, _ := find(c, t, key)
	if i < 0 {
		return 0, false
	}
	return c.Field(c.Field(t, fieldEntries), 2*i+1), true
}

// Set puts value at key. It reports false when the table would grow beyond the memory limit.
func Set(c *prim.Ctx, t, key, value heap.Word) bool {
	a := c.Arena
	i, h := find(c, t, key)
	if i >= 0 {
		a.SetField(a.Field(t, fieldEntries), 2*i+1, value)
		return true
	}
	used := num(a, t, fieldUsed)
	if capacity := int(a.Size(a.Field(t, fieldEntries))) / 2; used == capacity {
		if !grow(c, t, capacity) {
			return false
		}
		used = num(a, t, fieldUsed)
		h, _ = hashKey(a, num(a, t, fieldKind), key)
	}
	entries := a.Field(t, fieldEntries)
	a.SetField(entries, 2*used, key)
	a.SetField(entries, 2*used+1, value)
	setNum(a, t, fieldUsed, used+1)
	setNum(a, t, fieldCount, num(a, t, fieldCount)+1)
	if index := a.Field(t, fieldIndex); index != heap.False {
		insertSlot(a.Bytes(index), used, h)
		if num(a, t, fieldEpoch) == 0 {
			if _, by := hashKey(a, num(a, t, fieldKind), key); by {
				setNum(a, t, fieldEpoch, int(a.Epoch))
			}
		}
	}
	return true
}

// grow makes room: it doubles the vector unless compaction frees a quarter.
func grow(c *prim.Ctx, t heap.Word, capacity int) bool {
	a := c.Arena
	c.Charge(uint64(capacity))
	if num(a, t, fieldCount) > capacity*3/4 {
		if capacity*2 > maxSize || !c.Room(uint64(capacity)*64) {
			return false
		}
		old := a.Field(t, fieldEntries)
		bigger := a.New(heap.KindVector, capacity*4, heap.Unbound)
		copy(a.Fields(bigger), a.Fields(old))
		a.SetField(t, fieldEntries, bigger)
		capacity *= 2
	}
	if capacity <= scanMax {
		compact(a, t)
		return true
	}
	reindex(a, t)
	return true
}

// compact closes the gaps of a table without index.
func compact(a *heap.Arena, t heap.Word) {
	entries := a.Fields(a.Field(t, fieldEntries))
	n := 0
	for i := 0; i < num(a, t, fieldUsed)*2; i += 2 {
		if entries[i] != heap.Unbound {
			entries[2*n], entries[2*n+1] = entries[i], entries[i+1]
			n++
		}
	}
	for i := 2 * n; i < len(entries); i++ {
		entries[i] = heap.Unbound
	}
	setNum(a, t, fieldUsed, n)
}

// Delete removes key and reports whether it was there.
func Delete(c *prim.Ctx, t, key heap.Word) bool {
	a := c.Arena
	i, _ := find(c, t, key)
	if i < 0 {
		return false
	}
	entries := a.Field(t, fieldEntries)
	a.SetField(entries, 2*i, heap.Unbound)
	a.SetField(entries, 2*i+1, heap.Unbound)
	setNum(a, t, fieldCount, num(a, t, fieldCount)-1)
	if num(a, t, fieldCount) == 0 {
		clearTable(a, t)
	}
	return true
}

func clearTable(a *heap.Arena, t heap.Word) {
	a.SetField(t, fieldEntries, a.New(heap.KindVector, 8, heap.Unbound))
	a.SetField(t, fieldIndex, heap.False)
	for _, f := range []int{fieldCount, fieldUsed, fieldEpoch} {
		setNum(a, t, f, 0)
	}
}

// Copy is a table with the same entries; ok is false when it does not fit the memory limit.
func Copy(c *prim.Ctx, t heap.Word) (copied heap.Word, ok bool) {
	a := c.Arena
	n := Count(a, t)
	if !c.Room(uint64(n) * 64) {
		return 0, false
	}
	copied = New(a, num(a, t, fieldKind)&kindMask, n+1)
	entries := a.Fields(a.Field(copied, fieldEntries))
	i := 0
	Each(a, t, func(k, v heap.Word) bool {
		entries[2*i], entries[2*i+1] = k, v
		i++
		return true
	})
	setNum(a, copied, fieldUsed, n)
	setNum(a, copied, fieldCount, n)
	if a.Field(copied, fieldIndex) != heap.False {
		reindex(a, copied)
	}
	return copied, true
}
