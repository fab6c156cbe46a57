package heap

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// ErrStaticImage says that static words out of a snapshot are not what a machine leaves there.
var ErrStaticImage = errors.New("damaged static objects")

// RestoreStatic puts static words that a program made (symbols, with their names) at the end of the static area after
// checking every one of them. It answers references to all objects among them.
func (a *Arena) RestoreStatic(words []Word) (refs []Word, err error) {
	n := uint64(len(words))
	if !a.StaticRoom(n) {
		return nil, fmt.Errorf("%w: they do not fit", ErrStaticImage)
	}
	base := a.Static(n)
	copy(a.Words(base, base+n*8), words)
	kinds := map[Word]Kind{}
	for o := base; o < base+n*8; {
		h := a.Load(o)
		k := HeaderLen(h)
		if k == 0 || o+k*8 >= base+n*8 {
			return nil, fmt.Errorf("%w: size at %#x", ErrStaticImage, o)
		}
		w := o + TagObject
		if err := a.checkStatic(w, h, k, kinds); err != nil {
			return nil, fmt.Errorf("%w at %#x", err, o)
		}
		kinds[w] = uint8(h)
		refs = append(refs, w)
		o += 8 + k*8
	}
	return refs, nil
}

// checkStatic checks one object; kinds has those before it, the only ones that it may refer to.
func (a *Arena) checkStatic(w, h Word, k uint64, kinds map[Word]Kind) error {
	switch h &^ (keywordBit | uninternedBit) {
	case Header(KindBytes, k):
		if h != Header(KindBytes, k) || a.Load(w-TagObject+8) > (k-1)*8 {
			return fmt.Errorf("%w: bytes", ErrStaticImage)
		}
	case Header(KindString, 3):
		if h != Header(KindString, 3) || kinds[a.Field(w, 1)] != KindBytes || a.Field(w, 2) != False && kinds[a.Field(w, 2)] != KindBytes || !a.SoundString(w) {
			return fmt.Errorf("%w: a string", ErrStaticImage)
		}
	case Header(KindSymbol, 2):
		name := a.Field(w, 0)
		if kinds[name] != KindString || h&keywordBit != 0 && h&uninternedBit != 0 {
			return fmt.Errorf("%w: a symbol", ErrStaticImage)
		}
		text := a.Text(name)
		if a.Field(w, 1) != Fixnum(int64(HashText([]byte(text))>>4)) {
			return fmt.Errorf("%w: a symbol's hash", ErrStaticImage)
		}
		if h&uninternedBit != 0 {
			return nil
		}
		key := internKey(text, h&keywordBit)
		if _, dup := a.lookup(key); dup {
			return fmt.Errorf("%w: a symbol twice", ErrStaticImage)
		}
		a.addSymbol(key, w)
	default:
		return fmt.Errorf("%w: kind %#x", ErrStaticImage, uint8(h))
	}
	return nil
}

// SoundString reports whether a string's length, encoding, payload and index agree. The fields must be references to
// whole objects or immediates.
func (a *Arena) SoundString(w Word) bool {
	if a.Size(w) != 3 || !IsFixnum(a.Field(w, 0)) || a.Field(w, 0)>>63 != 0 || !a.Is(a.Field(w, 1), KindBytes) {
		return false
	}
	n, enc := a.stringMeta(w)
	b := a.Bytes(a.Field(w, 1))
	switch enc {
	case encASCII:
		if n != len(b) {
			return false
		}
		for _, c := range b {
			if c >= utf8.RuneSelf {
				return false
			}
		}
	case encUTF8:
		if !utf8.Valid(b) || utf8.RuneCount(b) != n {
			return false
		}
	case encUTF32:
		if n > len(b)/4 {
			return false
		}
		for i := range n {
			r := uint32(b[i*4]) | uint32(b[i*4+1])<<8 | uint32(b[i*4+2])<<16 | uint32(b[i*4+3])<<24
			if !IsImmediate(uint64(r)<<8 | CharByte) {
				return false
			}
		}
	default:
		return false
	}
	idx := a.Field(w, 2)
	if idx == False {
		return true
	}
	if !a.Is(idx, KindBytes) || enc != encUTF8 || len(a.Bytes(idx)) != (n/indexStep+1)*4 {
		return false
	}
	want := make([]byte, (n/indexStep+1)*4)
	fillIndex(want, b)
	return string(want) == string(a.Bytes(idx))
}

// Reach answers the references to all objects below HeapLo that roots lead to.
func (a *Arena) Reach(roots ...Word) map[Word]struct{} {
	seen := map[Word]struct{}{}
	for stack := roots; len(stack) > 0; {
		w := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !IsRef(w) || w >= HeapLo || w < ImageLo {
			continue
		}
		if _, ok := seen[w]; ok {
			continue
		}
		seen[w] = struct{}{}
		if IsPair(w) {
			stack = append(stack, a.Car(w), a.Cdr(w))
			continue
		}
		if k := a.Kind(w); k&rawBit == 0 {
			f := a.Fields(w)
			if k == KindClosure {
				f = f[1:]
			}
			stack = append(stack, f...)
		}
	}
	return seen
}
