package expand

import "caper/interp/syntax"

// This file holds the record definitions of other dialects, each rewritten to R7RS's define-record-type: Racket's
// struct, MIT's define-structure and R6RS's (fields …).

// defineStruct is Racket's (struct name (field ...) option ...), MIT's (define-structure name field ...), Chicken's
// (define-record name field ...), and (define-struct name (field ...)).
func defineStruct(x *expander, b *block, u use) {
	const expected = "(struct name (field ...) option ...)"
	if len(u.args) < 1 {
		x.shape(u, expected)
	}
	name, rest := u.args[0], u.args[1:]
	mutable := false
	var fields []*syntax.Syntax
	if u.form.name == "define-structure" || u.form.name == "define-record" {
		mutable = true
		if l, ok := name.Datum.(*syntax.List); ok && len(l.Items) > 0 { // options are ignored
			name = l.Items[0]
		}
		fields = rest
	} else {
		if len(rest) == 0 {
			x.shape(u, expected)
		}
		if _, ok := identOf(rest[0]); ok {
			hints := []string{"give it all of its fields: (" + u.form.name + " name (field ...)); any value can be raised, and its predicate tells it in guard or with-handlers"}
			x.failAt(rest[0].Span, hints, "%s: a structure cannot extend another", u.form.name)
		}
		fields = x.clauses(u, rest[0], "the fields are (field ...)")
		mutable = x.structOptions(u, rest[1:])
	}
	id := x.identifier(u, name, "the name of a structure is an identifier")
	base := id.name()
	r := recordText{x: x, name: name, base: base, typeName: "struct:" + base, constructor: base}
	if u.form.name != "struct" {
		r.constructor = "make-" + base
	}
	for _, f := range fields {
		field, own := x.structField(u, f)
		modifier := ""
		if mutable || own {
			modifier = "set-" + base + "-" + field.name() + "!"
			if u.form.name == "define-record" {
				modifier = base + "-" + field.name() + "-set!"
			}
		}
		r.field(f, field, modifier)
	}
	x.recordFrom(b, u, r.args())
}

// structOptions reads keywords; those that ask for nothing that a program can notice are accepted.
func (x *expander) structOptions(u use, options []*syntax.Syntax) (mutable bool) {
	for i := 0; i < len(options); i++ {
		k, ok := options[i].Datum.(syntax.Keyword)
		if !ok {
			x.found(u, options[i], "after the fields come options such as #:mutable")
		}
		switch k {
		case "mutable":
			mutable = true
		case "transparent", "prefab", "authentic":
		case "property", "methods": // each with two parts
			i += 2
		case "inspector":
			i++
		default:
			x.failAt(options[i].Span, nil, "%s: the option #:%s is not supported", u.form.name, string(k))
		}
	}
	return mutable
}

// structField reads name, [name #:mutable] or (name default).
func (x *expander) structField(u use, s *syntax.Syntax) (field ident, mutable bool) {
	if l, ok := s.Datum.(*syntax.List); ok && len(l.Items) > 0 {
		for _, o := range l.Items[1:] {
			mutable = mutable || o.Datum == syntax.Keyword("mutable")
		}
		s = l.Items[0]
	}
	return x.identifier(u, s, "each field is a name"), mutable
}

// recordText gathers the parts of a define-record-type form.
type recordText struct {
	x                           *expander
	name                        *syntax.Syntax // an identifier whose hygiene all others share
	base, typeName, constructor string
	predicate                   string // "" for base?
	params, fields              []*syntax.Syntax
}

func (r *recordText) identifier(name string) *syntax.Syntax { return r.x.derived(r.name, name) }

func (r *recordText) field(at *syntax.Syntax, field ident, modifier string) {
	f := &syntax.Syntax{Datum: field.sym, Span: at.Span}
	if field.alias != nil {
		f.Datum = field.alias
	}
	items := []*syntax.Syntax{f, r.identifier(r.base + "-" + field.name())}
	if modifier != "" {
		items = append(items, r.identifier(modifier))
	}
	r.params = append(r.params, f)
	r.fields = append(r.fields, &syntax.Syntax{Datum: &syntax.List{Items: items}, Span: at.Span})
}

func (r *recordText) args() []*syntax.Syntax {
	predicate := r.predicate
	if predicate == "" {
		predicate = r.base + "?"
	}
	constructor := &syntax.List{Items: append([]*syntax.Syntax{r.identifier(r.constructor)}, r.params...)}
	args := []*syntax.Syntax{
		r.identifier(r.typeName),
		{Datum: constructor, Span: r.name.Span},
		r.identifier(predicate),
	}
	return append(args, r.fields...)
}

func (x *expander) recordFrom(b *block, u use, args []*syntax.Syntax) {
	u.args = args
	defineRecord(x, b, u)
}

// r6rsClauses tells a definition of R6RS, whose parts after the name are all clauses, from one of R7RS.
func r6rsClauses(args []*syntax.Syntax) bool {
	for _, s := range args {
		l, ok := s.Datum.(*syntax.List)
		if !ok || len(l.Items) == 0 {
			return false
		}
		id, ok := identOf(l.Items[0])
		if !ok {
			return false
		}
		switch id.name() {
		case "fields", "sealed", "opaque", "nongenerative", "parent", "protocol":
		default:
			return false
		}
	}
	return len(args) > 0
}

// defineR6RS is (define-record-type name (fields …)) or (define-record-type (name constructor predicate) (fields …)).
func defineR6RS(x *expander, b *block, u use) {
	name := u.args[0]
	r := recordText{x: x, name: name}
	if l, ok := name.Datum.(*syntax.List); ok {
		if len(l.Items) != 3 {
			x.found(u, name, "the name is an identifier or (name constructor predicate)")
		}
		for _, it := range l.Items {
			x.identifier(u, it, "the name is an identifier or (name constructor predicate)")
		}
		r.name = l.Items[0]
		constructor, _ := identOf(l.Items[1])
		predicate, _ := identOf(l.Items[2])
		r.constructor, r.predicate = constructor.name(), predicate.name()
	}
	r.base = x.identifier(u, r.name, "the name of the type is an identifier").name()
	r.typeName = r.base
	if r.constructor == "" {
		r.constructor = "make-" + r.base
	}
	for _, c := range u.args[1:] {
		l := c.Datum.(*syntax.List)
		head, _ := identOf(l.Items[0])
		switch head.name() {
		case "parent", "protocol":
			hint := "give it all of its fields: no record type extends another"
			if head.name() == "protocol" {
				hint = "write the constructor apart: (define-record-type (" + r.base + " %" + r.constructor + " " + r.base + "?) (fields ...)) (define (" + r.constructor + " ...) (%" + r.constructor + " ...))"
			}
			x.failAt(c.Span, []string{hint}, "%s: (%s …) is not supported", u.form.name, head.name())
		case "fields":
			for _, f := range l.Items[1:] {
				x.r6rsField(u, f, &r)
			}
		}
	}
	x.recordFrom(b, u, r.args())
}

// r6rsField reads name, (immutable name [accessor]) or (mutable name [accessor modifier]).
func (x *expander) r6rsField(u use, s *syntax.Syntax, r *recordText) {
	l, ok := s.Datum.(*syntax.List)
	if !ok {
		r.field(s, x.identifier(u, s, "each field is a name"), "")
		return
	}
	if len(l.Items) < 2 || len(l.Items) > 4 || l.Tail != nil || !isSymbol(l.Items[0], "mutable") && !isSymbol(l.Items[0], "immutable") {
		x.found(u, s, "each field is name, (immutable name) or (mutable name)")
	}
	id := x.identifier(u, l.Items[1], "each field is a name")
	modifier := ""
	if isSymbol(l.Items[0], "mutable") {
		modifier = r.base + "-" + id.name() + "-set!"
	}
	r.field(s, id, modifier)
	parts := r.fields[len(r.fields)-1].Datum.(*syntax.List)
	copy(parts.Items[1:], l.Items[2:])
}
