package compile

import (
	"caper/interp/code"
	"caper/interp/expand"
	"caper/interp/syntax"
)

// This file compiles access to records. The machine's instructions check the type but not the index, so they are used
// only where the type is a constant variable whose definition shows that the field exists.

// record lowers %record-ref, %record-set! and %record?.
func record(r primRow, num int, n *expand.Call, args []node, span syntax.Span) node {
	p := &primitive{kind: primCall, num: num, args: args, span: span}
	fields := recordFields(n.Args[1])
	if fields < 0 {
		return p
	}
	if r.kind == primField {
		k, ok := fixed(args[2])
		if !ok || k < 0 || k >= int64(fields) {
			return p
		}
		p.field = int(k) + 1
	}
	p.kind, p.op = r.kind, r.op
	return p
}

// recordFields is the number of fields of the record type that n refers to, -1 when that is not certain.
func recordFields(n expand.Node) int {
	g, ok := n.(*expand.GlobalRef)
	if !ok || !g.Global.Constant {
		return -1
	}
	c, ok := g.Global.Value().(*expand.Call)
	if !ok || len(c.Args) != 2 {
		return -1
	}
	if f, ok := c.Func.(*expand.GlobalRef); !ok || f.Global.Prim != "%make-rtd" {
		return -1
	}
	k, ok := c.Args[1].(*expand.Const)
	if !ok || k.Datum == nil {
		return -1
	}
	v, ok := k.Datum.Datum.(*syntax.Vector)
	if !ok || len(v.Items) > 60_000 {
		return -1
	}
	return len(v.Items)
}

// maxByteRegister is the highest register that the X field names.
const maxByteRegister = 255

// field puts the field of a record into dst, or stores into it.
func (a *assembler) field(p *primitive, dst int) {
	if a.top+2 > maxByteRegister {
		a.prim(p, dst)
		return
	}
	x := a.any(p.args[0])
	v := dst
	if p.op == code.RSET {
		v = a.any(p.args[3])
	}
	t := a.any(p.args[1]) // a global: read last, without effect
	a.at(p.span)
	if p.op == code.RSET {
		a.emit(word(code.RSET, t, reg(x), reg(v), p.field))
		return
	}
	a.emit(word(code.RREF, t, reg(dst), reg(x), p.field))
}
