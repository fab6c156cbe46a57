package port

import (
	"strings"

	"caper/interp/heap"
	"caper/interp/prim"
	"caper/interp/syntax"
)

// opaque is the printed form of what has no parts to print.
func opaque(c *prim.Ctx, w heap.Word) string {
	switch w {
	case heap.True:
		return "#t"
	case heap.False:
		return "#f"
	case heap.Null:
		return "()"
	case heap.Unspecified:
		return "#<unspecified>"
	case heap.EOF:
		return "#<eof>"
	case heap.Default:
		return "#!default"
	}
	if c.IsProcedure(w) && !c.IsType(w, heap.TypeParameter) {
		if c.ProcName != nil && heap.IsClosure(w) {
			if name := c.ProcName(w); name != "" {
				return "#<procedure " + name + ">"
			}
		}
		return "#<procedure>"
	}
	switch c.Kind(w) {
	case heap.KindVector:
		return "#()"
	case heap.KindSymbol:
		return syntax.WriteKeyword(c.SymbolName(w))
	case heap.KindBytes:
		return syntax.WriteBytes(c.Bytes(w))
	case heap.KindPort:
		switch flags := flagsOf(c, w); {
		case flags&isBinary != 0 && flags&isInput != 0:
			return "#<binary input port>"
		case flags&isBinary != 0:
			return "#<binary output port>"
		case flags&isInput != 0:
			return "#<input port>"
		}
		return "#<output port>"
	case heap.KindFiber:
		return "#<fiber>"
	case heap.KindRecord:
		return builtin(c, w)
	}
	return "#<object>"
}

// typeName is the name of a record type without its angle brackets.
func typeName(c *prim.Ctx, t heap.Word) string {
	if !c.IsType(t, heap.TypeRtd) || !c.IsSymbol(c.Field(t, heap.RtdName)) {
		return "record"
	}
	name := c.SymbolName(c.Field(t, heap.RtdName))
	if n := strings.TrimSuffix(strings.TrimPrefix(name, "<"), ">"); n != "" {
		return n
	}
	return name
}

// builtin is the printed form of a record of a built-in type.
func builtin(c *prim.Ctx, w heap.Word) string {
	switch heap.FixnumValue(c.Field(w, 0)) {
	case heap.TypeRtd:
		return "#<record-type " + typeName(c, w) + ">"
	case heap.TypePromise:
		return "#<promise>"
	case heap.TypeParameter:
		return "#<parameter>"
	case heap.TypeRegexp:
		if s := c.Field(w, 1); c.IsString(s) {
			return "#px" + syntax.WriteString(c.Text(s))
		}
	case heap.TypeEnvironment:
		return "#<environment>"
	case heap.TypeCharSet:
		return "#<char-set>"
	case heap.TypeDate:
		return "#<date>"
	case heap.TypeHandle:
		if c.Size(w) >= 3 {
			kind, id := c.Field(w, 1), c.Field(w, 2)
			text := "#<"
			if c.IsSymbol(kind) {
				text += c.SymbolName(kind)
			}
			if c.IsString(id) {
				text += " " + c.Text(id)
			}
			return text + ">"
		}
	}
	return "#<object>"
}
