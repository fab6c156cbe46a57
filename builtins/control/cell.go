package control

import (
	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines the objects behind promises and parameters; stdlib gives them their meaning.

const promiseBox = 1 // a box of (done? . value-or-thunk)

func cellRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("%make-promise", 2, 2, "done? value", "A promise that is done with a value, or has a thunk to run.", makePromise),
		prim.Row("promise?", 1, 1, "value", "Is it a promise?", func(c *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(c.IsType(a[0], heap.TypePromise))
		}),
		prim.Row("%promise-done?", 1, 1, "promise", "Has its value been computed?", promisePart(true)),
		prim.Row("%promise-value", 1, 1, "promise", "Its value, or the thunk.", promisePart(false)),
		prim.Row("%promise-set!", 3, 3, "promise done? value", "Replaces the state of the promise and of all chained to it.", promiseSet),
		prim.Row("%promise-chain!", 2, 2, "promise other", "Takes the state of other; from then on both share one state.", promiseChain),
		prim.Row("%make-parameter", 2, 2, "value converter", "The record behind a parameter.", func(c *prim.Ctx, a []heap.Word) heap.Word {
			return c.NewOf(heap.KindRecord, heap.Fixnum(heap.TypeParameter), a[0], a[1])
		}),
		prim.Row("%parameter?", 1, 1, "value", "Is it the record behind a parameter?", func(c *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(c.IsType(a[0], heap.TypeParameter))
		}),
		prim.Row("%parameter-value", 1, 1, "parameter", "The global value.", parameterField(heap.ParameterValue)),
		prim.Row("%parameter-converter", 1, 1, "parameter", "The converter, or #f.", parameterField(heap.ParameterConverter)),
		prim.Row("%parameter-set!", 2, 2, "parameter value", "Replaces the global value.", parameterSet),
	}
}

func makePromise(c *prim.Ctx, a []heap.Word) heap.Word {
	return c.NewOf(heap.KindRecord, heap.Fixnum(heap.TypePromise), c.NewOf(heap.KindBox, c.Cons(heap.Bool(a[0] != heap.False), a[1])))
}

// promiseState is the pair in the box of promise argument i.
func promiseState(c *prim.Ctx, a []heap.Word, i int) (box, state heap.Word, ok bool) {
	if c.IsType(a[i], heap.TypePromise) {
		if box = c.Field(a[i], promiseBox); c.Is(box, heap.KindBox) {
			if state = c.Field(box, 0); heap.IsPair(state) {
				return box, state, true
			}
		}
	}
	c.WrongType(a, i, "a promise")
	return 0, 0, false
}

func promisePart(done bool) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		_, state, ok := promiseState(c, a, 0)
		switch {
		case !ok:
			return heap.Raised
		case done:
			return c.Car(state)
		}
		return c.Cdr(state)
	}
}

func promiseSet(c *prim.Ctx, a []heap.Word) heap.Word {
	box, _, ok := promiseState(c, a, 0)
	if !ok || !c.Mutable(a, 0) {
		return heap.Raised
	}
	c.SetField(box, 0, c.Cons(heap.Bool(a[1] != heap.False), a[2]))
	return heap.Unspecified
}

func promiseChain(c *prim.Ctx, a []heap.Word) heap.Word {
	box, _, ok := promiseState(c, a, 0)
	if !ok || !c.Mutable(a, 0) {
		return heap.Raised
	}
	_, state, ok := promiseState(c, a, 1)
	if !ok {
		return heap.Raised
	}
	c.SetField(box, 0, state)
	if heap.Mutable(a[1]) {
		c.SetField(a[1], promiseBox, box)
	}
	return heap.Unspecified
}

func parameterField(i int) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if !c.IsType(a[0], heap.TypeParameter) {
			return c.WrongType(a, 0, "a parameter")
		}
		return c.Field(a[0], i)
	}
}

func parameterSet(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.IsType(a[0], heap.TypeParameter) {
		return c.WrongType(a, 0, "a parameter")
	}
	if !c.Mutable(a, 0) {
		return heap.Raised
	}
	c.SetField(a[0], heap.ParameterValue, a[1])
	return heap.Unspecified
}
