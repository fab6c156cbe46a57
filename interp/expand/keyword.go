package expand

import "caper/interp/syntax"

// This file gives procedures keyword parameters: Racket's (lambda (a #:k k #:d [d 1] [b 2] . rest) …) and Guile's
// (lambda* (a #:optional b (c 1) #:key k (d 1) #:allow-other-keys #:rest r) …).

// parameters is a list of parameters in its parts.
type parameters struct {
	required      []*syntax.Syntax
	optional, key []optional
	names         []*syntax.Syntax // of the keywords, beside key
	must          []*syntax.Syntax // keywords that have to be given
	rest          *syntax.Syntax
	others        bool // keywords that there are no parameters for go into the rest
}

// hasKeywords tells whether a parameter list has more than required and optional parameters.
func hasKeywords(l *syntax.List) bool {
	for _, it := range l.Items {
		if k, ok := markOf(it); ok && k != "optional" {
			return true
		}
	}
	return false
}

// markOf is the keyword that a part of a parameter list is; those of MIT Scheme are #!optional and #!rest.
func markOf(s *syntax.Syntax) (syntax.Keyword, bool) {
	if k, ok := s.Datum.(syntax.Keyword); ok {
		return k, true
	}
	switch {
	case s.IsSymbol("#!optional"):
		return mitOptional, true
	case s.IsSymbol("#!rest"):
		return "rest", true
	}
	return "", false
}

const mitOptional = "!optional"

// oneParameter reads (name default) or name; without a default value is nil.
func oneParameter(s *syntax.Syntax) (o optional, ok bool) {
	if _, ok := identOf(s); ok {
		return optional{name: s}, true
	}
	if l, isList := s.Datum.(*syntax.List); isList && l.Tail == nil && len(l.Items) == 2 {
		if _, ok := identOf(l.Items[0]); ok {
			return optional{name: l.Items[0], value: l.Items[1]}, true
		}
	}
	return o, false
}

func (x *expander) parameters(u use, l *syntax.List) (p parameters) {
	const (
		required = iota
		optionals
		keys
	)
	p.rest = l.Tail
	if l.Tail != nil {
		x.parameter(u, l.Tail)
	}
	part, marked := required, false
	for i := 0; i < len(l.Items); i++ {
		it := l.Items[i]
		next := func() optional {
			if i++; i == len(l.Items) {
				x.found(u, it, "a parameter follows the keyword")
			}
			o, ok := oneParameter(l.Items[i])
			if !ok {
				x.found(u, l.Items[i], "after a keyword comes a name or (name default)")
			}
			return o
		}
		if k, ok := markOf(it); ok {
			switch k {
			case "optional", mitOptional:
				part, marked = optionals, k == mitOptional
			case "key":
				part = keys
			case "allow-other-keys":
				p.others = true
			case "rest":
				o := next()
				if o.value != nil || p.rest != nil {
					x.found(u, l.Items[i], "one name takes the rest")
				}
				p.rest = o.name
			default:
				o := next()
				if o.value == nil {
					p.must = append(p.must, it)
				}
				p.names, p.key = append(p.names, it), append(p.key, o)
			}
			continue
		}
		o, ok := oneParameter(it)
		switch {
		case !ok:
			x.found(u, it, "each parameter is a name, (name default), or one of these after a keyword")
		case part == keys:
			id, _ := identOf(o.name)
			p.names, p.key = append(p.names, syntax.New(syntax.Keyword(id.name()), o.name.Span)), append(p.key, o)
		case part == optionals || o.value != nil:
			o.marked = marked
			p.optional = append(p.optional, o)
		default:
			if len(p.optional) > 0 {
				x.found(u, it, "required parameters come before optional ones")
			}
			p.required = append(p.required, it)
		}
	}
	return p
}

// withKeywords makes (lambda args (%with-keywords f name args …)), where f takes every parameter by its position, the
// mark of what was not given for what was not, and puts the defaults in.
func (x *expander) withKeywords(u use, name string, l *syntax.List, body []*syntax.Syntax, sc *scope) Node {
	p := x.parameters(u, l)
	list := make([]*syntax.Syntax, 0, len(l.Items))
	list = append(list, p.required...)
	given := append(append([]optional{}, p.optional...), p.key...)
	for _, o := range given {
		list = append(list, o.name)
	}
	x.distinct(u, list, p.rest)
	x.sink(4, u.s)
	defer x.lift(4)
	x.charge(nodeCost * 4 * (len(list) + 1))
	inner := &Lambda{Span: u.s.Span, Name: name}
	required := newVars(p.required)
	inner.Params = append(inner.Params, required...)
	scope := x.frame(sc, p.required, required)
	raw := make([]*Var, len(given))
	for i, o := range given {
		id, _ := identOf(o.name)
		raw[i] = &Var{Name: id.name()}
		inner.Params = append(inner.Params, raw[i])
	}
	if p.rest != nil {
		vars := newVars([]*syntax.Syntax{p.rest})
		inner.Params = append(inner.Params, vars...)
		scope = x.frame(scope, []*syntax.Syntax{p.rest}, vars)
	}
	x.lambdas += 2
	inner.Body = x.defaults(u, given, raw, body, scope)
	args := &Var{Name: "args"}
	flag := func(b bool) Node { return x.boolean(b, u.s) }
	label := name
	if label == "" {
		label = "the procedure"
	}
	number := func(n int) Node { return &Const{Span: u.s.Span, Datum: syntax.New(int64(n), u.s.Span)} }
	call := x.callSupport(u.s, "%with-keywords", inner, &Const{Span: u.s.Span, Datum: syntax.New(syntax.String(label), u.s.Span)},
		x.localRef(args, u.s), number(len(p.required)), number(len(p.optional)),
		x.constant(syntax.ListAt(u.s.Span, p.names...), u.s.Span), x.constant(syntax.ListAt(u.s.Span, p.must...), u.s.Span),
		flag(p.rest != nil), flag(p.others))
	x.lambdas -= 2
	return &Lambda{Span: u.s.Span, Name: name, Rest: args, Body: call}
}

// defaults binds each parameter to what was given, or to its default, which sees the parameters before it.
func (x *expander) defaults(u use, given []optional, raw []*Var, body []*syntax.Syntax, sc *scope) Node {
	if len(given) == 0 {
		return x.body(u, body, sc)
	}
	o := given[0]
	x.sink(1, u.s)
	defer x.lift(1)
	var value Node
	if o.value != nil {
		value = x.expr(o.value, sc)
	} else if o.marked {
		value = x.callSupport(o.name, "%default")
	} else {
		value = x.boolean(false, o.name)
	}
	absent := x.callSupport(o.name, "default-object?", x.localRef(raw[0], o.name))
	arg := &If{Span: o.name.Span, Test: absent, Then: value, Else: x.localRef(raw[0], o.name)}
	ids := []*syntax.Syntax{o.name}
	vars := newVars(ids)
	inner := &Lambda{Span: o.name.Span, Params: vars, Body: x.defaults(u, given[1:], raw[1:], body, x.frame(sc, ids, vars))}
	return &Call{Span: o.name.Span, Func: inner, Args: []Node{arg}}
}
