package text

import (
	"unicode"
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines case mapping: Go's tables for single characters, and the characters whose full mapping
// (Unicode SpecialCasing and CaseFolding) is longer than one.

func caseRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("string-upcase", 1, 3, "string [start [end]]", "The text in upper case.", recase(upper, &upperASCII)),
		prim.Row("string-downcase", 1, 3, "string [start [end]]", "The text in lower case.", recase(lower, &lowerASCII)),
		prim.Row("string-foldcase", 1, 3, "string [start [end]]", "The text folded, for comparison.", recase(fold, &lowerASCII)),
		prim.Row("string-titlecase", 1, 3, "string [start [end]]", "The text with each word capitalised.", recase(title, nil)),
	}
}

// special maps to upper case what becomes several characters.
var special = map[rune]string{
	0xdf: "SS", 0x149: "\u02bcN", 0x1f0: "J\u030c", 0x390: "\u0399\u0308\u0301", 0x3b0: "\u03a5\u0308\u0301", 0x587: "\u0535\u0552",
	0x1e96: "H\u0331", 0x1e97: "T\u0308", 0x1e98: "W\u030a", 0x1e99: "Y\u030a", 0x1e9a: "A\u02be",
	0x1f50: "\u03a5\u0313", 0x1f52: "\u03a5\u0313\u0300", 0x1f54: "\u03a5\u0313\u0301", 0x1f56: "\u03a5\u0313\u0342",
	0x1fb2: "\u1fba\u0399", 0x1fb3: "\u0391\u0399", 0x1fb4: "\u0386\u0399", 0x1fb6: "\u0391\u0342", 0x1fb7: "\u0391\u0342\u0399", 0x1fbc: "\u0391\u0399",
	0x1fc2: "\u1fca\u0399", 0x1fc3: "\u0397\u0399", 0x1fc4: "\u0389\u0399", 0x1fc6: "\u0397\u0342", 0x1fc7: "\u0397\u0342\u0399", 0x1fcc: "\u0397\u0399",
	0x1fd2: "\u0399\u0308\u0300", 0x1fd3: "\u0399\u0308\u0301", 0x1fd6: "\u0399\u0342", 0x1fd7: "\u0399\u0308\u0342",
	0x1fe2: "\u03a5\u0308\u0300", 0x1fe3: "\u03a5\u0308\u0301", 0x1fe4: "\u03a1\u0313", 0x1fe6: "\u03a5\u0342", 0x1fe7: "\u03a5\u0308\u0342",
	0x1ff2: "\u1ffa\u0399", 0x1ff3: "\u03a9\u0399", 0x1ff4: "\u038f\u0399", 0x1ff6: "\u03a9\u0342", 0x1ff7: "\u03a9\u0342\u0399", 0x1ffc: "\u03a9\u0399",
	0xfb00: "FF", 0xfb01: "FI", 0xfb02: "FL", 0xfb03: "FFI", 0xfb04: "FFL", 0xfb05: "ST", 0xfb06: "ST",
	0xfb13: "\u0544\u0546", 0xfb14: "\u0544\u0535", 0xfb15: "\u0544\u053b", 0xfb16: "\u054e\u0546", 0xfb17: "\u0544\u053d",
}

// longUpper is the upper-case form of a character that becomes several, "" for others.
func longUpper(r rune) string {
	if r < 0xdf {
		return ""
	}
	if r >= 0x1f80 && r <= 0x1faf { // Greek with iota subscript, in three blocks of twice eight
		base := [...]rune{0x1f08, 0x1f28, 0x1f68}[(r-0x1f80)/16]
		return string([]rune{base + r&7, 0x399})
	}
	return special[r]
}

func upper(out, text []byte) []byte {
	for _, r := range string(text) {
		if s := longUpper(r); s != "" {
			out = append(out, s...)
		} else {
			out = utf8.AppendRune(out, unicode.ToUpper(r))
		}
	}
	return out
}

func lower(out, text []byte) []byte {
	cased := false // is there a cased letter before, but for ignorable marks
	for i, r := range string(text) {
		switch {
		case r == 0x130:
			out = append(out, "i\u0307"...)
		case r == 0x3a3 && cased && !casedNext(text[i+2:]):
			out = utf8.AppendRune(out, 0x3c2) // final sigma
		default:
			out = utf8.AppendRune(out, unicode.ToLower(r))
		}
		if !ignorable(r) {
			cased = isCased(r)
		}
	}
	return out
}

func isCased(r rune) bool { return isUpper(r) || isLower(r) || unicode.IsTitle(r) }
func ignorable(r rune) bool {
	return r == '\'' || r == 0x2019 || r == 0xb7 || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf)
}

func casedNext(text []byte) bool {
	for _, r := range string(text) {
		if !ignorable(r) {
			return isCased(r)
		}
	}
	return false
}

// foldRune is simple case folding.
func foldRune(r rune) rune {
	switch {
	case r < 128:
		if r >= 'A' && r <= 'Z' {
			return r + 32
		}
		return r
	case r == 0x130 || r == 0x131: // Turkish: they fold only in their own language
		return r
	case r >= 0x13a0 && r <= 0x13fd || r >= 0xab70 && r <= 0xabbf: // Cherokee folds to capitals
		return unicode.ToUpper(r)
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

func fold(out, text []byte) []byte {
	for _, r := range string(text) {
		s := longUpper(r)
		switch {
		case r == 0x130:
			out = append(out, "i\u0307"...)
		case r == 0x1e9e:
			out = append(out, "ss"...)
		case s != "":
			for _, u := range s {
				out = utf8.AppendRune(out, foldRune(u))
			}
		default:
			out = utf8.AppendRune(out, foldRune(r))
		}
	}
	return out
}

func title(out, text []byte) []byte {
	start := 0
	inWord := false
	flush := func(end int) {
		if start < end {
			_, n := utf8.DecodeRune(text[start:])
			r, _ := utf8.DecodeRune(text[start:])
			if s := longUpper(r); s != "" && unicode.ToTitle(r) == r {
				_, first := utf8.DecodeRuneInString(s)
				out = append(append(out, s[:first]...), lower(nil, []byte(s[first:]))...)
			} else {
				out = utf8.AppendRune(out, unicode.ToTitle(r))
			}
			out = lower(out, text[start+n:end])
		}
	}
	for i, r := range string(text) {
		if cased := isAlphabetic(r) || inWord && ignorable(r); cased != inWord {
			if inWord {
				flush(i)
			}
			start, inWord = i, cased
		}
		if !inWord {
			out = utf8.AppendRune(out, r)
		}
	}
	if inWord {
		flush(len(text))
	}
	return out
}

// upperASCII and lowerASCII map the characters of most texts.
var upperASCII, lowerASCII = func() (up, low [utf8.RuneSelf]byte) {
	for r := range rune(utf8.RuneSelf) {
		up[r], low[r] = byte(unicode.ToUpper(r)), byte(unicode.ToLower(r))
	}
	return up, low
}()

func recase(f func(out, text []byte) []byte, ascii *[utf8.RuneSelf]byte) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if ascii != nil && len(a) == 1 && c.IsString(a[0]) && c.Room(uint64(c.StringLen(a[0]))) {
			if w, ok := c.MapASCII(a[0], ascii); ok {
				return w
			}
		}
		text, ok := textArg(c, a, 0, 1)
		if !ok {
			return heap.Raised
		}
		return newText(c, uint64(len(text))*3, func(out []byte) []byte { return f(out, text) })
	}
}
