package heap

import (
	"encoding/binary"
	"unicode/utf8"
	"unsafe"
)

// Encodings of a string's payload. ASCII and UTF-8 payloads are views for Go code without a copy; UTF-32 appears only
// after a string-set! that does not fit.
const (
	encASCII = 0
	encUTF8  = 1 // with an index of byte offsets every 64 characters, made on first use
	encUTF32 = 2
)

const indexStep = 64

// NewString makes a mutable string of the text; invalid UTF-8 becomes U+FFFD (callers who mind check first).
func (a *Arena) NewString(s string) Word {
	return a.NewText(unsafe.Slice(unsafe.StringData(s), len(s))) // only read
}

// NewText is NewString of bytes, which may be a view of another string.
func (a *Arena) NewText(b []byte) Word {
	n, enc := len(b), encASCII
	if !isASCII(b) {
		if enc = encUTF8; !utf8.Valid(b) {
			b = []byte(string([]rune(string(b))))
		}
		n = utf8.RuneCount(b)
	}
	w, text := a.newPayload(len(b))
	copy(text, b)
	a.SetField(w, 0, Fixnum(int64(n)<<2|int64(enc)))
	return w
}

// NewTextOf is NewText of pieces one after the other, each of whole characters. It lets go of each once it is copied.
func (a *Arena) NewTextOf(pieces [][]byte) Word {
	size, n, enc := 0, 0, encASCII
	for _, b := range pieces {
		size += len(b)
		if isASCII(b) {
			n += len(b)
		} else {
			n += utf8.RuneCount(b)
			enc = encUTF8
		}
	}
	w, text := a.newPayload(size)
	for i, b := range pieces {
		text = text[copy(text, b):]
		pieces[i] = nil
	}
	a.SetField(w, 0, Fixnum(int64(n)<<2|int64(enc)))
	return w
}

// JoinText makes a string of the strings one after the other.
func (a *Arena) JoinText(parts []Word) Word {
	chars, size, enc := 0, 0, encASCII
	for _, p := range parts {
		meta, b := a.payload(p)
		switch meta & 3 {
		case encUTF8:
			enc = encUTF8
		case encUTF32:
			enc, b = encUTF8, a.TextView(p)
		}
		chars += int(meta >> 2)
		size += len(b)
	}
	w, text := a.newPayload(size)
	for _, p := range parts {
		text = text[copy(text, a.TextView(p)):]
	}
	a.SetField(w, 0, Fixnum(int64(chars)<<2|int64(enc)))
	return w
}

// newPayload makes a string whose length and encoding are still to be set, and its n bytes, not cleared.
func (a *Arena) newPayload(n int) (w Word, text []byte) {
	words := uint64(1 + (n+7)/8)
	o := a.Alloc(words + 1 + 4)
	a.Store(o+words*8, 0) // what the last word holds beyond the bytes
	a.Store(o, Header(KindBytes, words))
	a.Store(o+8, uint64(n))
	s := o + 8 + words*8
	a.Store(s, Header(KindString, 3))
	a.Store(s+8, 0)
	a.Store(s+16, o+TagObject)
	a.Store(s+24, False)
	return s + TagObject, asBytes(a.Words(o+16, o+8+words*8))[:n]
}

// isASCII looks at eight bytes at a time.
func isASCII(b []byte) bool {
	for len(b) >= 8 {
		if binary.NativeEndian.Uint64(b)&0x8080808080808080 != 0 {
			return false
		}
		b = b[8:]
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (a *Arena) stringMeta(w Word) (n, enc int) {
	if checked {
		a.checkKind(w, KindString)
	}
	m := FixnumValue(a.Field(w, 0))
	return int(m >> 2), int(m & 3)
}

// StringLen is the number of characters.
func (a *Arena) StringLen(w Word) int { n, _ := a.stringMeta(w); return n }

// Text is the string as Go text, copied.
func (a *Arena) Text(w Word) string { return string(a.TextView(w)) }

// TextView is the string's UTF-8 bytes: a view valid until the next collection or change, or a copy when it is UTF-32.
func (a *Arena) TextView(w Word) []byte {
	meta, b := a.payload(w)
	if meta&3 != encUTF32 {
		return b
	}
	n := int(meta >> 2)
	out := make([]byte, 0, n*2)
	for i := 0; i < n; i++ {
		out = utf8.AppendRune(out, rune(binary.NativeEndian.Uint32(b[i*4:])))
	}
	return out
}

// payload is the length and encoding of a string and its bytes as they lie.
func (a *Arena) payload(w Word) (meta uint64, b []byte) {
	if checked {
		a.checkKind(w, KindString)
	}
	o := w - TagObject
	p := a.Load(o+16) - TagObject
	words, n := HeaderLen(a.Load(p)), a.Load(p+8)
	if words == 0 || n > (words-1)*8 {
		panic(ErrCorrupt)
	}
	p = uint64(uint32(p)) + 16
	return a.Load(o+8) >> 3, asBytes(a.Words(p, p+(words-1)*8))[:n]
}

// MapASCII makes a string of the bytes of another that is ASCII, or answers false: f[c] stands for c.
func (a *Arena) MapASCII(w Word, f *[utf8.RuneSelf]byte) (mapped Word, ok bool) {
	meta, from := a.payload(w)
	if meta&3 != encASCII {
		return 0, false
	}
	mapped, to := a.newPayload(len(from))
	for i, c := range from[:len(to)] {
		to[i] = f[c&(utf8.RuneSelf-1)]
	}
	a.SetField(mapped, 0, Fixnum(int64(meta)))
	return mapped, true
}

// IsASCII reports whether byte offsets are character offsets.
func (a *Arena) IsASCII(w Word) bool { _, enc := a.stringMeta(w); return enc == encASCII }

// StringRef is character i; the caller has checked the range.
func (a *Arena) StringRef(w Word, i int) rune {
	_, enc := a.stringMeta(w)
	b := a.Bytes(a.Field(w, 1))
	switch enc {
	case encASCII:
		return rune(b[i])
	case encUTF32:
		return rune(binary.NativeEndian.Uint32(b[i*4:]))
	}
	r, _ := utf8.DecodeRune(b[a.ByteOffset(w, i):])
	return r
}

// ByteOffset is where character i (up to the length) starts in TextView.
func (a *Arena) ByteOffset(w Word, i int) int {
	n, enc := a.stringMeta(w)
	switch enc {
	case encASCII:
		return i
	case encUTF32: // TextView copies: count
		b := a.Bytes(a.Field(w, 1))
		off := 0
		for j := 0; j < i; j++ {
			off += utf8.RuneLen(rune(binary.NativeEndian.Uint32(b[j*4:])))
		}
		return off
	}
	b := a.Bytes(a.Field(w, 1))
	off, at := 0, 0
	if n > indexStep {
		idx := a.stringIndex(w)
		off, at = int(binary.NativeEndian.Uint32(idx[i/indexStep*4:])), i/indexStep*indexStep
	}
	for ; at < i; at++ {
		_, size := utf8.DecodeRune(b[off:])
		off += size
	}
	return off
}

// stringIndex answers the byte offsets of every 64th character. Literals lie in read-only or unscanned memory, where the
// index cannot be kept: it is built when the constant is made.
func (a *Arena) stringIndex(w Word) []byte {
	if f := a.Field(w, 2); f != False {
		return a.Bytes(f)
	}
	n, _ := a.stringMeta(w)
	idx := a.NewBytes((n/indexStep + 1) * 4)
	fillIndex(a.Bytes(idx), a.Bytes(a.Field(w, 1)))
	if Mutable(w) {
		a.SetField(w, 2, idx)
	}
	return a.Bytes(idx)
}

func fillIndex(idx, text []byte) {
	k := 0
	for off := 0; ; k++ {
		if k%indexStep == 0 {
			binary.NativeEndian.PutUint32(idx[k/indexStep*4:], uint32(off))
		}
		if off >= len(text) {
			return
		}
		_, size := utf8.DecodeRune(text[off:])
		off += size
	}
}

// StringSet puts r at character i of a mutable string, changing the encoding when r does not fit.
func (a *Arena) StringSet(w Word, i int, r rune) {
	n, enc := a.stringMeta(w)
	b := a.Bytes(a.Field(w, 1))
	if enc == encASCII && r < utf8.RuneSelf {
		b[i] = byte(r)
		return
	}
	if enc != encUTF32 {
		p := a.NewBytes(n * 4)
		dst, src := a.Bytes(p), a.Bytes(a.Field(w, 1))
		for j := 0; j < n; j++ {
			c, size := utf8.DecodeRune(src)
			src = src[size:]
			binary.NativeEndian.PutUint32(dst[j*4:], uint32(c))
		}
		a.SetField(w, 0, Fixnum(int64(n)<<2|encUTF32))
		a.SetField(w, 1, p)
		a.SetField(w, 2, False)
		b = dst
	}
	binary.NativeEndian.PutUint32(b[i*4:], uint32(r))
}

// StringReplaceAll makes w hold the text of s: what string-fill! and string-copy! fall back on.
func (a *Arena) StringReplaceAll(w Word, s string) {
	t := a.NewString(s)
	copy(a.Fields(w), a.Fields(t))
}

// StringEqual compares contents.
func (a *Arena) StringEqual(x, y Word) bool {
	if checked {
		a.checkKind(x, KindString)
		a.checkKind(y, KindString)
	}
	mx, my := a.Load(x-TagObject+8)>>3, a.Load(y-TagObject+8)>>3
	if mx>>2 != my>>2 {
		return false
	}
	if n := mx >> 2; mx == my && mx&3 == encASCII && n > 0 { // most that differ do so in the first word
		d := a.Load(a.Load(x-TagObject+16)-TagObject+16) ^ a.Load(a.Load(y-TagObject+16)-TagObject+16)
		if n < 8 {
			d <<= 64 - 8*n
		}
		if d != 0 || n <= 8 {
			return d == 0
		}
	}
	_, bx := a.payload(x)
	_, by := a.payload(y)
	if mx == my {
		return string(bx) == string(by)
	}
	return string(a.TextView(x)) == string(a.TextView(y))
}

// ---- symbols ----

// Intern answers the symbol of that name. Symbols lie in the static area: their addresses never change.
// When the area is full it panics with ErrMemory; InternRoom tells beforehand.
func (a *Arena) Intern(name string) Word { return a.intern(name, 0) }

// InternKeyword answers the keyword #:name.
func (a *Arena) InternKeyword(name string) Word { return a.intern(name, keywordBit) }

// InternRoom reports whether a program may bring a symbol of n bytes. Some room is kept back, so that the names of
// conditions fit also when a program has filled the area with symbols.
func (a *Arena) InternRoom(n int) bool { return a.StaticRoom(uint64(n)/8 + 16 + keptWords) }

const keptWords = 2 << 10

// InternShort is the symbol of a name that the machine itself chose, and reports whether the kept room had place for it.
func (a *Arena) InternShort(name string) (Word, bool) {
	if w, ok := a.lookup(name); ok {
		return w, true
	}
	if len(name) > 64 || !a.StaticRoom(uint64(len(name))/8+16) {
		return False, false
	}
	return a.Intern(name), true
}

// SymbolOr is the symbol of a name that the machine itself chose, or a string of it when there is no room for symbols.
func (a *Arena) SymbolOr(name string) Word {
	if w, ok := a.InternShort(name); ok {
		return w
	}
	return a.NewString(name)
}

// internKey is what the tables of symbols know a name by. A keyword's begins with a byte that no text holds: the symbol
// |#:a| is not the keyword #:a.
func internKey(name string, flag uint64) string {
	if flag != 0 {
		return "\xff" + name
	}
	return name
}

func (a *Arena) intern(name string, flag uint64) Word {
	key := internKey(name, flag)
	if w, ok := a.lookup(key); ok {
		return w
	}
	w := a.staticSymbol(name, flag)
	a.addSymbol(key, w)
	return w
}

func (a *Arena) lookup(key string) (Word, bool) {
	if w, ok := a.image.Find(key); ok {
		return Word(w), true
	}
	if w, ok := a.adopted[key]; ok {
		return w, true
	}
	w, ok := a.symbols[key]
	return w, ok
}

func (a *Arena) addSymbol(key string, w Word) {
	if a.symbols == nil {
		a.symbols = map[string]Word{}
	}
	a.symbols[key] = w
}

func (a *Arena) staticSymbol(name string, flag uint64) Word {
	s := a.StaticString(name)
	o := a.Static(3)
	a.Store(o, Header(KindSymbol, 2)|flag)
	a.Store(o+8, s)
	a.Store(o+16, Fixnum(int64(HashText([]byte(name))>>4)))
	return o + TagObject
}

// NewUninterned makes a symbol that no name reaches.
func (a *Arena) NewUninterned(name string) Word { return a.staticSymbol(name, uninternedBit) }

// SymbolName is the name of a symbol or keyword.
func (a *Arena) SymbolName(w Word) string { return a.Text(a.Field(w, 0)) }

// SymbolHash is a hash of the name, the same in every process.
func (a *Arena) SymbolHash(w Word) uint64 { return uint64(FixnumValue(a.Field(w, 1))) }

// Symbols is the arena's own interned symbols by their internKey: what the image keeps and a snapshot lists.
func (a *Arena) Symbols() map[string]Word { return a.symbols }

// StaticString makes an immutable string in the static area, its index included.
func (a *Arena) StaticString(s string) Word {
	tmp := a.NewString(s)
	n, enc := a.stringMeta(tmp)
	idx := False
	if enc == encUTF8 && n > indexStep {
		idx = a.staticBytes(a.stringIndex(tmp))
	}
	p := a.staticBytes([]byte(s))
	o := a.Static(4)
	a.Store(o, Header(KindString, 3))
	a.Store(o+8, Fixnum(int64(n)<<2|int64(enc)))
	a.Store(o+16, p)
	a.Store(o+24, idx)
	return o + TagObject
}

// StaticBytes makes an immutable bytevector in the static area.
func (a *Arena) StaticBytes(b []byte) Word { return a.staticBytes(b) }

func (a *Arena) staticBytes(b []byte) Word {
	words := uint64(1 + (len(b)+7)/8)
	o := a.Static(words + 1)
	a.Store(o, Header(KindBytes, words))
	a.Store(o+8, uint64(len(b)))
	copy(asBytes(a.Words(o+16, o+8+words*8)), b)
	return o + TagObject
}

// HashText hashes bytes the same way in every process, eight at a time; the last eight may overlap others.
func HashText(b []byte) uint64 {
	n := len(b)
	h := uint64(n) * 14695981039346656037
	switch {
	case n >= 8:
		last := binary.LittleEndian.Uint64(b[n-8:])
		for ; len(b) > 8; b = b[8:] {
			h = Mix(h ^ binary.LittleEndian.Uint64(b))
		}
		h ^= last
	case n >= 4:
		h ^= uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<32
	case n > 0:
		h ^= uint64(b[0]) | uint64(b[n>>1])<<8 | uint64(b[n-1])<<16
	}
	return Mix(h)
}

// Mix spreads the bits of a hash.
func Mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}
