// Package builtins lists all primitives of the language: one room for each kind of data, one function that joins them.
// No primitive is registered anywhere else. Package interp imports it.
package builtins

import (
	"slices"

	"caper/builtins/control"
	"caper/builtins/hash"
	"caper/builtins/json"
	"caper/builtins/number"
	"caper/builtins/pair"
	"caper/builtins/port"
	"caper/builtins/regexp"
	"caper/builtins/text"
	"caper/builtins/time"
	"caper/builtins/vector"
	"caper/interp/heap"
	"caper/interp/prim"
)

// All are the rows of all rooms.
func All() []prim.Prim {
	return slices.Concat(pair.Prims(), number.Prims(), text.Prims(), vector.Prims(), hash.Prims(), control.Prims(), port.Prims(), regexp.Prims(), json.Prims(), time.Prims())
}

// Text is what write prints of a value, cut off after limit bytes.
func Text(c *prim.Ctx, w heap.Word, limit int) string { return port.Text(c, w, true, limit) }

// Unsaved is what the output port of a file would still be written: the path, and how many bytes.
func Unsaved(a *heap.Arena, p heap.Word) (path string, bytes int, ok bool) { return port.Unsaved(a, p) }
