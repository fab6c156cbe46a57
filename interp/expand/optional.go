package expand

import "caper/interp/syntax"

// This file gives procedures optional parameters, as Racket writes them, (lambda (a [b 1]) …), and as Guile does,
// (lambda* (a #:optional (b 1) c) …).

// optional is one optional parameter; without a default it is #f.
type optional struct {
	name, value *syntax.Syntax
	marked      bool // when it is not given it is what default-object? knows, as in MIT Scheme
}

// procedure expands a parameter list and a body, with optional parameters where there are any.
func (x *expander) procedure(u use, name string, formals *syntax.Syntax, body []*syntax.Syntax, sc *scope) Node {
	l, ok := formals.Datum.(*syntax.List)
	if ok && hasKeywords(l) {
		return x.withKeywords(u, name, l, body, sc)
	}
	if ok {
		for i, it := range l.Items {
			if _, ok := identOf(it); !ok {
				return x.withOptionals(u, name, l, i, body, sc)
			}
		}
	}
	return x.lambda(u, name, formals, body, sc)
}

// withOptionals makes (letrec ((f (case-lambda ((a) (f a default)) ((a b) body ...)))) f): a call with too few
// arguments adds the next one and goes on.
func (x *expander) withOptionals(u use, name string, l *syntax.List, required int, body []*syntax.Syntax, sc *scope) Node {
	options := x.optionals(u, l.Items[required:])
	ids := append([]*syntax.Syntax{}, l.Items[:required]...)
	for _, o := range options {
		ids = append(ids, o.name)
	}
	x.sink(3, u.s)
	defer x.lift(3)
	self := &Var{Name: name}
	if name == "" {
		self.Name = "self"
	}
	n := &CaseLambda{Span: u.s.Span, Name: name}
	for i, o := range options {
		given := ids[:required+i]
		vars := newVars(given)
		x.charge(nodeCost * len(vars))
		args := make([]Node, 0, len(vars)+1)
		for _, v := range vars {
			args = append(args, x.localRef(v, u.s))
		}
		x.lambdas++
		if o.value == nil {
			args = append(args, x.boolean(false, o.name))
		} else {
			args = append(args, x.expr(o.value, x.frame(sc, given, vars)))
		}
		x.lambdas--
		call := &Call{Span: o.name.Span, Func: x.localRef(self, u.s), Args: args}
		n.Clauses = append(n.Clauses, &Lambda{Span: u.s.Span, Name: name, Params: vars, Body: call})
	}
	all := &syntax.Syntax{Datum: &syntax.List{Items: ids, Tail: l.Tail}, Span: u.s.Span}
	n.Clauses = append(n.Clauses, x.lambda(u, name, all, body, sc))
	return &Letrec{Span: u.s.Span, Vars: []*Var{self}, Inits: []Node{n}, Body: x.localRef(self, u.s)}
}

// optionals reads what follows the required parameters.
func (x *expander) optionals(u use, items []*syntax.Syntax) []optional {
	var options []optional
	marked := false
	for _, it := range items {
		switch d := it.Datum.(type) {
		case syntax.Keyword:
			if d == "optional" && !marked {
				marked = true
				continue
			}
			x.found(u, it, "each parameter is a name, and after those (name default)")
		case *syntax.List:
			if len(d.Items) == 2 && d.Tail == nil {
				if _, ok := identOf(d.Items[0]); ok {
					options = append(options, optional{name: d.Items[0], value: d.Items[1]})
					continue
				}
			}
		case *syntax.Symbol, *Alias:
			if marked {
				options = append(options, optional{name: it})
				continue
			}
		}
		x.found(u, it, "each parameter is a name, and after those (name default)")
	}
	return options
}
