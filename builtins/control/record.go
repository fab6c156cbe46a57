// Package control holds the primitives on records, conditions, promises, parameters and other objects that programs are
// made of. Control flow itself (raise, dynamic-wind, call/cc) belongs to the machine and to stdlib. Only package
// builtins imports it.
package control

import (
	"fmt"
	"strings"

	"caper/interp/heap"
	"caper/interp/prim"
)

// Prims are the rows of this room.
func Prims() []prim.Prim {
	var rows []prim.Prim
	for _, l := range [][]prim.Prim{recordRows(), conditionRows(), cellRows(), objectRows()} {
		rows = append(rows, l...)
	}
	return rows
}

func recordRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("%make-rtd", 2, 3, "name fields [parent]", "A new record type; fields is a vector or list of names.", makeRtd),
		prim.Row("%record", 1, -1, "type value …", "A record with those field values.", record),
		prim.Row("%record?", 2, 2, "value type", "Is it a record of the type?", isRecord),
		prim.Row("%record-ref", 4, 4, "record type index accessor", "Field index, from 0; accessor is for the message.", recordRef),
		prim.Row("%record-set!", 5, 5, "record type index value modifier", "Replaces field index.", recordSet),
		prim.Row("record?", 1, 1, "value", "Is it a record of a type that a program defined?", anyRecord),
		prim.Row("record-type", 1, 1, "record", "The type of a record.", recordType),
		prim.Row("record-type-name", 1, 1, "type", "The name of a record type.", rtdField(heap.RtdName)),
		prim.Row("record-type-fields", 1, 1, "type", "The names of the fields in a vector.", rtdField(heap.RtdFields)),
		prim.Row("record->list", 1, 1, "record", "The values of the fields.", recordToList),
	}
}

func makeRtd(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Symbol(a, 0) {
		return heap.Raised
	}
	fields := a[1]
	if !c.IsVector(fields) {
		items, ok := c.Items(a, 1)
		if !ok {
			return heap.Raised
		}
		fields = c.NewOf(heap.KindVector, items...)
	}
	parent := heap.False
	if prim.Given(a, 2) {
		if !c.IsType(a[2], heap.TypeRtd) && a[2] != heap.False {
			return c.WrongType(a, 2, "a record type")
		}
		parent = a[2]
	}
	return c.NewOf(heap.KindRecord, heap.Fixnum(heap.TypeRtd), a[0], fields, heap.Fixnum(int64(c.HP)), parent)
}

func rtdArg(c *prim.Ctx, a []heap.Word, i int) bool {
	if c.IsType(a[i], heap.TypeRtd) {
		return true
	}
	c.WrongType(a, i, "a record type")
	return false
}

func rtdField(i int) prim.Func {
	return func(c *prim.Ctx, a []heap.Word) heap.Word {
		if !rtdArg(c, a, 0) {
			return heap.Raised
		}
		return c.Field(a[0], i)
	}
}

func record(c *prim.Ctx, a []heap.Word) heap.Word {
	if !rtdArg(c, a, 0) {
		return heap.Raised
	}
	if want := int(c.Size(c.Field(a[0], heap.RtdFields))); want != len(a)-1 {
		return c.Fail("arity-error", fmt.Sprintf("a %s has %d fields, %d values were given", typeName(c, a[0]), want, len(a)-1))
	}
	return c.NewOf(heap.KindRecord, a...)
}

// is reports whether w is a record of type t or of one that has it as an ancestor.
func is(c *prim.Ctx, w, t heap.Word) bool {
	if !c.Is(w, heap.KindRecord) {
		return false
	}
	r := c.Field(w, 0)
	for depth := 0; r != t; depth++ {
		if depth > 100 || !c.IsType(r, heap.TypeRtd) {
			return false
		}
		r = c.Field(r, heap.RtdParent)
	}
	return true
}

func isRecord(c *prim.Ctx, a []heap.Word) heap.Word {
	return heap.Bool(c.IsType(a[1], heap.TypeRtd) && is(c, a[0], a[1]))
}

// typeName is the name of a record type for people: without the angle brackets.
func typeName(c *prim.Ctx, t heap.Word) string {
	name := "record"
	if w := c.Field(t, heap.RtdName); c.IsSymbol(w) {
		name = c.SymbolName(w)
	}
	if n := strings.TrimSuffix(strings.TrimPrefix(name, "<"), ">"); n != "" {
		return n
	}
	return name
}

// article is "an" before a vowel.
func article(noun string) string {
	if noun != "" && strings.ContainsRune("aeiouAEIOU", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// access checks record, type and index arguments; who is what the program called.
func access(c *prim.Ctx, a []heap.Word, who heap.Word) (field int, ok bool) {
	if !rtdArg(c, a, 1) {
		return 0, false
	}
	if !is(c, a[0], a[1]) {
		name := c.Prim.Name
		if c.IsSymbol(who) {
			name = c.SymbolName(who)
		}
		c.Fail("type-error", fmt.Sprintf("%s: argument must be %s", name, article(typeName(c, a[1]))), a[0])
		return 0, false
	}
	field, ok = c.Index(a, 2, 0, int(c.Size(a[0]))-2)
	return field + 1, ok
}

func recordRef(c *prim.Ctx, a []heap.Word) heap.Word {
	i, ok := access(c, a, a[3])
	if !ok {
		return heap.Raised
	}
	return c.Field(a[0], i)
}

func recordSet(c *prim.Ctx, a []heap.Word) heap.Word {
	i, ok := access(c, a, a[4])
	if !ok || !c.Mutable(a, 0) {
		return heap.Raised
	}
	c.SetField(a[0], i, a[3])
	return heap.Unspecified
}

func anyRecord(c *prim.Ctx, a []heap.Word) heap.Word {
	return heap.Bool(c.Is(a[0], heap.KindRecord) && !heap.IsFixnum(c.Field(a[0], 0)))
}

func recordType(c *prim.Ctx, a []heap.Word) heap.Word {
	if anyRecord(c, a) == heap.False {
		return c.WrongType(a, 0, "a record")
	}
	return c.Field(a[0], 0)
}

func recordToList(c *prim.Ctx, a []heap.Word) heap.Word {
	if anyRecord(c, a) == heap.False {
		return c.WrongType(a, 0, "a record")
	}
	return c.List(c.Fields(a[0])[1:]...)
}
