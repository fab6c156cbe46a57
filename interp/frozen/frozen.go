// Package frozen is how the library image is written down so that a process starts with it at no cost: numbers and texts
// in a row, and indexes that are searched where they lie. It reads what a build of the same program wrote, under a
// checksum, so what it reads is sound. The engine's rooms that have a part in the image import it; it imports nothing.
package frozen

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sort"
	"unsafe"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sum is a quick checksum that goes on from another: it finds accidents, not forgeries.
func Sum(sum uint32, s string) uint32 {
	return SumBytes(sum, unsafe.Slice(unsafe.StringData(s), len(s)))
}

// SumBytes is Sum of bytes.
func SumBytes(sum uint32, b []byte) uint32 { return crc32.Update(sum, castagnoli, b) }

// Writer collects numbers and texts.
type Writer struct{ out []byte }

// Int adds a number that is not negative; small ones are short.
func (w *Writer) Int(i int) {
	if i < 0 {
		panic(fmt.Sprintf("frozen: %d is negative", i))
	}
	w.out = binary.AppendUvarint(w.out, uint64(i))
}

// Signed adds any number.
func (w *Writer) Signed(i int64) { w.out = binary.AppendVarint(w.out, i) }

// Word adds a number of full width.
func (w *Writer) Word(x uint64) { w.out = binary.LittleEndian.AppendUint64(w.out, x) }

// Words is a list of numbers of full width as one text.
func Words(list []uint64) string {
	w := Writer{make([]byte, 0, len(list)*8)}
	for _, x := range list {
		w.Word(x)
	}
	return w.String()
}

// Bool adds a truth value.
func (w *Writer) Bool(b bool) {
	if b {
		w.Int(1)
	} else {
		w.Int(0)
	}
}

// Text adds a text.
func (w *Writer) Text(s string) {
	w.Int(len(s))
	w.out = append(w.out, s...)
}

// String is what was written.
func (w *Writer) String() string { return string(w.out) }

// Reader reads what a Writer wrote, in the same order.
type Reader struct{ in string }

// NewReader begins to read.
func NewReader(in string) *Reader { return &Reader{in} }

// Int reads what Writer.Int wrote.
func (r *Reader) Int() int {
	n, shift := 0, 0
	for {
		b := r.in[0]
		r.in = r.in[1:]
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
		shift += 7
	}
}

// Signed reads what Writer.Signed wrote.
func (r *Reader) Signed() int64 {
	u := uint64(r.Int())
	return int64(u>>1) ^ -int64(u&1)
}

// Word reads what Writer.Word wrote.
func (r *Reader) Word() uint64 {
	x := word(r.in)
	r.in = r.in[8:]
	return x
}

func word(s string) uint64 { return uint64(short(s, 0)) | uint64(short(s, 4))<<32 }

// ParseWords is the list that Words made a text of.
func ParseWords(s string) []uint64 {
	list := make([]uint64, len(s)/8)
	for i := range list {
		list[i] = word(s[i*8:])
	}
	return list
}

// Bool reads what Writer.Bool wrote.
func (r *Reader) Bool() bool { return r.Int() != 0 }

// Text reads what Writer.Text wrote, without a copy.
func (r *Reader) Text() string {
	n := r.Int()
	s := r.in[:n]
	r.in = r.in[n:]
	return s
}

// List is a row of texts of which any can be read without the others.
type List struct {
	ends, text string
}

// NewList makes a row of texts.
func NewList(items []string) List {
	var ends, text []byte
	for _, s := range items {
		text = append(text, s...)
		ends = binary.LittleEndian.AppendUint32(ends, uint32(len(text)))
	}
	return List{string(ends), string(text)}
}

// List adds a row of texts.
func (w *Writer) List(l List) {
	w.Text(l.ends)
	w.Text(l.text)
}

// List reads what Writer.List wrote.
func (r *Reader) List() List { return List{r.Text(), r.Text()} }

// Len is the number of texts.
func (l List) Len() int { return len(l.ends) / 4 }

// At is text number i.
func (l List) At(i int) string {
	lo := uint32(0)
	if i > 0 {
		lo = short(l.ends, i*4-4)
	}
	return l.text[lo:short(l.ends, i*4)]
}

// Index finds numbers by names. It is a hash table in a text, searched where it lies.
type Index struct{ data string }

// An entry is the offset and the length of a name and a number. Before the entries are their number and that of the
// slots, a power of two; then the slots: zero, or one more than the number of an entry.
const (
	header = 8
	entry  = 12
)

// NewIndex makes an index; entry i has the i-th name in order.
func NewIndex(of map[string]uint32) Index {
	names := make([]string, 0, len(of))
	for n := range of {
		names = append(names, n)
	}
	sort.Strings(names)
	slots := 2
	for slots < 2*len(names) {
		slots *= 2
	}
	table := make([]uint32, slots)
	at := header + slots*4 + len(names)*entry
	var entries, text []byte
	for i, n := range names {
		h := hash(n)
		for table[h&uint32(slots-1)] != 0 {
			h++
		}
		table[h&uint32(slots-1)] = uint32(i + 1)
		for _, x := range [3]uint32{uint32(at + len(text)), uint32(len(n)), of[n]} {
			entries = binary.LittleEndian.AppendUint32(entries, x)
		}
		text = append(text, n...)
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(names)))
	out = binary.LittleEndian.AppendUint32(out, uint32(slots))
	for _, x := range table {
		out = binary.LittleEndian.AppendUint32(out, x)
	}
	return Index{string(append(append(out, entries...), text...))}
}

// ReadIndex is the index whose Data was kept.
func ReadIndex(data string) Index { return Index{data} }

// Data is the index as text.
func (x Index) Data() string { return x.data }

// Len is the number of names.
func (x Index) Len() int {
	if x.data == "" {
		return 0
	}
	return int(short(x.data, 0))
}

// At is name number i and what it stands for.
func (x Index) At(i int) (string, uint32) {
	at := header + int(short(x.data, 4))*4 + i*entry
	lo := short(x.data, at)
	return x.data[lo : lo+short(x.data, at+4)], short(x.data, at+8)
}

// Find looks a name up.
func (x Index) Find(name string) (uint32, bool) {
	if x.data == "" {
		return 0, false
	}
	mask := short(x.data, 4) - 1
	for h := hash(name); ; h++ {
		i := short(x.data, header+int(h&mask)*4)
		if i == 0 {
			return 0, false
		}
		if n, v := x.At(int(i) - 1); n == name {
			return v, true
		}
	}
}

func short(s string, at int) uint32 {
	s = s[at : at+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h ^ h>>15
}
