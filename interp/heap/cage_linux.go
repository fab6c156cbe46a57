package heap

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Cage is one reserved address range. Only one machine at a time uses it; Wipe makes it new again.
type Cage struct {
	raw  uintptr
	base unsafe.Pointer
	rw   [2]uint64 // writable end of each semispace
}

// ErrReserve reports that the system gave no address space for another cage.
var ErrReserve = errors.New("no address space left for another running machine")

// Image is the read-only bottom of a cage, shared by all cages that map it.
type Image struct {
	file *os.File
}

// NewImage makes an image of the words that lie from ImageLo on and of the image's global slots.
func NewImage(words, globals []Word) (*Image, error) {
	fd, err := unix.MemfdCreate("caper-image", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("image: %w", err)
	}
	f := os.NewFile(uintptr(fd), "caper-image")
	img := &Image{file: f}
	if err := f.Truncate(PrivateLo - ImageLo); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.WriteAt(asBytes(words), 0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.WriteAt(asBytes(globals), GlobalBase-ImageLo); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return img, nil
}

// Close gives the image's memory back once no cage maps it any more.
func (i *Image) Close() error { return i.file.Close() }

func asBytes(w []Word) []byte {
	if len(w) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), len(w)*8)
}

// NewCage reserves a cage. With a nil image the image area is writable: the image builder works there.
func NewCage(img *Image) (*Cage, error) {
	raw, err := sysMmap(0, CageSize+2*guard, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE, -1)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReserve, err)
	}
	c := &Cage{raw: raw}
	b := raw + guard
	c.base = *(*unsafe.Pointer)(unsafe.Pointer(&b)) // memory of the kernel's, not of Go's: no conversion rule applies
	if img != nil {
		_, err = sysMmap(b+ImageLo, PrivateLo-ImageLo, unix.PROT_READ, unix.MAP_SHARED|unix.MAP_FIXED, int(img.file.Fd()))
	} else {
		err = c.protect(ImageLo, PrivateLo)
	}
	if err == nil {
		err = c.protect(PrivateLo, HeapLo+initialSemi)
	}
	if err == nil {
		err = c.protect(heap1&^4095, heap1&^4095+initialSemi+4096)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrReserve, err), c.Free())
	}
	c.rw = [2]uint64{HeapLo + initialSemi, heap1&^4095 + initialSemi + 4096}
	return c, nil
}

// Free unmaps the cage.
func (c *Cage) Free() error {
	_, _, e := syscall.Syscall(syscall.SYS_MUNMAP, c.raw, CageSize+2*guard, 0)
	if e != 0 {
		return e
	}
	return nil
}

// Contains reports whether a fault at addr happened inside the cage or its guards.
func (c *Cage) Contains(addr uintptr) bool { return addr >= c.raw && addr-c.raw < CageSize+2*guard }

// Base is the address of offset 0.
func (c *Cage) Base() unsafe.Pointer { return c.base }

func (c *Cage) protect(lo, hi uint64) error {
	_, _, e := syscall.Syscall(syscall.SYS_MPROTECT, uintptr(c.base)+uintptr(lo), uintptr(hi-lo), unix.PROT_READ|unix.PROT_WRITE)
	if e != 0 {
		return e
	}
	return nil
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
		syscall.Syscall(syscall.SYS_MADVISE, uintptr(c.base)+uintptr(lo), uintptr(hi-lo), unix.MADV_HUGEPAGE) // advice only
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
	lo = (lo + 4095) &^ 4095
	hi &^= 4095
	if hi > lo {
		syscall.Syscall(syscall.SYS_MADVISE, uintptr(c.base)+uintptr(lo), uintptr(hi-lo), unix.MADV_DONTNEED)
	}
}

// wipe zeroes [lo, hi): a little by clear, the rest by giving pages back.
func (c *Cage) wipe(lo, hi uint64) {
	const keep = 128 << 10
	if hi > lo+keep {
		cut := (lo + keep) &^ 4095
		c.giveBack(cut, (hi+4095)&^4095)
		hi = cut
	}
	if hi > lo {
		clear(c.words(lo, hi))
	}
}

func sysMmap(addr, n uintptr, prot, flags, fd int) (uintptr, error) {
	r, _, e := syscall.Syscall6(syscall.SYS_MMAP, addr, n, uintptr(prot), uintptr(flags), uintptr(fd), 0)
	if e != 0 {
		return 0, e
	}
	return r, nil
}
