package expand

import (
	"strings"

	"caper/interp/syntax"
)

// This file holds define-record-type.

// recordField is one field: its name and, where given, its accessor and modifier.
type recordField struct {
	name             ident
	at               *syntax.Syntax
	getter, modifier *syntax.Syntax
}

func defineRecordType(x *expander, b *block, u use) {
	if len(u.args) > 1 && r6rsClauses(u.args[1:]) {
		defineR6RS(x, b, u)
		return
	}
	defineRecord(x, b, u)
}

func defineRecord(x *expander, b *block, u use) {
	if len(u.args) < 2 {
		x.shape(u, "(define-record-type name (constructor field ...) predicate (field accessor [modifier]) ...)")
	}
	typeName := x.identifier(u, u.args[0], "the name of the type is an identifier")
	constructor := u.args[1]
	var predicate *syntax.Syntax
	var specs []*syntax.Syntax
	if len(u.args) > 2 {
		predicate, specs = u.args[2], u.args[3:]
	}
	fields := x.recordFields(u, specs)
	t := x.declare(b, u, u.args[0])
	names := make([]*syntax.Syntax, len(fields))
	for i, f := range fields {
		names[i] = f.at
	}
	x.add(b, t, u.s.Span, func() Node {
		list := &syntax.Syntax{Datum: &syntax.Vector{Items: names}, Span: u.s.Span}
		shown := syntax.Intern(strings.TrimPrefix(typeName.name(), "struct:"))
		name := &syntax.Syntax{Datum: shown, Span: u.args[0].Span}
		return x.callSupport(u.s, "%make-rtd", x.constant(name, name.Span), x.constant(list, list.Span))
	})
	x.recordConstructor(b, u, constructor, t, typeName, fields)
	if predicate != nil && predicate.Datum != false {
		p := x.declareNamed(b, u, predicate, typeName, "", "?")
		x.add(b, p, u.s.Span, func() Node {
			v := &Var{Name: "x"}
			body := x.callSupport(u.s, "%record?", x.localRef(v, u.s), x.ref(t, u.s))
			return &Lambda{Span: u.s.Span, Params: []*Var{v}, Body: body}
		})
	}
	for i, f := range fields {
		x.recordAccess(b, u, t, i, f)
	}
}

func (x *expander) recordFields(u use, specs []*syntax.Syntax) []recordField {
	fields := make([]recordField, len(specs))
	names := make([]*syntax.Syntax, len(specs))
	for i, s := range specs {
		f := recordField{at: s}
		if l, ok := s.Datum.(*syntax.List); ok {
			if len(l.Items) < 1 || len(l.Items) > 3 || l.Tail != nil {
				x.found(u, s, "each field is (field accessor [modifier])")
			}
			f.at = l.Items[0]
			if len(l.Items) > 1 {
				f.getter = l.Items[1]
			}
			if len(l.Items) > 2 {
				f.modifier = l.Items[2]
			}
		}
		f.name = x.identifier(u, f.at, "each field is (field accessor [modifier])")
		fields[i], names[i] = f, f.at
	}
	x.distinct(u, names, nil)
	return fields
}

// declareNamed declares s, or for #t the name made of the type's between a prefix and a suffix.
func (x *expander) declareNamed(b *block, u use, s *syntax.Syntax, typeName ident, prefix, suffix string) target {
	if s.Datum == true {
		name := typeName.name()
		if len(name) > 2 && name[0] == '<' && name[len(name)-1] == '>' {
			name = name[1 : len(name)-1]
		}
		s = x.derived(u.args[0], prefix+name+suffix)
	}
	return x.declare(b, u, s)
}

// derived is an identifier with another name but the hygiene of s.
func (x *expander) derived(s *syntax.Syntax, name string) *syntax.Syntax {
	sym := syntax.Intern(name)
	if a, ok := s.Datum.(*Alias); ok {
		return &syntax.Syntax{Datum: &Alias{id: ident{sym: sym}, env: a.env}, Span: s.Span}
	}
	return &syntax.Syntax{Datum: sym, Span: s.Span}
}

func (x *expander) recordConstructor(b *block, u use, s *syntax.Syntax, t target, typeName ident, fields []recordField) {
	if s.Datum == false {
		return
	}
	var params []int // the field of each parameter
	name := s
	if l, ok := s.Datum.(*syntax.List); ok {
		if len(l.Items) == 0 || l.Tail != nil {
			x.found(u, s, "the constructor is (name field ...), a name or #f")
		}
		name = l.Items[0]
		x.identifier(u, name, "the constructor is (name field ...)")
		x.distinct(u, x.identifiers(u, l.Items[1:]), nil)
		for _, it := range l.Items[1:] {
			params = append(params, x.fieldIndex(u, it, fields))
		}
	} else {
		for i := range fields {
			params = append(params, i)
		}
	}
	c := x.declareNamed(b, u, name, typeName, "make-", "")
	x.add(b, c, u.s.Span, func() Node {
		args := make([]Node, len(fields)+1)
		args[0] = x.ref(t, u.s)
		for i := range fields {
			args[i+1] = x.unspecified(u.s)
		}
		vars := make([]*Var, len(params))
		for i, f := range params {
			vars[i] = &Var{Name: fields[f].name.name()}
			args[f+1] = x.localRef(vars[i], u.s)
		}
		x.charge(nodeCost * len(args))
		return &Lambda{Span: u.s.Span, Params: vars, Body: x.callSupport(u.s, "%record", args...)}
	})
}

func (x *expander) identifiers(u use, items []*syntax.Syntax) []*syntax.Syntax {
	for _, it := range items {
		x.identifier(u, it, "each field of the constructor is a name")
	}
	return items
}

func (x *expander) fieldIndex(u use, s *syntax.Syntax, fields []recordField) int {
	id, _ := identOf(s)
	for i, f := range fields {
		if f.name == id {
			return i
		}
	}
	for i, f := range fields { // a macro may have renamed one of the two
		if f.name.symbol() == id.symbol() {
			return i
		}
	}
	x.failAt(s.Span, nil, "%s: the constructor's field %s is not a field of the record", u.form.name, show(s))
	return 0
}

func (x *expander) recordAccess(b *block, u use, t target, index int, f recordField) {
	number := func() Node {
		return &Const{Span: u.s.Span, Datum: &syntax.Syntax{Datum: int64(index), Span: u.s.Span}}
	}
	quoted := func(name string) Node {
		return &Const{Span: u.s.Span, Datum: &syntax.Syntax{Datum: syntax.Intern(name), Span: u.s.Span}}
	}
	if f.getter != nil {
		g := x.declare(b, u, f.getter)
		x.add(b, g, u.s.Span, func() Node {
			x.charge(6 * nodeCost)
			v := &Var{Name: "x"}
			body := x.callSupport(u.s, "%record-ref", x.localRef(v, u.s), x.ref(t, u.s), number(), quoted(g.name()))
			return &Lambda{Span: u.s.Span, Params: []*Var{v}, Body: body}
		})
	}
	if f.modifier != nil {
		g := x.declare(b, u, f.modifier)
		x.add(b, g, u.s.Span, func() Node {
			x.charge(7 * nodeCost)
			v, value := &Var{Name: "x"}, &Var{Name: "v"}
			body := x.callSupport(u.s, "%record-set!", x.localRef(v, u.s), x.ref(t, u.s), number(), x.localRef(value, u.s), quoted(g.name()))
			return &Lambda{Span: u.s.Span, Params: []*Var{v, value}, Body: body}
		})
	}
}
