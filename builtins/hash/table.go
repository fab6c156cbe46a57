// Package hash holds hash tables: insertion-ordered, keyed by eq?, eqv?, equal? or the text of strings.
// Procedures that take a procedure (update!, walk, fold) are Scheme and live in stdlib. Package builtins imports it,
// and the rooms that read tables (json, port).
package hash

import (
	"caper/builtins/equal"
	"caper/interp/heap"
	"caper/interp/prim"
)

// Kinds of tables.
const (
	ByEq     = heap.TableByEq
	ByEqv    = heap.TableByEqv
	ByEqual  = heap.TableByEqual
	ByString = heap.TableByString
	kindMask = heap.TableKindMask
	frozen   = heap.TableFrozen
)

const (
	maxSize = 1 << 26
	small   = 1 << 10 // up to this a table that is full becomes four times as large, then twice
)

// New makes an empty table with room for n entries.
func New(a *heap.Arena, kind int, n int) heap.Word {
	entries := a.New(heap.KindVector, 2*max(n, 4), heap.Unbound)
	t := a.NewOf(heap.KindTable, heap.Fixnum(int64(kind)), heap.Fixnum(0), heap.Fixnum(0), entries, heap.False, heap.Fixnum(0))
	if n > heap.TableScan {
		reindex(a, t)
	}
	return t
}

func num(a *heap.Arena, t heap.Word, field int) int { return int(heap.FixnumValue(a.Field(t, field))) }

func setNum(a *heap.Arena, t heap.Word, field, n int) {
	a.SetField(t, field, heap.Fixnum(int64(n)))
}

// Count is the number of entries.
func Count(a *heap.Arena, t heap.Word) int { return num(a, t, heap.TableCount) }

// KindOf is how the table compares keys, and whether it is immutable.
func KindOf(a *heap.Arena, t heap.Word) (kind int, immutable bool) {
	n := num(a, t, heap.TableKind)
	return n & kindMask, n&frozen != 0
}

// Of makes a table of keys, which differ, and values in turn. The caller has reserved the room.
func Of(a *heap.Arena, kind int, immutable bool, items []heap.Word) heap.Word {
	n := len(items) / 2
	t := New(a, kind&kindMask, n+1)
	copy(a.Fields(a.Field(t, heap.TableEntries)), items[:2*n])
	filled(a, t, n)
	if immutable {
		setNum(a, t, heap.TableKind, kind&kindMask|frozen)
	}
	return t
}

// filled says that the first n places of the entries are taken.
func filled(a *heap.Arena, t heap.Word, n int) {
	setNum(a, t, heap.TableUsed, n)
	setNum(a, t, heap.TableCount, n)
	if a.Field(t, heap.TableIndex) != heap.False {
		reindex(a, t)
	}
}

// Each visits the entries in the order of insertion until visit answers false. visit must not change the table.
func Each(a *heap.Arena, t heap.Word, visit func(key, value heap.Word) bool) {
	f := a.Fields(a.Field(t, heap.TableEntries))
	for i := 0; i < num(a, t, heap.TableUsed)*2; i += 2 {
		if f[i] != heap.Unbound && !visit(f[i], f[i+1]) {
			return
		}
	}
}

func hashKey(a *heap.Arena, kind int, key heap.Word) (h uint32, byAddress bool) {
	if !heap.IsRef(key) {
		return heap.HashWord(key), false
	}
	hash := equal.HashEqv
	if kind&kindMask >= ByEqual {
		hash = equal.HashEqual
	}
	full, byAddress := hash(a, key)
	return uint32(full), byAddress
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

// hashed is a key's hash, once it was needed.
type hashed struct {
	h         uint32
	byAddress bool
	known     bool
}

func (k *hashed) find(a *heap.Arena, t, key heap.Word) uint32 {
	if !k.known {
		k.h, k.byAddress = hashKey(a, num(a, t, heap.TableKind), key)
		k.known = true
	}
	return k.h
}

// find answers the number of the entry with that key, or -1, and leaves the key's hash in h if it was needed.
func find(c *prim.Ctx, t, key heap.Word, h *hashed) int {
	steps := uint64(0)
	entry := search(c, t, key, h, &steps)
	if steps > 0 {
		c.Charge(steps)
	}
	return entry
}

func search(c *prim.Ctx, t, key heap.Word, hash *hashed, steps *uint64) int {
	a := c.Arena
	f := a.Fields(t)[:heap.TableSize]
	kind := int(heap.FixnumValue(f[heap.TableKind]))
	entries := a.Fields(f[heap.TableEntries])
	index := f[heap.TableIndex]
	e := uint64(heap.FixnumValue(f[heap.TableEpoch]))
	stale := e != 0 && e != a.Epoch
	if index == heap.False || stale && !heap.Mutable(t) { // what lies in the image cannot be indexed anew
		for i := range int(heap.FixnumValue(f[heap.TableUsed])) {
			if k := entries[2*i]; k == key || k != heap.Unbound && same(a, kind, k, key, steps) {
				return i
			}
		}
		return -1
	}
	if stale {
		*steps += uint64(len(entries))
		reindex(a, t)
		index = f[heap.TableIndex]
	}
	h := hash.find(a, t, key)
	slots := a.Bytes(index)
	n := uint32(len(slots) / 8)
	for p := heap.NewProbe(h, n-1); ; p.Next() {
		i, other := heap.SlotOf(slots, p.At)
		if i < 0 {
			return -1
		}
		if other == h {
			if k := entries[2*i]; k == key || k != heap.Unbound && same(a, kind, k, key, steps) {
				return i
			}
		}
		if *steps++; *steps > uint64(n)*16 {
			return -1 // a damaged index
		}
	}
}

// reindex compacts the entries and makes a fresh index for the capacity of the vector.
func reindex(a *heap.Arena, t heap.Word) {
	kind := num(a, t, heap.TableKind)
	entries := a.Fields(a.Field(t, heap.TableEntries))
	w := a.NewIndex(len(entries) / 2)
	slots := a.Bytes(w)
	n, address := 0, false
	for i := 0; i < num(a, t, heap.TableUsed)*2; i += 2 {
		k, v := entries[i], entries[i+1]
		if k == heap.Unbound {
			continue
		}
		h, by := hashKey(a, kind, k)
		address = address || by
		heap.InsertSlot(slots, n, h)
		entries[2*n], entries[2*n+1] = k, v
		n++
	}
	for i := 2 * n; i < len(entries); i++ {
		entries[i] = heap.Unbound
	}
	setNum(a, t, heap.TableUsed, n)
	setNum(a, t, heap.TableCount, n)
	setNum(a, t, heap.TableEpoch, 0)
	if address {
		setNum(a, t, heap.TableEpoch, int(a.Epoch))
	}
	a.SetField(t, heap.TableIndex, w)
}

// Ref answers the value at key.
func Ref(c *prim.Ctx, t, key heap.Word) (value heap.Word, ok bool) {
	i := find(c, t, key, new(hashed))
	if i < 0 {
		return 0, false
	}
	return c.Field(c.Field(t, heap.TableEntries), 2*i+1), true
}

// Set puts value at key. It reports false when the table would grow beyond the memory limit.
func Set(c *prim.Ctx, t, key, value heap.Word) bool {
	a := c.Arena
	var hash hashed
	if i := find(c, t, key, &hash); i >= 0 {
		a.SetField(a.Field(t, heap.TableEntries), 2*i+1, value)
		return true
	}
	if used := num(a, t, heap.TableUsed); 2*used == int(a.Size(a.Field(t, heap.TableEntries))) && !grow(c, t, used) {
		return false
	}
	if a.Field(t, heap.TableIndex) != heap.False {
		hash.find(a, t, key)
		if hash.byAddress && num(a, t, heap.TableEpoch) == 0 {
			setNum(a, t, heap.TableEpoch, int(a.Epoch))
		}
	}
	return a.TableAdd(t, key, value, hash.h)
}

// grow makes room: it takes a larger vector unless compaction frees a quarter.
func grow(c *prim.Ctx, t heap.Word, capacity int) bool {
	a := c.Arena
	c.Charge(uint64(capacity))
	count := num(a, t, heap.TableCount)
	if count > capacity*3/4 {
		more := capacity * 2
		if more > heap.TableScan && more <= small {
			more *= 2
		}
		if more > maxSize || !c.Room(uint64(more)*32) {
			return false
		}
		old := a.Fields(a.Field(t, heap.TableEntries))
		bigger := a.New(heap.KindVector, more*2, heap.Unbound)
		copy(a.Fields(bigger), old)
		a.SetField(t, heap.TableEntries, bigger)
		epoch := uint64(num(a, t, heap.TableEpoch))
		if index := a.Field(t, heap.TableIndex); index != heap.False && count == capacity && (epoch == 0 || epoch == a.Epoch) {
			w := a.NewIndex(more)
			heap.Reindex(a.Bytes(w), a.Bytes(index))
			a.SetField(t, heap.TableIndex, w)
			return true
		}
		capacity = more
	}
	if capacity <= heap.TableScan {
		compact(a, t)
		return true
	}
	reindex(a, t)
	return true
}

// compact closes the gaps of a table without index.
func compact(a *heap.Arena, t heap.Word) {
	entries := a.Fields(a.Field(t, heap.TableEntries))
	n := 0
	for i := 0; i < num(a, t, heap.TableUsed)*2; i += 2 {
		if entries[i] != heap.Unbound {
			entries[2*n], entries[2*n+1] = entries[i], entries[i+1]
			n++
		}
	}
	for i := 2 * n; i < len(entries); i++ {
		entries[i] = heap.Unbound
	}
	setNum(a, t, heap.TableUsed, n)
}

// Delete removes key and reports whether it was there.
func Delete(c *prim.Ctx, t, key heap.Word) bool {
	a := c.Arena
	i := find(c, t, key, new(hashed))
	if i < 0 {
		return false
	}
	entries := a.Field(t, heap.TableEntries)
	a.SetField(entries, 2*i, heap.Unbound)
	a.SetField(entries, 2*i+1, heap.Unbound)
	setNum(a, t, heap.TableCount, num(a, t, heap.TableCount)-1)
	if num(a, t, heap.TableCount) == 0 {
		clearTable(a, t)
	}
	return true
}

func clearTable(a *heap.Arena, t heap.Word) {
	a.SetField(t, heap.TableEntries, a.New(heap.KindVector, 8, heap.Unbound))
	a.SetField(t, heap.TableIndex, heap.False)
	for _, f := range []int{heap.TableCount, heap.TableUsed, heap.TableEpoch} {
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
	copied = New(a, num(a, t, heap.TableKind)&kindMask, n+1)
	entries := a.Fields(a.Field(copied, heap.TableEntries))
	i := 0
	Each(a, t, func(k, v heap.Word) bool {
		entries[2*i], entries[2*i+1] = k, v
		i++
		return true
	})
	filled(a, copied, n)
	return copied, true
}
