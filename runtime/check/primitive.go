package check

import (
	"caper/runtime/graph"
)

// This file defines what is known of what primitives answer. Of the others nothing is known, and the procedures that they
// are given may be called by anyone.

func (f *follower) primitive(name string, args arguments) *value {
	n := len(args.fixed)
	exact := args.more == nil
	one, two := args.at(0), args.at(1)
	switch name {
	case "%host":
		return f.host(args)
	case "apply":
		if !exact || n < 2 {
			break
		}
		inner := arguments{fixed: args.fixed[1 : n-1 : n-1]}
		last := args.fixed[n-1]
		for { // a list of known length is arguments
			if last.top || len(last.alts) != 1 {
				break
			}
			p, ok := last.alts[0].(*pair)
			if !ok {
				break
			}
			inner.fixed = append(inner.fixed, p.car)
			last = p.cdr
		}
		if d, ok := last.only(); !ok || !isEmpty(d) {
			inner.more = last
		}
		return f.apply(one, inner)
	case "values":
		if exact && n == 1 {
			return one
		}
		return of(&box{parts: args.fixed, record: true})
	case "call-with-values":
		got := f.apply(one, arguments{})
		inner := arguments{fixed: []*value{got}}
		if len(got.alts) == 1 && !got.top {
			if b, ok := got.alts[0].(*box); ok && b.record {
				inner.fixed = b.parts
			}
		}
		if got.top {
			inner = arguments{more: anything}
		}
		return f.apply(two, inner)
	case "call/cc", "call-with-current-continuation":
		return join(f.apply(one, arguments{fixed: []*value{anything}}), anything)
	case "%guard":
		out := f.apply(one, arguments{})
		return join(out, f.apply(two, arguments{fixed: []*value{anything, anything}}))
	case "%spawn":
		if n > 0 {
			f.apply(one, arguments{args.fixed[1:], args.more})
		}
		return anything
	case "%within":
		return f.apply(two, arguments{})
	case "cons":
		if exact && n == 2 {
			return of(&pair{one, two})
		}
	case "list":
		return args.rest(0)
	case "cons*", "list*":
		if exact && n > 0 {
			out := args.fixed[n-1]
			for i := n - 2; i >= 0; i-- {
				out = of(&pair{args.fixed[i], out})
			}
			return out
		}
	case "car", "cdr", "cadr", "cddr", "caar", "cdar", "caddr", "cdddr":
		v := one
		path := name[1 : len(name)-1]
		for i := len(path) - 1; i >= 0; i-- {
			v = part(v, path[i] == 'a')
		}
		return v
	case "reverse", "append", "list-copy", "append!", "reverse!":
		if exact && name == "append" && n == 1 {
			return one
		}
		if exact && name == "append" && n == 2 {
			return appended(one, two)
		}
		item, all := none, args.fixed
		for _, a := range all {
			item = join(item, listed(a))
		}
		if !exact {
			item = join(item, anything)
		}
		return of(&list{item})
	case "vector", "%record":
		if exact {
			return of(&box{parts: args.fixed, record: name == "%record"})
		}
	case "vector-ref", "vector->list", "list->vector":
		all := none
		for _, x := range one.alts {
			if b, ok := x.(*box); ok {
				for _, p := range b.parts {
					all = join(all, p)
				}
			}
		}
		switch {
		case name == "list->vector":
			return of(&box{parts: []*value{listed(one)}})
		case name == "vector->list":
			return of(&list{join(all, topOf(one))})
		}
		return vague(join(all, anything))
	case "%record-ref":
		return f.field(one, args.at(2))
	case "set-car!", "set-cdr!":
		for _, x := range one.alts {
			if p, ok := x.(*pair); ok && name == "set-car!" {
				p.car = vague(join(join(p.car, two), anything))
			} else if ok {
				p.cdr = vague(join(join(p.cdr, two), anything))
			}
		}
		f.escape(two, 0)
		return anything
	case "vector-set!", "%record-set!", "vector-fill!":
		for _, x := range one.alts {
			if b, ok := x.(*box); ok {
				for i := range b.parts {
					b.parts[i] = vague(join(b.parts[i], anything))
				}
			}
		}
	case "assq", "assv", "assoc":
		if found := listed(two); len(found.alts) > 0 || found.top {
			return join(found, falsity)
		}
		return falsity
	case "null?", "pair?", "not", "string?", "symbol?", "procedure?", "keyword?", "boolean?", "vector?", "list?":
		return test(name, one)
	case "eq?", "eqv?", "equal?", "string=?":
		a, ok := one.only()
		b, ok2 := two.only()
		if exact && n == 2 && ok && ok2 {
			return lit(graph.Write(a) == graph.Write(b))
		}
		return some
	case "string-append":
		if !exact {
			return anything
		}
		return concatenated(args.fixed)
	case "symbol->string", "string->symbol":
		if d, ok := one.only(); ok {
			switch d := d.(type) {
			case graph.Symbol:
				return lit(string(d))
			case string:
				return lit(graph.Symbol(d))
			}
		}
		return anything
	case "number->string":
		if d, ok := one.only(); ok && exact && n == 1 && isNumber(d) {
			return lit(graph.Write(d))
		}
		return anything
	case "%holds?": // nobody is asked how a program goes on that failed
		return lit(false)
	case "%die", "%continue", "%throw":
		return none
	case "=", "<", ">", "<=", ">=", "+", "-":
		return arithmetic(name, args)
	case "%condition?", "char=?", "zero?", "string<?", "even?", "odd?":
		return some
	}
	for _, a := range args.fixed {
		f.escape(a, 0)
	}
	if args.more != nil {
		f.escape(args.more, 0)
	}
	return anything
}

// concatenated is every text that strings can be together.
func concatenated(parts []*value) *value {
	texts := []string{""}
	for _, p := range parts {
		var next []string
		for _, x := range p.alts {
			l, _ := x.(literal)
			s, ok := l.datum.(string)
			if !ok || p.top || len(texts)*len(p.alts) > mostAlts || len(s) > 1<<16 {
				return anything
			}
			for _, t := range texts {
				next = append(next, t+s)
			}
		}
		if texts = next; len(texts) == 0 || len(texts[0]) > 1<<16 {
			return anything
		}
	}
	out := none
	for _, t := range texts {
		out = join(out, lit(t))
	}
	return out
}

func isEmpty(d graph.Datum) bool { l, ok := d.(graph.List); return ok && len(l) == 0 }

func topOf(v *value) *value {
	if v.top {
		return anything
	}
	return none
}

func part(v *value, car bool) *value {
	out := topOf(v)
	for _, x := range v.alts {
		switch x := x.(type) {
		case *pair:
			if car {
				out = join(out, x.car)
			} else {
				out = join(out, x.cdr)
			}
		case *list:
			if car {
				out = join(out, x.item)
			} else {
				out = join(out, of(x))
			}
		}
	}
	return out
}

func appended(a, b *value) *value {
	out := none
	for _, x := range a.alts {
		switch x := x.(type) {
		case *pair:
			out = join(out, of(&pair{x.car, appended(x.cdr, b)}))
		case literal:
			out = join(out, b)
		case *list:
			out = join(out, of(&list{join(x.item, listed(b))}))
		}
	}
	if a.top {
		out = vague(join(join(out, b), anything))
	}
	return out
}

// field is a part of a record; its type is the first part.
func (f *follower) field(record, place *value) *value {
	out := topOf(record)
	at := -1
	if d, ok := place.only(); ok {
		if n, ok := d.(int64); ok {
			at = int(n)
		}
	}
	for _, x := range record.alts {
		b, ok := x.(*box)
		if !ok || !b.record {
			continue
		}
		for i, p := range b.parts {
			if at < 0 || i == at+1 {
				out = join(out, p)
			}
		}
	}
	if len(out.alts) == 0 {
		return anything
	}
	return out
}

// test is what a predicate answers.
func test(name string, v *value) *value {
	out := none
	if v.top {
		return some
	}
	for _, x := range v.alts {
		is := false
		switch x := x.(type) {
		case literal:
			switch d := x.datum.(type) {
			case graph.List:
				is = name == "null?" || name == "list?"
			case bool:
				is = name == "boolean?" || name == "not" && !d
			case string:
				is = name == "string?"
			case graph.Symbol:
				is = name == "symbol?"
			case graph.Keyword:
				is = name == "keyword?"
			}
		case *pair:
			is = name == "pair?"
			if name == "list?" {
				out = join(out, some)
				continue
			}
		case *list:
			if name == "null?" || name == "pair?" {
				out = join(out, some)
				continue
			}
			is = name == "list?"
		case *closure, primitive:
			is = name == "procedure?"
		case *box:
			is = name == "vector?" && !x.record
		}
		out = join(out, lit(is))
	}
	return out
}

func arithmetic(name string, args arguments) *value {
	var ns []int64
	for _, a := range args.fixed {
		d, _ := a.only()
		n, ok := d.(int64)
		if !ok || n > 1<<40 || n < -1<<40 {
			ns = nil
			break
		}
		ns = append(ns, n)
	}
	compares := name != "+" && name != "-"
	if len(ns) != 2 || args.more != nil {
		if compares {
			return some
		}
		return anything
	}
	a, b := ns[0], ns[1]
	switch name {
	case "=":
		return lit(a == b)
	case "<":
		return lit(a < b)
	case ">":
		return lit(a > b)
	case "<=":
		return lit(a <= b)
	case ">=":
		return lit(a >= b)
	case "+":
		return lit(a + b)
	}
	return lit(a - b)
}
