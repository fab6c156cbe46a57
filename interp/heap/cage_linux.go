package heap

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

const mapNoReserve = unix.MAP_NORESERVE

// Image is the read-only bottom of a cage, shared by all cages that map it.
type Image struct {
	file *os.File
}

// NewImage makes an image of the words that lie from ImageLo on and of the image's global slots, as they lie in memory.
func NewImage(words, globals string) (*Image, error) {
	fd, err := unix.MemfdCreate("caper-image", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("image: %w", err)
	}
	f := os.NewFile(uintptr(fd), "caper-image")
	img := &Image{file: f}
	if err := f.Truncate(PrivateLo - ImageLo); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.WriteAt(unsafe.Slice(unsafe.StringData(words), len(words)), 0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.WriteAt(unsafe.Slice(unsafe.StringData(globals), len(globals)), GlobalBase-ImageLo); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return img, nil
}

// Close gives the image's memory back once no cage maps it any more.
func (i *Image) Close() error { return i.file.Close() }

func (c *Cage) mapImage(img *Image) error {
	_, err := unix.MmapPtr(int(img.file.Fd()), 0, unsafe.Add(c.base, ImageLo), PrivateLo-ImageLo, unix.PROT_READ, unix.MAP_SHARED|unix.MAP_FIXED)
	return err
}

func (c *Cage) hugePages(lo, hi uint64) { _ = unix.Madvise(c.bytes(lo, hi), unix.MADV_HUGEPAGE) } // advice only

// discard makes whole pages zero.
func (c *Cage) discard(lo, hi uint64) {
	if unix.Madvise(c.bytes(lo, hi), unix.MADV_DONTNEED) != nil {
		clear(c.bytes(lo, hi)) // locked in memory, say
	}
}
