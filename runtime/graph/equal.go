package graph

import (
	"bytes"
	"math/big"

	"caper/interp/number"
)

// Equal reports that two data have the same canonical encoding: exact and inexact numbers differ, -0.0 and 0.0 differ,
// a NaN equals a NaN. It counts its depth on a stack of its own.
func Equal(a, b Datum) bool {
	type pair struct{ a, b Datum }
	stack := []pair{{a, b}}
	push := func(a, b []Datum) bool {
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			stack = append(stack, pair{a[i], b[i]})
		}
		return true
	}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		a, b := normal(p.a), normal(p.b)
		switch a := a.(type) {
		case nil:
			return false
		case List:
			if b, ok := b.(List); !ok || !push(a, b) {
				return false
			}
		case Vector:
			if b, ok := b.(Vector); !ok || !push(a, b) {
				return false
			}
		case *Dotted:
			b, ok := b.(*Dotted)
			if !ok || !push(a.Items, b.Items) {
				return false
			}
			stack = append(stack, pair{a.Tail, b.Tail})
		case *Table:
			if b, ok := b.(*Table); !ok || b == nil || a.flags() != b.flags() || !push(a.Items, b.Items) {
				return false
			}
		case number.Complex:
			if b, ok := b.(number.Complex); !ok || !push([]Datum{a.Re, a.Im}, []Datum{b.Re, b.Im}) {
				return false
			}
		case []byte:
			if b, ok := b.([]byte); !ok || !bytes.Equal(a, b) {
				return false
			}
		case *big.Int:
			if b, ok := b.(*big.Int); !ok || a.Cmp(b) != 0 {
				return false
			}
		case *big.Rat:
			if b, ok := b.(*big.Rat); !ok || a.Cmp(b) != 0 {
				return false
			}
		case float64:
			if b, ok := b.(float64); !ok || floatBits(a) != floatBits(b) {
				return false
			}
		case bool, int64, string, Symbol, Keyword, Char, Void, Opaque:
			if a != b {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// normal answers the one spelling of a datum that can be spelled in several ways; nil for what is no datum.
func normal(d Datum) Datum {
	switch d := d.(type) {
	case *big.Int:
		if d == nil {
			return nil
		}
		if d.IsInt64() {
			return d.Int64()
		}
	case *big.Rat:
		if d == nil {
			return nil
		}
		if d.IsInt() {
			return normal(d.Num())
		}
	case number.Complex:
		re, im := normal(d.Re), normal(d.Im)
		if !number.IsNumber(re) || !number.IsNumber(im) || !number.IsReal(re) || !number.IsReal(im) {
			return nil
		}
		return number.Rectangular(re, im)
	case *Table:
		if d == nil {
			return nil
		}
	case *Dotted:
		items, tail, err := flatten(d)
		if err != nil {
			return nil
		}
		if l, ok := tail.(List); ok {
			return List(append(items, l...))
		}
		if len(items) == 0 {
			return normal(tail)
		}
		return &Dotted{Items: items, Tail: tail}
	}
	return d
}
