package badger

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"

	"caper/runtime/store"

	"golang.org/x/sys/unix"
)

// The anchor is a small file beside the database that names the last event record. The database alone would lose a
// damaged tail without a word. Two slots are written in turn, so that one of them is always whole; a third place holds
// what a clean close found.
const (
	anchorName  = "anchor"
	anchorSize  = 4096
	slotSize    = 84
	slotStride  = 512
	cleanOffset = 1024
	cleanSize   = 32

	slotMagic  = 0x43615031 // "CaP1"
	cleanMagic = 0x43615043 // "CaPC"

	flagFast = 1
)

type slot struct {
	tip  store.Tip
	turn uint64 // how many times an anchor was written
	fast bool
	boot [8]byte
}

type cleanRecord struct {
	turn uint64 // of the slot that it belongs to
	size uint64 // of MANIFEST
	sum  uint32 // of MANIFEST
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (s slot) bytes() []byte {
	b := make([]byte, 0, slotSize)
	b = binary.BigEndian.AppendUint32(b, slotMagic)
	flags := uint32(0)
	if s.fast {
		flags |= flagFast
	}
	b = binary.BigEndian.AppendUint32(b, flags)
	for _, n := range []uint64{s.turn, s.tip.Records, s.tip.Session, s.tip.Seq} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	b = append(append(b, s.tip.Hash[:]...), s.boot[:]...)
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func readSlot(b []byte) (s slot, ok bool) {
	if len(b) < slotSize {
		return s, false
	}
	b = b[:slotSize]
	if binary.BigEndian.Uint32(b) != slotMagic || crc32.Checksum(b[:slotSize-4], castagnoli) != binary.BigEndian.Uint32(b[slotSize-4:]) {
		return s, false
	}
	s.fast = binary.BigEndian.Uint32(b[4:])&flagFast != 0
	s.turn = binary.BigEndian.Uint64(b[8:])
	s.tip.Records = binary.BigEndian.Uint64(b[16:])
	s.tip.Session = binary.BigEndian.Uint64(b[24:])
	s.tip.Seq = binary.BigEndian.Uint64(b[32:])
	copy(s.tip.Hash[:], b[40:])
	copy(s.boot[:], b[72:])
	return s, true
}

func (c cleanRecord) bytes() []byte {
	b := binary.BigEndian.AppendUint32(make([]byte, 0, cleanSize), cleanMagic)
	b = binary.BigEndian.AppendUint64(b, c.turn)
	b = binary.BigEndian.AppendUint64(b, c.size)
	b = binary.BigEndian.AppendUint32(b, c.sum)
	b = append(b, 0, 0, 0, 0)
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func readClean(b []byte) (c cleanRecord, ok bool) {
	if len(b) < cleanSize {
		return c, false
	}
	b = b[:cleanSize]
	if binary.BigEndian.Uint32(b) != cleanMagic || crc32.Checksum(b[:cleanSize-4], castagnoli) != binary.BigEndian.Uint32(b[cleanSize-4:]) {
		return c, false
	}
	return cleanRecord{
		turn: binary.BigEndian.Uint64(b[4:]), size: binary.BigEndian.Uint64(b[12:]), sum: binary.BigEndian.Uint32(b[20:]),
	}, true
}

// anchor is the open file.
type anchor struct {
	f     *os.File
	turn  uint64
	fast  bool    // this life's
	boot  [8]byte // this life's
	found slot    // what it said when it was opened
	clean *cleanRecord
	fresh bool
	whole bool // one slot at least could be read
}

func openAnchor(dir string) (*anchor, error) {
	path := filepath.Join(dir, anchorName)
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return &anchor{fresh: true}, nil
	}
	if err != nil {
		return nil, unreadable(dir, err)
	}
	a := &anchor{f: f}
	b := make([]byte, anchorSize)
	n, _ := f.ReadAt(b, 0)
	b = b[:n]
	for i := range 2 {
		if s, ok := readSlot(b[min(i*slotStride, n):]); ok && (!a.whole || s.turn > a.found.turn) {
			a.found, a.whole = s, true
		}
	}
	if c, ok := readClean(b[min(cleanOffset, n):]); ok && a.whole && c.turn == a.found.turn {
		a.clean = &c
	}
	a.turn = a.found.turn
	return a, nil
}

// begin makes the anchor ready for an opening: a file of its full size, and without the record of a clean close, which is
// true no longer once the database is open. What it says of the last life stays until the checks have passed.
func (a *anchor) begin(dir string) error {
	if a.f == nil {
		f, err := os.OpenFile(filepath.Join(dir, anchorName), os.O_CREATE|os.O_RDWR|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0o600)
		if err != nil {
			return err
		}
		a.f = f
	}
	if fi, err := a.f.Stat(); err != nil {
		return err
	} else if fi.Size() < anchorSize {
		if _, err := a.f.WriteAt(make([]byte, anchorSize-fi.Size()), fi.Size()); err != nil {
			return err
		}
	}
	if _, err := a.f.WriteAt(make([]byte, cleanSize), cleanOffset); err != nil {
		return err
	}
	if !a.whole {
		if err := a.write(store.Tip{}); err != nil {
			return err
		}
	}
	if err := a.sync(); err != nil {
		return err
	}
	return syncFolder(dir)
}

func (a *anchor) write(tip store.Tip) error {
	a.turn++
	s := slot{tip: tip, turn: a.turn, fast: a.fast, boot: a.boot}
	_, err := a.f.WriteAt(s.bytes(), int64(a.turn%2)*slotStride)
	return err
}

func (a *anchor) writeClean(manifest []byte) error {
	c := cleanRecord{turn: a.turn, size: uint64(len(manifest)), sum: crc32.Checksum(manifest, castagnoli)}
	if _, err := a.f.WriteAt(c.bytes(), cleanOffset); err != nil {
		return err
	}
	return a.sync()
}

func (a *anchor) sync() error { return syncData(a.f) }

func (a *anchor) close() error {
	if a.f == nil {
		return nil
	}
	return a.f.Close()
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// bootID names this run of the machine. Where there is none to read, every opening is taken for the same run.
func bootID(override string) (id [8]byte) {
	text := []byte(override)
	if override == "" {
		text, _ = os.ReadFile("/proc/sys/kernel/random/boot_id")
	}
	sum := sha256.Sum256(text)
	copy(id[:], sum[:])
	return id
}
