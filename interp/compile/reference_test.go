package compile_test

import (
	"errors"
	"fmt"
	"strings"

	"caper/interp/expand"
	"caper/interp/syntax"
)

// This file is a plain evaluator of core forms, the reference that random programs are compared with.
// Arguments are evaluated from left to right, the operator last.

type (
	refPair struct{ car, cdr any }
	refNull struct{}
	refNone struct{} // unspecified
	refProc struct {
		lam *expand.Lambda
		env *refEnv
	}
	refEnv struct {
		up   *refEnv
		vars map[*expand.Var]any
	}
	refTail struct {
		p    *refProc
		args []any
	}
	reference struct {
		globals map[*expand.Global]any
		steps   int
	}
)

var (
	errRaised = errors.New("raised")
	errSteps  = errors.New("too long")
)

func (e *refEnv) find(v *expand.Var) *refEnv {
	for ; e != nil; e = e.up {
		if _, ok := e.vars[v]; ok {
			return e
		}
	}
	panic("unbound " + v.Name)
}

func (r *reference) run(body []expand.Node) (result string) {
	defer func() {
		if e := recover(); e == errRaised || e == errSteps {
			result = fmt.Sprint(e)
		} else if e != nil {
			panic(e)
		}
	}()
	var v any
	for _, n := range body {
		v = r.eval(n, nil)
	}
	return show(v)
}

func show(v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "#t"
		}
		return "#f"
	case *syntax.Symbol:
		return v.Name
	case refNull:
		return "()"
	case refNone:
		return "#<unspecified>"
	case *refProc:
		return "#<procedure>"
	case *refPair:
		var b strings.Builder
		b.WriteString("(" + show(v.car))
		for t := v.cdr; ; {
			p, ok := t.(*refPair)
			if !ok {
				if t != any(refNull{}) {
					b.WriteString(" . " + show(t))
				}
				break
			}
			b.WriteString(" " + show(p.car))
			t = p.cdr
		}
		return b.String() + ")"
	}
	return fmt.Sprint(v)
}

func (r *reference) eval(n expand.Node, env *refEnv) any {
	v := r.step(n, env)
	for {
		t, ok := v.(refTail)
		if !ok {
			return v
		}
		v = r.enter(t.p, t.args)
	}
}

func (r *reference) step(n expand.Node, env *refEnv) any {
	if r.steps--; r.steps < 0 {
		panic(errSteps)
	}
	switch n := n.(type) {
	case *expand.Const:
		if l, ok := n.Datum.Datum.(*syntax.List); ok && len(l.Items) == 0 {
			return refNull{}
		}
		return n.Datum.Datum
	case *expand.Unspecified:
		return refNone{}
	case *expand.LocalRef:
		v := env.find(n.Var).vars[n.Var]
		if v == nil {
			panic(errRaised)
		}
		return v
	case *expand.LocalSet:
		v := r.eval(n.Value, env)
		e := env.find(n.Var)
		if e.vars[n.Var] == nil {
			panic(errRaised)
		}
		e.vars[n.Var] = v
		return refNone{}
	case *expand.GlobalRef:
		v, ok := r.globals[n.Global]
		if !ok {
			if n.Global.Prim != "" {
				return n.Global.Prim
			}
			panic(errRaised)
		}
		return v
	case *expand.GlobalDefine:
		r.globals[n.Global] = r.eval(n.Value, env)
		return refNone{}
	case *expand.GlobalSet:
		r.globals[n.Global] = r.eval(n.Value, env)
		return refNone{}
	case *expand.If:
		if r.eval(n.Test, env) != false {
			return r.step(n.Then, env)
		}
		return r.step(n.Else, env)
	case *expand.Lambda:
		return &refProc{n, env}
	case *expand.Seq:
		for _, m := range n.Nodes[:len(n.Nodes)-1] {
			r.eval(m, env)
		}
		return r.step(n.Nodes[len(n.Nodes)-1], env)
	case *expand.Let, *expand.Letrec:
		return r.bind(n, env)
	case *expand.Call:
		args := make([]any, len(n.Args))
		for i, x := range n.Args {
			args[i] = r.eval(x, env)
		}
		switch f := r.eval(n.Func, env).(type) {
		case *refProc:
			return refTail{f, args}
		case string:
			return primitive(f, args)
		}
		panic(errRaised)
	}
	panic(fmt.Sprintf("%T", n))
}

func (r *reference) bind(n expand.Node, env *refEnv) any {
	switch n := n.(type) {
	case *expand.Let:
		vars := map[*expand.Var]any{}
		for i, x := range n.Inits {
			vars[n.Vars[i]] = r.eval(x, env)
		}
		return r.step(n.Body, &refEnv{env, vars})
	case *expand.Letrec:
		e := &refEnv{env, map[*expand.Var]any{}}
		for _, v := range n.Vars {
			e.vars[v] = nil
		}
		for i, x := range n.Inits { // procedures exist early, which no program can hold against us
			if m, ok := x.(*expand.Lambda); ok && !n.Vars[i].Assigned {
				e.vars[n.Vars[i]] = r.eval(m, e)
			}
		}
		for i, x := range n.Inits {
			if e.vars[n.Vars[i]] == nil {
				e.vars[n.Vars[i]] = r.eval(x, e)
			}
		}
		return r.step(n.Body, e)
	}
	return nil
}

func (r *reference) enter(p *refProc, args []any) any {
	if len(args) < len(p.lam.Params) || len(args) > len(p.lam.Params) && p.lam.Rest == nil {
		panic(errRaised)
	}
	vars := map[*expand.Var]any{}
	for i, v := range p.lam.Params {
		vars[v] = args[i]
	}
	if p.lam.Rest != nil {
		var l any = refNull{}
		for i := len(args) - 1; i >= len(p.lam.Params); i-- {
			l = &refPair{args[i], l}
		}
		vars[p.lam.Rest] = l
	}
	return r.step(p.lam.Body, &refEnv{p.env, vars})
}

func primitive(name string, args []any) any {
	number := func(i int) int64 {
		v, ok := args[i].(int64)
		if !ok || v > 1<<40 || v < -1<<40 {
			if ok {
				panic(errSteps) // too large for the reference
			}
			panic(errRaised)
		}
		return v
	}
	pair := func() *refPair {
		p, ok := args[0].(*refPair)
		if !ok {
			panic(errRaised)
		}
		return p
	}
	switch name {
	case "+", "-", "*":
		v := number(0)
		for i := range args[1:] {
			switch w := number(i + 1); name {
			case "+":
				v += w
			case "-":
				v -= w
			default:
				v *= w % 1000
				if w%1000 != w {
					panic(errSteps)
				}
			}
		}
		return v
	case "<":
		return number(0) < number(1)
	case "=":
		return number(0) == number(1)
	case ">=":
		return number(0) >= number(1)
	case "zero?":
		return number(0) == 0
	case "not":
		return args[0] == false
	case "null?":
		return args[0] == any(refNull{})
	case "pair?":
		_, ok := args[0].(*refPair)
		return ok
	case "eq?":
		return args[0] == args[1]
	case "cons":
		return &refPair{args[0], args[1]}
	case "car":
		return pair().car
	case "cdr":
		return pair().cdr
	case "list":
		var l any = refNull{}
		for i := len(args) - 1; i >= 0; i-- {
			l = &refPair{args[i], l}
		}
		return l
	}
	panic("primitive " + name)
}
