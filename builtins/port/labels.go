package port

import (
	"caper/builtins/hash"
	"caper/interp/heap"
	"caper/interp/prim"
)

// This file finds what a printer must label.

// composite reports whether w has parts that the printer walks through.
func composite(c *prim.Ctx, w heap.Word) bool {
	if heap.IsPair(w) {
		return true
	}
	switch c.Kind(w) {
	case heap.KindVector:
		return c.Size(w) > 0
	case heap.KindBox, heap.KindTable, heap.KindValues:
		return true
	case heap.KindRecord:
		t := c.Field(w, 0)
		return t == heap.Fixnum(heap.TypeCondition) || !heap.IsFixnum(t)
	}
	return false
}

// parts are the values that the printer prints inside of a composite other than a pair.
func parts(c *prim.Ctx, w heap.Word) []heap.Word {
	switch c.Kind(w) {
	case heap.KindVector, heap.KindBox, heap.KindValues:
		return c.Fields(w)
	case heap.KindTable:
		var all []heap.Word
		hash.Each(c.Arena, w, func(k, v heap.Word) bool {
			all = append(all, k, v)
			return true
		})
		return all
	case heap.KindRecord:
		if c.Field(w, 0) == heap.Fixnum(heap.TypeCondition) {
			return []heap.Word{c.Field(w, heap.CondIrritants)}
		}
		return c.Fields(w)[1:]
	}
	return nil
}

// findLabels walks through everything once, depth first, and answers what needs a label: what contains itself, and with
// shared also what is reached twice.
func findLabels(c *prim.Ctx, w heap.Word, shared bool) map[heap.Word]int {
	const open, closed = 1, 2
	state := map[heap.Word]uint8{}
	labels := map[heap.Word]int{}
	type visit struct {
		w    heap.Word
		done bool
	}
	stack := []visit{{w: w}}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.done {
			state[v.w] = closed
			continue
		}
		if !composite(c, v.w) {
			continue
		}
		switch s := state[v.w]; {
		case s == open || s == closed && shared:
			labels[v.w] = unlabelled
			continue
		case s == closed:
			continue
		}
		c.Charge(1)
		state[v.w] = open
		stack = append(stack, visit{v.w, true})
		if heap.IsPair(v.w) {
			stack = append(stack, visit{w: c.Cdr(v.w)}, visit{w: c.Car(v.w)})
			continue
		}
		for _, x := range parts(c, v.w) {
			stack = append(stack, visit{w: x})
		}
	}
	return labels
}
