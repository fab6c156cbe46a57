package number

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"caper/interp/heap"
	num "caper/interp/number"
	"caper/interp/prim"
)

func textRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("number->string", 1, 2, "number [radix]", "The number as text.", numberToString),
		prim.Row("string->number", 1, 2, "string [radix]", "The number that the text stands for, or #f.", stringToNumber),
		prim.Row("real->decimal-string", 1, 2, "number [digits]", "The number with so many digits after the point (2), rounded.", decimalString),
		prim.Row("number->padded-string", 2, 3, "n width [char]", "An exact integer padded on the left to width (with zeros).", padded),
	}
}

func radix(c *prim.Ctx, a []heap.Word) (r int, ok bool) {
	if !prim.Given(a, 1) {
		return 10, true
	}
	return c.Index(a, 1, 2, 36)
}

func numberToString(c *prim.Ctx, a []heap.Word) heap.Word {
	if len(a) == 1 && heap.IsFixnum(a[0]) {
		var digits [24]byte
		return c.NewText(strconv.AppendInt(digits[:0], heap.FixnumValue(a[0]), 10))
	}
	n, ok := any(c, a, 0)
	if !ok {
		return heap.Raised
	}
	r, ok := radix(c, a)
	if !ok {
		return heap.Raised
	}
	bits := num.BitLen(n)
	if bits > 64 && !c.Room(uint64(bits)) {
		return c.TooLarge("the text of the number")
	}
	chargeFor(c, bits, bits)
	return c.NewString(num.Format(n, r))
}

func stringToNumber(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	r, ok := radix(c, a)
	if !ok {
		return heap.Raised
	}
	text := c.Text(a[0])
	bits := int64(len(text)) * 4
	chargeFor(c, bits, bits)
	n, ok := num.Parse(text, r)
	if !ok {
		return heap.False
	}
	return answer(c, n)
}

// maxDigits bounds the digits after the point: nobody reads more.
const maxDigits = 10_000

func decimalString(c *prim.Ctx, a []heap.Word) heap.Word {
	n, ok := real(c, a, 0)
	if !ok {
		return heap.Raised
	}
	digits := 2
	if prim.Given(a, 1) {
		if digits, ok = c.Index(a, 1, 0, maxDigits); !ok {
			return heap.Raised
		}
	}
	exact, err := num.ToExact(n)
	if err != nil {
		return c.NewString(num.Format(n, 10))
	}
	bits := num.BitLen(exact)
	if !c.Room(uint64(bits) + uint64(digits)) {
		return c.TooLarge("the text of the number")
	}
	chargeFor(c, bits, bits)
	return c.NewString(Fixed(exact, digits))
}

// Fixed writes an exact number with so many digits after the point, half rounded to even.
func Fixed(n num.Number, digits int) string {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	text := num.Format(num.Abs(num.Round(num.Mul(n, num.Normalize(scale)))), 10)
	if len(text) <= digits {
		text = strings.Repeat("0", digits+1-len(text)) + text
	}
	whole, part := text[:len(text)-digits], text[len(text)-digits:]
	if digits > 0 {
		whole += "." + part
	}
	if num.Sign(n) < 0 && strings.Trim(whole, "0.") != "" {
		return "-" + whole
	}
	return whole
}

func padded(c *prim.Ctx, a []heap.Word) heap.Word {
	var z big.Int
	if !exactInteger(c, a, 0, &z) {
		return heap.Raised
	}
	width, ok := c.Index(a, 1, 0, maxDigits)
	if !ok {
		return heap.Raised
	}
	fill := '0'
	if prim.Given(a, 2) {
		if fill, ok = c.Char(a, 2); !ok {
			return heap.Raised
		}
	}
	bits := int64(z.BitLen())
	if !c.Room(uint64(bits) + uint64(width)*4) {
		return c.TooLarge("the text of the number")
	}
	chargeFor(c, bits, bits)
	text := z.String()
	if n := width - len(text); n > 0 {
		sign := ""
		if fill == '0' && strings.HasPrefix(text, "-") {
			sign, text = "-", text[1:]
		}
		text = fmt.Sprint(sign, strings.Repeat(string(fill), n), text)
	}
	return c.NewString(text)
}
