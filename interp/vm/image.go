package vm

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"caper/interp/frozen"
	"caper/interp/heap"
)

// Image is a sealed library: what its builder's code defined, read-only, shared by all machines made from it.
type Image struct {
	memory  *heap.Image
	symbols frozen.Index
	names   frozen.List // of global slots: its own, then the private ones
	units   []*placed
	texts   frozen.List // of the units, when it was thawed
	globals int         // image globals in use
	throw   heap.Word   // what calls of continuations go through
	private []heap.Word // initial values of the library globals that are assigned
	maxRegs uint64
	handler int
	ending  int
	hash    [32]byte

	words, cells string // the memory: from heap.ImageLo on, and the global slots

	mu    sync.Mutex
	spare []*heap.Cage

	preparedMu   sync.Mutex
	prepared     map[preparedKey]*prepared
	preparedSize int

	referenceSet
}

// mostSpare is how many cages an image keeps for later machines: each keeps some memory.
const mostSpare = 32

// ErrNotBuilder says that a machine with an image was asked to become one.
var ErrNotBuilder = errors.New("only a machine that was made without an image can become one")

// Seal makes an image of what the builder's programs left in its globals. The builder must not be used afterwards.
func (m *Machine) Seal() (img *Image, err error) {
	if m.image != nil || m.mem == nil {
		return nil, ErrNotBuilder
	}
	defer func() {
		if r := recover(); r == heap.ErrMemory {
			err = errors.New("the library image is full")
		} else if r != nil {
			panic(r)
		}
	}()
	first := heap.GlobalOffset(heap.ImageGlobals)
	globals := m.Words(heap.GlobalBase, heap.GlobalBase+uint64(m.imageGlobals)*8)
	private := m.Words(first, first+uint64(m.privates)*8)
	end := m.SealTo(globals, private, m.root[rootThrow:rootThrow+1])
	words := m.Words(heap.ImageLo, end)
	img = &Image{
		symbols: indexSymbols(m.Symbols()), units: m.units, globals: m.imageGlobals,
		throw:   m.root[rootThrow],
		private: append([]heap.Word(nil), private...),
		maxRegs: m.maxRegs, handler: m.handler, ending: m.ending,
	}
	names := make([]string, 0, m.imageGlobals+m.privates)
	for i := range m.imageGlobals {
		names = append(names, m.names[i])
	}
	for i := range m.privates {
		names = append(names, m.names[heap.ImageGlobals+i])
	}
	img.names = frozen.NewList(names)
	img.hash = hashWords(words, globals, private)
	img.words, img.cells = frozen.Words(words), frozen.Words(globals)
	if img.memory, err = heap.NewImage(img.words, img.cells); err != nil {
		return nil, err
	}
	m.ended = true
	return img, nil
}

func indexSymbols(symbols map[string]heap.Word) frozen.Index {
	short := make(map[string]uint32, len(symbols))
	for name, w := range symbols {
		short[name] = uint32(w) // a reference
	}
	return frozen.NewIndex(short)
}

// name is what a global slot of the library is called, "" when it is none.
func (i *Image) name(slot int) string {
	if slot >= heap.ImageGlobals {
		slot += i.globals - heap.ImageGlobals
	} else if slot >= i.globals {
		return ""
	}
	if slot >= i.names.Len() {
		return ""
	}
	return i.names.At(slot)
}

func hashWords(lists ...[]heap.Word) (sum [32]byte) {
	h := sha256.New()
	var block [4096]byte
	for _, l := range lists {
		h.Write(binary.LittleEndian.AppendUint64(block[:0], uint64(len(l))))
		for len(l) > 0 {
			b, n := block[:0], min(len(l), len(block)/8)
			for _, w := range l[:n] {
				b = binary.LittleEndian.AppendUint64(b, w)
			}
			h.Write(b)
			l = l[n:]
		}
	}
	h.Sum(sum[:0])
	return sum
}

// Hash identifies the image: snapshots are only good for the image they were taken on.
func (i *Image) Hash() [32]byte { return i.hash }

// Privates is how many private slots the library's own assigned globals take.
func (i *Image) Privates() int { return len(i.private) }

func (i *Image) String() string {
	return fmt.Sprintf("image of %d globals and %d bytes", i.globals, len(i.words)+len(i.cells))
}

func (i *Image) take() (*heap.Cage, error) {
	i.mu.Lock()
	if n := len(i.spare); n > 0 {
		c := i.spare[n-1]
		i.spare = i.spare[:n-1]
		i.mu.Unlock()
		return c, nil
	}
	i.mu.Unlock()
	return heap.NewCage(i.memory)
}

func (i *Image) put(c *heap.Cage) {
	i.mu.Lock()
	if len(i.spare) < mostSpare {
		i.spare = append(i.spare, c)
		c = nil
	}
	i.mu.Unlock()
	if c != nil {
		_ = c.Free() // nothing can be done about an address range that stays reserved
	}
}

// Close frees the cages that the image keeps for later machines; machines that exist go on.
func (i *Image) Close() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	var errs []error
	for _, c := range i.spare {
		errs = append(errs, c.Free())
	}
	i.spare = nil
	return errors.Join(append(errs, i.memory.Close())...)
}

// Library is the value of a variable of the library that the library assigns, by its name; heap.Unbound: there is none.
func (m *Machine) Library(name string) heap.Word {
	if m.image == nil || m.mem == nil {
		return heap.Unbound
	}
	for i := range m.image.private {
		if m.image.names.At(m.image.globals+i) == name {
			return *rg(m.mem, heap.GlobalOffset(heap.ImageGlobals+i))
		}
	}
	return heap.Unbound
}

// adoptImage gives a fresh machine the image's private globals.
func (m *Machine) adoptImage() {
	i := m.image
	m.maxRegs, m.handler, m.ending = i.maxRegs, i.handler, i.ending
	first := heap.GlobalOffset(heap.ImageGlobals)
	copy(m.Words(first, first+uint64(len(i.private))*8), i.private)
	m.privates = len(i.private)
	m.root[rootThrow] = i.throw
}
