package expand

import (
	"fmt"
	"strings"
	"testing"

	"caper/interp/syntax"
)

// This file defines a small evaluator of core forms, so that tests can say what a program answers. Data are those of
// syntax, lists as *syntax.List, procedures Go functions.

type procedure func(args []any) any

type several []any // the values of (values …)

type frameOf map[*Var]*any

type evaluator struct {
	globals map[*Global]any
}

func (ev *evaluator) eval(n Node, f frameOf) any {
	switch n := n.(type) {
	case *Const:
		return plain(n.Datum)
	case *Unspecified:
		return nil
	case *LocalRef:
		cell, ok := f[n.Var]
		if !ok {
			panic("unbound local " + n.Var.Name)
		}
		return *cell
	case *LocalSet:
		if !n.Var.Assigned {
			panic("not marked as assigned: " + n.Var.Name)
		}
		*f[n.Var] = ev.eval(n.Value, f)
		return nil
	case *GlobalRef:
		if n.Global.Prim != "" {
			return builtins[n.Global.Prim]
		}
		v, ok := ev.globals[n.Global]
		if !ok {
			panic("unbound variable " + n.Global.Name)
		}
		return v
	case *GlobalSet:
		ev.globals[n.Global] = ev.eval(n.Value, f)
		return nil
	case *GlobalDefine:
		ev.globals[n.Global] = ev.eval(n.Value, f)
		return nil
	case *If:
		if ev.eval(n.Test, f) != false {
			return ev.eval(n.Then, f)
		}
		return ev.eval(n.Else, f)
	case *Seq:
		var v any
		for _, m := range n.Nodes {
			v = ev.eval(m, f)
		}
		return v
	case *Let:
		g := extend(f)
		for i, v := range n.Vars {
			g[v] = cell(ev.eval(n.Inits[i], f))
		}
		return ev.eval(n.Body, g)
	case *Letrec:
		g := extend(f)
		for _, v := range n.Vars {
			g[v] = cell(nil)
		}
		for i, v := range n.Vars {
			*g[v] = ev.eval(n.Inits[i], g)
		}
		return ev.eval(n.Body, g)
	case *Lambda:
		return ev.closure(n, f)
	case *CaseLambda:
		return procedure(func(args []any) any {
			for _, c := range n.Clauses {
				if len(args) == len(c.Params) || len(args) > len(c.Params) && c.Rest != nil {
					return ev.closure(c, f)(args)
				}
			}
			panic("no clause")
		})
	case *Call:
		p, ok := ev.eval(n.Func, f).(procedure)
		if !ok {
			panic("not a procedure: " + Print(n.Func))
		}
		args := make([]any, len(n.Args))
		for i, a := range n.Args {
			args[i] = ev.eval(a, f)
		}
		return p(args)
	}
	panic(fmt.Sprintf("%T", n))
}

func (ev *evaluator) closure(l *Lambda, f frameOf) procedure {
	return func(args []any) any {
		g := extend(f)
		if len(args) < len(l.Params) || len(args) > len(l.Params) && l.Rest == nil {
			panic("wrong number of arguments for " + l.Name)
		}
		for i, v := range l.Params {
			g[v] = cell(args[i])
		}
		if l.Rest != nil {
			g[l.Rest] = cell(listOfValues(args[len(l.Params):]))
		}
		return ev.eval(l.Body, g)
	}
}

func extend(f frameOf) frameOf {
	g := make(frameOf, len(f)+2)
	for k, v := range f {
		g[k] = v
	}
	return g
}

func plain(s *syntax.Syntax) any {
	switch s.Datum.(type) {
	case *syntax.List, *syntax.Vector:
		return s
	}
	return s.Datum
}

func datumOf(v any) *syntax.Syntax {
	if s, ok := v.(*syntax.Syntax); ok {
		return s
	}
	return &syntax.Syntax{Datum: v}
}

func listOfValues(vs []any) any {
	l := &syntax.List{}
	for _, v := range vs {
		l.Items = append(l.Items, datumOf(v))
	}
	return &syntax.Syntax{Datum: l}
}

func items(v any) []*syntax.Syntax { return v.(*syntax.Syntax).Datum.(*syntax.List).Items }

var builtins = map[string]any{
	"list": procedure(listOfValues),
	"cons": procedure(func(a []any) any {
		if d, ok := datumOf(a[1]).Datum.(*syntax.List); ok {
			return &syntax.Syntax{Datum: &syntax.List{Items: append([]*syntax.Syntax{datumOf(a[0])}, d.Items...), Tail: d.Tail}}
		}
		return &syntax.Syntax{Datum: &syntax.List{Items: []*syntax.Syntax{datumOf(a[0])}, Tail: datumOf(a[1])}}
	}),
	"car": procedure(func(a []any) any { return plain(items(a[0])[0]) }),
	"cdr": procedure(func(a []any) any {
		l := a[0].(*syntax.Syntax).Datum.(*syntax.List)
		if len(l.Items) == 1 && l.Tail != nil {
			return plain(l.Tail)
		}
		return &syntax.Syntax{Datum: &syntax.List{Items: l.Items[1:], Tail: l.Tail}}
	}),
	"append": procedure(func(a []any) any {
		all := append([]*syntax.Syntax{}, items(a[0])...)
		if d, ok := datumOf(a[1]).Datum.(*syntax.List); ok {
			return &syntax.Syntax{Datum: &syntax.List{Items: append(all, d.Items...), Tail: d.Tail}}
		}
		return &syntax.Syntax{Datum: &syntax.List{Items: all, Tail: datumOf(a[1])}}
	}),
	"list->vector": procedure(func(a []any) any { return &syntax.Syntax{Datum: &syntax.Vector{Items: items(a[0])}} }),
	"reverse": procedure(func(a []any) any {
		var r []any
		for _, s := range items(a[0]) {
			r = append([]any{plain(s)}, r...)
		}
		return listOfValues(r)
	}),
	"eqv?":   procedure(func(a []any) any { return sameDatum(a[0], a[1]) }),
	"equal?": procedure(func(a []any) any { return datumOf(a[0]).Text() == datumOf(a[1]).Text() }),
	"memv": procedure(func(a []any) any {
		for _, s := range items(a[1]) {
			if sameDatum(a[0], s.Datum) {
				return true
			}
		}
		return false
	}),
	"not":    procedure(func(a []any) any { return a[0] == false }),
	"zero?":  procedure(func(a []any) any { return a[0] == int64(0) }),
	"null?":  procedure(func(a []any) any { l, ok := datumOf(a[0]).Datum.(*syntax.List); return ok && len(l.Items) == 0 }),
	"=":      procedure(func(a []any) any { return a[0] == a[1] }),
	"<":      procedure(func(a []any) any { return a[0].(int64) < a[1].(int64) }),
	"+":      arith(0, func(a, b int64) int64 { return a + b }),
	"*":      arith(1, func(a, b int64) int64 { return a * b }),
	"-":      procedure(func(a []any) any { return a[0].(int64) - a[1].(int64) }),
	"values": procedure(func(a []any) any { return several(a) }),
	"call-with-values": procedure(func(a []any) any {
		v := a[0].(procedure)(nil)
		if many, ok := v.(several); ok {
			return a[1].(procedure)(many)
		}
		return a[1].(procedure)([]any{v})
	}),
	"apply": procedure(func(a []any) any {
		var args []any
		for _, s := range items(a[1]) {
			args = append(args, plain(s))
		}
		return a[0].(procedure)(args)
	}),
}

func arith(unit int64, op func(a, b int64) int64) procedure {
	return func(a []any) any {
		r := unit
		for _, v := range a {
			r = op(r, v.(int64))
		}
		return r
	}
}

func cell(v any) *any { return &v }

// run expands and runs a program and writes its last value.
func run(t testing.TB, loader Loader, text string) (result string, err error) {
	t.Helper()
	p := newWorld(t, loader, Limits{}).NewProgram(implicit)
	p.Strict = true
	r, err := p.Expand(parse(t, "t.scm", text))
	if err != nil {
		return "", err
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("run time: %v in %s", p, printUnits(r))
		}
	}()
	ev := &evaluator{globals: map[*Global]any{}}
	var v any
	for _, u := range r.Units {
		for _, n := range u.Body {
			v = ev.eval(n, frameOf{})
		}
	}
	switch v := v.(type) {
	case nil:
		return "", nil
	case procedure:
		return "#<procedure>", nil
	case *syntax.Syntax:
		return v.Text(), nil
	}
	return datumOf(v).Text(), nil
}

func printUnits(r Result) string {
	s, _ := units(r, nil)
	return strings.TrimSpace(s)
}
