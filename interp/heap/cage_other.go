//go:build unix && !linux

package heap

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Systems without memfd and without a madvise that zeroes: every cage has a copy of the image, and pages are given back
// by mapping new ones over them.

const mapNoReserve = 0

// Image is the read-only bottom of a cage.
type Image struct {
	words, globals string
}

// NewImage makes an image of the words that lie from ImageLo on and of the image's global slots, as they lie in memory.
func NewImage(words, globals string) (*Image, error) {
	return &Image{words, globals}, nil
}

// Close is for symmetry: Go's collector takes the image.
func (i *Image) Close() error { return nil }

func (c *Cage) mapImage(img *Image) error {
	if err := c.protect(ImageLo, PrivateLo); err != nil {
		return err
	}
	copy(c.bytes(ImageLo, PrivateLo), img.words)
	copy(c.bytes(GlobalBase, PrivateLo), img.globals)
	return unix.Mprotect(c.bytes(ImageLo, PrivateLo), unix.PROT_READ)
}

func (c *Cage) hugePages(lo, hi uint64) {}

// discard makes whole pages zero.
func (c *Cage) discard(lo, hi uint64) {
	_, err := unix.MmapPtr(-1, 0, unsafe.Add(c.base, lo), uintptr(hi-lo), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_FIXED)
	if err != nil {
		clear(c.bytes(lo, hi))
	}
}
