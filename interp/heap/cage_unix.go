//go:build unix

package heap

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Cage is one reserved address range. Only one machine at a time uses it; Wipe makes it new again.
type Cage struct {
	raw  unsafe.Pointer // of the system, not of Go
	base unsafe.Pointer
	rw   [2]uint64 // writable end of each semispace
}

// ErrReserve reports that the system gave no address space for another cage.
var ErrReserve = errors.New("no address space for another running program (4 GiB are reserved, of which it uses little; see ulimit -v and vm.max_map_count)")

// page is a multiple of the page size of every system.
const page = 16 << 10

func asBytes(w []Word) []byte {
	if len(w) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), len(w)*8)
}

// NewCage reserves a cage. With a nil image the image area is writable: the image builder works there.
func NewCage(img *Image) (*Cage, error) {
	raw, err := unix.MmapPtr(-1, 0, nil, CageSize+2*guard, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|mapNoReserve)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReserve, err)
	}
	c := &Cage{raw: raw, base: unsafe.Add(raw, guard)}
	if img != nil {
		err = c.mapImage(img)
	} else {
		err = c.protect(ImageLo, PrivateLo)
	}
	if err == nil {
		err = c.protect(PrivateLo, HeapLo+initialSemi)
	}
	if err == nil {
		err = c.protect(heap1&^(page-1), heap1&^(page-1)+initialSemi+page)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrReserve, err), c.Free())
	}
	c.rw = [2]uint64{HeapLo + initialSemi, heap1&^(page-1) + initialSemi + page}
	return c, nil
}

// Free unmaps the cage.
func (c *Cage) Free() error { return unix.MunmapPtr(c.raw, CageSize+2*guard) }

// Contains reports whether a fault at addr happened inside the cage or its guards.
func (c *Cage) Contains(addr uintptr) bool {
	return addr >= uintptr(c.raw) && addr-uintptr(c.raw) < CageSize+2*guard
}

// Base is the address of offset 0.
func (c *Cage) Base() unsafe.Pointer { return c.base }

// bytes is a view of [lo, hi), which may lie outside what is mapped.
func (c *Cage) bytes(lo, hi uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(c.base, lo)), hi-lo)
}

func (c *Cage) protect(lo, hi uint64) error {
	return unix.Mprotect(c.bytes(lo, hi), unix.PROT_READ|unix.PROT_WRITE)
}

// ensure makes semispace k writable up to offset end.
func (c *Cage) ensure(k int, end uint64) error {
	if end <= c.rw[k] {
		return nil
	}
	hi := (end + 0xffff) &^ 0xffff
	lo := c.rw[k]
	if err := c.protect(lo, hi); err != nil {
		return err
	}
	if hi-lo >= 1<<20 {
		c.hugePages(lo, hi)
	}
	c.rw[k] = hi
	return nil
}

func (c *Cage) words(lo, hi uint64) []Word {
	if lo > hi || hi > CageSize || lo&7 != 0 {
		panic(ErrCorrupt)
	}
	return unsafe.Slice((*Word)(unsafe.Add(c.base, lo)), (hi-lo)/8)
}

// giveBack returns the whole pages of [lo, hi) to the system; they read as zero afterwards.
func (c *Cage) giveBack(lo, hi uint64) {
	lo = (lo + page - 1) &^ (page - 1)
	hi &^= page - 1
	if hi > lo {
		c.discard(lo, hi)
	}
}

// wipe zeroes [lo, hi): a little by clear, the rest by giving pages back.
func (c *Cage) wipe(lo, hi uint64) {
	const keep = 128 << 10
	if hi > lo+keep {
		cut := (lo + keep) &^ (page - 1)
		c.giveBack(cut, (hi+page-1)&^(page-1))
		hi = cut
	}
	if hi > lo {
		clear(c.words(lo, hi))
	}
}
