// Package text holds the primitives on characters, strings, symbols, keywords and character sets.
// What takes a predicate is Scheme and lives in stdlib; what parses or prints data lives in port.
// Only package builtins imports it.
package text

import (
	"unicode"

	"caper/interp/heap"
	"caper/interp/prim"
)

// Prims are the rows of this room.
func Prims() []prim.Prim {
	var rows []prim.Prim
	for _, l := range [][]prim.Prim{charRows(), stringRows(), compareRows(), convertRows(), caseRows(), cutRows(), searchRows(), splitRows(), symbolRows(), setRows()} {
		rows = append(rows, l...)
	}
	return rows
}

func charRows() []prim.Prim {
	class := func(name, doc string, f func(rune) bool) prim.Prim {
		return prim.Row(name, 1, 1, "char", doc, func(c *prim.Ctx, a []heap.Word) heap.Word {
			r, ok := c.Char(a, 0)
			if !ok {
				return heap.Raised
			}
			return heap.Bool(f(r))
		})
	}
	mapped := func(name, doc string, f func(rune) rune) prim.Prim {
		return prim.Row(name, 1, 1, "char", doc, func(c *prim.Ctx, a []heap.Word) heap.Word {
			r, ok := c.Char(a, 0)
			if !ok {
				return heap.Raised
			}
			return heap.Char(f(r))
		})
	}
	rows := []prim.Prim{
		prim.Row("char?", 1, 1, "value", "Is it a character?", func(_ *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(heap.IsChar(a[0]))
		}),
		prim.Row("char->integer", 1, 1, "char", "The Unicode scalar value.", charToInteger),
		prim.Row("integer->char", 1, 1, "n", "The character of a Unicode scalar value.", integerToChar),
		prim.Row("digit-value", 1, 1, "char", "The value of a decimal digit of any script, or #f.", digitValue),
		prim.Row("char->digit", 1, 2, "char [radix]", "The value of the digit in the radix (10), or #f.", charToDigit),
		prim.Row("digit->char", 1, 2, "digit [radix]", "The character of the digit, or #f.", digitToChar),
		class("char-alphabetic?", "Is it a letter?", isAlphabetic),
		class("char-numeric?", "Is it a decimal digit?", unicode.IsDigit),
		class("char-whitespace?", "Is it white space?", unicode.IsSpace),
		class("char-upper-case?", "Is it an upper-case letter?", isUpper),
		class("char-lower-case?", "Is it a lower-case letter?", isLower),
		class("char-ascii?", "Is it below 128?", func(r rune) bool { return r < 128 }),
		class("char-punctuation?", "Is it punctuation?", unicode.IsPunct),
		class("char-symbolic?", "Is it a symbol such as + or $?", unicode.IsSymbol),
		class("char-alphanumeric?", "Is it a letter or a decimal digit?", func(r rune) bool { return isAlphabetic(r) || unicode.IsDigit(r) }),
		mapped("char-upcase", "The upper-case form.", unicode.ToUpper),
		mapped("char-downcase", "The lower-case form.", unicode.ToLower),
		mapped("char-titlecase", "The title-case form.", unicode.ToTitle),
		mapped("char-foldcase", "The folded form, for comparison.", foldRune),
	}
	for _, r := range relations {
		rows = append(rows,
			prim.Row("char"+r.name+"?", 1, -1, "char char …", "Are the characters "+r.doc+"?", compareChars(r.holds, same)),
			prim.Row("char-ci"+r.name+"?", 1, -1, "char char …", "Are the folded characters "+r.doc+"?", compareChars(r.holds, foldRune)))
	}
	return rows
}

// relations are the five orders that characters and strings have.
var relations = []struct {
	name, doc string
	holds     func(order int) bool
}{
	{"=", "equal", func(o int) bool { return o == 0 }},
	{"<", "in ascending order", func(o int) bool { return o < 0 }},
	{">", "in descending order", func(o int) bool { return o > 0 }},
	{"<=", "in non-descending order", func(o int) bool { return o <= 0 }},
	{">=", "in non-ascending order", func(o int) bool { return o >= 0 }},
}

func same(r rune) rune { return r }

func isAlphabetic(r rune) bool {
	return unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Other_Alphabetic)
}
func isUpper(r rune) bool { return unicode.IsUpper(r) || unicode.Is(unicode.Other_Uppercase, r) }
func isLower(r rune) bool { return unicode.IsLower(r) || unicode.Is(unicode.Other_Lowercase, r) }

func compareChars(holds func(int) bool, key func(rune) rune) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if len(a) == 2 && heap.IsChar(a[0]) && heap.IsChar(a[1]) {
			return heap.Bool(holds(int(key(heap.CharValue(a[0]))) - int(key(heap.CharValue(a[1])))))
		}
		all := true
		var before rune
		for i := range a {
			r, ok := c.Char(a, i)
			if !ok {
				return heap.Raised
			}
			r = key(r)
			all = all && (i == 0 || holds(int(before)-int(r)))
			before = r
		}
		return heap.Bool(all)
	}
}

func charToInteger(c *prim.Ctx, a []heap.Word) heap.Word {
	r, ok := c.Char(a, 0)
	if !ok {
		return heap.Raised
	}
	return heap.Fixnum(int64(r))
}

func integerToChar(c *prim.Ctx, a []heap.Word) heap.Word {
	n, ok := c.Index(a, 0, 0, unicode.MaxRune)
	if !ok {
		return heap.Raised
	}
	if n >= 0xd800 && n < 0xe000 {
		return c.Fail("range-error", "integer->char: surrogates (#xD800 to #xDFFF) are no characters", a[0])
	}
	return heap.Char(rune(n))
}

// digit is the value of a decimal digit of any script, -1 for other characters. Each block of ten digits is contiguous.
func digit(r rune) int {
	if r < 128 {
		if r >= '0' && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	if !unicode.IsDigit(r) {
		return -1
	}
	for _, t := range unicode.Nd.R16 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10
		}
	}
	return -1
}

func digitValue(c *prim.Ctx, a []heap.Word) heap.Word {
	r, ok := c.Char(a, 0)
	if !ok {
		return heap.Raised
	}
	return digitOr(digit(r), 10)
}

func digitOr(d, radix int) heap.Word {
	if d < 0 || d >= radix {
		return heap.False
	}
	return heap.Fixnum(int64(d))
}

func optionalRadix(c *prim.Ctx, a []heap.Word) (int, bool) {
	if !prim.Given(a, 1) {
		return 10, true
	}
	return c.Index(a, 1, 2, 36)
}

func charToDigit(c *prim.Ctx, a []heap.Word) heap.Word {
	r, ok := c.Char(a, 0)
	if !ok {
		return heap.Raised
	}
	radix, ok := optionalRadix(c, a)
	if !ok {
		return heap.Raised
	}
	d := digit(r)
	if l := r | 0x20; d < 0 && l >= 'a' && l <= 'z' && r < 128 {
		d = int(l-'a') + 10
	}
	return digitOr(d, radix)
}

func digitToChar(c *prim.Ctx, a []heap.Word) heap.Word {
	d, ok := c.Index(a, 0, 0, heap.MaxFixnum)
	if !ok {
		return heap.Raised
	}
	radix, ok := optionalRadix(c, a)
	if !ok {
		return heap.Raised
	}
	if d >= radix {
		return heap.False
	}
	return heap.Char(rune("0123456789abcdefghijklmnopqrstuvwxyz"[d]))
}
