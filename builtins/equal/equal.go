// Package equal holds the equivalences of Scheme over words: eqv?, equal? and hashes that agree with them.
// It never allocates in the arena and never calls a program. The rooms of builtins import it; it imports heap and number.
package equal

import (
	"math"
	"math/big"

	"caper/interp/heap"
	"caper/interp/number"
)

// Eqv is eqv?: the same word, or numbers of the same exactness and value.
func Eqv(a *heap.Arena, x, y heap.Word) bool {
	if x == y {
		return true
	}
	if x&heap.TagMask != heap.TagObject || y&heap.TagMask != heap.TagObject {
		return false // flonums that fit a word have one form
	}
	k := a.Kind(x)
	if k != a.Kind(y) {
		return false
	}
	switch k {
	case heap.KindFlonum:
		f, _ := a.FlonumValue(x)
		g, _ := a.FlonumValue(y)
		return math.Float64bits(f) == math.Float64bits(g) || f != f && g != g
	case heap.KindBignum:
		var p, q big.Int
		return a.Integer(x, &p) && a.Integer(y, &q) && p.Cmp(&q) == 0
	case heap.KindRatnum:
		p, ok1 := a.Complex(x)
		q, ok2 := a.Complex(y)
		return ok1 && ok2 && number.Eqv(p, q)
	}
	return false
}

// leaf answers eqv or the comparison of contents that holds no other values; open is true when x and y are two
// pairs or two vectors of one length, whose elements decide.
func leaf(a *heap.Arena, x, y heap.Word) (same, open bool) {
	if x == y {
		return true, false
	}
	if heap.IsPair(x) {
		return false, heap.IsPair(y)
	}
	if !heap.IsObject(x) || !heap.IsObject(y) {
		return false, false
	}
	k := a.Kind(x)
	if k != a.Kind(y) {
		return false, false
	}
	switch k {
	case heap.KindString:
		return a.StringEqual(x, y), false
	case heap.KindBytes:
		return string(a.Bytes(x)) == string(a.Bytes(y)), false
	case heap.KindVector:
		return false, a.Size(x) == a.Size(y)
	case heap.KindBox:
		return false, true
	}
	return Eqv(a, x, y), false
}

// shallow is how many pairs are compared at least before the comparison starts to remember what it has assumed, and deep
// how many at most. In between it is as many as the heap can hold: a comparison that goes on longer meets sharing or a
// cycle, and only then is it worth the memory.
const (
	shallow = 20_000
	deep    = 4_000_000
)

type both struct{ x, y heap.Word }

// walk is one comparison: an explicit stack, and after the first shallow steps a union-find over compared nodes,
// after Adams and Dybvig, "Efficient nondestructive equality checking for trees and graphs" (2008).
type walk struct {
	a      *heap.Arena
	stack  []both
	parent map[heap.Word]heap.Word
	steps  uint64
	trust  uint64 // steps without remembering
}

// Equal is equal?. It ends for cyclic data, as R7RS demands. steps is the work done, for charging.
func Equal(a *heap.Arena, x, y heap.Word) (same bool, steps uint64) {
	same, open := leaf(a, x, y)
	if !open {
		return same, 1
	}
	left := quickNodes
	if same, sure := quick(a, x, y, quickDepth, &left); sure {
		return same, uint64(quickNodes - left)
	}
	w := walk{a: a, stack: []both{{x, y}}, trust: max(shallow, min(a.Used()/16, deep))}
	return w.run(), w.steps
}

// What is compared without a stack of our own.
const (
	quickNodes = 200
	quickDepth = 8
)

// quick compares two pairs or two objects of one length that leaf left open. sure is false when they are larger than it may look at.
func quick(a *heap.Arena, x, y heap.Word, depth int, left *int) (same, sure bool) {
	if depth == 0 {
		return false, false
	}
	for heap.IsPair(x) {
		if *left--; *left < 0 {
			return false, false
		}
		same, open := leaf(a, a.Car(x), a.Car(y))
		if open {
			same, sure = quick(a, a.Car(x), a.Car(y), depth-1, left)
			if !sure {
				return false, false
			}
		}
		if !same {
			return false, true
		}
		x, y = a.Cdr(x), a.Cdr(y)
		if same, open = leaf(a, x, y); !open {
			return same, true
		}
	}
	fx, fy := a.Fields(x), a.Fields(y)
	if *left -= len(fx); *left < 0 {
		return false, false
	}
	for i := range fx {
		same, open := leaf(a, fx[i], fy[i])
		if open {
			if same, sure = quick(a, fx[i], fy[i], depth-1, left); !sure {
				return false, false
			}
		}
		if !same {
			return false, true
		}
	}
	return true, true
}

func (w *walk) run() bool {
	for len(w.stack) > 0 {
		t := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if !w.spine(t.x, t.y) {
			return false
		}
	}
	return true
}

// spine compares along cdrs, pushing what else is open.
func (w *walk) spine(x, y heap.Word) bool {
	for {
		if w.steps++; w.steps > w.trust && w.joined(x, y) {
			return true
		}
		if !heap.IsPair(x) {
			return w.elements(x, y)
		}
		same, open := leaf(w.a, w.a.Car(x), w.a.Car(y))
		if open {
			w.stack = append(w.stack, both{w.a.Car(x), w.a.Car(y)})
		} else if !same {
			return false
		}
		x, y = w.a.Cdr(x), w.a.Cdr(y)
		if same, open = leaf(w.a, x, y); !open {
			return same
		}
	}
}

func (w *walk) elements(x, y heap.Word) bool {
	fx, fy := w.a.Fields(x), w.a.Fields(y)
	w.steps += uint64(len(fx))
	for i := range fx {
		same, open := leaf(w.a, fx[i], fy[i])
		if open {
			w.stack = append(w.stack, both{fx[i], fy[i]})
		} else if !same {
			return false
		}
	}
	return true
}

// joined reports whether x and y are already assumed equal, and assumes it.
func (w *walk) joined(x, y heap.Word) bool {
	if w.parent == nil {
		w.parent = map[heap.Word]heap.Word{}
	}
	x, y = w.root(x), w.root(y)
	if x == y {
		return true
	}
	w.parent[x] = y
	return false
}

func (w *walk) root(x heap.Word) heap.Word {
	for {
		p, ok := w.parent[x]
		if !ok {
			return x
		}
		if q, ok := w.parent[p]; ok {
			w.parent[x] = q // halve the path
		}
		x = p
	}
}
