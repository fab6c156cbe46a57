package json

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"caper/interp/heap"
	"caper/interp/number"
)

// This file reads strings and numbers.

// str reads a string at pos.
func (d *decoder) str() (string, bool) {
	start := d.pos + 1
	i := start
	for i < len(d.s) && d.s[i] != '"' && d.s[i] != '\\' && d.s[i] >= ' ' {
		i++
	}
	if i < len(d.s) && d.s[i] == '"' {
		d.pos = i + 1
		return d.s[start:i], d.fits(i - start)
	}
	var out strings.Builder
	out.WriteString(d.s[start:i])
	for i < len(d.s) {
		switch ch := d.s[i]; {
		case ch == '"':
			d.pos = i + 1
			return out.String(), d.fits(out.Len())
		case ch < ' ':
			d.pos = i
			d.fail("a string must not hold the control character 0x%02x; write it with an escape", ch)
			return "", false
		case ch == '\\':
			d.pos = i
			n := d.escape(&out)
			if n == 0 {
				return "", false
			}
			i += n
		default:
			out.WriteByte(ch)
			i++
		}
	}
	d.fail("a string is not closed")
	return "", false
}

func (d *decoder) fits(n int) bool {
	if !d.c.Reserve(uint64(n) + 64) {
		d.full = true
	}
	return !d.full
}

// escape reads the escape at pos and answers its length, 0 when it is none.
func (d *decoder) escape(out *strings.Builder) int {
	rest := d.s[d.pos:]
	if len(rest) < 2 {
		d.fail("a string is not closed")
		return 0
	}
	if k := strings.IndexByte(`"\/bfnrt`, rest[1]); k >= 0 {
		out.WriteByte("\"\\/\b\f\n\r\t"[k])
		return 2
	}
	if rest[1] != 'u' {
		d.fail("unknown escape %s", strconv.Quote(rest[:2]))
		return 0
	}
	r, ok := hex4(rest)
	if !ok {
		d.fail(`\u needs four hexadecimal digits`)
		return 0
	}
	if !utf16.IsSurrogate(r) {
		out.WriteRune(r)
		return 6
	}
	if low, ok := hex4(rest[6:]); ok {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			out.WriteRune(both)
			return 12
		}
	}
	out.WriteRune(utf8.RuneError) // half a pair of surrogates is no character
	return 6
}

// hex4 reads \u and four digits.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(s[2:6], 16, 32)
	return rune(v), err == nil && s[2] != '+' && s[2] != '-'
}

// digits is the number of digits at i.
func (d *decoder) digits(i int) int {
	n := 0
	for i+n < len(d.s) && d.s[i+n] >= '0' && d.s[i+n] <= '9' {
		n++
	}
	return n
}

func (d *decoder) number() (heap.Word, bool) {
	start, i := d.pos, d.pos
	if d.s[i] == '-' {
		i++
	}
	whole := d.digits(i)
	if whole == 0 || whole > 1 && d.s[i] == '0' {
		d.fail("a number is digits without a leading zero")
		return 0, false
	}
	i += whole
	exact := true
	if i < len(d.s) && d.s[i] == '.' {
		n := d.digits(i + 1)
		if n == 0 {
			d.fail("digits are missing after the decimal point")
			return 0, false
		}
		i, exact = i+1+n, false
	}
	if i < len(d.s) && d.s[i]|0x20 == 'e' {
		j := i + 1
		if j < len(d.s) && (d.s[j] == '+' || d.s[j] == '-') {
			j++
		}
		n := d.digits(j)
		if n == 0 {
			d.fail("digits are missing in the exponent")
			return 0, false
		}
		i, exact = j+n, false
	}
	text := d.s[start:i]
	if len(text) > maxDigits {
		d.fail("a number has more than %d digits", maxDigits)
		return 0, false
	}
	d.pos = i
	if !exact {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			d.pos = start
			d.fail("the number %.40s is out of range", text)
			return 0, false
		}
		return d.c.Flonum(f), true
	}
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		return d.c.FromInt(v), true
	}
	d.c.Charge(uint64(len(text)) * uint64(len(text)) / 64)
	z, _ := new(big.Int).SetString(text, 10)
	return d.c.FromNumber(number.Normalize(z)), true
}
