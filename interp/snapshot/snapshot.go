// Package snapshot turns a machine that does not run into bytes and back. It checks every word of what it reads, so that
// damaged bytes are refused and never run; whether the bytes are the right ones is the business of whoever keeps them (they
// carry a MAC there). Package interp imports it; it imports heap, code and vm.
package snapshot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"caper/interp/code"
	"caper/interp/heap"
	"caper/interp/vm"
)

// Version is the format's. A snapshot of another version is refused: the program is then replayed from its source.
const Version = 3

const magic = "CAPERSNP"

// ErrDamaged says that bytes are no sound snapshot.
var ErrDamaged = errors.New("damaged snapshot")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// The format, in little-endian 64-bit words after the eight bytes of magic: version, four words of the image's hash,
// numbers of static stretches, globals, ready fibers, pending fibers, fresh calls and heap words, the last call's
// number, fuel spent, whether output stopped within a line, the main fiber; then each static stretch (four words of its
// unit's hash, its size where it is apart, number of words, words), globals, ready, pending, fresh, heap; at the end the CRC-32C of all before.

// Take writes a machine that waits or is out of fuel. The machine can go on; words that the host held are stale.
func Take(m *vm.Machine) ([]byte, error) {
	s, err := m.State()
	if err != nil {
		return nil, err
	}
	size := 32 + len(s.Globals) + len(s.Ready) + len(s.Pending) + len(s.Fresh) + len(s.Heap)
	for _, st := range s.Statics {
		size += 6 + len(st.Words)
	}
	w := writer{make([]byte, 0, size*8)}
	w.b = append(w.b, magic...)
	w.words(Version)
	w.b = append(w.b, s.Image[:]...)
	w.words(uint64(len(s.Statics)), uint64(len(s.Globals)), uint64(len(s.Ready)), uint64(len(s.Pending)), uint64(len(s.Fresh)), uint64(len(s.Heap)))
	midLine := uint64(0)
	if s.MidLine {
		midLine = 1
	}
	w.words(s.NextCall, uint64(s.Spent), midLine, s.Main)
	for _, st := range s.Statics {
		w.b = append(w.b, st.Unit[:]...)
		w.words(st.Size, uint64(len(st.Words)))
		w.words(st.Words...)
	}
	w.words(s.Globals...)
	w.words(s.Ready...)
	w.words(s.Pending...)
	w.words(s.Fresh...)
	w.words(s.Heap...)
	w.words(uint64(crc32.Checksum(w.b, castagnoli)))
	return w.b, nil
}

type writer struct{ b []byte }

func (w *writer) words(list ...uint64) {
	for _, x := range list {
		w.b = binary.LittleEndian.AppendUint64(w.b, x)
	}
}

// Restore makes a machine of a snapshot. units finds the units that were loaded by their hashes, nil where it has none.
// The errors are ErrDamaged, vm.ErrOther (another image, other units), and those of vm.New.
func Restore(cfg vm.Config, units func(hash [32]byte) *code.Unit, b []byte) (*vm.Machine, error) {
	s, err := decode(b)
	if err != nil {
		return nil, err
	}
	m, err := vm.Restore(cfg, units, s, func(l *vm.Layout) error { return check(l, s) })
	if errors.Is(err, heap.ErrCorrupt) || errors.Is(err, heap.ErrStaticImage) {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return m, err
}

// Units lists the hashes of the units that a snapshot needs, after no more than a check of its form.
func Units(b []byte) ([][32]byte, error) {
	s, err := decode(b)
	if err != nil {
		return nil, err
	}
	var hashes [][32]byte
	for _, st := range s.Statics {
		if st.Unit != ([32]byte{}) && !st.Hole() {
			hashes = append(hashes, st.Unit)
		}
	}
	return hashes, nil
}

type reader struct {
	b   []byte
	bad bool
}

func (r *reader) word() uint64 {
	if len(r.b) < 8 {
		r.bad = true
		return 0
	}
	x := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return x
}

func (r *reader) hash() (h [32]byte) {
	if len(r.b) < 32 {
		r.bad = true
		return h
	}
	copy(h[:], r.b)
	r.b = r.b[32:]
	return h
}

func (r *reader) words(n uint64) []uint64 {
	if n > uint64(len(r.b)/8) {
		r.bad = true
		return nil
	}
	list := make([]uint64, n)
	for i := range list {
		list[i] = binary.LittleEndian.Uint64(r.b[i*8:])
	}
	r.b = r.b[n*8:]
	return list
}

func decode(b []byte) (*vm.State, error) {
	if len(b) < len(magic)+16 || len(b)%8 != 0 || string(b[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: not a snapshot", ErrDamaged)
	}
	body := b[:len(b)-8]
	if binary.LittleEndian.Uint64(b[len(body):]) != uint64(crc32.Checksum(body, castagnoli)) {
		return nil, fmt.Errorf("%w: checksum", ErrDamaged)
	}
	r := &reader{b: body[len(magic):]}
	if v := r.word(); v != Version {
		return nil, fmt.Errorf("%w: format version %d, this is %d", vm.ErrOther, v, Version)
	}
	s := &vm.State{Image: r.hash()}
	statics, globals, ready, pending, fresh, size := r.word(), r.word(), r.word(), r.word(), r.word(), r.word()
	s.NextCall, s.Spent = r.word(), int64(r.word())
	midLine := r.word()
	s.MidLine, r.bad = midLine == 1, r.bad || midLine > 1
	s.Main = r.word()
	for ; statics > 0 && !r.bad; statics-- {
		st := vm.Static{Unit: r.hash(), Size: r.word()}
		st.Words = r.words(r.word())
		s.Statics = append(s.Statics, st)
	}
	s.Globals, s.Ready, s.Pending, s.Fresh, s.Heap = r.words(globals), r.words(ready), r.words(pending), r.words(fresh), r.words(size)
	if r.bad || len(r.b) != 0 {
		return nil, fmt.Errorf("%w: lengths", ErrDamaged)
	}
	return s, nil
}
