package control

import (
	"slices"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines conditions: what the machine, the host and (error …) raise.

func conditionRows() []prim.Prim {
	field := func(i int) prim.Func {
		return func(c *prim.Ctx, a []heap.Word) heap.Word {
			if !c.IsType(a[0], heap.TypeCondition) {
				return c.WrongType(a, 0, "an error object")
			}
			return c.Field(a[0], i)
		}
	}
	kind := func(names ...string) prim.Func {
		return func(c *prim.Ctx, a []heap.Word) heap.Word {
			if !c.IsType(a[0], heap.TypeCondition) || !c.IsSymbol(c.Field(a[0], heap.CondKind)) {
				return heap.False
			}
			is := c.SymbolName(c.Field(a[0], heap.CondKind))
			for _, n := range names {
				if n == is {
					return heap.True
				}
			}
			return heap.False
		}
	}
	isCondition := func(c *prim.Ctx, a []heap.Word) heap.Word { return heap.Bool(c.IsType(a[0], heap.TypeCondition)) }
	return []prim.Prim{
		prim.Row("%make-condition", 3, 4, "kind message irritants [data]", "A new error object.", makeCondition),
		prim.Row("%hints", 2, 2, "want value", "Data of an error object with a hint, when there is one.", hints),
		prim.Row("condition?", 1, 1, "value", "Is it an error object?", isCondition),
		prim.Row("%condition?", 1, 1, "value", "Is it an error object?", isCondition),
		prim.Row("error-object?", 1, 1, "value", "Is it an error object?", isCondition),
		prim.Row("error?", 1, 1, "value", "Is it an error object?", isCondition),
		prim.Row("error-object-message", 1, 1, "condition", "The message.", field(heap.CondMessage)),
		prim.Row("error-object-irritants", 1, 1, "condition", "The list of objects that the message is about.", field(heap.CondIrritants)),
		prim.Row("error-message", 1, 1, "condition", "The message.", field(heap.CondMessage)),
		prim.Row("error-irritants", 1, 1, "condition", "The list of objects that the message is about.", field(heap.CondIrritants)),
		prim.Row("condition-kind", 1, 1, "condition", "The kind, a symbol: error, type-error, unbound and so on.", field(heap.CondKind)),
		prim.Row("condition-data", 1, 1, "condition", "An alist of what a handler may want to know.", field(heap.CondData)),
		prim.Row("%condition-kind", 1, 1, "condition", "The kind.", field(heap.CondKind)),
		prim.Row("%condition-message", 1, 1, "condition", "The message.", field(heap.CondMessage)),
		prim.Row("%condition-irritants", 1, 1, "condition", "The irritants.", field(heap.CondIrritants)),
		prim.Row("%condition-data", 1, 1, "condition", "The data.", field(heap.CondData)),
		prim.Row("%condition-trace", 1, 1, "condition", "The return offsets, or #f.", field(heap.CondTrace)),
		prim.Row("%set-condition-trace!", 2, 2, "condition trace", "Keeps the return offsets.", setTrace),
		prim.Row("read-error?", 1, 1, "value", "Was it raised because text is no datum?", kind("read-error")),
		prim.Row("file-error?", 1, 1, "value", "Was it raised because of a file?", isFileError),
		prim.Row("%condition-of?", 2, 2, "value kind", "Is it an error object of that kind?", func(c *prim.Ctx, a []heap.Word) heap.Word {
			return heap.Bool(c.IsType(a[0], heap.TypeCondition) && c.Field(a[0], heap.CondKind) == a[1])
		}),
	}
}

// fileCodes are the codes of tool errors that are about a file.
var fileCodes = []string{"bad-path", "not-found", "is-directory", "not-a-directory", "not-a-file", "permission", "not-utf8", "too-large",
	"exists", "not-empty", "other-device", "path-changed", "stale-facts", "disk-full", "read-only", "io"}

// isFileError looks at the code in the data of a tool error.
func isFileError(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.IsType(a[0], heap.TypeCondition) || !c.IsSymbol(c.Field(a[0], heap.CondKind)) {
		return heap.False
	}
	switch c.SymbolName(c.Field(a[0], heap.CondKind)) {
	case "file-error":
		return heap.True
	case "tool-error":
	default:
		return heap.False
	}
	data, _ := c.Slice(c.Field(a[0], heap.CondData), 100)
	for _, d := range data {
		if !heap.IsPair(d) || !c.IsSymbol(c.Car(d)) || c.SymbolName(c.Car(d)) != "code" {
			continue
		}
		code := c.Cdr(d)
		return heap.Bool(c.IsSymbol(code) && slices.Contains(fileCodes, c.SymbolName(code)))
	}
	return heap.False
}

func makeCondition(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Symbol(a, 0) {
		return heap.Raised
	}
	data := heap.Null
	if prim.Given(a, 3) {
		data = a[3]
	}
	if _, ok := c.ListArg(a, 2); !ok {
		return heap.Raised
	}
	return c.NewOf(heap.KindRecord, heap.Fixnum(heap.TypeCondition), a[0], a[1], a[2], data, heap.False)
}

func hints(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	hint := prim.Instead(c.Arena, c.Text(a[0]), a[1])
	if hint == "" {
		return heap.Null
	}
	key, ok := c.InternShort("hints")
	if !ok {
		return heap.Null
	}
	return c.List(c.List(key, c.NewString(hint)))
}

func setTrace(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.IsType(a[0], heap.TypeCondition) {
		return c.WrongType(a, 0, "an error object")
	}
	if heap.Mutable(a[0]) {
		c.SetField(a[0], heap.CondTrace, a[1])
	}
	return heap.Unspecified
}
